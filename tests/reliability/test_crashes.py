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

KILLED = 137


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A machine with a corpus that has a run: made once, copied for each test."""
    folder = tmp_path_factory.mktemp("machine") / "corpus"
    folder.mkdir()
    for number in range(5):
        (folder / f"{number}.md").write_text(f"# Note {number}\n\nThe tide table of pier {number}.\n")
    assert _biblicus(folder, "init").returncode == 0
    assert _biblicus(folder, "reindex").returncode == 0
    return folder.parent


@pytest.fixture
def corpus(made: Path, tmp_path: Path) -> Path:
    """A corpus with a run, and an edit that the run has not seen."""
    shutil.copytree(made, tmp_path, dirs_exist_ok=True)
    folder = tmp_path / "corpus"
    (folder / "5.md").write_text("# Note 5\n\nA walrus on pier 5.\n")
    return folder


def _environment(corpus: Path) -> dict[str, str]:
    state = str(corpus.parent / "state")
    return {**os.environ, "BIBLICUS_STATE_HOME": state, "BIBLICUS_CONFIG_HOME": state, "BIBLICUS_WORKERS": "1"}


def _biblicus(corpus: Path, *words: str, before: Sequence[str] = ()) -> subprocess.CompletedProcess[str]:
    command = [*before, sys.executable, "-m", "biblicus", *words]
    return subprocess.run(
        command, cwd=corpus, env=_environment(corpus), capture_output=True, text=True, timeout=60, check=False
    )


def _inject(call: str, fault: str) -> list[str]:
    if shutil.which("strace") is None:
        pytest.skip("strace is not installed")
    return ["strace", "-f", "-qq", "-o", "/dev/null", "-e", f"trace={call}", "-e", f"inject={call}:{fault}"]


def _raw(corpus: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in corpus.glob("*.md")}


@pytest.mark.parametrize(("call", "nth"), [("rename", 1), ("rename", 3), ("rename", 4), ("fsync", 2), ("link", 1)])
def test_a_reindex_that_is_killed_leaves_a_corpus_that_answers(corpus: Path, call: str, nth: int):
    raw = _raw(corpus)
    struck = _biblicus(corpus, "reindex", before=_inject(call, f"signal=KILL:when={nth}"))
    assert struck.returncode in (-9, KILLED), "the fault must strike"
    answer = _biblicus(corpus, "query", "tide table", "--json")
    assert len(json.loads(answer.stdout)["evidence"]) == 5
    assert _biblicus(corpus, "check").returncode == 0, "a crash leaves notes, not problems"
    assert _biblicus(corpus, "reindex").returncode == 0
    assert json.loads(_biblicus(corpus, "query", "walrus", "--json").stdout)["evidence"]
    assert _raw(corpus) == raw
    left = [path for path in (corpus / ".biblicus").rglob("*") if path.name.endswith(".tmp") or "-tmp-" in path.name]
    assert not left


@pytest.mark.parametrize(("call", "error"), [("fsync", "EIO"), ("rename", "ENOSPC"), ("link", "EROFS")])
def test_a_failing_call_is_an_error_and_the_old_state_stands(corpus: Path, call: str, error: str):
    catalog = (corpus / ".biblicus" / "catalog.json").read_bytes()
    runs = sorted(os.listdir(corpus / ".biblicus" / "runs"))
    struck = _biblicus(corpus, "reindex", "--json", before=_inject(call, f"error={error}:when=1+"))
    assert struck.returncode == 6
    assert json.loads(struck.stderr.splitlines()[-1])["error"]["code"] == "storage_failed"
    assert "Traceback" not in struck.stderr
    assert sorted(os.listdir(corpus / ".biblicus" / "runs")) == runs
    if call != "link":  # the catalog is replaced, not linked
        assert (corpus / ".biblicus" / "catalog.json").read_bytes() == catalog
    assert _biblicus(corpus, "reindex").returncode == 0


def test_writers_at_once_lose_nothing(corpus: Path):
    def bring(number: int) -> int:
        source = corpus.parent / f"brought-{number}.txt"
        source.write_text(f"Brought by writer {number}.")
        return _biblicus(corpus, "ingest", str(source)).returncode

    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(bring, range(8))) == [0] * 8
    items = json.loads(_biblicus(corpus, "list", "--path", "imports/*", "--json").stdout)["items"]
    assert len(items) == 8


@pytest.mark.parametrize("name", ["local", "runs"])
def test_a_cloned_folder_of_links_is_not_written_through(corpus: Path, name: str):
    outside = corpus.parent / "outside"
    outside.mkdir()
    (outside / "precious.txt").write_text("not yours")
    shutil.rmtree(corpus / ".biblicus" / name)
    (corpus / ".biblicus" / name).symlink_to(outside)
    done = _biblicus(corpus, "reindex")
    assert done.returncode == 7
    assert os.listdir(outside) == ["precious.txt"]
