"""Members of rar and 7z archives, read with rars and py7zr (extra `[archives]`).

Both libraries unpack several files per call, since files of a block cannot be unpacked without the files before them:
batches of bounded size, unpacked on first use.
"""

from __future__ import annotations

import io
import lzma
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from biblicus.errors import ExtractionFailed
from biblicus.extraction.kit.composing import encrypted
from biblicus.extraction.kit.extras import missing
from biblicus.extraction.members import LINK
from biblicus.models.extraction import NoExtraction, Packed, Unopened

if TYPE_CHECKING:
    from py7zr import SevenZipFile
    from rars import RarFile, RarInfo

_RAR = b"Rar!\x1a\x07"
_BATCH = 64 << 20
"""Maximum bytes of files that are unpacked together."""
_LARGEST = 256 << 20
_TOO_LARGE = NoExtraction("too large", f"larger than {_LARGEST >> 20} MiB, in an archive that is unpacked in memory")
_IN_VOLUMES = NoExtraction("unsupported", "it goes on in another volume; unpack it into the folder")
_DAMAGED = (lzma.LZMAError, zlib.error, EOFError, OSError, ValueError, TypeError, KeyError, IndexError, AttributeError)
"""Exceptions that py7zr raises for damaged archives and wrong passwords."""


def members(raw: bytes, name: str, passwords: Sequence[str]) -> Iterator[Packed]:
    """Yield the files of the archive in its order. Raises `Unopened`, `ExtractionFailed`."""
    try:
        yield from (_of_rar if raw.startswith(_RAR) else _of_7z)(raw, passwords)
    except ImportError:
        raise Unopened(missing("archives")) from None


def _of_rar(raw: bytes, passwords: Sequence[str]) -> Iterator[Packed]:
    import rars

    archive = _opened_rar(raw, passwords)
    files = [info for info in archive.infolist() if not info.is_dir()]
    entries = [
        _Entry(info.filename.replace("\\", "/"), info.file_size, info.compress_size or 1, _left(archive, info))
        for info in files
    ]

    def unpack(numbers: Sequence[int]) -> list[bytes]:
        try:
            return list(archive.read_many([files[number] for number in numbers]))
        except (rars.Error, KeyError, ValueError) as error:
            raise ExtractionFailed(str(error)) from error

    yield from _in_batches(entries, unpack)


def _left(archive: RarFile, info: RarInfo) -> NoExtraction | None:
    """Return why a file of the archive is not unpacked, or None."""
    if info.is_split_before or info.is_split_after:
        return _IN_VOLUMES
    return LINK if _is_link(archive, info) else None


def _is_link(archive: RarFile, info: RarInfo) -> bool:
    from rars import Error

    try:
        archive.readlink(info)
    except (Error, KeyError, ValueError):  # a regular file
        return False
    return True


def _opened_rar(raw: bytes, passwords: Sequence[str]) -> RarFile:
    """Open the archive, with one of the passwords if needed. Raises `Unopened`, `ExtractionFailed`."""
    from rars import BadPassword, Error, PasswordRequired, RarFile

    is_locked = False
    for password in (None, *passwords):
        try:
            archive = RarFile.from_bytes(raw, password)
            if password is None and any(info.is_encrypted and not info.is_dir() for info in archive.infolist()):
                is_locked = True
                continue
            _prove_rar(archive)
        except (PasswordRequired, BadPassword):  # file names are encrypted as well
            is_locked = True
            continue
        except Error as error:
            if is_locked:  # in older formats a wrong password only shows as a read error
                continue
            raise ExtractionFailed(f"the archive is damaged: {error}") from error
        return archive
    raise Unopened(encrypted(passwords))


def _prove_rar(archive: RarFile) -> None:
    """Unpack the first encrypted file that is not empty; its checksum proves the password."""
    first = next(
        (info for info in archive.infolist() if info.is_encrypted and info.file_size and not info.is_dir()), None
    )
    if first is not None:
        archive.read(first)


def _of_7z(raw: bytes, passwords: Sequence[str]) -> Iterator[Packed]:
    import py7zr

    archive = _opened_7z(raw, passwords)
    files = [file for file in archive.files if not file.is_directory]
    entries = [
        _Entry(file.filename, file.uncompressed, left=LINK if file.is_symlink or file.is_junction else None)
        for file in files
    ]

    def unpack(numbers: Sequence[int]) -> list[bytes]:
        names = [files[number].filename for number in numbers]
        into = py7zr.io.BytesIOFactory(max((entries[number].size for number in numbers), default=0) + 1)
        archive.reset()
        try:
            archive.extract(targets=names, factory=into)
        except _errors_of_7z() as error:
            raise ExtractionFailed(str(error) or type(error).__name__) from error
        unpacked = {name: product.read() for name, product in into.products.items()}
        return [unpacked.get(name.lstrip("/"), b"") for name in names]

    yield from _in_batches(entries, unpack)


def _errors_of_7z() -> tuple[type[Exception], ...]:
    from py7zr import exceptions

    return (exceptions.ArchiveError, exceptions.PasswordRequired, *_DAMAGED)


def _opened_7z(raw: bytes, passwords: Sequence[str]) -> SevenZipFile:
    """Open the archive, with one of the passwords if needed. Raises `Unopened`, `ExtractionFailed`."""
    from py7zr import SevenZipFile
    from py7zr.exceptions import PasswordRequired

    try:
        archive = SevenZipFile(io.BytesIO(raw))
        if not archive.password_protected:
            return archive
    except PasswordRequired:
        pass  # file names are encrypted as well
    except _errors_of_7z() as error:
        raise ExtractionFailed(f"the archive is damaged: {error}") from error
    for password in passwords:
        try:
            archive = SevenZipFile(io.BytesIO(raw), password=password)
            _prove_7z(archive)
        except _errors_of_7z():  # wrong password
            continue
        return archive
    raise Unopened(encrypted(passwords))


def _prove_7z(archive: SevenZipFile) -> None:
    """Unpack the first file that is not empty; its checksum proves the password."""
    from py7zr.io import BytesIOFactory

    first = next((file.filename for file in archive.files if not file.emptystream), None)
    if first is not None:
        archive.extract(targets=[first], factory=BytesIOFactory(0))


@dataclass(frozen=True)
class _Entry:
    """A file in an archive's listing. `size`: its bytes; `packed`: its compressed bytes, 0 if unknown; `left`: why it
    is not unpacked."""

    name: str
    size: int
    packed: int = 0
    left: NoExtraction | None = None


def _in_batches(entries: Sequence[_Entry], unpack: Callable[[Sequence[int]], Iterable[bytes]]) -> Iterator[Packed]:
    """Yield the members in order. `unpack`: returns the bytes of the files with these numbers."""
    batch: list[int] = []
    batch_bytes = 0
    for number, entry in enumerate(entries):
        if entry.left is not None or entry.size > _LARGEST:
            yield Packed(entry.name, left=entry.left or _TOO_LARGE)
            continue
        if batch and batch_bytes + entry.size > _BATCH:
            yield from _batch(entries, batch, unpack)
            batch, batch_bytes = [], 0
        batch.append(number)
        batch_bytes += entry.size
    yield from _batch(entries, batch, unpack)


def _batch(
    entries: Sequence[_Entry], numbers: Sequence[int], unpack: Callable[[Sequence[int]], Iterable[bytes]]
) -> Iterator[Packed]:
    unpacked: dict[int, bytes] = {}

    def blocks(number: int) -> Iterator[bytes]:
        """Yield a file's bytes. The first request unpacks the batch, or only that file if one of the batch is
        damaged."""
        if number not in unpacked:
            try:
                unpacked.update(zip(numbers, unpack(numbers), strict=True))
            except ExtractionFailed:
                unpacked.update(zip([number], unpack([number]), strict=True))
        yield unpacked.pop(number)

    for number in numbers:
        entry = entries[number]
        yield Packed(entry.name, blocks(number), entry.packed)
