"""Finds a model file on this machine: in the user's data folder, else in the installed package."""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

from biblicus.errors import ModelFileDamaged, ModelFileMissing
from biblicus.guards.processes import user_folder
from biblicus.model_files.table import FILES, ModelFile


def data_folder() -> Path:
    """Folder of this user in which `biblicus models get` keeps weights."""
    return user_folder("data") / "models"


def place_of(file: ModelFile) -> Path | None:
    """Path of a file that is here, or None. Its content is not looked at, and no package is imported."""
    kept = data_folder() / file.name
    if kept.is_file():
        return kept
    spec = find_spec(file.package.module)
    if spec is None or spec.origin is None:
        return None
    installed = Path(spec.origin).parent / file.path
    return installed if installed.is_file() else None


def are_here(*names: str) -> bool:
    """Return true if all these files are on this machine."""
    return all(place_of(FILES[name]) is not None for name in names)


def located(name: str, digest: Callable[[Path], str]) -> Path:
    """Path of a file whose sha256 is the known one. `digest`: sha256 of a file, in hexadecimal digits.

    Raises `ModelFileMissing`, `ModelFileDamaged`.
    """
    file = FILES[name]
    path = place_of(file)
    if path is None:
        raise ModelFileMissing(file.purpose, file.extra)
    try:
        actual = digest(path)
    except OSError:
        actual = ""
    if actual != file.sha256:
        raise ModelFileDamaged(path.name, file.package.distribution)
    return path
