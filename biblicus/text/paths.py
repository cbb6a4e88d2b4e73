"""Relative POSIX paths as text: a reversible mapping of any file name to a valid string.

A byte that is invalid UTF-8 becomes the private-use character U+EF00 + byte (bytes 0x80–0xFF), so that JSON, SQLite and
index engines can store every path. Names that contain that range are escaped byte by byte.

`port.zip!/plans/mole.md` is a member of an archive or an attachment of a mail. A `!` at the end of a real folder name
is escaped in the same way.
"""

from __future__ import annotations

import os
import re
import unicodedata
from collections.abc import Iterable, Sequence
from functools import lru_cache
from urllib.parse import quote

_BASE = 0xEF00
MEMBER = "!/"
"""Separator between a file and its member."""
_MARK = chr(_BASE + ord("!"))
_OF_AN_EXPORT = re.compile(r"!/(?:Export-[0-9a-f-]{36}(?:-Part-\d+)?\.zip|entities\.xml)(?=!/|\Z)")
"""Names of archives within the exports of Notion and Confluence."""
_NOTION_TABLE = re.compile(r" [0-9a-f]{32}\.csv\Z")


def _is_escape(char: str) -> bool:
    return _BASE + 0x80 <= ord(char) <= _BASE + 0xFF or char == _MARK


def _is_plain(name: str) -> bool:
    if MEMBER in name:
        return False
    return name.isascii() or not any("\ud800" <= c <= "\udfff" or _is_escape(c) for c in name)


def file_of(path: str) -> str:
    """Return the file that contains a member; other paths unchanged."""
    return path.partition(MEMBER)[0]


def holder_of(path: str) -> str:
    """Return the file or member that contains a member; empty for other paths."""
    return path.rpartition(MEMBER)[0]


def is_member(path: str) -> bool:
    """Return True if the path is a member's."""
    return MEMBER in path


def depth_of(path: str) -> int:
    """Return the number of nested archives in a path. An export and the archive within it count as one."""
    return path.count(MEMBER) - bool(_OF_AN_EXPORT.search(path))


def as_typed(path: str) -> str:
    """Return the stored form of a path that a user typed and that has no member."""
    return path.replace(MEMBER, f"{_MARK}/")


def from_os(name: str) -> str:
    """Return the stored form of a name from the operating system (decoded with surrogateescape)."""
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
    """Return the operating system's name for a stored path."""
    if path.isascii() or not any(_is_escape(c) for c in path):
        return path
    raw = b"".join(bytes([ord(c) - _BASE]) if _is_escape(c) else c.encode() for c in path)
    return os.fsdecode(raw)


def as_uri(path: str) -> str:
    """Return the path as a relative URI reference (RFC 3986) with percent-encoded bytes."""
    parts = path.split(_MARK)
    return "%21".join(quote(os.fsencode(to_os(part)), safe="/-._~!$&'()*+,;=@") for part in parts)


def alike(path: str) -> str:
    """Return a key that is equal for paths that differ only in case or Unicode normalisation."""
    return path.lower() if path.isascii() else unicodedata.normalize("NFC", path).casefold()


def collisions(paths: Iterable[str]) -> list[tuple[str, ...]]:
    """Return groups of paths that differ only in case or Unicode normalisation, which some file systems cannot
    store."""
    keys = {path: alike(path) for path in paths}
    if len(set(keys.values())) == len(keys):
        return []
    groups: dict[str, list[str]] = {}
    for path, key in keys.items():
        groups.setdefault(key, []).append(path)
    return [tuple(group) for group in groups.values() if len(group) > 1]


READMES = ("README.md", "readme.md", "README.txt")
"""Files that describe their folder."""


def folder_of(path: str) -> str:
    """Return the folder of a file or of a member's file; empty for the corpus root."""
    return file_of(path).rpartition("/")[0]


def folders_above(path: str) -> list[str]:
    """Return the folders that contain a path, starting with the root (empty)."""
    return _down_to(folder_of(path))


def _down_to(folder: str) -> list[str]:
    """Return the parent folders of a folder and itself."""
    parts = folder.split("/") if folder else []
    return ["", *("/".join(parts[: depth + 1]) for depth in range(len(parts)))]


def readmes_above(path: str) -> Sequence[str]:
    """Return the possible README paths of all folders that contain a path."""
    return readmes_of(folder_of(path))


@lru_cache(maxsize=1_024)
def readmes_of(folder: str) -> Sequence[str]:
    """Return the possible README paths of a folder and its parents."""
    return tuple(f"{above}/{name}" if above else name for above in _down_to(folder) for name in READMES)


def whole_of(name: str) -> str | None:
    """Return the name of the table that has all rows of this one, as Notion exports both; None for other files."""
    return f"{name[:-4]}_all.csv" if name.endswith(".csv") and _NOTION_TABLE.search(name) else None
