"""Tables in documents: rows written as lines by extractors are split into columns again.

A row that cannot be split reliably spans all columns as text."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import Any, NamedTuple

from biblicus.connectors.web.grids import BETWEEN, Span, cut, names_columns, spans_of
from biblicus.connectors.web.marking import BYTE_ORDER_MARK, Line, Part
from biblicus.extraction.kit.grids import is_header

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
