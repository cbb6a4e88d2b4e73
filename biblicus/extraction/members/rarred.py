"""Members of rar archives, read with rars (extra `[archives]`)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from biblicus.errors import ExtractionFailed
from biblicus.extraction.kit.composing import encrypted
from biblicus.extraction.kit.extras import missing
from biblicus.extraction.members import LINK
from biblicus.extraction.members.batches import Entry, in_batches
from biblicus.models.extraction import NoExtraction, Packed, Unopened

if TYPE_CHECKING:
    from rars import RarFile, RarInfo

_IN_VOLUMES = NoExtraction("unsupported", "it goes on in another volume; unpack it into the folder")


def members(raw: bytes, name: str, passwords: Sequence[str]) -> Iterator[Packed]:
    """Yield the files of the archive in its order. Raises `Unopened`, `ExtractionFailed`."""
    try:
        import rars
    except ImportError:
        raise Unopened(missing("archives")) from None
    archive = _opened(raw, passwords)
    files = [info for info in archive.infolist() if not info.is_dir()]
    entries = [
        Entry(info.filename.replace("\\", "/"), info.file_size, info.compress_size or 1, _left(archive, info))
        for info in files
    ]

    def unpack(numbers: Sequence[int]) -> list[bytes]:
        try:
            return list(archive.read_many([files[number] for number in numbers]))
        except (rars.Error, KeyError, ValueError) as error:
            raise ExtractionFailed(str(error)) from error

    yield from in_batches(entries, unpack)


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


def _opened(raw: bytes, passwords: Sequence[str]) -> RarFile:
    """Open the archive, with one of the passwords if needed. Raises `Unopened`, `ExtractionFailed`."""
    from rars import BadPassword, Error, PasswordRequired, RarFile

    is_locked = False
    for password in (None, *passwords):
        try:
            archive = RarFile.from_bytes(raw, password)
            if password is None and any(info.is_encrypted and not info.is_dir() for info in archive.infolist()):
                is_locked = True
                continue
            _prove(archive)
        except (PasswordRequired, BadPassword):  # file names are encrypted as well
            is_locked = True
            continue
        except Error as error:
            if is_locked:  # in older formats a wrong password only shows as a read error
                continue
            raise ExtractionFailed(f"the archive is damaged: {error}") from error
        return archive
    raise Unopened(encrypted(passwords))


def _prove(archive: RarFile) -> None:
    """Unpack the first encrypted file that is not empty; its checksum proves the password."""
    first = next(
        (info for info in archive.infolist() if info.is_encrypted and info.file_size and not info.is_dir()), None
    )
    if first is not None:
        archive.read(first)
