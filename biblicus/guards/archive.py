"""Members of a zip archive, read within bounds: count, size, ratio and names; nothing is ever written anywhere."""

from __future__ import annotations

import io
import posixpath
import struct
import zipfile
import zlib
from dataclasses import dataclass

from biblicus.errors import BadData

_BLOCK = 1 << 18
_SMALL = 1 << 20
"""Bytes below which a member's ratio does not matter: an empty sheet packs well."""
_PACKED = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
"""How members of office documents and books are packed."""
_DAMAGED = (zipfile.BadZipFile, zlib.error, struct.error, EOFError, OSError, ValueError, LookupError, RuntimeError)
"""What the standard library raises over an archive that is not what it should be."""


@dataclass(frozen=True)
class Bounds:
    """What an archive may hold. `ratio`: unpacked bytes for one that is packed."""

    entries: int = 10_000
    bytes: int = 512 << 20
    ratio: int = 200


class ArchiveRefused(BadData):
    """An archive (an office document, a book) is damaged or holds more than is read."""

    code = "archive_refused"

    def __init__(self, cause: str) -> None:
        super().__init__(cause)


class Encrypted(ArchiveRefused):
    """An archive asks for a password."""

    code = "archive_locked"

    def __init__(self) -> None:
        super().__init__("the file asks for a password")


class Archive:
    """A zip file in memory. Members are read one at a time; all that is read counts together."""

    def __init__(self, raw: bytes, bounds: Bounds = Bounds()) -> None:
        self._bounds, self._read = bounds, 0
        try:
            self._zip = zipfile.ZipFile(io.BytesIO(raw))
        except _DAMAGED as error:
            raise ArchiveRefused(f"the file is no readable zip archive ({error})") from error
        members = self._zip.infolist()
        if len(members) > bounds.entries:
            raise ArchiveRefused(f"it holds more than {bounds.entries:,} entries")
        if sum(member.file_size for member in members) > bounds.bytes:
            raise ArchiveRefused(f"it holds more than {bounds.bytes >> 20} MiB")
        self._members = {member.filename: member for member in members if _is_inside(member.filename)}
        self._lower = {name.lower(): name for name in self._members}

    @property
    def names(self) -> list[str]:
        """The members, in the order of the archive."""
        return list(self._members)

    def has(self, name: str) -> bool:
        return self._name(name) is not None

    def read(self, name: str) -> bytes:
        """A member's bytes; empty where there is none of that name. Raises `ArchiveRefused`."""
        known = self._name(name)
        if known is None:
            return b""
        member = self._members[known]
        if member.flag_bits & 0x1:
            raise Encrypted
        if member.compress_type not in _PACKED:
            raise ArchiveRefused(f"{known} is packed in a way that is not read")
        parts: list[bytes] = []
        size = 0
        try:
            with self._zip.open(member) as stream:
                while block := stream.read(_BLOCK):
                    size += len(block)
                    self._count(len(block), size, member.compress_size)
                    parts.append(block)
        except _DAMAGED as error:
            raise ArchiveRefused(f"{known} is damaged ({error})") from error
        return b"".join(parts)

    def _count(self, more: int, size: int, packed: int) -> None:
        self._read += more
        if self._read > self._bounds.bytes:
            raise ArchiveRefused(f"it holds more than {self._bounds.bytes >> 20} MiB")
        if size > _SMALL and size > self._bounds.ratio * max(1, packed):
            raise ArchiveRefused(f"it unpacks to more than {self._bounds.ratio} times its size")

    def _name(self, name: str) -> str | None:
        return name if name in self._members else self._lower.get(name.lower())


def _is_inside(name: str) -> bool:
    """Whether a member's name stays in the archive and means a file."""
    if not name or name.endswith("/") or name.startswith("/") or "\\" in name or "\0" in name:
        return False
    return posixpath.normpath(name) == name and not name.startswith("..")


def resolved(base: str, target: str) -> str:
    """The member that a member refers to, by a path relative to its own; from the archive's root where it is rooted."""
    if target.startswith("/"):
        return posixpath.normpath(target).lstrip("/")
    return posixpath.normpath(posixpath.join(posixpath.dirname(base), target))
