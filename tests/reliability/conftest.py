import io
import os
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path

import pytest

from biblicus.connectors.cli.app import run

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


@pytest.fixture(autouse=True)
def home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine of our own: settings, and the key of its seals."""
    folder = tmp_path_factory.mktemp("home")
    for name in [name for name in os.environ if name.startswith("BIBLICUS_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("BIBLICUS_STATE_HOME", str(folder / "state"))
    monkeypatch.setenv("BIBLICUS_CONFIG_HOME", str(folder / "config"))
    monkeypatch.setenv("BIBLICUS_WORKERS", "1")
    return folder


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    """A folder that is a corpus of one item, with one run."""
    folder = tmp_path / "corpus"
    folder.mkdir()
    (folder / "tides.md").write_text(TEXT)
    assert run(["init", str(folder)]) == 0
    assert run(["-C", str(folder), "reindex"]) == 0
    return folder


@pytest.fixture
def told(corpus: Path) -> Command:
    """Runs a command on the corpus, in this process."""

    def tell(*words: str) -> Told:
        out, err = io.StringIO(), io.StringIO()
        with redirect_stdout(out), redirect_stderr(err):
            code = run([*words, "-C", str(corpus)])
        return Told(code, out.getvalue(), err.getvalue())

    return tell


@pytest.fixture
def another_machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Moves us to a machine with another key."""
    return lambda: monkeypatch.setenv("BIBLICUS_STATE_HOME", str(tmp_path / "another-state"))
