"""Tables as text (CSV, TSV): whose first line names their columns."""

from __future__ import annotations

import csv
from collections.abc import Sequence

TABLES = ("text/csv", "text/tab-separated-values")
_BETWEEN = (",", ";", "\t", "|")
"""What may stand between cells."""
_LOOKED_AT, _WIDE = 30, 3
"""Lines of a table that are looked at, and cells of a line, and lines that have as many, at least."""


def names_columns(line: str) -> bool:
    """Whether a line names columns: several, each by a word of its own, none of which is a number."""
    names = cells(line, line)
    is_named = all(name.strip() and not name.strip()[0].isdigit() for name in names)
    return 1 < len(names) == len(set(names)) and is_named


def naming(lines: Sequence[str]) -> int:
    """Which line may name the columns: the first one, or below what stands above a table (as banks write whose account
    it is) the first that is divided as most lines are."""
    some = lines[:_LOOKED_AT]
    between = max(_BETWEEN, key=lambda sign: sum(line.count(sign) for line in some))
    widths = [len(_divided(line, between)) for line in some]
    usual = max(set(widths), key=widths.count, default=0)
    if usual < _WIDE or widths.count(usual) < _WIDE:
        return 0
    first = widths.index(usual)
    return first if names_columns(some[first]) else 0


def cells(line: str, like: str) -> list[str]:
    """The cells of a line that is divided as another one is."""
    return _divided(line, max(_BETWEEN, key=like.count))


def _divided(line: str, between: str) -> list[str]:
    try:
        return next(csv.reader([line], delimiter=between), [])
    except csv.Error:  # a cell of more than 131,072 characters
        return line.split(between)
