"""Formatting of a Word document, 97 and later ([MS-DOC] 2.9): deleted, raised and hidden text, symbols,
table rows, heading levels, and the numbers and bullets of lists."""

from __future__ import annotations

import struct
from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping
from itertools import pairwise
from operator import attrgetter, itemgetter
from typing import Generic, NamedTuple, TypeVar

from biblicus.extraction.kit.characters import is_symbol_font, symbol
from biblicus.extraction.kit.composing import CAPTION, clean, level_of_style
from biblicus.extraction.kit.list_numbers import Level, ListNumbers, NumberedList

_CHARACTERS, _PARAGRAPHS, _STYLES, _FONTS = 0xFA, 0x102, 0xA2, 0x112
"""Offsets in the file header where the formatting tables are given."""
_PAGE = 512
_MOST_ENTRIES = 101
"""Maximum entries of a page, since each has at least five bytes."""
_MOST_PAGES, _MOST_STYLES, _LONGEST_CHAIN = 100_000, 4_000, 20
_ROW_ENDS, _OUTLINE, _TABLE, _LIST, _DEPTH = 0x2417, 0x2640, 0xD608, 0x460B, 0x260A
_GONE, _HIDDEN, _SCRIPT, _SHIFT, _SYMBOL, _FONT = (0x0800, 0x0837, 0x2A53), 0x083C, 0x2A48, 0x4845, 0x6A09, 0x4A4F
"""Properties of characters: deleted or struck out, hidden, superscript or subscript, shift, symbol, font."""
_FONT_NAME, _CELL = 39, 20
"""Offset of a font's name in its entry, and bytes of a cell in a row's definition."""
_OF_STYLES = {**{number: number for number in range(1, 10)}, 62: 1, 34: CAPTION}
"""Outline levels of built-in styles by their numbers: headings, title, caption."""
_BODY, _PARAGRAPH_STYLE = 9, 1
_IN_TABLE = 0x2416
_SIZES = {0: 1, 1: 1, 2: 2, 3: 4, 4: 2, 5: 2, 7: 3}
"""Bytes of a property's value by the highest bits of its number; for 6 the first byte gives the size."""
_LONG = frozenset((0xD608, 0xD606))
"""Table properties whose size is given in two bytes."""


_T = TypeVar("_T")
_TABLES, _DEFINITIONS, _OVERRIDES = 0x98, 0x2E2, 0x2EA
"""Offsets of the number of tables in the file header, and of the two tables of lists."""
_FEWEST_TABLES, _MOST_LISTS, _LEVELS = 75, 4_000, 9
_DEFINITION, _LEVEL, _OVERRIDE = 28, 28, 16
"""Bytes of an entry before its further parts."""
_IS_SIMPLE, _IS_LEGAL, _HAS_START, _HAS_LEVEL = 0x01, 0x04, 0x10, 0x20
_KINDS = {
    1: "upperRoman", 2: "lowerRoman", 3: "upperLetter", 4: "lowerLetter", 22: "decimalZero", 23: "bullet", 255: "none",
}  # fmt: skip


class Run(NamedTuple, Generic[_T]):
    """A range of bytes of the document with its formatting."""

    start: int
    end: int
    value: _T


class Look(NamedTuple):
    """Formatting of characters. `script`: 1 for superscript, 2 for subscript; `font`: a symbol font; `symbol`: the
    character shown instead."""

    is_gone: bool = False
    is_hidden: bool = False
    script: int = 0
    font: str = ""
    symbol: str = ""


class Paragraph(NamedTuple):
    """Formatting of a paragraph. `level`: of a heading, `CAPTION` or 0; `row`: number of the row that it ends, or -1;
    `list_number`, `depth`: its list from 1, or 0, and the level there."""

    level: int = 0
    is_in_cell: bool = False
    row: int = -1
    list_number: int = 0
    depth: int = 0


class RowOfTable(NamedTuple):
    """Right edges of a row's cells, and for each if it continues the cell at its left or above."""

    edges: list[int]
    continues: list[tuple[bool, bool]]


class Formatting:
    """Formatting by byte offset; empty if the file has none or it is invalid. Plain runs are left
    out."""

    def __init__(self, document: bytes, table: bytes) -> None:
        self.rows: list[RowOfTable] = []
        self._fonts = list(_fonts(table, *struct.unpack_from("<II", document, _FONTS)))
        self.lists = Lists(document, table)
        self._styles = _styles(document, table)
        self.characters = _runs(document, table, _CHARACTERS, Look(), self._character)
        self.paragraphs = _runs(document, table, _PARAGRAPHS, Paragraph(), self._paragraph)

    def _character(self, page: bytes, entry: int) -> Look:
        at = 2 * page[4 * (page[-1] + 1) + entry]
        settings = dict(_settings(page[at + 1 : at + 1 + page[at]])) if at else {}
        if not settings:
            return Look()
        shift = int.from_bytes(settings.get(_SHIFT, b""), "little", signed=True)
        script = settings.get(_SCRIPT, b"\0")[0] or (shift > 0) + 2 * (shift < 0)
        font = self._font(settings.get(_FONT, b""))
        of, code = settings.get(_SYMBOL, b"")[:2], int.from_bytes(settings.get(_SYMBOL, b"")[2:], "little")
        return Look(
            any(settings.get(number, b"\0")[0] & 1 for number in _GONE),
            settings.get(_HIDDEN, b"\0")[0] & 1 == 1,
            script,
            font if is_symbol_font(font) else "",
            symbol(code, self._font(of)) if code else "",
        )

    def _font(self, number: bytes) -> str:
        at = int.from_bytes(number, "little") if number else len(self._fonts)
        return self._fonts[at] if at < len(self._fonts) else ""

    def _paragraph(self, page: bytes, entry: int) -> Paragraph:
        place = 4 * (page[-1] + 1) + 13 * entry
        at = 2 * page[place] if place < _PAGE else 0
        if not at:
            return Paragraph()
        if page[at]:
            raw = page[at + 1 : at + 2 * page[at]]
        else:
            raw = page[at + 2 : at + 2 + 2 * page[at + 1]] if at + 1 < _PAGE else b""
        if len(raw) < 2:
            return Paragraph()
        style = int.from_bytes(raw[:2], "little")
        settings = dict(_settings(raw[2:]))
        if any(settings.get(_ROW_ENDS, b"")):
            self.rows.append(_row(settings.get(_TABLE, b"")))
            return Paragraph(row=len(self.rows) - 1)
        of_style = self._styles[style] if style < len(self._styles) else Paragraph()
        return _styled(of_style, settings)._replace(is_in_cell=any(settings.get(_IN_TABLE, b"")))


def within(runs: list[Run[_T]], start: int, end: int) -> Iterator[Run[_T]]:
    """Yield the runs that overlap a byte range."""
    for at in range(max(0, bisect_left(runs, start, key=attrgetter("start")) - 1), len(runs)):
        run = runs[at]
        if run.start >= end:
            return
        if run.end > start:
            yield run


def _runs(document: bytes, table: bytes, place: int, plain: _T, value_of: Callable[[bytes, int], _T]) -> list[Run[_T]]:
    """Return the runs that are not `plain` in order; none if they overlap. `value_of`: returns the formatting of a
    numbered entry on a page."""
    start, length = struct.unpack_from("<II", document, place)
    count = (length - 4) // 8
    if not 0 < count <= _MOST_PAGES or start + length > len(table):
        return []
    runs: list[Run[_T]] = []
    for (number,) in struct.iter_unpack("<I", table[start + 4 * (count + 1) : start + 8 * count + 4]):
        page = document[(number & 0x3FFFFF) * _PAGE :][:_PAGE]
        if len(page) < _PAGE or page[-1] > _MOST_ENTRIES:
            continue
        borders = struct.unpack_from(f"<{page[-1] + 1}I", page)
        runs += [
            Run(first, last, value)
            for entry, (first, last) in enumerate(pairwise(borders))
            if first < last and (value := value_of(page, entry)) != plain
        ]
    runs.sort(key=itemgetter(0, 1))
    return [] if any(second.start < first.end for first, second in pairwise(runs)) else runs


def _row(definition: bytes) -> RowOfTable:
    """Return a row's cells from its definition: edges of all cells, then flags of each."""
    count = definition[0] if definition else 0
    edges = [edge for (edge,) in struct.iter_unpack("<h", definition[1 : 3 + 2 * count])]
    flags = [int.from_bytes(definition[at : at + 2], "little") for at in range(3 + 2 * count, len(definition), _CELL)]
    return RowOfTable(edges, [(flag & 3 == 2, flag & 0x60 == 0x20) for flag in flags])


def _fonts(table: bytes, start: int, length: int) -> Iterator[str]:
    """Yield the names of the fonts."""
    at, end = start + 4, min(start + length, len(table))
    while at < end and table[at]:
        name = table[at + 1 + _FONT_NAME : at + 1 + table[at]].decode("utf-16-le", "replace")
        yield name.partition("\0")[0]
        at += 1 + table[at]


def _settings(raw: bytes) -> Iterator[tuple[int, bytes]]:
    """Yield the numbers of properties with the bytes of their values, at least one."""
    at = 0
    while at + 3 <= len(raw):
        (number,) = struct.unpack_from("<H", raw, at)
        begun = at + 2
        if (kind := number >> 13) in _SIZES:
            at += 2 + _SIZES[kind]
        elif number in _LONG:
            at, begun = at + 3 + int.from_bytes(raw[at + 2 : at + 4], "little"), at + 4
        else:
            at, begun = at + 3 + raw[at + 2], at + 3
        yield number, raw[begun:at] or b"\0"


def _styled(base: Paragraph, settings: Mapping[int, bytes]) -> Paragraph:
    """Return the formatting `base` with other properties."""
    level, number, depth = (settings.get(name, b"") for name in (_OUTLINE, _LIST, _DEPTH))
    return base._replace(
        level=base.level if not level else level[0] + 1 if level[0] < _BODY else 0,
        list_number=int.from_bytes(number, "little") if number else base.list_number,
        depth=depth[0] if depth else base.depth,
    )


def _styles(document: bytes, table: bytes) -> list[Paragraph]:
    """Return the formatting of each style, with that of its base styles."""
    start, length = struct.unpack_from("<II", document, _STYLES)
    sheet = table[start : start + length]
    if len(sheet) < 6 or len(sheet) < length:
        return []
    head, count, fixed = struct.unpack_from("<HHH", sheet)
    at, own, based = 2 + head, list[dict[int, bytes]](), list[tuple[int | None, int]]()
    for _ in range(min(count, _MOST_STYLES)):
        if at + 2 > len(sheet):
            break
        (size,) = struct.unpack_from("<H", sheet, at)
        number, base = struct.unpack_from("<HH", sheet, at + 2) if 4 <= size <= len(sheet) - at - 2 else (0, 0xFFFF)
        name, properties = (
            _of_style(sheet[at + 2 : at + 2 + size], fixed) if base & 0xF == _PARAGRAPH_STYLE else ("", {})
        )
        own.append(properties)
        based.append((_OF_STYLES.get(number & 0xFFF, level_of_style(name) or None), base >> 4))
        at += 2 + size + size % 2
    styles = []
    for style in range(len(own)):
        chain = [style]
        while based[chain[-1]][1] < len(own) and len(chain) < _LONGEST_CHAIN:
            chain.append(based[chain[-1]][1])
        kind = Paragraph()
        for base in reversed(chain):
            level = based[base][0]
            kind = _styled(kind if level is None else kind._replace(level=level), own[base])
        styles.append(kind)
    return styles


def _of_style(style: bytes, fixed: int) -> tuple[str, dict[int, bytes]]:
    """Return the name and the paragraph properties of a style, which follow its fixed part."""
    at = fixed + 4 + 2 * int.from_bytes(style[fixed : fixed + 2], "little")
    size = int.from_bytes(style[at : at + 2], "little")
    name = style[fixed + 2 : at - 2].decode("utf-16-le", "replace")
    return name, dict(_settings(style[at + 4 : at + 2 + size]))


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
