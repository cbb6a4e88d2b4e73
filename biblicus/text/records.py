"""Text tables (CSV, TSV): detection of the line with column names."""

from __future__ import annotations

import csv
from collections.abc import Sequence

TABLES = ("text/csv", "text/tab-separated-values")
_BETWEEN = (",", ";", "\t", "|")
"""Possible separators between cells."""
_LOOKED_AT, _WIDE = 30, 3
"""Lines of a table that are examined; minimum cells of a line and minimum lines with as many."""


def names_columns(line: str) -> bool:
    """Return True if a line has several distinct names and no numbers."""
    return _are_names(cells(line, line))


def _are_names(some: Sequence[str]) -> bool:
    return 1 < len(some) == len(set(some)) and all(cell.strip() and not cell.strip()[0].isdigit() for cell in some)


def naming(lines: Sequence[str]) -> int:
    """Return the index of the line that may name the columns. It is the first line, or the first with the usual number
    of cells below a preamble (as in bank exports)."""
    if not (some := lines[:_LOOKED_AT]):
        return 0
    between = max(_BETWEEN, key=lambda sign: _evenness(some, sign))
    divided = [_divided(line, between) for line in some]
    usual, count = _usual(divided)
    if usual < _WIDE or count < _WIDE:
        return 0
    first = next(at for at, line in enumerate(divided) if len(line) == usual)
    is_less = all(sum(bool(cell.strip()) for cell in line) < usual for line in divided[:first])
    is_apart = is_less and (not any(divided[first - 1]) or not any(map(_are_names, divided[:first])))
    return first if is_apart and names_columns(some[first]) else 0


def _evenness(lines: Sequence[str], between: str) -> tuple[int, int, int]:
    """Return how many lines have the usual number of cells with this separator, that number, and the first line's
    count."""
    usual, count = _usual([_divided(line, between) for line in lines])
    return count, usual, lines[0].count(between)


def _usual(divided: Sequence[Sequence[str]]) -> tuple[int, int]:
    """Return the most frequent number of cells (at least two) and the number of lines that have it."""
    widths = [len(line) for line in divided if len(line) > 1]
    usual = max(sorted(set(widths), reverse=True), key=widths.count, default=0)
    return usual, widths.count(usual)


def cells(line: str, like: str) -> list[str]:
    """Return the cells of a line, split by the separator of the line `like`."""
    return _divided(line, max(_BETWEEN, key=like.count))


def _divided(line: str, between: str) -> list[str]:
    try:
        return next(csv.reader([line], delimiter=between), [])
    except csv.Error:  # a cell of more than 131,072 characters
        return line.split(between)
