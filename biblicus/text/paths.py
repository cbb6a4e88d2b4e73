"""Relative POSIX paths as text: any file name, also one that is not UTF-8, becomes a valid string and back.

A byte that is no valid UTF-8 is kept as one private-use character U+EF00 + byte (bytes 0x80–0xFF), so that JSON,
SQLite and index engines can hold every path. Names that use that range themselves are escaped byte by byte, which
keeps the mapping one-to-one.
"""

from __future__ import annotations

import os
import unicodedata
from collections.abc import Iterable
from urllib.parse import quote

_BASE = 0xEF00


def _is_escape(char: str) -> bool:
    return _BASE + 0x80 <= ord(char) <= _BASE + 0xFF


def _is_plain(name: str) -> bool:
    return name.isascii() or not any("\ud800" <= c <= "\udfff" or _is_escape(c) for c in name)


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
    return "".join(out)


def to_os(path: str) -> str:
    """The name to give to the operating system for a stored path."""
    if path.isascii() or not any(_is_escape(c) for c in path):
        return path
    raw = b"".join(bytes([ord(c) - _BASE]) if _is_escape(c) else c.encode() for c in path)
    return os.fsdecode(raw)


def as_uri(path: str) -> str:
    """The path as a relative URI reference (RFC 3986): the raw bytes percent-encoded."""
    return quote(os.fsencode(to_os(path)), safe="/-._~!$&'()*+,;=@")


def collisions(paths: Iterable[str]) -> list[tuple[str, ...]]:
    """Groups of paths that some file systems could not hold side by side: equal but for case or Unicode form."""
    keys = {path: path.lower() if path.isascii() else unicodedata.normalize("NFC", path).casefold() for path in paths}
    if len(set(keys.values())) == len(keys):
        return []
    groups: dict[str, list[str]] = {}
    for path, key in keys.items():
        groups.setdefault(key, []).append(path)
    return [tuple(group) for group in groups.values() if len(group) > 1]
