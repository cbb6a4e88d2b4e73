"""What takes minutes over all its rows is tried over some of them, always the same; `make test-long` tries them all."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from typing import TypeVar

IS_LONG = os.environ.get("BIBLICUS_TESTS") == "long"

Row = TypeVar("Row")
Column = TypeVar("Column")


def some(rows: Iterable[Row], one_of: int) -> list[Row]:
    """One row of so many, beginning with the first."""
    return list(rows)[:: 1 if IS_LONG else one_of]


def crossed(rows: Iterable[Row], columns: Sequence[Column], each: int = 1) -> list[tuple[Row, Column]]:
    """Each row with so many of the columns, by turns, so that every column has its share of the rows."""
    width = len(columns)
    turns = range(width if IS_LONG else each)
    return [(row, columns[(number * each + turn) % width]) for number, row in enumerate(rows) for turn in turns]


def examples(most: int) -> int:
    """How many examples Hypothesis draws, anew in each run: a quarter of what is drawn at most."""
    return most if IS_LONG else -(-most // 4)
