"""Tables of a page, found without a model from rules and from aligned words, with their captions."""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import median
from typing import NamedTuple

from biblicus.extraction.kit.grids import HEADER_ROWS, Cell, filled, names_of
from biblicus.extraction.pdf.aligned import Aligned, Found, says_something
from biblicus.extraction.pdf.rules import DrawnRules, Grid, grids
from biblicus.extraction.pdf.words import Layout, Line, Word

_FEWEST_WORDS, _MOST_WORDS = 6, 6_000
_FILLED = 0.35
"""Minimum share of filled cells in a grid."""
_LONGEST_CELL = 25
"""Average words per cell from which a grid frames page blocks."""
_OPEN = 0.1
"""Maximum share of cells without complete borders; boxes of a drawing are joined by lines."""
_GAPPED, _CROSSED = 0.25, 0.1
"""Maximum share of cells with a wide gap, and of words that cross a border."""
_MOST_COLUMNS, _MOST_CELLS = 40, 3_000
_FEW_EDGES, _FEWEST_LINES, _WIDE_LINES = 4, 3, 0.8
"""Maximum horizontal rules of a grid with rows to split, minimum lines of such a row, and share of wide ones."""
_EDGE_LINES = 2
"""Maximum lines of a running head or foot."""
_CAPTION_LINES, _CAPTION_GAP, _CAPTION_STEP = 3, 2.6, 1.4
"""Maximum lines of a caption, its maximum distance from the table, and its line distance, in line heights."""
_SAME_COLUMN = 25.0
"""Maximum shift of a column border from one page to the next, in points."""
_TIGHT = 1.4
"""Ratio of line height to letter height; boxes of rotated letters are tight."""


class Table(NamedTuple):
    """A table: its words in text order, its rows, and the borders between its columns.

    `begins`, `ends`: only a running head is above, or a foot below. `header`: column names from the previous page.
    `above`, `below`: words of the caption by line.
    """

    words: list[Word]
    rows: list[list[Cell]]
    columns: list[float]
    begins: bool = False
    ends: bool = False
    header: Sequence[list[Cell]] = ()
    above: Sequence[Sequence[tuple[int, int]]] = ()
    below: Sequence[Sequence[tuple[int, int]]] = ()

    @property
    def spans(self) -> list[tuple[int, int]]:
        """Spans of the table and its caption in the page's text."""
        caption = [span for line in (*self.above, *self.below) for span in line]
        return [*caption, *(word[:2] for word in self.words)]

    def after(self, before: Table | None) -> Table:
        """Return the table with the column names of the table that it continues from the previous page."""
        if before is None or not (self.begins and before.ends) or len(self.columns) != len(before.columns):
            return self
        if any(abs(a - b) > _SAME_COLUMN for a, b in zip(self.columns, before.columns, strict=True)):
            return self
        header = before.header or before.rows[: names_of(filled(before.rows[: HEADER_ROWS + 1]))[0]]
        is_repeated = [[cell.text for cell in row] for row in header] == [
            [cell.text for cell in row] for row in self.rows[: len(header)]
        ]
        return self if is_repeated else self._replace(header=header)


def tables(drawn: DrawnRules, text: str, words: Sequence[Word], quarters: int) -> list[Table]:
    """Return the tables of a page in text order. `quarters`: rotation of its letters in quarter turns."""
    pool = words
    if not _FEWEST_WORDS <= len(pool) <= _MOST_WORDS:
        return []
    height = (median(word.height for word in pool) or 1.0) * (_TIGHT if quarters else 1)
    layout = Layout(text, height)
    lines = layout.lines(pool)
    if sum(len(line.segments) > 1 for line in lines) < 2:
        return []
    horizontals, verticals = drawn()
    aligned = Aligned(layout, horizontals)
    candidates: list[Found] = []
    for grid in grids(horizontals, verticals):
        if (table := _ruled(grid, pool, layout, aligned)) is not None:
            candidates.append(table)
            taken = {word.start for word in table[0]}
            pool = [word for word in pool if word.start not in taken]
    candidates += aligned.tables(layout.lines(pool) if candidates else lines)
    if not candidates:
        return []
    candidates.sort(key=lambda table: table[0][0].start)
    said: set[tuple[int, int]] = set()
    taken = {word.start for words_of_table, _, _ in candidates for word in words_of_table}
    others = layout.lines([word for word in words if word.start not in taken])
    placed_tables = []
    for table in reversed(candidates):  # a block between two tables is what the lower one says above
        rest = [candidate[0] for candidate in candidates if candidate is not table]
        placed_tables.append(_placed(Table(*table), others, rest, height, said))
    return placed_tables[::-1]


def _ruled(grid: Grid, pool: Sequence[Word], layout: Layout, aligned: Aligned) -> Found | None:
    """Return the table in a grid, or None for a form, drawing or plot."""
    columns, edges = grid.columns, grid.rows
    if not 3 <= len(columns) <= _MOST_COLUMNS or len(edges) < 2 or len(columns) * len(edges) > _MOST_CELLS:
        return None
    if not grid.is_regular:
        return None
    inside = [
        word
        for word in pool
        if columns[0] < (word.left + word.right) / 2 < columns[-1] and edges[-1] < word.middle < edges[0]
    ]
    spans = list(grid.spans())
    if sum(not grid.is_closed(*span) for span in spans) > _OPEN * len(spans):
        return None
    cells: list[list[Word]] = [[] for _ in spans]
    by_place = {
        (row + below, column + right): number
        for number, (row, column, across, down) in enumerate(spans)
        for below in range(down)
        for right in range(across)
    }
    for word in inside:
        column = sum(edge < (word.left + word.right) / 2 for edge in columns) - 1
        row = sum(edge > word.middle for edge in edges) - 1
        cells[by_place[row, column]].append(word)
    count = sum(map(bool, cells))
    if count < max(2, _FILLED * len(spans)) or len(inside) > _LONGEST_CELL * count:
        return None
    gaps = sum(any(len(line.segments) > 1 for line in layout.lines(words)) for words in cells if len(words) > 1)
    if gaps > _GAPPED * count:
        return None
    rows: list[list[Cell]] = []
    for number in range(len(edges) - 1):
        here = [(span, words) for span, words in zip(spans, cells, strict=True) if span[0] == number]
        split: list[list[Cell]] = []
        if len(edges) <= _FEW_EDGES and len(here) == len(columns) - 1:
            split = _split([words for _, words in here], columns, layout, aligned)
        rows += split or [[Cell(layout.written(words), span[2], span[3]) for span, words in here]]
    if sum(row.has_own and len(list(filter(None, row.texts))) > 1 for row in filled(rows)) < 2:
        return None
    crossing = sum(word.left < edge - 1 and word.right > edge + 1 for word in inside for edge in columns)
    covered = sum(span[2] > 1 for span in spans)
    if (not covered and crossing > _CROSSED * len(inside)) or not says_something(rows):
        return None  # a plot or a drawing
    return sorted(inside), rows, columns[1:-1]


def _split(
    band: Sequence[Sequence[Word]], columns: Sequence[float], layout: Layout, aligned: Aligned
) -> list[list[Cell]]:
    """Split a row of a grid that contains several rows without rules; none if it is one row."""
    lines = layout.lines([word for words in band for word in words])
    wide = sum(len(line.segments) > 1 for line in lines)
    if wide < _FEWEST_LINES or wide < _WIDE_LINES * len(lines):
        return []
    return aligned.rows(lines, columns[1:-1])


def _placed(
    table: Table, lines: Sequence[Line], others: Sequence[Sequence[Word]], height: float, said: set[tuple[int, int]]
) -> Table:
    """Return the table with its caption: the nearer of two short blocks above and below it, if it is no other table's.
    `said`: words of captions, to which this one's are added."""
    top, bottom = max(word.middle for word in table.words), min(word.middle for word in table.words)
    rest = [word.middle for table_words in others for word in table_words] + [line.middle for line in lines]
    left, right = min(word.left for word in table.words), max(word.right for word in table.words)
    overlapping = [line for line in lines if line.segments[0].left < right and line.segments[-1].right > left]
    blocks = [
        _block([line for line in reversed(overlapping) if line.middle > top], top, height),
        _block([line for line in overlapping if line.middle < bottom], bottom, height),
    ]
    near = [
        abs(block[0].middle - edge) if block else math.inf for block, edge in zip(blocks, (top, bottom), strict=True)
    ]
    above, below = (
        [[word[:2] for segment in line.segments for word in segment.words] for line in block]
        for block in (blocks[0][::-1] if near[0] <= near[1] else [], blocks[1] if near[1] < near[0] else [])
    )
    above, below = ([] if any(word in said for line in block for word in line) else block for block in (above, below))
    said.update(word for line in (*above, *below) for word in line)
    return table._replace(
        begins=sum(middle > top for middle in rest) <= _EDGE_LINES,
        ends=sum(middle < bottom for middle in rest) <= _EDGE_LINES,
        above=above,
        below=below,
    )


def _block(lines: Sequence[Line], edge: float, height: float) -> list[Line]:
    """Return the block of lines next to a table, the nearest first; none if it is long."""
    block: list[Line] = []
    for line in lines:
        step = abs(line.middle - (block[-1].middle if block else edge))
        if step > (_CAPTION_STEP if block else _CAPTION_GAP) * height:
            break
        block.append(line)
    return block if len(block) <= _CAPTION_LINES else []
