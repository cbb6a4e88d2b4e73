"""Tables without rules between their columns: words that stand aligned below each other."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import chain, pairwise
from statistics import median
from typing import NamedTuple

from biblicus.extraction.kit.grids import Cell, is_number
from biblicus.extraction.pdf.rules import Rule, between
from biblicus.extraction.pdf.words import Layout, Line, Word, in_column, line_of

_GUTTER = 0.3
"""Minimum width of a gutter between columns, in line heights."""
_FARTHEST = 3.2
"""Maximum distance of two lines of a table, in line heights."""
_FEWEST_ROWS, _MOST_ROWS = 3, 200
_FILLED = 0.5
"""Minimum share of filled cells."""
_LONG_CELL = 4
"""Median words per line from which a column is prose; two such columns are no table."""
_ALIGNED, _ALIGNED_FEW, _FEW_ROWS = 0.6, 0.75, 4
"""Minimum share of aligned cells in a column, for long tables and for tables of a few rows."""
_ALIGNED_COLUMNS, _SAME_EDGE = 0.7, 2.0
"""Minimum share of aligned columns, and the tolerance of their edges in points."""
_OVERLAPPING, _NEARLY = 0.6, 0.85
"""Minimum distance of lines with several cells, and of lines of signs, in line heights; formulas stand closer."""
_NUMERIC = 0.6
"""Minimum share of numbers in the second column of a two-column table without rules."""
_SHORT_LABEL = 4
"""Maximum length of list markers."""
_SAYING = re.compile(r"\w[\w.,]*\w\w")
_MOST_TABLES, _MOST_COLUMNS, _DEEPEST = 12, 40, 3
_UNEQUAL = 1.25
"""Minimum ratio of the distance between rows to the distance of lines within a row."""
_UNFIT = 0.2
"""Maximum share of rows that do not contain exactly one line of the first column."""
_HEADER_LINES, _HEADER_GAP = 2, 2.2
"""Maximum lines of grouped column names, and their maximum distance in line heights."""
_NEAR = 5.0
"""Tolerance of the edges of column names, in points."""

Found = tuple[list[Word], list[list[Cell]], list[float]]
"""Words in text order, rows, and borders between columns."""


Gutters = list[tuple[float, float]]


class _Run(NamedTuple):
    """A run of lines with common gutters. `score`: number of its cells; `reach`: the last line that was compared."""

    score: int
    last: int
    gutters: Gutters
    reach: int


class Aligned:
    """Finder of tables among the lines of a page. `horizontals`: its horizontal rules."""

    def __init__(self, layout: Layout, horizontals: Sequence[Rule]) -> None:
        self._layout, self._height, self._horizontals = layout, layout.height, horizontals

    def tables(self, lines: list[Line], depth: int = 0) -> Iterator[Found]:
        """Yield the tables among lines of words, and empty the lines."""
        runs: dict[int, _Run] = {}
        for _ in range(_MOST_TABLES):
            best = self._best(lines, runs)
            if best is None:
                return
            first, last, gutters = best
            run = lines[first : last + 1]
            if depth < _DEEPEST and (middle := self._parted(run, gutters)) is not None:
                pool = [word for line in lines for segment in line.segments for word in segment.words]
                for is_right in (False, True):
                    side = [word for word in pool if (word.right > middle) is is_right]
                    yield from self.tables(self._layout.lines(side), depth + 1)
                return
            if self._is_table(run, gutters):
                above = self._header(lines[:first], run, gutters)
                rows = [self._spread(line, run, gutters) for line in above] + self.rows(run, _middles(gutters))
                words = sorted(word for line in (*above, *run) for segment in line.segments for word in segment.words)
                yield words, rows, _middles(gutters)
                first -= len(above)
            lines[first : last + 1] = [line_of(line.middle, []) for line in lines[first : last + 1]]
            runs = {at: known for at, known in runs.items() if at > last or known.reach < first}

    def _best(self, lines: list[Line], runs: dict[int, _Run]) -> tuple[int, int, Gutters] | None:
        """Return the first line, last line and gutters of the run with the most cells, or None. `runs`: runs already
        measured, by first line."""
        for first, line in enumerate(lines):
            if len(line.segments) > 1 and first not in runs:
                runs[first] = self._run(lines, first)
        first = min(runs, key=lambda at: (-runs[at].score, at), default=0)
        if not runs or not runs[first].score:
            return None
        return first, self._end(lines, first, runs[first].last, runs[first].gutters), runs[first].gutters

    def _run(self, lines: list[Line], first: int) -> _Run:
        """Return the run with the most cells among those that begin at a line."""
        gutters, best, score = lines[first].free[1:-1], (first, Gutters()), 0
        count, last, skipped = 1, first, False
        number = first
        for number in range(first + 1, min(first + _MOST_ROWS, len(lines))):
            neighbour = lines[number]
            is_far = lines[last].middle - neighbour.middle > _FARTHEST * self._height
            if not gutters or not neighbour.segments or is_far:
                break
            left = [free for gutter in gutters if (free := self._free(neighbour, gutter))]
            is_within = len(neighbour.segments) == 1 and neighbour.segments[0].left >= lines[first].segments[0].left - 2
            if len(left) < len(gutters) and is_within and not skipped:
                skipped = True
                continue
            gutters, skipped, last = left, False, number
            if len(neighbour.segments) > 1 and gutters:
                count += 1
                if count * len(gutters) > score:
                    best, score = (number, gutters), count * len(gutters)
        return _Run(score, *best, number)

    def _end(self, lines: Sequence[Line], first: int, last: int, gutters: Sequence[tuple[float, float]]) -> int:
        """Return the last line of a run, including continuations of its last cells."""
        wide = [a.middle - b.middle for a, b in pairwise(lines[first : last + 1]) if len(b.segments) > 1]
        while last + 1 < len(lines) and lines[last + 1].segments:
            following = lines[last + 1]
            is_in_cell = len(following.segments) == 1 and following.segments[0].left >= gutters[0][1] - 2
            step = lines[last].middle - following.middle
            if not is_in_cell or step > median(wide) or any(not self._free(following, gutter) for gutter in gutters):
                break
            last += 1
        return last

    def _free(self, line: Line, gutter: tuple[float, float]) -> tuple[float, float] | None:
        """Return the free part of a gutter in a line, or None if it is too narrow."""
        low, high = gutter
        for left, right in line.free:
            if left < high and low < right and min(right, high) - max(left, low) >= _GUTTER * self._height:
                return max(left, low), min(right, high)
        return None

    def _parted(self, run: Sequence[Line], gutters: Sequence[tuple[float, float]]) -> float | None:
        """Return the border between two blocks side by side in a run, or None.

        One side is drawn before the other and is prose, or its columns are not drawn one by one.
        """
        middles = _middles(gutters)
        columns = [in_column(run, middles, number) for number in range(len(middles) + 1)]
        for number, middle in enumerate(middles, 1):
            left, right = (list(chain(*side)) for side in (columns[:number], columns[number:]))
            if not left or not right or not (_is_before(left, right) or _is_before(right, left)):
                continue
            for side in (columns[:number], columns[number:]):
                is_prose = len(side) == 1 and self._is_prose(run, middles, columns.index(side[0]))
                if is_prose or any(not (_is_before(a, b) or _is_before(b, a)) for a, b in pairwise(side) if a and b):
                    return middle
        return None

    def _is_prose(self, run: Sequence[Line], middles: Sequence[float], column: int) -> bool:
        counts = [len(words) for line in run if (words := in_column([line], middles, column))]
        return len(counts) >= _FEWEST_ROWS and median(counts) >= _LONG_CELL

    def _is_table(self, run: Sequence[Line], gutters: Sequence[tuple[float, float]]) -> bool:
        middles = _middles(gutters)
        separators = self._separators(run)
        wide = [line for line in run if len(line.segments) > 1]
        if len(wide) < (2 if len(separators) > 1 else _FEWEST_ROWS) or len(middles) >= _MOST_COLUMNS:
            return False
        pairs = [pair for pair in pairwise(run) if all(len(line.segments) > 1 for line in pair)]
        if len(separators) < _FEWEST_ROWS and any(self._is_formula(*pair) for pair in pairs):
            return False
        if not self._are_aligned(wide, middles):
            return False
        prose = [number for number in range(len(middles) + 1) if self._is_prose(run, middles, number)]
        if len(prose) > 1:
            return False
        cells = self.rows(run, middles)
        rows = [[cell.text for cell in row] for row in cells]
        if (
            len(rows) < 2
            or not says_something(cells)
            or sum(bool(text) for row in rows for text in row) < _FILLED * len(rows) * (len(middles) + 1)
        ):
            return False
        columns = [[text for text in column if text] for column in zip(*rows, strict=True)]
        if any(not any(map(str.isalnum, "".join(column))) for column in columns):
            return False  # marks of a list
        if 2 * sum(text.endswith((":", "：")) for text in columns[0]) > len(columns[0]):
            return False  # labels, each with its value beside it
        pages = [int(text) for text in columns[-1] if text.isdecimal()]
        if len(pages) == len(columns[-1]) > 2 and pages == sorted(pages):
            return bool(separators)  # a table of contents
        if len(columns) == 2:
            is_list = median(map(len, columns[0])) <= _SHORT_LABEL and bool(prose)
            is_numeric = sum(map(is_number, columns[1][1:])) >= _NUMERIC * (len(columns[1]) - 1) > 0
            return not is_list and (is_numeric or bool(separators))
        return True

    def _is_formula(self, above: Line, below: Line) -> bool:
        """Return True if two lines with several cells overlap, as those of formulas do."""
        step = (above.middle - below.middle) / self._height
        texts = [[self._layout.text[segment.words[0].start : segment.words[-1].end] for segment in line.segments]
                 for line in (above, below)]  # fmt: skip
        signs = any(2 * sum(any(map(str.isalnum, text)) for text in line) < len(line) for line in texts)
        return step < (_NEARLY if signs else _OVERLAPPING)

    def _are_aligned(self, run: Sequence[Line], middles: Sequence[float]) -> bool:
        """Return True if the cells of most columns share a left edge, a right edge or a center."""
        aligned = 0
        for number in range(len(middles) + 1):
            cells = [words for line in run if (words := in_column([line], middles, number))]
            ends = [(min(word.left for word in words), max(word.right for word in words)) for words in cells]
            most = max(
                (
                    _most_alike(places)
                    for places in ([a for a, _ in ends], [b for _, b in ends], [(a + b) / 2 for a, b in ends])
                ),
                default=0,
            )
            aligned += most >= (_ALIGNED if len(run) > _FEW_ROWS else _ALIGNED_FEW) * len(cells)
        return aligned >= _ALIGNED_COLUMNS * (len(middles) + 1)

    def _separators(self, run: Sequence[Line]) -> list[float]:
        left = min(line.segments[0].left for line in run if line.segments)
        right = max(line.segments[-1].right for line in run if line.segments)
        low, high = run[-1].middle - 1.5 * self._height, run[0].middle + 1.5 * self._height
        return between(self._horizontals, low, high, left, right)

    def _header(self, above: Sequence[Line], run: Sequence[Line], gutters: Sequence[tuple[float, float]]) -> list[Line]:
        """Return the lines above a run that name groups of its columns."""
        left, right = run[0].segments[0].left, max(line.segments[-1].right for line in run if line.segments)
        joined: list[Line] = []
        below = run[0].middle
        for line in reversed(above[-_HEADER_LINES:]):
            is_near = line.middle - below <= _HEADER_GAP * self._height
            is_inside = (
                len(line.segments) > 1
                and line.segments[0].left >= left - _NEAR
                and line.segments[-1].right <= right + _NEAR
            )
            if not is_near or not is_inside or any(len(segment.words) > _LONG_CELL for segment in line.segments):
                break
            joined.insert(0, line)
            below = line.middle
        return joined

    def _spread(self, line: Line, run: Sequence[Line], gutters: Sequence[tuple[float, float]]) -> list[Cell]:
        """Return a line of group names as cells that span the nearest columns."""
        edges = [run[0].segments[0].left, *(edge for gutter in gutters for edge in gutter)]
        edges.append(max(run_line.segments[-1].right for run_line in run if run_line.segments))
        nearest: list[int] = []
        for left, right in zip(edges[::2], edges[1::2], strict=True):
            apart = [max(segment.left - right, left - segment.right, 0) for segment in line.segments]
            nearest.append(min(range(len(apart)), key=apart.__getitem__) if min(apart) <= right - left else -1)
        cells: list[Cell] = []
        for number, at in enumerate(nearest):
            if number and at >= 0 and at == nearest[number - 1]:
                cells[-1] = cells[-1]._replace(across=cells[-1].across + 1)
            else:
                cells.append(Cell(self._layout.written(line.segments[at].words) if at >= 0 else ""))
        return cells

    # --- rows of lines ---

    def rows(self, run: Sequence[Line], middles: Sequence[float]) -> list[list[Cell]]:
        """Return the rows of lines: split by rules, by wider distances, or at each entry of the first column."""
        run = [line for line in run if line.segments]
        groups = self._by_rules(run) or self._by_steps(run, middles) or self._by_first_column(run, middles)
        return [
            [Cell(self._layout.written(in_column(group, middles, number))) for number in range(len(middles) + 1)]
            for group in groups
        ]

    def _by_rules(self, run: Sequence[Line]) -> list[list[Line]]:
        separators = self._separators(run)
        groups: dict[int, list[Line]] = {}
        for line in run:
            groups.setdefault(sum(line.middle < place for place in separators), []).append(line)
        wide = sum(len(line.segments) > 1 for line in run)
        return list(groups.values()) if len(separators) > 2 and len(groups) >= 0.5 * wide else []

    def _by_steps(self, run: Sequence[Line], middles: Sequence[float]) -> list[list[Line]]:
        steps = sorted(a.middle - b.middle for a, b in pairwise(run))
        if not steps or len(run) == sum(len(line.segments) > 1 for line in run):
            return []
        for at in range(len(steps) - 1, 0, -1):
            if steps[at] >= _UNEQUAL * steps[at - 1] and (groups := self._stepped(run, middles, steps[at])):
                return groups
        return []

    def _stepped(self, run: Sequence[Line], middles: Sequence[float], widest: float) -> list[list[Line]]:
        """Split lines at distances of `widest` or more; none unless most groups have one entry in the first column."""
        groups = [[run[0]]]
        for above, line in pairwise(run):
            if above.middle - line.middle >= widest - 0.01:
                groups.append([line])
            else:
                groups[-1].append(line)
        begun = [sum(bool(in_column([line], middles, 0)) for line in group) for group in groups]
        return groups if sum(count != 1 for count in begun) <= _UNFIT * len(groups) else []

    def _by_first_column(self, run: Sequence[Line], middles: Sequence[float]) -> list[list[Line]]:
        groups: list[list[Line]] = []
        for line in run:
            texts = [self._layout.written(segment.words) for segment in line.segments]
            goes_on = not in_column([line], middles, 0) and not any(map(is_number, texts))
            if groups and goes_on:
                groups[-1].append(line)
            else:
                groups.append([line])
        return groups


def says_something(rows: Sequence[Sequence[Cell]]) -> bool:
    """Return True if a third of the cells contain a word or number of three characters; labels of drawings do not."""
    texts = [cell.text for row in rows for cell in row if cell.text]
    return 3 * sum(_SAYING.search(text) is not None for text in texts) >= len(texts)


def _most_alike(places: Sequence[float]) -> int:
    """Return the size of the largest group of nearly equal places."""
    ordered = sorted(places)
    return max((sum(place <= neighbour <= place + _SAME_EDGE for neighbour in ordered) for place in ordered), default=0)


def _middles(gutters: Sequence[tuple[float, float]]) -> list[float]:
    return [(left + right) / 2 for left, right in gutters]


def _is_before(one: Sequence[Word], other: Sequence[Word]) -> bool:
    """Return True if one group of words was drawn before another."""
    return max(word.start for word in one) < min(word.start for word in other)
