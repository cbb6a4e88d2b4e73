"""What takes minutes over all its rows is tried over some of them, always the same; `make test-long` tries them all."""

import inspect
import os
from collections.abc import Callable, Iterable, Sequence
from functools import wraps
from typing import Any, TypeVar

import pytest

IS_LONG = os.environ.get("BIBLICUS_TESTS") == "long"

_NAMED_ROW = type(pytest.param())
Row = TypeVar("Row")
Column = TypeVar("Column")


def some(rows: Iterable[Row], one_of: int) -> list[Row]:
    """One row of so many, beginning with the first."""
    return list(rows)[:: 1 if IS_LONG else one_of]


def by_turns(columns: Sequence[Column], turn: int) -> Sequence[Column]:
    """The column whose turn it is, alone."""
    return columns if IS_LONG else [columns[turn % len(columns)]]


def crossed(rows: Iterable[Row], columns: Sequence[Column], each: int = 1) -> list[tuple[Row, Column]]:
    """Each row with so many of the columns, by turns, so that every column has its share of the rows."""
    width = len(columns)
    turns = range(width if IS_LONG else each)
    return [(row, columns[(number * each + turn) % width]) for number, row in enumerate(rows) for turn in turns]


def examples(most: int) -> int:
    """How many examples Hypothesis draws, anew in each run: a sixth of what is drawn at most."""
    return most if IS_LONG else -(-most // 6)


def each(names: str | Sequence[str], rows: Iterable[Any]) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """As `pytest.mark.parametrize`, in one test: for rows of data that take no time of their own and no fixture that a
    row changes. To find, to set up and to report a test takes longer than most of them. All rows are tried, and those
    that fail are named."""
    words = [word.strip() for word in (names.split(",") if isinstance(names, str) else names)]

    def decorated(function: Callable[..., None]) -> Callable[..., None]:
        @wraps(function)
        def test(**fixtures: Any) -> None:
            failed: list[Exception] = []
            count = 0
            for row in rows:
                count += 1
                if isinstance(row, _NAMED_ROW):
                    assert not row.marks, "a mark is of a test, not of a row"
                    row = row.values
                elif len(words) == 1:
                    row = (row,)
                values = dict(zip(words, row, strict=True))
                try:
                    function(**values, **fixtures)
                except Exception as error:
                    error.add_note(f"with {values!r:.500}")
                    failed.append(error)
            assert count, "no rows"
            if failed:
                raise ExceptionGroup(f"{len(failed)} of {count} rows fail", failed)

        signature = inspect.signature(function)
        others = [parameter for name, parameter in signature.parameters.items() if name not in words]
        test.__signature__ = signature.replace(parameters=others)  # type: ignore[attr-defined]  # what pytest looks at
        return test

    return decorated
