"""Tables of AsciiDoc as rows. A cell starts at a bar; the first row or `cols` gives the number of columns."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import zip_longest

from biblicus.extraction.kit.grids import Cell, filled

_CELL = re.compile(r"(?:(?<=\s)|^)(?:\d+\*|(\d{1,3})?(?:\.(\d{1,3}))?\+)?[<^>.]{0,4}[aehlmsd]?\|")
_COLUMNS = re.compile(r'cols="?([^"\]]*)"?')
_REPEATED = re.compile(r"(\d+)\*")
_HEADED = re.compile(r"%header|options=\"?[^\"]*header")
_MOST = 64
"""Maximum columns of a table that `cols` may declare."""


def cells_of(lines: Sequence[str], block: str) -> Iterator[tuple[int, list[str]]]:
    """Yield the rows with their line numbers; `lines` includes the table's delimiters. A row without cells is the
    separator below the header row."""
    cells, first = _cells(lines[1:-1])
    count = _columns(block) or first
    if not cells or not count:
        return
    rows = list(_rows(cells, count))
    ends = rows[0][-1][0]
    is_apart = ends == rows[0][0][0] and not lines[ends + 1].strip()
    named = len(rows) > 1 and rows[0][0][0] == 1 and (is_apart or _HEADED.search(block) is not None)
    grid = filled([[cell for _, cell in row] for row in rows])
    for number, row in enumerate(rows):
        at = 0 if named and number == 0 else row[0][0]
        yield at, grid[number].texts
        if named and number == 0:
            yield at + 1, []


def _rows(cells: Sequence[tuple[int, Cell]], count: int) -> Iterator[list[tuple[int, Cell]]]:
    """Yield the cells by row; a cell takes its columns in the rows that it covers."""
    row: list[tuple[int, Cell]] = []
    covered = [0] * count  # rows that a cell from above still covers, by column
    for at, cell in cells:
        row.append((at, cell))
        taken = sum(row_cell.across for _, row_cell in row)
        free = [number for number, left in enumerate(covered) if not left]
        if taken >= len(free):
            covered = [max(0, left - 1) for left in covered]
            downs = [row_cell.down - 1 for _, row_cell in row for _ in range(row_cell.across)]
            for number, down in zip(free, downs, strict=False):
                covered[number] = down
            yield row
            row = []
    if row:
        yield row


def _cells(lines: Sequence[str]) -> tuple[list[tuple[int, Cell]], int]:
    """Return the cells with their line numbers (from 1), and the number of columns of the first line with cells."""
    cells: list[tuple[int, Cell]] = []
    first = 0
    for at, line in enumerate(lines, 1):
        starts = list(_CELL.finditer(line))
        before = line[: starts[0].start()] if starts else line
        if cells and before.strip():
            cells[-1] = cells[-1][0], cells[-1][1]._replace(text=f"{cells[-1][1].text} {before.strip()}")
        for mark, following in zip_longest(starts, starts[1:]):
            end = following.start() if following else len(line)
            across, down = (int(number or 1) for number in mark.groups())
            cells.append((at, Cell(line[mark.end() : end].strip(), min(across, _MOST), down)))
        first = first or sum(cell.across for _, cell in cells)
    return cells, first


def _columns(block: str) -> int:
    """Return the number of columns that `cols` declares, or 0."""
    columns = _COLUMNS.search(block)
    if columns is None:
        return 0
    count = 0
    for part in re.split(r"[,;]", columns[1]):
        repeated = _REPEATED.match(part.strip())
        count += int(repeated[1]) if repeated else 1
    return min(count, _MOST)
