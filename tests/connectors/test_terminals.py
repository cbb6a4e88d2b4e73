"""What a shell closed, and how narrow its terminal is, changes no result."""

import os
import pty
import subprocess
import sys
import termios
from pathlib import Path

import pytest

from biblicus.disk.system import fill_streams
from tests.folders import corpus_of
from tests.front_door import biblicus


@pytest.mark.parametrize("name", ["stdin", "stdout", "stderr"])
def test_a_closed_stream_leads_nowhere(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    before = os.listdir("/proc/self/fd") if sys.platform == "linux" else []
    monkeypatch.setattr(sys, name, None)
    fill_streams()
    assert getattr(sys, name).fileno() == ["stdin", "stdout", "stderr"].index(name)
    assert before == (os.listdir("/proc/self/fd") if before else [])


@pytest.mark.parametrize("words", [["query"], ["answer"]])
@pytest.mark.parametrize("columns", ["1", "4", "12", "29"])
def test_a_narrow_terminal(
    words: list[str], columns: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    corpus_of(tmp_path, {"winch.md": "# Winch\n\nThe winch on the north mole is greased on the first of May.\n"})
    monkeypatch.setenv("COLUMNS", columns)
    assert biblicus([*words, "When is the winch greased?", "-C", str(tmp_path)]) == 0
    assert "first" in capsys.readouterr().out


def test_the_bare_command_asks_for_questions_and_a_number_opens(tmp_path: Path) -> None:
    """On a terminal: the state, an answer with its band, numbered results as links, and a result between its lines."""
    corpus_of(
        tmp_path, {"winch.md": "# Winch\n\nGreased yearly.\n\nThe winch is greased on the first of May.\n"}, "lexical"
    )
    ours, theirs = pty.openpty()
    termios.tcsetwinsize(theirs, (40, 100))
    program = [sys.executable, "-m", "biblicus", "-C", str(tmp_path)]
    environment = {name: value for name, value in os.environ.items() if name != "NO_COLOR"}
    with subprocess.Popen(program, stdin=theirs, stdout=theirs, stderr=theirs, env=environment) as process:
        os.close(theirs)
        os.write(ours, b"When is the winch greased?\n9\n1\n\n")
        shown = b""
        while process.poll() is None or not shown:
            try:
                shown += os.read(ours, 65_536)
            except OSError:
                break
    text = shown.decode()
    assert process.returncode == 0
    assert "1 file" in text
    assert any(band in text for band in ("Sure", "Likely", "Thin"))
    assert "Confidence" not in text
    assert f"\x1b]8;;file://{tmp_path}/winch.md#L" in text
    assert "The last question has results 1 to 1, not 9." in text
    assert "winch.md, lines 1 to 5 of 5" in text
