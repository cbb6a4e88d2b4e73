"""Tables of AsciiDoc as rows: a cell begins at a bar, a row is as long as the first one, or as `cols` says."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import zip_longest

_CELL = re.compile(r"(?:(?<=\s)|^)(?:\d+(?:\.\d+)?[+*]|\.\d+\+)?[<^>.]{0,4}[aehlmsd]?\|")
_COLUMNS = re.compile(r'cols="?([^"\]]*)"?')
_REPEATED = re.compile(r"(\d+)\*")
_HEADED = re.compile(r"%header|options=\"?[^\"]*header")
_MOST = 64
"""Columns of a table that are told apart."""


def cells_of(lines: Sequence[str], block: str) -> Iterator[tuple[int, list[str]]]:
    """The rows of a table whose first and last line are its marks: each with the line that it is written on. A row
    without cells is the line below the row that names columns."""
    cells, first = _cells(lines[1:-1])
    count = _columns(block) or first
    if not cells or not count:
        return
    rows = [cells[at : at + count] for at in range(0, len(cells), count)]
    ends = rows[0][-1][0]
    is_apart = ends == rows[0][0][0] and not lines[ends + 1].strip()
    named = len(rows) > 1 and rows[0][0][0] == 1 and (is_apart or _HEADED.search(block) is not None)
    for number, row in enumerate(rows):
        at = 0 if named and number == 0 else row[0][0]
        yield at, [text for _, text in row]
        if named and number == 0:
            yield at + 1, []


def _cells(lines: Sequence[str]) -> tuple[list[tuple[int, str]], int]:
    """The cells, each with the line that it begins on (from 1), and how many stand on the first line that has any."""
    cells: list[tuple[int, str]] = []
    first = 0
    for at, line in enumerate(lines, 1):
        starts = list(_CELL.finditer(line))
        before = line[: starts[0].start()] if starts else line
        if cells and before.strip():
            cells[-1] = cells[-1][0], f"{cells[-1][1]} {before.strip()}"
        for mark, following in zip_longest(starts, starts[1:]):
            end = following.start() if following else len(line)
            cells.append((at, line[mark.end() : end].strip()))
        first = first or len(starts)
    return cells, first


def _columns(block: str) -> int:
    """How many columns a table says that it has; 0 where it does not."""
    columns = _COLUMNS.search(block)
    if columns is None:
        return 0
    count = 0
    for part in re.split(r"[,;]", columns[1]):
        repeated = _REPEATED.match(part.strip())
        count += int(repeated[1]) if repeated else 1
    return min(count, _MOST)
