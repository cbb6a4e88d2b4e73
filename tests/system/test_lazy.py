"""Modules that are imported at their first use."""

import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

from biblicus.lazy import np


def test_a_library_is_imported_when_it_is_used():
    program = "import sys; from biblicus.lazy import np; assert 'numpy' not in sys.modules; print(np.arange(3).sum())"
    assert subprocess.run([sys.executable, "-c", program], capture_output=True, text=True).stdout == "3\n"
    assert np.arange(3).sum() == 3
    assert "arange" in vars(np), "kept: the next use is a look-up"


def test_a_module_of_a_package_is_imported_when_it_is_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    folder = tmp_path / "late_room"
    folder.mkdir()
    (folder / "__init__.py").write_text("from biblicus.lazy import modules_of\n__getattr__ = modules_of(__name__)\n")
    (folder / "moon.py").write_text("PULL = 3\n")
    (folder / "broken.py").write_text("import no_such_module_at_all\n")
    monkeypatch.syspath_prepend(tmp_path)
    late_room = import_module("late_room")
    assert "late_room.moon" not in sys.modules
    assert late_room.moon.PULL == 3
    assert "moon" in vars(late_room)
    with pytest.raises(AttributeError, match="module 'late_room' has no attribute 'sun'"):
        _ = late_room.sun
    with pytest.raises(ModuleNotFoundError, match="no_such_module_at_all"):
        _ = late_room.broken
    assert not hasattr(late_room, "__wrapped__")
