"""Tables as text (CSV, TSV): whose first line names their columns."""

from __future__ import annotations

import csv

TABLES = ("text/csv", "text/tab-separated-values")
_BETWEEN = (",", ";", "\t", "|")
"""What may stand between cells."""


def names_columns(line: str) -> bool:
    """Whether a line names columns: several, each by a word of its own, none of which is a number."""
    names = cells(line, line)
    is_named = all(name.strip() and not name.strip()[0].isdigit() for name in names)
    return 1 < len(names) == len(set(names)) and is_named


def cells(line: str, like: str) -> list[str]:
    """The cells of a line that is divided as another one is."""
    between = max(_BETWEEN, key=like.count)
    try:
        return next(csv.reader([line], delimiter=between), [])
    except csv.Error:  # a cell of more than 131,072 characters
        return line.split(between)
