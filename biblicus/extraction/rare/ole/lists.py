"""Lists of a Word document, 97 and later ([MS-DOC] 2.9.131, 2.9.147, 2.9.150): the numbers of its paragraphs."""

from __future__ import annotations

import struct
from collections.abc import Iterator

from biblicus.extraction.kit.composing import clean
from biblicus.extraction.kit.list_numbers import Level, ListNumbers, NumberedList

_TABLES, _DEFINITIONS, _OVERRIDES = 0x98, 0x2E2, 0x2EA
"""Offsets of the number of tables in the file header, and of the two tables of lists."""
_FEWEST_TABLES, _MOST_LISTS, _LEVELS = 75, 4_000, 9
_DEFINITION, _LEVEL, _OVERRIDE = 28, 28, 16
"""Bytes of an entry before its further parts."""
_IS_SIMPLE, _IS_LEGAL, _HAS_START, _HAS_LEVEL = 0x01, 0x04, 0x10, 0x20
_KINDS = {
    1: "upperRoman", 2: "lowerRoman", 3: "upperLetter", 4: "lowerLetter", 22: "decimalZero", 23: "bullet", 255: "none",
}  # fmt: skip


class Lists:
    """Counts the paragraphs of a document's lists in order. It has no lists if their tables are damaged."""

    def __init__(self, document: bytes, table: bytes) -> None:
        self._numbers = ListNumbers()
        self._lists: list[NumberedList] = []
        if len(document) < _OVERRIDES + 8 or struct.unpack_from("<H", document, _TABLES)[0] < _FEWEST_TABLES:
            return
        (definitions,), (overrides,) = (struct.unpack_from("<I", document, at) for at in (_DEFINITIONS, _OVERRIDES))
        try:
            known = dict(_definitions(table, definitions))
            self._lists = list(_lists(table, overrides, known))
        except (struct.error, IndexError):
            self._lists = []

    def label(self, number: int, level: int) -> str:
        """Count a paragraph of a list (from 1) and return its label; empty if there is no such list."""
        if not 0 < number <= len(self._lists):
            return ""
        return self._numbers.item(str(number), self._lists[number - 1], level)


def _definitions(table: bytes, start: int) -> Iterator[tuple[int, dict[int, Level]]]:
    """Yield the id and levels of each definition; the levels are stored after all definitions."""
    (count,) = struct.unpack_from("<H", table, start)
    at = start + 2 + count * _DEFINITION
    for entry in range(start + 2, start + 2 + min(count, _MOST_LISTS) * _DEFINITION, _DEFINITION):
        levels: dict[int, Level] = {}
        for number in range(1 if table[entry + 26] & _IS_SIMPLE else _LEVELS):
            levels[number], at = _level(table, at)
        yield struct.unpack_from("<i", table, entry)[0], levels


def _lists(table: bytes, start: int, known: dict[int, dict[int, Level]]) -> Iterator[NumberedList]:
    """Yield the lists, which override parts of their definitions."""
    (count,) = struct.unpack_from("<I", table, start)
    at = start + 4 + count * _OVERRIDE
    for entry in range(start + 4, start + 4 + min(count, _MOST_LISTS) * _OVERRIDE, _OVERRIDE):
        (key,) = struct.unpack_from("<i", table, entry)
        levels, restarts = dict(known.get(key, {})), set[int]()
        at += 4
        for _ in range(table[entry + 12]):
            begins, flags = struct.unpack_from("<iI", table, at)
            number, at = flags & 0xF, at + 8
            if flags & _HAS_LEVEL:
                levels[number], at = _level(table, at)
            if flags & _HAS_START:
                restarts.add(number)
                if not flags & _HAS_LEVEL:
                    levels[number] = levels.get(number, Level())._replace(start=begins)
        yield NumberedList(str(key), levels, frozenset(restarts))


def _level(table: bytes, at: int) -> tuple[Level, int]:
    """Return a level and the offset after it; in its text, the characters from 0 to 8 stand for numbers of levels."""
    begins, kind, flags = struct.unpack_from("<iBB", table, at)
    end = at + _LEVEL + table[at + 24] + table[at + 25]
    (length,) = struct.unpack_from("<H", table, end)
    letters = table[end + 2 : end + 2 + 2 * length].decode("utf-16-le", "replace")
    text = "".join(f"%{ord(letter) + 1}" if letter < "\t" else clean(letter) for letter in letters)
    return Level(_KINDS.get(kind, "decimal"), text, begins, bool(flags & _IS_LEGAL)), end + 2 + 2 * length
