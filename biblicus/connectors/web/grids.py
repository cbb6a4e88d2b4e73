"""A sheet of a workbook as a grid: cells are assigned to columns from each row's line in the text.

A row that cannot be split reliably, since a cell may include the separator, is shown as its own text."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from biblicus.models.locator import column_name, column_number

ROWS = 200
"""Number of rows shown at once."""
COLUMNS = 50
BETWEEN = " | "
Span = tuple[int, int]
_CELL = re.compile(r"([A-Z]{1,3})(\d{1,7})")
_FIGURE = re.compile(r"[-+−]?(?:\d[\d.,' \u00a0\u202f]{0,30})%?")
_NAMES_WITHIN = 3
"""Number of rows after a gap that may include column names."""


class Corner(NamedTuple):
    """A cell by row and column, from 1."""

    row: int
    column: int

    @classmethod
    def read(cls, cell: str) -> Corner | None:
        match = _CELL.fullmatch(cell)
        return cls(int(match[2]), column_number(match[1])) if match else None


def corners(cells: str) -> tuple[Corner, Corner] | None:
    """Parse `A4:F9` or one cell: the first and last cell; None for anything else."""
    ends = [Corner.read(cell.strip().upper()) for cell in cells.split(":")]
    return (ends[0], ends[-1]) if ends[0] and ends[-1] and len(ends) <= 2 else None


class Line(NamedTuple):
    """A row in the text: its number, its first and last column, and its text."""

    row: int
    first: int
    last: int
    words: str


class Cell(NamedTuple):
    """A cell of the page. `columns`: number of columns it spans."""

    text: str
    is_cited: bool = False
    columns: int = 1

    @property
    def is_figure(self) -> bool:
        """Check if the text is a number, which stands at the right."""
        return _FIGURE.fullmatch(self.text) is not None


class Row(NamedTuple):
    """A row of the page. `number`: row number in the sheet, or the cell of a comment."""

    number: str
    cells: list[Cell]
    is_cited: bool


class Grid(NamedTuple):
    """Part of a sheet.

    `columns`: column letters. `more`: number of columns not shown. `first`, `last`: range of lines, from 0, end
    exclusive; `total`: number of lines."""

    columns: list[str]
    rows: list[Row]
    more: int
    first: int
    last: int
    total: int


def sheets(spots: Iterable[Mapping[str, Any]]) -> list[str]:
    """Return the names of the sheets in order."""
    return list(dict.fromkeys(spot["name"] for spot in spots if spot["kind"] == "sheet"))


def lines(text: str, spots: Sequence[Mapping[str, Any]], sheet: str) -> list[Line]:
    """Return the rows of a sheet."""
    sheet_lines = []
    for number, spot in enumerate(spots):
        if spot["kind"] != "sheet" or spot["name"] != sheet or not (first := Corner.read(spot["start"])):
            continue
        last = Corner.read(spot["end"]) or first
        end = spots[number + 1]["offset"] if number + 1 < len(spots) else len(text)
        words = text[spot["offset"] : end].strip("\n").split("\n\n")[0]
        sheet_lines.append(Line(first.row, first.column, last.column, words))
    return sheet_lines


def grid(every: Sequence[Line], cited: tuple[Corner, Corner] | None, wanted: int | None) -> Grid:
    """Return the part of a sheet that starts at the line `wanted`, or a little above the citation."""
    if wanted is None:
        above = bisect_right([line.row for line in every], cited[0].row - 1) - ROWS // 4 if cited else 0
        wanted = max(0, above) if len(every) > ROWS else 0
    first = min(max(0, wanted), max(0, len(every) - 1))
    visible_lines = every[first : first + ROWS]
    left, right = (
        min((line.first for line in visible_lines), default=1),
        max((line.last for line in visible_lines), default=1),
    )
    width = min(right - left + 1, COLUMNS)
    rows = list(_rows(every, first, left, width, cited))
    letters = [column_name(column) for column in range(left, left + width)]
    return Grid(letters, rows, right - left + 1 - width, first, first + len(visible_lines), len(every))


def _rows(
    every: Sequence[Line], first: int, left: int, width: int, cited: tuple[Corner, Corner] | None
) -> Iterator[Row]:
    names = _names_above(every, first)
    for number in range(first, min(first + ROWS, len(every))):
        line = every[number]
        before = every[number - 1] if number else None
        if before is not None and line.row <= before.row:
            corner = Corner(line.row, line.first)
            is_cited = _is_within(corner, cited)
            yield Row(f"{column_name(line.first)}{line.row}", [Cell(line.words, is_cited, width)], is_cited)
            continue
        if before is not None and line.row > before.row + 1:
            names = {}
        texts = cells_of(line, names)
        names = names or _named(texts, every[number + 1] if number + 1 < len(every) else None)
        if texts is None:
            is_cited = cited is not None and cited[0].row <= line.row <= cited[1].row
            yield Row(str(line.row), [Cell(line.words, is_cited, width)], is_cited)
            continue
        cells = [
            Cell(texts.get(column, ""), _is_within(Corner(line.row, column), cited))
            for column in range(left, left + width)
        ]
        yield Row(str(line.row), cells, any(cell.is_cited for cell in cells))


def _is_within(corner: Corner, cited: tuple[Corner, Corner] | None) -> bool:
    if cited is None:
        return False
    return cited[0].row <= corner.row <= cited[1].row and cited[0].column <= corner.column <= cited[1].column


def _names_above(every: Sequence[Line], first: int) -> dict[int, str]:
    """Return the column names, if the part does not begin with the first row."""
    top = first
    while top and every[top].row <= every[top - 1].row + 1:
        top -= 1
    for number in range(top, min(top + _NAMES_WITHIN, first)):
        if names := _named(cells_of(every[number], {}), every[number + 1]):
            return names
    return {}


def _named(texts: Mapping[int, str] | None, below: Line | None) -> dict[int, str]:
    """Return the texts of a row as column names, if the next line repeats two of them; otherwise none."""
    if texts is None or below is None:
        return {}
    return dict(texts) if names_columns(texts, below.words) else {}


def names_columns(texts: Mapping[int, str], below: str) -> bool:
    """Check if the next row repeats two of these texts as names of its cells."""
    parts = below.split(BETWEEN)
    count = sum(any(part.startswith(f"{name}: ") for part in parts) for name in texts.values() if name)
    return bool(count) and count >= min(2, len(parts))


def cells_of(line: Line, names: Mapping[int, str]) -> dict[int, str] | None:
    """Return the texts of a row's cells by column; None if the columns are ambiguous."""
    if line.first == line.last:
        return {line.first: line.words.removeprefix(f"{names.get(line.first, '')}: ")}
    spans = spans_of(line.words, range(line.first, line.last + 1), names)
    if not spans or min(spans) != line.first or max(spans) != line.last:
        return None
    return {column: line.words[start:end] for column, (start, end) in spans.items()}


def spans_of(row: str, columns: range, names: Mapping[int, str]) -> dict[int, Span]:
    """Return the spans of a row's cells by column; empty if the columns are ambiguous."""
    parts = cut(row)
    texts = [row[start:end] for start, end in parts]
    if not names or texts == list(names.values()):
        return dict(zip(columns, parts, strict=True)) if len(parts) == len(columns) else {}
    spans: dict[int, Span] = {}
    at = columns.start - 1
    for text, (start, end) in zip(texts, parts, strict=True):
        later = range(at + 1, columns.stop)
        column = next((each for each in later if _begins_with(text, names.get(each))), None)
        if column is not None:
            at = column
            spans[at] = start + (0 if text == names[at] else len(f"{names[at]}: ")), end
        elif spans and all(map(names.get, later)):
            spans[at] = spans[at][0], end  # a cell that includes the separator
        else:
            return {}
    return spans


def cut(row: str) -> list[Span]:
    """Return the spans of a row's parts."""
    spans, at = [], 0
    for part in (f"{row} " if row.endswith(BETWEEN.rstrip()) else row).split(BETWEEN):
        spans.append((min(at, len(row)), min(at + len(part), len(row))))
        at += len(part) + len(BETWEEN)
    return spans


def _begins_with(part: str, name: str | None) -> bool:
    return bool(name) and (part == name or part.startswith(f"{name}: "))
