"""Read members of a zip archive within bounds on count, size, ratio and names; nothing is extracted to disk."""

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
"""Size in bytes below which a member's compression ratio is not checked: an empty sheet compresses well."""
_PACKED = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
"""Compression methods of office documents and e-books."""
_DAMAGED = (zipfile.BadZipFile, zlib.error, struct.error, EOFError, OSError, ValueError, LookupError, RuntimeError)
"""Exceptions that the standard library raises for a damaged archive."""


@dataclass(frozen=True)
class Bounds:
    """Limits of an archive. `bytes`: unpacked. `ratio`: unpacked bytes for each packed byte."""

    entries: int = 10_000
    bytes: int = 512 << 20
    ratio: int = 200


class ArchiveRefused(BadData):
    """An archive (an office document, an e-book) is damaged or exceeds a limit."""

    def __init__(self, cause: str) -> None:
        super().__init__(cause)


class Encrypted(ArchiveRefused):
    """An archive needs a password."""

    code = "archive_locked"

    def __init__(self) -> None:
        super().__init__("the file asks for a password")


class Archive:
    """A zip file in memory. Members are read one at a time; the bounds apply to their sum."""

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
        """Return the member names in the order of the archive."""
        return list(self._members)

    def has(self, name: str) -> bool:
        return self._name(name) is not None

    def read(self, name: str) -> bytes:
        """Return a member's bytes, or none if there is no such member. Raises `ArchiveRefused`."""
        member_name = self._name(name)
        if member_name is None:
            return b""
        member = self._members[member_name]
        if member.flag_bits & 0x1:
            raise Encrypted
        if member.compress_type not in _PACKED:
            raise ArchiveRefused(f"{member_name} is packed in a way that is not read")
        parts: list[bytes] = []
        size = 0
        try:
            with self._zip.open(member) as stream:
                while block := stream.read(_BLOCK):
                    size += len(block)
                    self._count(len(block), size, member.compress_size)
                    parts.append(block)
        except _DAMAGED as error:
            raise ArchiveRefused(f"{member_name} is damaged ({error})") from error
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
    """Return true if a member's name is a file path inside the archive."""
    if not name or name.endswith("/") or name.startswith("/") or "\\" in name or "\0" in name:
        return False
    return posixpath.normpath(name) == name and not name.startswith("..")


def resolved(base: str, target: str) -> str:
    """Resolve a path in member `base` to a member name; a leading `/` means the archive's root."""
    if target.startswith("/"):
        return posixpath.normpath(target).lstrip("/")
    return posixpath.normpath(posixpath.join(posixpath.dirname(base), target))
