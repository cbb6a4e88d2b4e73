"""The fault matrix in small: a few kills, failing calls and writers at once. All of it: `make test-faults`."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.front_door import biblicus
from tests.reliability.conftest import Command
from tests.sampling import some

ROOT = Path(__file__).resolve().parents[2]
KILLED = 137


@pytest.fixture(scope="module")
def made(home: Path) -> Path:
    """A corpus that has a run: made once, copied for each test."""
    folder = home / "notes"
    folder.mkdir()
    for number in range(5):
        (folder / f"{number}.md").write_text(f"# Note {number}\n\nThe tide table of pier {number}.\n")
    assert biblicus(["init", str(folder)]) == 0
    assert biblicus(["reindex", "-C", str(folder)]) == 0
    return folder


@pytest.fixture
def corpus(corpus: Path) -> Path:
    """A corpus with a run, and an edit that the run has not seen."""
    (corpus / "5.md").write_text("# Note 5\n\nA walrus on pier 5.\n")
    return corpus


def _struck(corpus: Path, *words: str, before: Sequence[str] = ()) -> subprocess.CompletedProcess[str]:
    """A command in a process of its own, that a fault may strike. What is asked after it may be asked in this one."""
    command = [*before, sys.executable, "-m", "biblicus", *words, "-C", str(corpus)]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=300, check=False)


def _inject(call: str, fault: str) -> list[str]:
    if shutil.which("strace") is None:
        pytest.skip("strace is not installed")
    return ["strace", "-f", "-qq", "-o", "/dev/null", "-e", f"trace={call}", "-e", f"inject={call}:{fault}"]


def _raw(corpus: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in corpus.glob("*.md")}


@pytest.mark.parametrize(("call", "nth"), some([("rename", 4), ("rename", 1), ("fsync", 2), ("link", 1)], 2))
def test_a_reindex_that_is_killed_leaves_a_corpus_that_answers(corpus: Path, told: Command, call: str, nth: int):
    raw = _raw(corpus)
    struck = _struck(corpus, "reindex", before=_inject(call, f"signal=KILL:when={nth}"))
    assert struck.returncode in (-9, KILLED), "the fault must strike"
    assert len(json.loads(told("query", "tide table", "--json").out)["evidence"]) == 5
    assert told("check").code == 0, "a crash leaves notes, not problems"
    assert told("reindex").code == 0
    assert json.loads(told("query", "walrus", "--json").out)["evidence"]
    assert _raw(corpus) == raw
    left = [path for path in (corpus / ".biblicus").rglob("*") if path.name.endswith(".tmp") or "-tmp-" in path.name]
    assert not left


@pytest.mark.parametrize(("call", "error"), some([("fsync", "EIO"), ("link", "EROFS"), ("rename", "ENOSPC")], 2))
def test_a_failing_call_is_an_error_and_the_old_state_stands(corpus: Path, told: Command, call: str, error: str):
    catalog = (corpus / ".biblicus" / "catalog.json").read_bytes()
    runs = sorted(os.listdir(corpus / ".biblicus" / "runs"))
    struck = _struck(corpus, "reindex", "--json", before=_inject(call, f"error={error}:when=1+"))
    assert struck.returncode == 6
    assert json.loads(struck.stderr.splitlines()[-1])["error"]["code"] == "storage_failed"
    assert "Traceback" not in struck.stderr
    assert sorted(os.listdir(corpus / ".biblicus" / "runs")) == runs
    if call != "link":  # the catalog is replaced, not linked
        assert (corpus / ".biblicus" / "catalog.json").read_bytes() == catalog
    assert told("reindex").code == 0


def test_writers_at_once_lose_nothing(corpus: Path, told: Command):
    def bring(number: int) -> int:
        source = corpus.parent / f"brought-{number}.txt"
        source.write_text(f"Brought by writer {number}.")
        return _struck(corpus, "ingest", str(source)).returncode

    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(bring, range(4))) == [0] * 4
    items = json.loads(told("list", "--path", "imports/*", "--json").out)["items"]
    assert len(items) == 4


@pytest.mark.parametrize("name", ["local", "runs"])
def test_a_cloned_folder_of_links_is_not_written_through(corpus: Path, told: Command, name: str):
    outside = corpus.parent / "outside"
    outside.mkdir()
    (outside / "precious.txt").write_text("not yours")
    shutil.rmtree(corpus / ".biblicus" / name)
    (corpus / ".biblicus" / name).symlink_to(outside)
    assert told("reindex").code == 7
    assert os.listdir(outside) == ["precious.txt"]
