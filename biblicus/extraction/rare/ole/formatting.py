"""Formatting of a Word document, 97 and later ([MS-DOC] 2.9): deleted text, ends of table rows, heading levels."""

from __future__ import annotations

import struct
from bisect import bisect_right
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import NamedTuple

_CHARACTERS, _PARAGRAPHS, _STYLES = 0xFA, 0x102, 0xA2
"""Offsets in the file header where the formatting tables are given."""
_PAGE = 512
_MOST_ENTRIES = 101
"""Maximum entries of a page, since each has at least five bytes."""
_MOST_PAGES, _MOST_STYLES = 100_000, 4_000
_DELETED, _ROW_ENDS, _OUTLINE = 0x0800, 0x2417, 0x2640
_TITLE = 62
_BODY = 9
_IN_TABLE = 0x2416
ROW_END, IN_CELL = -1, -2
"""Values of a paragraph that is no heading; a heading has its level."""
_SIZES = {0: 1, 1: 1, 2: 2, 3: 4, 4: 2, 5: 2, 7: 3}
"""Bytes of a property's value by the highest bits of its number; for 6 the first byte gives the size."""
_LONG = frozenset((0xD608, 0xD606))
"""Table properties whose size is given in two bytes."""


class Run(NamedTuple):
    """A range of bytes of the document with a property."""

    start: int
    end: int
    value: int


class Formatting:
    """Formatting by byte offset; empty if the file has none or it is invalid."""

    def __init__(self, document: bytes, table: bytes) -> None:
        self.deleted = _runs(document, table, _CHARACTERS, _is_deleted)
        levels = _levels(document, table)
        self.paragraphs = _runs(document, table, _PARAGRAPHS, lambda page, at: _paragraph(page, at, levels))


def within(runs: list[Run], start: int, end: int) -> Iterator[Run]:
    """Yield the runs that overlap a byte range."""
    for at in range(max(0, bisect_right(runs, (start,)) - 1), len(runs)):
        run = runs[at]
        if run.start >= end:
            return
        if run.end > start:
            yield run


def _runs(document: bytes, table: bytes, place: int, value_of: Callable[[bytes, int], int]) -> list[Run]:
    """Return the runs with a non-zero value in order; none if they overlap. `value_of`: returns the value of a numbered
    entry on a page."""
    start, length = struct.unpack_from("<II", document, place)
    count = (length - 4) // 8
    if not 0 < count <= _MOST_PAGES or start + length > len(table):
        return []
    runs = []
    for (number,) in struct.iter_unpack("<I", table[start + 4 * (count + 1) : start + 8 * count + 4]):
        page = document[(number & 0x3FFFFF) * _PAGE :][:_PAGE]
        if len(page) < _PAGE or page[-1] > _MOST_ENTRIES:
            continue
        borders = struct.unpack_from(f"<{page[-1] + 1}I", page)
        runs += [
            Run(first, last, value)
            for entry, (first, last) in enumerate(pairwise(borders))
            if first < last and (value := value_of(page, entry))
        ]
    runs.sort()
    return [] if any(second.start < first.end for first, second in pairwise(runs)) else runs


def _is_deleted(page: bytes, entry: int) -> int:
    at = 2 * page[4 * (page[-1] + 1) + entry]
    return dict(_settings(page[at + 1 : at + 1 + page[at]])).get(_DELETED, 0) & 1 if at else 0


def _paragraph(page: bytes, entry: int, levels: list[int]) -> int:
    """Return the outline level of a paragraph, `ROW_END`, `IN_CELL`, or 0."""
    place = 4 * (page[-1] + 1) + 13 * entry
    at = 2 * page[place] if place < _PAGE else 0
    if not at:
        return 0
    if page[at]:
        raw = page[at + 1 : at + 2 * page[at]]
    else:
        raw = page[at + 2 : at + 2 + 2 * page[at + 1]] if at + 1 < _PAGE else b""
    if len(raw) < 2:
        return 0
    style = int.from_bytes(raw[:2], "little")
    settings = dict(_settings(raw[2:]))
    if settings.get(_ROW_ENDS):
        return ROW_END
    if settings.get(_IN_TABLE):
        return IN_CELL
    level = settings.get(_OUTLINE, -1)
    if level >= 0:
        return level + 1 if level < _BODY else 0
    return levels[style] if style < len(levels) else 0


def _settings(raw: bytes) -> Iterator[tuple[int, int]]:
    """Yield the numbers of properties with the first byte of their values."""
    at = 0
    while at + 3 <= len(raw):
        (number,) = struct.unpack_from("<H", raw, at)
        yield number, raw[at + 2]
        if (kind := number >> 13) in _SIZES:
            at += 2 + _SIZES[kind]
        elif number in _LONG:
            at += 3 + int.from_bytes(raw[at + 2 : at + 4], "little")
        else:
            at += 3 + raw[at + 2]


def _levels(document: bytes, table: bytes) -> list[int]:
    """Return the outline level of each style, inherited from its base style; 0 for body text."""
    start, length = struct.unpack_from("<II", document, _STYLES)
    sheet = table[start : start + length]
    if len(sheet) < 4 or len(sheet) < length:
        return []
    head, count = struct.unpack_from("<HH", sheet)
    at, style_levels, based = 2 + head, [], []
    for _ in range(min(count, _MOST_STYLES)):
        if at + 2 > len(sheet):
            break
        (size,) = struct.unpack_from("<H", sheet, at)
        kind, base = struct.unpack_from("<HH", sheet, at + 2) if 4 <= size <= len(sheet) - at - 2 else (0, 0xFFFF)
        kind &= 0xFFF
        style_levels.append(kind if 0 < kind <= _BODY else int(kind == _TITLE))
        based.append(base >> 4)
        at += 2 + size + size % 2
    return [_level(number, style_levels, based) for number in range(len(style_levels))]


def _level(number: int, own: list[int], based: list[int]) -> int:
    for _ in range(20):
        if number >= len(own):
            return 0
        if own[number]:
            return own[number]
        number = based[number]
    return 0
