"""Straight rules drawn on a page, and the grids of cells between them."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import NamedTuple

import pypdfium2
from pypdfium2 import raw as pdfium

_THIN, _NEAR, _SHORTEST = 2.5, 3.0, 4.0
"""Maximum thickness of a rule, tolerance where rules meet, and minimum length, in points."""
_MOST_PATHS, _MOST_POINTS, _MOST_SEGMENTS = 2_000, 8_000, 400
"""Maximum paths per page, lines per page and lines per path; more are drawings."""
_MOST_OBJECTS, _DEEPEST = 50_000, 3
"""Maximum objects per page or form, and depth of forms."""
_MOST_EDGES = 400
"""Maximum rules of a grid in one direction."""
_COVERED = 0.6
"""Minimum share of a cell's side that a rule covers."""
_DRAWN, _REGULAR = 0.4, 0.8
"""Minimum share of the table's extent that a border covers, and share of borders that must."""

Box = tuple[float, float, float, float]
"""Left, bottom, right and top."""


class Rule(NamedTuple):
    """A straight rule from `low` to `high` at a position across its direction."""

    at: float
    low: float
    high: float


DrawnRules = Callable[[], tuple[list[Rule], list[Rule]]]
"""Function that returns the horizontal and vertical rules of a page."""


class Grid(NamedTuple):
    """Column borders from left to right, row borders from top to bottom, and the rules that draw them."""

    columns: list[float]
    rows: list[float]
    horizontals: list[Rule]
    verticals: list[Rule]

    def spans(self) -> Iterator[tuple[int, int, int, int]]:
        """Yield each cell as row, column, and covered columns and rows."""
        taken: set[tuple[int, int]] = set()
        count = len(self.columns) - 1
        for row in range(len(self.rows) - 1):
            for column in range(count):
                if (row, column) in taken:
                    continue
                across = down = 1
                while column + across < count and not self._is_parted(row, column + across):
                    across += 1
                wide = range(column, column + across)
                while row + down < len(self.rows) - 1 and not any(self._is_below(row + down, at) for at in wide):
                    down += 1
                taken.update((row + below, at) for below in range(down) for at in wide)
                yield row, column, across, down

    @property
    def is_regular(self) -> bool:
        """Return True if most inner borders are drawn along most of the table."""
        left, right, top, bottom = self.columns[0], self.columns[-1], self.rows[0], self.rows[-1]
        drawn = [_covers(self.verticals, at, bottom, top, _DRAWN) for at in self.columns[1:-1]]
        drawn += [_covers(self.horizontals, at, left, right, _DRAWN) for at in self.rows[1:-1]]
        return sum(drawn) >= _REGULAR * len(drawn)

    def is_closed(self, row: int, column: int, across: int, down: int) -> bool:
        """Return True if rules draw all four sides of a cell and nothing inside."""
        rows, columns = range(row, row + down), range(column, column + across)
        sides = all(
            self._is_parted(at, number) == (number in (column, column + across))
            for at in rows
            for number in range(column, column + across + 1)
        )
        return sides and all(self._is_below(number, at) for at in columns for number in (row, row + down))

    def _is_parted(self, row: int, column: int) -> bool:
        """Return True if a rule is at the left side of a cell."""
        return _covers(self.verticals, self.columns[column], self.rows[row + 1], self.rows[row])

    def _is_below(self, row: int, column: int) -> bool:
        """Return True if a rule is at the top of a cell."""
        return _covers(self.horizontals, self.rows[row], self.columns[column], self.columns[column + 1])


def _covers(rules: Iterable[Rule], at: float, low: float, high: float, share: float = _COVERED) -> bool:
    covered = sum(max(0.0, min(rule.high, high) - max(rule.low, low)) for rule in rules if abs(rule.at - at) <= _NEAR)
    return covered >= share * (high - low)


def turned(box: Box, quarters: int) -> Box:
    """Return a box rotated back by quarter turns."""
    left, bottom, right, top = box
    if quarters == 1:
        return -top, left, -bottom, right
    if quarters == 2:
        return -right, -top, -left, -bottom
    return (bottom, -right, top, -left) if quarters == 3 else box


def rules(page: pypdfium2.PdfPage, quarters: int) -> tuple[list[Rule], list[Rule]]:
    """Return the horizontal and vertical rules of a page, with touching pieces merged."""
    horizontals, verticals, points = [], [], 0
    paths = list(islice(_paths(page.raw), _MOST_PATHS + 1))
    sides = tuple(ctypes.c_float() for _ in range(4))
    for path in paths if len(paths) <= _MOST_PATHS else ():
        for box in _pieces(path, sides):
            left, bottom, right, top = turned(box, quarters)
            if top - bottom <= _THIN and right - left >= _SHORTEST:
                horizontals.append(Rule((top + bottom) / 2, left, right))
            elif right - left <= _THIN and top - bottom >= _SHORTEST:
                verticals.append(Rule((left + right) / 2, bottom, top))
            points += 1
        if points > _MOST_POINTS:
            return [], []
    return _merged(horizontals), _merged(verticals)


def _paths(holder: object, depth: int = 0) -> Iterator[object]:
    """Yield the paths of a page and of its forms."""
    count, get = (
        (pdfium.FPDFFormObj_CountObjects, pdfium.FPDFFormObj_GetObject)
        if depth
        else (pdfium.FPDFPage_CountObjects, pdfium.FPDFPage_GetObject)
    )
    for number in range(min(count(holder), _MOST_OBJECTS)):
        value = get(holder, number)
        kind = pdfium.FPDFPageObj_GetType(value)
        if kind == pdfium.FPDF_PAGEOBJ_PATH:
            yield value
        elif kind == pdfium.FPDF_PAGEOBJ_FORM and depth < _DEEPEST:
            yield from _paths(value, depth + 1)


def _pieces(path: object, sides: Sequence[ctypes.c_float]) -> Iterator[Box]:
    """Yield the boxes of a path's straight lines; a thin path is one box. `sides`: room for its box."""
    if not pdfium.FPDFPageObj_GetBounds(path, *sides):
        return
    left, bottom, right, top = (side.value for side in sides)
    if right - left <= _THIN or top - bottom <= _THIN:
        yield left, bottom, right, top
        return
    fill, stroke, matrix = ctypes.c_int(), ctypes.c_int(), pdfium.FS_MATRIX()
    pdfium.FPDFPath_GetDrawMode(path, fill, stroke)
    if not stroke.value or not pdfium.FPDFPageObj_GetMatrix(path, matrix):
        return
    x, y, begun, last = ctypes.c_float(), ctypes.c_float(), (0.0, 0.0), (0.0, 0.0)
    count = pdfium.FPDFPath_CountSegments(path)
    for number in range(count if count <= _MOST_SEGMENTS else 0):
        segment = pdfium.FPDFPath_GetPathSegment(path, number)
        pdfium.FPDFPathSegment_GetPoint(segment, x, y)
        here = (
            matrix.a * x.value + matrix.c * y.value + matrix.e,
            matrix.b * x.value + matrix.d * y.value + matrix.f,
        )
        kind = pdfium.FPDFPathSegment_GetType(segment)
        if kind == pdfium.FPDF_SEGMENT_BEZIERTO:
            return
        if kind == pdfium.FPDF_SEGMENT_MOVETO:
            begun = here
        elif kind == pdfium.FPDF_SEGMENT_LINETO:
            yield _around(last, here)
        if pdfium.FPDFPathSegment_GetClose(segment):
            yield _around(here, begun)
        last = here


def _around(one: tuple[float, float], other: tuple[float, float]) -> Box:
    return min(one[0], other[0]), min(one[1], other[1]), max(one[0], other[0]), max(one[1], other[1])


def _merged(pieces: Iterable[Rule]) -> list[Rule]:
    """Merge touching rules on one line."""
    rows: list[list[Rule]] = []
    for piece in sorted(pieces):
        if rows and piece.at - rows[-1][0].at <= _THIN:
            rows[-1].append(piece)
        else:
            rows.append([piece])
    merged: list[Rule] = []
    for row in rows:
        row.sort(key=lambda rule: rule.low)
        at, low, high = row[0]
        for rule in row[1:]:
            if rule.low <= high + _NEAR:
                high = max(high, rule.high)
            else:
                merged.append(Rule(at, low, high))
                low, high = rule.low, rule.high
        merged.append(Rule(at, low, high))
    return merged


def grids(horizontals: Sequence[Rule], verticals: Sequence[Rule]) -> Iterator[Grid]:
    """Yield the grids of rules that meet, with closed outer borders."""
    if not 0 < len(horizontals) <= _MOST_EDGES or not 0 < len(verticals) <= _MOST_EDGES:
        return
    group = list(range(len(horizontals) + len(verticals)))

    def root(at: int) -> int:
        while group[at] != at:
            group[at] = at = group[group[at]]
        return at

    for number, row in enumerate(horizontals):
        for column_number, column in enumerate(verticals, len(horizontals)):
            meets = row.low - _NEAR <= column.at <= row.high + _NEAR
            if meets and column.low - _NEAR <= row.at <= column.high + _NEAR:
                group[root(number)] = root(column_number)
    crossings: dict[int, tuple[list[Rule], list[Rule]]] = {}
    for number, rule in enumerate((*horizontals, *verticals)):
        crossings.setdefault(root(number), ([], []))[number >= len(horizontals)].append(rule)
    for across, down in crossings.values():
        if across and down:
            left, right = _reach([rule.at for rule in down], across)
            bottom, top = _reach([rule.at for rule in across], down)
            outer = (
                [Rule(top, left, right), Rule(bottom, left, right)],
                [Rule(left, bottom, top), Rule(right, bottom, top)],
            )
            columns = _edges([rule.at for rule in (*down, *outer[1])])
            rows = _edges([rule.at for rule in (*across, *outer[0])])[::-1]
            yield Grid(columns, rows, across + outer[0], down + outer[1])


def _reach(places: Sequence[float], rules: Sequence[Rule]) -> tuple[float, float]:
    return min(*places, *(rule.low for rule in rules)), max(*places, *(rule.high for rule in rules))


def _edges(places: Iterable[float]) -> list[float]:
    """Return sorted places without near duplicates."""
    edges: list[float] = []
    for place in sorted(places):
        if not edges or place - edges[-1] > _NEAR:
            edges.append(place)
    return edges


def between(rules: Sequence[Rule], low: float, high: float, left: float, right: float) -> list[float]:
    """Return the heights of horizontal rules that span most of a range, from top to bottom."""
    places = [
        rule.at
        for rule in rules
        if low < rule.at < high and min(rule.high, right) - max(rule.low, left) >= _COVERED * (right - left)
    ]
    return _edges(places)[::-1]
