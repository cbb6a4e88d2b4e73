"""Relative POSIX paths as text: any file name, also one that is not UTF-8, becomes a valid string and back.

A byte that is no valid UTF-8 is kept as one private-use character U+EF00 + byte (bytes 0x80–0xFF), so that JSON,
SQLite and index engines can hold every path. Names that use that range themselves are escaped byte by byte, which
keeps the mapping one-to-one.

`port.zip!/plans/mole.md` is a member of an archive, or an attachment of a mail. A `!` at the end of a folder's own name
is escaped in the same way.
"""

from __future__ import annotations

import os
import unicodedata
from collections.abc import Iterable, Sequence
from functools import lru_cache
from urllib.parse import quote

_BASE = 0xEF00
MEMBER = "!/"
"""What stands between a file and its member."""
_MARK = chr(_BASE + ord("!"))


def _is_escape(char: str) -> bool:
    return _BASE + 0x80 <= ord(char) <= _BASE + 0xFF or char == _MARK


def _is_plain(name: str) -> bool:
    if MEMBER in name:
        return False
    return name.isascii() or not any("\ud800" <= c <= "\udfff" or _is_escape(c) for c in name)


def file_of(path: str) -> str:
    """The file that holds a member; of any other path, itself."""
    return path.partition(MEMBER)[0]


def holder_of(path: str) -> str:
    """What holds a member: a file, or a member of one; empty where it is none."""
    return path.rpartition(MEMBER)[0]


def is_member(path: str) -> bool:
    """Whether a path is of a member."""
    return MEMBER in path


def depth_of(path: str) -> int:
    """How many archives a path leads into."""
    return path.count(MEMBER)


def as_typed(path: str) -> str:
    """The stored form of a path that a person typed and that is of no member."""
    return path.replace(MEMBER, f"{_MARK}/")


def from_os(name: str) -> str:
    """The stored form of a name that the operating system gave (decoded with surrogateescape)."""
    if _is_plain(name):
        return name
    out: list[str] = []
    for char in os.fsencode(name).decode("utf-8", "surrogateescape"):
        if "\udc80" <= char <= "\udcff":
            out.append(chr(_BASE + ord(char) - 0xDC00))
        elif _is_escape(char):
            out.extend(chr(_BASE + byte) for byte in char.encode())
        else:
            out.append(char)
    return as_typed("".join(out))


def to_os(path: str) -> str:
    """The name to give to the operating system for a stored path."""
    if path.isascii() or not any(_is_escape(c) for c in path):
        return path
    raw = b"".join(bytes([ord(c) - _BASE]) if _is_escape(c) else c.encode() for c in path)
    return os.fsdecode(raw)


def as_uri(path: str) -> str:
    """The path as a relative URI reference (RFC 3986): the raw bytes percent-encoded."""
    parts = path.split(_MARK)
    return "%21".join(quote(os.fsencode(to_os(part)), safe="/-._~!$&'()*+,;=@") for part in parts)


def alike(path: str) -> str:
    """What paths, or names, have in common that differ in case or Unicode form alone."""
    return path.lower() if path.isascii() else unicodedata.normalize("NFC", path).casefold()


def collisions(paths: Iterable[str]) -> list[tuple[str, ...]]:
    """Groups of paths that some file systems could not hold side by side: equal but for case or Unicode form."""
    keys = {path: alike(path) for path in paths}
    if len(set(keys.values())) == len(keys):
        return []
    groups: dict[str, list[str]] = {}
    for path, key in keys.items():
        groups.setdefault(key, []).append(path)
    return [tuple(group) for group in groups.values() if len(group) > 1]


READMES = ("README.md", "readme.md", "README.txt")
"""Files that tell of the folder that they lie in."""


def folder_of(path: str) -> str:
    """The folder that a file, or what holds a member, lies in; empty for the corpus's own."""
    return file_of(path).rpartition("/")[0]


def folders_above(path: str) -> list[str]:
    """The folders that a path lies in, the outermost first, which is empty."""
    return _down_to(folder_of(path))


def _down_to(folder: str) -> list[str]:
    """A folder after those that it lies in."""
    parts = folder.split("/") if folder else []
    return ["", *("/".join(parts[: depth + 1]) for depth in range(len(parts)))]


def readmes_above(path: str) -> Sequence[str]:
    """Where a README of each of the folders would lie."""
    return readmes_of(folder_of(path))


@lru_cache(maxsize=1_024)
def readmes_of(folder: str) -> Sequence[str]:
    """The same of a folder and those above it."""
    return tuple(f"{above}/{name}" if above else name for above in _down_to(folder) for name in READMES)
