"""Reading order of the lines of a scanned page, for engines without one: columns, rows and slanted lines."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from statistics import median

from biblicus.models.recognition import Word

Line = tuple[Word, ...]

_GUTTER = 0.015
"""Minimum free space between two columns as a share of the page's width; at least the height of a line."""
_LEAST_LINES = 4
_LEAST_SHARE = 0.5
"""Minimum median share of the column's width that lines of prose fill; narrower ones are table cells."""
_DEPTH = 6


def in_order(lines: Sequence[Line], width: int) -> tuple[Line, ...]:
    """Return the lines in reading order; lines side by side in one row are joined."""
    slant = _slant(lines)
    return tuple(_read(list(lines), width, slant, 0))


def _read(lines: list[Line], width: int, slant: float, depth: int) -> list[Line]:
    if depth < _DEPTH:
        for cut in _gutters(lines, width):
            sides = [line for line in lines if line[-1].right <= cut], [line for line in lines if line[0].left >= cut]
            if all(_is_column(side) for side in sides):
                return [line for side in sides for line in _read(side, width, slant, depth + 1)]
        if (parts := _bands(lines, width)) is not None:
            return [line for part in parts for line in _read(part, width, slant, depth + 1)]
    return _rows(lines, slant)


def _gutters(lines: list[Line], width: int) -> list[float]:
    """Return the middles of the vertical gaps free of text over the page's height, widest first."""
    edges = sorted((line[0].left, line[-1].right) for line in lines)
    free: list[tuple[float, float]] = []
    tall = median(word.bottom - word.top for line in lines for word in line) if lines else 0.0
    gutter = max(_GUTTER * width, tall)
    reach = edges[0][1] if edges else 0.0
    for left, right in edges[1:]:
        if left - reach > gutter:
            free.append((left - reach, (left + reach) / 2))
        reach = max(reach, right)
    return [middle for _, middle in sorted(free, reverse=True)]


def _is_column(lines: list[Line]) -> bool:
    """Return True if these are lines of prose below each other."""
    if len(lines) < _LEAST_LINES:
        return False
    width = max(line[-1].right for line in lines) - min(line[0].left for line in lines)
    return median(line[-1].right - line[0].left for line in lines) >= _LEAST_SHARE * width


def _bands(lines: list[Line], width: int) -> list[list[Line]] | None:
    """Split the lines into bands above and below each full-width line, or return None if there is no split."""
    across = [line for line in lines if line[-1].right - line[0].left > width * 0.55]
    narrow = [line for line in lines if line not in across]
    if not across or len(narrow) < 2 * _LEAST_LINES:
        return None
    bands: list[list[Line]] = []
    kind: bool | None = None
    for line in sorted(lines, key=_middle):
        if (line in across) != kind:
            bands.append([])
            kind = line in across
        bands[-1].append(line)
    return bands if len(bands) > 1 else None


def _middle(line: Line) -> float:
    return (line[0].top + line[-1].bottom) / 2


def _slant(lines: Sequence[Line]) -> float:
    """Return the vertical shift of a line for each pixel to the right (median over lines)."""
    slopes = []
    for line in lines:
        run = line[-1].left - line[0].left
        if len(line) > 2 and run > 0:
            slopes.append(((line[-1].top + line[-1].bottom) - (line[0].top + line[0].bottom)) / 2 / run)
    return median(slopes) if slopes else 0.0


def _rows(lines: list[Line], slant: float) -> list[Line]:
    """Return the lines from top to bottom, joined from left to right if at the same height."""

    def height(line: Line) -> float:
        return median((word.top + word.bottom) / 2 - slant * (word.left + word.right) / 2 for word in line)

    rows: list[list[Line]] = []
    for line in sorted(lines, key=height):
        tall = median(word.bottom - word.top for word in line)
        if rows and abs(height(line) - height(rows[-1][-1])) < tall * 0.4 and _are_beside(rows[-1], line):
            rows[-1].append(line)
        else:
            rows.append([line])
    return [tuple(word for line in sorted(row, key=lambda line: line[0].left) for word in line) for row in rows]


def _are_beside(row: list[Line], line: Line) -> bool:
    """Return True if the line overlaps none of the row's."""
    sorted_row = sorted([*row, line], key=lambda one: one[0].left)
    return all(one[-1].right <= two[0].left + (two[-1].right - two[0].left) * 0.1 for one, two in pairwise(sorted_row))
