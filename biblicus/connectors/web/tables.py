"""Tables: rows written as lines by extractors, and sheets of a workbook, are split into columns again.

A row that cannot be split reliably, since a cell may include the separator, spans all columns as its own text."""

from __future__ import annotations

import csv
import io
import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any, NamedTuple

from biblicus.connectors.web.marking import BYTE_ORDER_MARK, Line, Part
from biblicus.extraction.kit.grids import is_header
from biblicus.models.locator import column_name, column_number

_FEWEST = 2
"""Minimum number of columns and of split rows: a single line may include bars for other reasons."""


class Cell(NamedTuple):
    """A cell with its marks. `columns`: number of columns it spans."""

    parts: list[Part]
    columns: int = 1


class Row(NamedTuple):
    """A row of the page: a line of the text. `is_place`: scroll target."""

    number: int
    cells: list[Cell]
    is_cited: bool
    is_place: bool


class Table(NamedTuple):
    """A table of a document. `head`: column names in order; None without a header row."""

    head: Row | None
    rows: list[Row]


def blocks(lines: Sequence[Line], above: Sequence[str] = ()) -> list[Line | Table]:
    """Return the lines, with tables in place of their rows. `above`: earlier lines, which may belong to a table."""
    line_blocks: list[Line | Table] = []
    is_first = True
    for is_blank, group in groupby(lines, key=lambda line: not _words(line).strip()):
        together = list(group)
        if is_blank:
            line_blocks += together
        else:
            line_blocks += _within(together, _unbroken(above) if is_first else [])
        is_first = False
    return line_blocks


def _unbroken(above: Sequence[str]) -> list[str]:
    """Return the lines directly above, down from the last blank line."""
    start = max((number + 1 for number, line in enumerate(above) if not line.strip()), default=0)
    return _from_first_row(list(above[start:]))


def _from_first_row(lines: list[str]) -> list[str]:
    first = next((number for number, line in enumerate(lines) if BETWEEN in line), len(lines))
    return lines[first:]


def _within(lines: list[Line], above: list[str]) -> Iterable[Line | Table]:
    """Return lines without blank ones: a table from the first row to the last, or just lines."""
    words = [_words(line) for line in lines]
    first = 0 if above else len(words) - len(_from_first_row(words))
    names = _names([*above, *words[first:]])
    is_row = [BETWEEN in row or any(row.startswith(f"{name}: ") for name in names.values()) for row in words]
    end = max((number + 1 for number in range(first, len(words)) if is_row[number]), default=first)
    every = [*above, *words[first:end]]
    width = len(names) or _usual_width(every)
    spans = [spans_of(row, range(width), names) for row in every]
    clear = sum(map(bool, spans))
    if end == first or width < _FEWEST or clear < _FEWEST or 2 * clear < len(every):
        return lines
    head = None
    if names or (spans[0] and spans[1] and is_header(_texts(every[0], spans[0]), _texts(every[1], spans[1]))):
        head = Row(0, _cells([Part(every[0])], spans[0], width), is_cited=False, is_place=False)
    rows = [_row(line, span, width) for line, span in zip(lines[first:end], spans[len(above) :], strict=True)]
    if head is not None and not above:
        head = rows.pop(0)
    return [*lines[:first], Table(head, rows), *lines[end:]]


def _names(every: Sequence[str]) -> dict[int, str]:
    """Return the column names, if the first row has them and the second repeats them."""
    if len(every) < _FEWEST:
        return {}
    names = dict(enumerate(every[0].split(BETWEEN)))
    return names if len(names) >= _FEWEST and names_columns(names, every[1]) else {}


def _usual_width(every: Sequence[str]) -> int:
    widths = [len(cut(row)) for row in every]
    return max(sorted(set(widths)), key=widths.count, default=0)


def _texts(row: str, spans: dict[int, Span]) -> list[str]:
    return [row[start:end] for start, end in spans.values()]


def _row(line: Line, spans: dict[int, Span], width: int) -> Row:
    is_place = any(part.is_first for part in line.parts)
    return Row(line.number, _cells(line.parts, spans, width), line.is_cited, is_place)


def _cells(parts: Sequence[Part], spans: dict[int, Span], width: int) -> list[Cell]:
    if not spans:
        return [Cell([part._replace(is_first=False) for part in parts], width)]
    return [Cell(list(_between(parts, *spans.get(column, (0, 0))))) for column in range(width)]


def _between(parts: Sequence[Part], start: int, end: int) -> Iterable[Part]:
    at = 0
    for part in parts:
        text = part.text[max(0, start - at) : max(0, end - at)]
        if text:
            yield Part(text, part.kind)
        at += len(part.text)


def _words(line: Line) -> str:
    return "".join(part.text for part in line.parts)


# --- tables of text files, and the structure of messages ---

_HEAD_GROUPS = 2
"""A message begins with its subject, then header fields."""
_LISTED = re.compile(r"\s*(?:[-–•‣◦▪*]|\d{1,3}[.)])\s")


def records(text: str, first: int, separator: str, rows: Sequence[Line]) -> list[dict[str, Any]] | None:
    """Return a table's records with their line numbers; None if it is not a table."""
    cited = {row.number for row in rows if row.is_cited}
    reader = csv.reader(io.StringIO(text.removeprefix(BYTE_ORDER_MARK)), delimiter=_separator(text, separator))
    records: list[dict[str, Any]] = []
    number = first
    try:
        for record in reader:
            following = first + reader.line_num
            lines = set(range(number, following))
            records.append({"cells": record, "number": number, "cited": bool(lines & cited)})
            number = following
    except csv.Error:
        return None
    return records if records and max(len(record["cells"]) for record in records) > 1 else None


def _separator(text: str, usual: str) -> str:
    """Return the cell separator: the most frequent candidate in the first line."""
    head = text.partition("\n")[0]
    return max((usual, ",", ";", "\t", "|"), key=head.count)


def structure(excerpt: Mapping[str, Any]) -> dict[str, Any]:
    """Return the levels of headings by line, and the lines with the header fields of messages."""
    text, start, first = excerpt["text"], excerpt["span_start"], excerpt["line_start"]

    def line_of(offset: int) -> int:
        return int(first + text.count("\n", 0, offset - start))

    levels = {line_of(heading["offset"]): min(heading["level"], 6) for heading in excerpt.get("headings", ())}
    rows = text.split("\n")
    fields: set[int] = set()
    for spot in excerpt.get("spots", ()):
        if spot["kind"] == "message" and spot["offset"] >= start:
            fields |= _fields(rows, first, line_of(spot["offset"]))
    listed = {number for number, row in enumerate(rows, first) if _LISTED.match(row)}
    return {"levels": levels, "fields": fields, "listed": listed}


def _fields(rows: Sequence[str], first: int, line: int) -> set[int]:
    """Return the lines with `Name: value` at the head of a message, below its subject."""
    groups: list[list[int]] = [[]]
    for number in range(line, first + len(rows)):
        if rows[number - first].strip():
            groups[-1].append(number)
        elif groups[-1]:
            groups.append([])
        if len(groups) > _HEAD_GROUPS:
            break
    headed = (group for group in groups[:_HEAD_GROUPS] if group and all(": " in rows[place - first] for place in group))
    return set(next(headed, ()))


# --- a sheet of a workbook as a grid: cells are assigned to columns from each row's line in the text ---

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


class SheetLine(NamedTuple):
    """A row in the text: its number, its first and last column, and its text."""

    row: int
    first: int
    last: int
    words: str


class GridCell(NamedTuple):
    """A cell of the page. `columns`: number of columns it spans."""

    text: str
    is_cited: bool = False
    columns: int = 1

    @property
    def is_figure(self) -> bool:
        """Check if the text is a number, which stands at the right."""
        return _FIGURE.fullmatch(self.text) is not None


class GridRow(NamedTuple):
    """A row of the page. `number`: row number in the sheet, or the cell of a comment."""

    number: str
    cells: list[GridCell]
    is_cited: bool


class Grid(NamedTuple):
    """Part of a sheet.

    `columns`: column letters. `more`: number of columns not shown. `first`, `last`: range of lines, from 0, end
    exclusive; `total`: number of lines."""

    columns: list[str]
    rows: list[GridRow]
    more: int
    first: int
    last: int
    total: int


def sheets(spots: Iterable[Mapping[str, Any]]) -> list[str]:
    """Return the names of the sheets in order."""
    return list(dict.fromkeys(spot["name"] for spot in spots if spot["kind"] == "sheet"))


def sheet_rows(text: str, spots: Sequence[Mapping[str, Any]], sheet: str) -> list[SheetLine]:
    """Return the rows of a sheet."""
    sheet_lines = []
    for number, spot in enumerate(spots):
        if spot["kind"] != "sheet" or spot["name"] != sheet or not (first := Corner.read(spot["start"])):
            continue
        last = Corner.read(spot["end"]) or first
        end = spots[number + 1]["offset"] if number + 1 < len(spots) else len(text)
        words = text[spot["offset"] : end].strip("\n").split("\n\n")[0]
        sheet_lines.append(SheetLine(first.row, first.column, last.column, words))
    return sheet_lines


def grid(every: Sequence[SheetLine], cited: tuple[Corner, Corner] | None, wanted: int | None) -> Grid:
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
    rows = list(_grid_rows(every, first, left, width, cited))
    letters = [column_name(column) for column in range(left, left + width)]
    return Grid(letters, rows, right - left + 1 - width, first, first + len(visible_lines), len(every))


def _grid_rows(
    every: Sequence[SheetLine], first: int, left: int, width: int, cited: tuple[Corner, Corner] | None
) -> Iterator[GridRow]:
    names = _names_above(every, first)
    for number in range(first, min(first + ROWS, len(every))):
        line = every[number]
        before = every[number - 1] if number else None
        if before is not None and line.row <= before.row:
            corner = Corner(line.row, line.first)
            is_cited = _is_within(corner, cited)
            yield GridRow(f"{column_name(line.first)}{line.row}", [GridCell(line.words, is_cited, width)], is_cited)
            continue
        if before is not None and line.row > before.row + 1:
            names = {}
        texts = cells_of(line, names)
        names = names or _named(texts, every[number + 1] if number + 1 < len(every) else None)
        if texts is None:
            is_cited = cited is not None and cited[0].row <= line.row <= cited[1].row
            yield GridRow(str(line.row), [GridCell(line.words, is_cited, width)], is_cited)
            continue
        cells = [
            GridCell(texts.get(column, ""), _is_within(Corner(line.row, column), cited))
            for column in range(left, left + width)
        ]
        yield GridRow(str(line.row), cells, any(cell.is_cited for cell in cells))


def _is_within(corner: Corner, cited: tuple[Corner, Corner] | None) -> bool:
    if cited is None:
        return False
    return cited[0].row <= corner.row <= cited[1].row and cited[0].column <= corner.column <= cited[1].column


def _names_above(every: Sequence[SheetLine], first: int) -> dict[int, str]:
    """Return the column names, if the part does not begin with the first row."""
    top = first
    while top and every[top].row <= every[top - 1].row + 1:
        top -= 1
    for number in range(top, min(top + _NAMES_WITHIN, first)):
        if names := _named(cells_of(every[number], {}), every[number + 1]):
            return names
    return {}


def _named(texts: Mapping[int, str] | None, below: SheetLine | None) -> dict[int, str]:
    """Return the texts of a row as column names, if the next line repeats two of them; otherwise none."""
    if texts is None or below is None:
        return {}
    return dict(texts) if names_columns(texts, below.words) else {}


def names_columns(texts: Mapping[int, str], below: str) -> bool:
    """Check if the next row repeats two of these texts as names of its cells."""
    parts = below.split(BETWEEN)
    count = sum(any(part.startswith(f"{name}: ") for part in parts) for name in texts.values() if name)
    return bool(count) and count >= min(2, len(parts))


def cells_of(line: SheetLine, names: Mapping[int, str]) -> dict[int, str] | None:
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
