import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(autouse=True, scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Settings, key and home of our own; and a `biblicus` on the PATH that is this checkout's."""
    folder = tmp_path_factory.mktemp("home")
    (folder / "bin").mkdir()
    shim = folder / "bin" / "biblicus"
    shim.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m biblicus "$@"\n')
    shim.chmod(0o755)
    with pytest.MonkeyPatch.context() as patch:
        for name in [name for name in os.environ if name.startswith("BIBLICUS_")]:
            patch.delenv(name)
        patch.setenv("HOME", str(folder))
        patch.setenv("BIBLICUS_STATE_HOME", str(folder / "state"))
        patch.setenv("BIBLICUS_CONFIG_HOME", str(folder / "config"))
        patch.setenv("PATH", f"{folder / 'bin'}{os.pathsep}{os.environ['PATH']}")
        patch.setenv("PYTHONPATH", str(ROOT))
        yield folder


@pytest.fixture
def harbour(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the example folder; the current folder."""
    folder = tmp_path / "harbour"
    shutil.copytree(ROOT / "examples" / "harbour", folder)
    shutil.copy(ROOT / "examples" / "questions.jsonl", tmp_path)
    monkeypatch.chdir(folder)
    return folder
