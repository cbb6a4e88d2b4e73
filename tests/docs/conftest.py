import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(autouse=True, scope="module")
def home(home: Path) -> Iterator[Path]:
    """A home of our own, too; and a `biblicus` on the PATH that is this checkout's."""
    (home / "bin").mkdir()
    shim = home / "bin" / "biblicus"
    shim.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m biblicus "$@"\n')
    shim.chmod(0o755)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HOME", str(home))
        patch.setenv("PATH", f"{home / 'bin'}{os.pathsep}{os.environ['PATH']}")
        patch.setenv("PYTHONPATH", str(ROOT))
        yield home


@pytest.fixture
def harbour(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the example folder; the current folder."""
    folder = tmp_path / "harbour"
    shutil.copytree(ROOT / "examples" / "harbour", folder)
    shutil.copy(ROOT / "examples" / "questions.jsonl", tmp_path)
    monkeypatch.chdir(folder)
    return folder
