"""Members of 7z archives, read with py7zr (extra `[archives]`)."""

from __future__ import annotations

import io
import lzma
import zlib
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from biblicus.errors import ExtractionFailed
from biblicus.extraction.kit.composing import encrypted
from biblicus.extraction.kit.extras import missing
from biblicus.extraction.members import LINK
from biblicus.extraction.members.batches import Entry, in_batches
from biblicus.models.extraction import Packed, Unopened

if TYPE_CHECKING:
    from py7zr import SevenZipFile

_DAMAGED = (lzma.LZMAError, zlib.error, EOFError, OSError, ValueError, TypeError, KeyError, IndexError, AttributeError)
"""Exceptions that py7zr raises for damaged archives and wrong passwords."""


def members(raw: bytes, name: str, passwords: Sequence[str]) -> Iterator[Packed]:
    """Yield the files of the archive in its order. Raises `Unopened`, `ExtractionFailed`."""
    try:
        import py7zr
    except ImportError:
        raise Unopened(missing("archives")) from None
    archive = _opened(raw, passwords)
    files = [file for file in archive.files if not file.is_directory]
    entries = [
        Entry(file.filename, file.uncompressed, left=LINK if file.is_symlink or file.is_junction else None)
        for file in files
    ]

    def unpack(numbers: Sequence[int]) -> list[bytes]:
        names = [files[number].filename for number in numbers]
        into = py7zr.io.BytesIOFactory(max((entries[number].size for number in numbers), default=0) + 1)
        archive.reset()
        try:
            archive.extract(targets=names, factory=into)
        except _errors() as error:
            raise ExtractionFailed(str(error) or type(error).__name__) from error
        unpacked = {name: product.read() for name, product in into.products.items()}
        return [unpacked.get(name.lstrip("/"), b"") for name in names]

    yield from in_batches(entries, unpack)


def _errors() -> tuple[type[Exception], ...]:
    from py7zr import exceptions

    return (exceptions.ArchiveError, exceptions.PasswordRequired, *_DAMAGED)


def _opened(raw: bytes, passwords: Sequence[str]) -> SevenZipFile:
    """Open the archive, with one of the passwords if needed. Raises `Unopened`, `ExtractionFailed`."""
    from py7zr import SevenZipFile
    from py7zr.exceptions import PasswordRequired

    try:
        archive = SevenZipFile(io.BytesIO(raw))
        if not archive.password_protected:
            return archive
    except PasswordRequired:
        pass  # file names are encrypted as well
    except _errors() as error:
        raise ExtractionFailed(f"the archive is damaged: {error}") from error
    for password in passwords:
        try:
            archive = SevenZipFile(io.BytesIO(raw), password=password)
            _prove(archive)
        except _errors():  # wrong password
            continue
        return archive
    raise Unopened(encrypted(passwords))


def _prove(archive: SevenZipFile) -> None:
    """Unpack the first file that is not empty; its checksum proves the password."""
    from py7zr.io import BytesIOFactory

    first = next((file.filename for file in archive.files if not file.emptystream), None)
    if first is not None:
        archive.extract(targets=[first], factory=BytesIOFactory(0))
