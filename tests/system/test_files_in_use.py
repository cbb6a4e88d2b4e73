"""On Windows a run whose files another process reads is deleted later; long and network paths have their prefix."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.system.test_core import environment

DELETED_LATER = """
import mmap, sys
from pathlib import Path
from biblicus import Corpus

root = Path(sys.argv[1])
with Corpus.init(root) as corpus:
    (root / "tides.md").write_text("The moon pulls the tides.", "utf-8")
    first = corpus.reindex().runs[0].manifest.run_id
    (root / "tides.md").write_text("The sun pulls, too.", "utf-8")
    corpus.reindex()
    folder = root / ".biblicus/local/index" / first
    with next(folder.glob("*.db")).open("r+b") as file:
        view = mmap.mmap(file.fileno(), 0)
    corpus.prune_runs(keep=1)
    assert not (root / ".biblicus/runs" / f"{first}.json").exists()
    assert folder.exists(), "Windows refuses to move a folder with a mapped file"
    corpus.tag("tides.md", "+sea")
    assert folder.exists(), "it is still read"
    view.close()
    corpus.tag("tides.md", "+moon")
    assert not folder.exists(), "the next writer deletes it"
    assert not list(folder.parent.glob("*.tmp"))
    assert corpus.check().problems == []
"""
PATHS = """
import sys
from biblicus.disk import system

deep = "/".join(["folder"] * 50)
assert system.extended("C:\\\\short.md") == "C:\\\\short.md"
import os
os.path.abspath = lambda path: path  # the fake has the paths of Linux
assert system.extended("C:\\\\" + deep) == "\\\\\\\\?\\\\C:\\\\" + deep
assert system.extended("\\\\\\\\server\\\\share\\\\" + deep) == "\\\\\\\\?\\\\UNC\\\\server\\\\share\\\\" + deep
assert system.extended("\\\\\\\\?\\\\C:\\\\" + deep) == "\\\\\\\\?\\\\C:\\\\" + deep
"""


@pytest.mark.parametrize("code", [DELETED_LATER, PATHS], ids=["deleted later", "long and network paths"])
def test_windows(code: str, tmp_path: Path):
    done = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path / "notes")],
        env=environment("windows", tmp_path),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
