"""`biblicus open` at a terminal, in a folder that is no corpus yet."""

import os
import pty
import re
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from biblicus import Corpus


@contextmanager
def opening(folder: Path, state: Path, *options: str) -> Iterator[tuple[subprocess.Popen[bytes], int]]:
    """The command at a terminal, and the terminal's other side."""
    ours, theirs = pty.openpty()
    kept = {f"BIBLICUS_{kind}_HOME": str(state) for kind in ("STATE", "CONFIG", "CACHE")}
    command = [sys.executable, "-m", "biblicus", "open", "--no-browser", *options]
    process = subprocess.Popen(command, cwd=folder, stdin=theirs, stdout=theirs, stderr=theirs, env=os.environ | kept)
    os.close(theirs)
    try:
        yield process, ours
    finally:
        process.terminate()
        process.wait()
        os.close(ours)


def said(terminal: int, words: str) -> str:
    """What is told until these words, or until there is no more."""
    told = ""
    while words not in told:
        try:
            told += os.read(terminal, 4096).decode("utf-8", "replace")
        except OSError:  # the other side has gone
            break
    return told


def test_a_folder_becomes_a_corpus_where_a_person_says_so(tmp_path: Path) -> None:
    folder = tmp_path / "harbour"
    folder.mkdir()
    (folder / "tides.md").write_text("The moon pulls the tides.\n", "utf-8")
    with opening(folder, tmp_path / "state", "--no-watch") as (process, terminal):
        assert "is no corpus yet" in said(terminal, "[Y/n]")
        os.write(terminal, b"n\n")
        assert "There is no corpus in" in said(terminal, "biblicus init")
        assert process.wait() == 3
    assert sorted(path.name for path in folder.iterdir()) == ["tides.md"]
    with opening(folder, tmp_path / "state", "--no-watch") as (_, terminal):
        said(terminal, "[Y/n]")
        os.write(terminal, b"\n")
        assert "The page of harbour is at http://127.0.0.1:" in said(terminal, "Let in")
    assert sorted(path.name for path in folder.iterdir()) == [".biblicus", "tides.md"]


def test_it_tells_the_address_and_how_far_it_is_and_logs_no_request(tmp_path: Path) -> None:
    folder = tmp_path / "harbour"
    folder.mkdir()
    (folder / "tides.md").write_text("The moon pulls the tides.\n", "utf-8")
    with Corpus.init(folder):
        pass
    with opening(folder, tmp_path / "state") as (process, terminal):
        told = said(terminal, "Indexed: 1 file, 1 passage")
        assert "Indexed: 1 file, 1 passage" in told
        address = re.search(r"http://127[.]0[.]0[.]1:\d+", told)
        assert address is not None
        with pytest.raises(urllib.error.HTTPError):
            urllib.request.urlopen(f"{address[0]}/nowhere", timeout=30)
        process.terminate()
        told += said(terminal, "no more of this")
        assert process.wait() == 0
    assert not re.search(r"GET|nowhere|INFO|\{|uvicorn", told), told


def test_where_nobody_can_be_asked_nothing_is_made(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "biblicus", "open", "--no-browser"]
    done = subprocess.run(command, cwd=tmp_path, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    assert done.returncode == 3
    assert "biblicus init" in done.stderr
    assert list(tmp_path.iterdir()) == []
