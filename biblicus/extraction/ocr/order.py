"""Reading order of the lines of a scanned page, for engines without one: columns, rows and slanted lines."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median

from biblicus.extraction.kit import blocks
from biblicus.models.recognition import Word

Line = tuple[Word, ...]
_SAME_ROW, _OVERLAP = 0.4, 0.1
"""Maximum distance of lines of one row, in line heights, and their overlap as a share of the right one."""


def in_order(lines: Sequence[Line]) -> tuple[Line, ...]:
    """Return the lines in reading order; lines side by side in one row are joined."""
    rows = _rows(lines, _slant(lines))
    row_of = [number for number, row in enumerate(rows) for _ in row]
    parts = [
        blocks.Part(
            number,
            sum(len(word.text.split()) for word in line),
            line[0].left,
            line[-1].right,
            -place,
            median(word.bottom - word.top for word in line),
        )
        for number, (place, line) in enumerate(entry for row in rows for entry in row)
    ]
    ordered: list[Line] = []
    before = -1
    flat = [line for row in rows for _, line in row]
    for number in blocks.in_order(parts):
        if number and number == before + 1 and row_of[number] == row_of[before]:
            ordered[-1] += flat[number]
        else:
            ordered.append(flat[number])
        before = number
    return tuple(ordered)


def _slant(lines: Sequence[Line]) -> float:
    """Return the vertical shift of a line for each pixel to the right (median over lines)."""
    slopes = []
    for line in lines:
        run = line[-1].left - line[0].left
        if len(line) > 2 and run > 0:
            slopes.append(((line[-1].top + line[-1].bottom) - (line[0].top + line[0].bottom)) / 2 / run)
    return median(slopes) if slopes else 0.0


def _rows(lines: Sequence[Line], slant: float) -> list[list[tuple[float, Line]]]:
    """Return the lines by row from top to bottom and from left to right, each with its height without slant."""
    places = [
        (median((word.top + word.bottom) / 2 - slant * (word.left + word.right) / 2 for word in line), line)
        for line in lines
    ]
    rows: list[list[tuple[float, Line]]] = []
    for place, line in sorted(places):
        tall = median(word.bottom - word.top for word in line)
        if rows and place - rows[-1][-1][0] < tall * _SAME_ROW and not _overlap(line, rows[-1]):
            rows[-1].append((place, line))
        else:
            rows.append([(place, line)])
    return [sorted(row, key=lambda entry: entry[1][0].left) for row in rows]


def _overlap(line: Line, row: Sequence[tuple[float, Line]]) -> bool:
    """Return True if a line overlaps another of the row."""
    left, right = line[0].left, line[-1].right
    return any(min(right, other[-1].right) - max(left, other[0].left) > _OVERLAP * (right - left) for _, other in row)
