import io
import shutil
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path

import pytest

from biblicus.disk.seals import check_folder
from tests.front_door import biblicus

TEXT = "# Tides\n\nThe moon pulls tides.\n"


@dataclass(frozen=True)
class Told:
    """What a command came to: exit code, standard output, standard error."""

    code: int
    out: str
    err: str

    @property
    def is_clean(self) -> bool:
        """Success, or one line of our own that is no surprise."""
        lines = self.err.splitlines()
        return self.code == 0 or (self.code > 1 and len(lines) == 1 and lines[0].startswith("Error: "))


Command = Callable[..., Told]


@pytest.fixture(scope="module")
def made(home: Path) -> Path:
    folder = home / "made"
    folder.mkdir()
    (folder / "tides.md").write_text(TEXT)
    assert biblicus(["init", str(folder)]) == 0
    assert biblicus(["reindex", "-C", str(folder)]) == 0
    return folder


@pytest.fixture
def corpus(made: Path, tmp_path: Path) -> Path:
    """A folder that is a corpus of one item, with one run: made once, copied for each test."""
    folder = tmp_path / "corpus"
    shutil.copytree(made, folder)
    for run in (folder / ".biblicus" / "local" / "index").iterdir():
        check_folder(run)  # as any reader would: inode and times stand for the copied files from now on
    return folder


@pytest.fixture
def told(corpus: Path) -> Command:
    """Runs a command on the corpus, in this process."""

    def tell(*words: str) -> Told:
        out, err = io.StringIO(), io.StringIO()
        with redirect_stdout(out), redirect_stderr(err):
            code = biblicus([*words, "-C", str(corpus)])
        return Told(code, out.getvalue(), err.getvalue())

    return tell


@pytest.fixture
def another_machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Moves us to a machine with another key."""
    return lambda: monkeypatch.setenv("BIBLICUS_STATE_HOME", str(tmp_path / "another-state"))
