import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.front_door import biblicus

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


@pytest.fixture(scope="module")
def sealed(home: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The example folder, indexed once; its keeper and the keeper's manual beside it."""
    place = tmp_path_factory.mktemp("sealed")
    shutil.copytree(ROOT / "examples" / "harbour", place / "harbour")
    shutil.copytree(ROOT / "examples" / "persona" / "manual", place / "manual")
    shutil.copy(ROOT / "examples" / "questions.jsonl", place)
    for folder in ("harbour", "manual"):
        assert biblicus(["init", str(place / folder)]) == 0
        assert biblicus(["reindex", "-C", str(place / folder)]) == 0
    (place / "harbour" / ".biblicus" / "personas").mkdir()
    shutil.copy(ROOT / "examples" / "persona" / "keeper.yml", place / "harbour" / ".biblicus" / "personas")
    return place


@pytest.fixture
def harbour(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the example folder; the current folder."""
    folder = tmp_path / "harbour"
    shutil.copytree(ROOT / "examples" / "harbour", folder)
    shutil.copy(ROOT / "examples" / "questions.jsonl", tmp_path)
    monkeypatch.chdir(folder)
    return folder
