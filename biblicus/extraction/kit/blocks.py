"""Reading order by geometry: columns of a page, boxes beside its text, blocks that were drawn in another order; and
the boxes of a slide."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from operator import attrgetter
from statistics import median
from typing import NamedTuple

_GUTTER = 0.65
"""Minimum width of a gutter between columns, in line heights."""
_FEWEST_LINES, _FEWEST_WORDS, _FEWEST_BESIDE = 3, 4, 2
"""Minimum lines of a column, and median words of its lines: if they are level with lines of other columns, as in
tables, and if not, as in boxes."""
_FEWEST_MOVED, _FEWEST_IN_COLUMN = 8, 14
"""Minimum words of a block that is ordered by place, and of a column."""
_FEWEST_FULL, _FULL = 3, 0.8
"""Minimum median words of lines that fill this share of their column."""
_SAME_LINE, _LEVEL, _MOST_LEVEL, _MOST_PARTS = 0.35, 0.2, 0.6, 1.5
"""Maximum distance of parts of one line and of level lines, in line heights, share of level lines, and mean parts of a
line in a box; those of formulas have more."""
_UPWARDS, _DOWNWARDS = 2.0, 2.5
"""Steps up and down to a part that begins another block, in line heights."""
_LARGER, _APART = 1.15, 1.4
"""Minimum height of a heading between two bands of columns, and its distance from other lines, in line heights."""
_CUT = 4
"""Maximum distance of parts of a column that a band of columns would cut, in line heights."""
_TALLEST = 4
"""Maximum height of a line, in line heights; turned words are taller."""
_FOOT, _FAR = 2, 2.6
"""Maximum lines of a foot, and its minimum distance from the columns, in line heights."""
_COLUMN = 5
"""Minimum distance of the beginnings of columns, in line heights."""
_AHEAD = 3
"""Maximum lines at the beginning of a band that stand in one column."""
_ENDS = float("-inf"), float("inf")

Interval = tuple[float, float]
_MOST_ORDERED = 300
"""Maximum boxes of a slide that are sorted by position."""

Box = tuple[float, float, float, float]
"""Left, top, right and bottom of a box."""


def from_top(boxes: Sequence[Box | None]) -> list[int]:
    """Return the numbers of the boxes in stored order, but each after those above it in its column, after those at its
    left in its row, and after those that have a row alone above it. Boxes without a position stay in stored order."""
    waiting = list(range(len(boxes)))
    if len(waiting) > _MOST_ORDERED:
        return waiting
    alone = [box is not None and sum(_share(box, neighbour, 1) for neighbour in boxes) == 1 for box in boxes]
    before = [
        {
            at
            for at, upper in enumerate(boxes)
            if upper is not None and box is not None and at != number
            if ((upper[3] <= box[1] and upper[1] < box[1]) and (alone[at] or _share(upper, box, 0)))
            or (upper[2] <= box[0] and abs(upper[1] - box[1]) * 4 < min(upper[3] - upper[1], box[3] - box[1]))
        }
        for number, box in enumerate(boxes)
    ]
    ordered = []
    while waiting:
        free = next((number for number in waiting if before[number].isdisjoint(waiting)), waiting[0])
        waiting.remove(free)
        ordered.append(free)
    return ordered


def _share(one: Box, another: Box | None, side: int) -> bool:
    """Return True if two boxes share a column (side 0) or a row (side 1)."""
    return another is not None and one[side] < another[side + 2] and another[side] < one[side + 2]


class Part(NamedTuple):
    """A part of a line or a table: its number in drawn order, number of words (0: a table), and box."""

    number: int
    words: int
    left: float
    right: float
    middle: float
    height: float


Row = list[Part]


class Line(NamedTuple):
    """Parts at one height, their free intervals, and their reach."""

    parts: Row
    free: list[Interval]
    left: float
    right: float


def in_order(parts: Sequence[Part]) -> list[int]:
    """Return the numbers of the parts in reading order: from the top, and in bands of columns column by column."""
    height = median([part.height for part in parts if part.words] or [1.0]) or 1.0
    if not _is_mixed(parts, height):
        return [part.number for part in parts]
    tall = [part for part in parts if part.words and part.height > _TALLEST * height]
    lines = [part for part in parts if part not in tall]
    ordered = _ordered(lines, height)
    for part in reversed(tall):
        level = [line for line in lines if abs(part.middle - line.middle) < part.height / 2]
        is_across = any(part.left < line.right and line.left < part.right for line in level)  # such as the word "draft"
        before = 0 if is_across else bisect_left(lines, part)
        ordered.insert(ordered.index(lines[before - 1]) + 1 if before else 0, part)
    return [part.number for part in ordered]


def _ordered(parts: Sequence[Part], height: float) -> list[Part]:
    rows, drawn = _lines(parts, height), {part.number: part for part in parts}
    ordered: list[Part] = []
    alone: list[Line] = []
    at = 0
    while at < len(rows):
        end, gutters = _band(rows, at, height)
        while gutters and alone and _fit(alone[-1].parts, gutters) and not _is_heading(rows, at - 1, height):
            at -= 1
            alone.pop()
        columns = _columns([part for row in rows[at:end] for part in row.parts], gutters)
        if gutters and not _are_cut(columns, drawn, height):
            ordered += _downwards([part for row in alone for part in row.parts], height)
            if end < len(rows):
                columns.sort(key=lambda column: _goes_on(column, rows[end].parts[0], height))
            for column in columns:
                ordered += _ordered(column, height)
            alone = []
        else:
            alone += rows[at:end]
        at = end
    return ordered + _downwards([part for row in alone for part in row.parts], height)


def _is_mixed(parts: Sequence[Part], height: float) -> bool:
    """Return True if lines go to and fro between columns, or a part that was drawn later is above another in its
    column."""
    left, turns = float("inf"), 0
    for a, b in pairwise(parts):
        step = b.middle - a.middle
        if step > _UPWARDS * height and b.left < left + _COLUMN * height:
            return True
        left = b.left if step > _UPWARDS * height else min(left, b.left, a.left)
        turns += abs(step) <= _APART * height and (b.left >= a.right or b.right <= a.left)
    return turns >= _FEWEST_LINES


def _fit(parts: Row, gutters: Sequence[Interval]) -> bool:
    middles = [(low + high) / 2 for low, high in gutters]
    return all(part.right <= middle or part.left >= middle for middle in middles for part in parts)


def _columns(parts: Sequence[Part], gutters: Sequence[Interval]) -> list[Row]:
    """Return the parts by column."""
    columns: list[Row] = [[] for _ in range(len(gutters) + 1)]
    lows = [low for low, _ in gutters]
    for part in parts:
        columns[bisect_left(lows, (part.left + part.right) / 2)].append(part)
    return columns


def _rows(parts: Iterable[Part], height: float) -> list[Row]:
    """Return the parts by height, from the top."""
    rows: list[Row] = []
    lowest, most = _ENDS[1], _SAME_LINE * height
    for part in sorted(parts, key=attrgetter("middle"), reverse=True):
        if part.middle >= lowest:
            rows[-1].append(part)
        else:
            rows.append([part])
            lowest = part.middle - most
    return rows


def _lines(parts: Sequence[Part], height: float) -> list[Line]:
    lines = []
    for row in _rows(parts, height):
        edges = [edge for left, right in sorted(part[2:4] for part in row) for edge in (left, right)]
        around = zip([_ENDS[0], *edges[1::2]], [*edges[::2], _ENDS[1]], strict=True)
        free = [(low, high) for low, high in around if high - low > _GUTTER * height]
        lines.append(Line(row, free, edges[0], max(edges)))
    return lines


def _band(rows: Sequence[Line], first: int, height: float) -> tuple[int, list[Interval]]:
    """Return the end of the longest band of columns from a row on, and its gutters; none, if they are no columns."""
    free, gutters, end, least = rows[first].free, list[Interval](), first + 1, _GUTTER * height
    left, right = _ENDS[::-1]
    for at in range(first, len(rows)):
        row = rows[at]
        left, right = min(left, row.left), max(right, row.right)
        if at > first:
            is_foot = len(rows) - at <= _FOOT and rows[at - 1].parts[0].middle - row.parts[0].middle > _FAR * height
            if is_foot or _is_heading(rows, at, height):
                break
            free = [
                (low, high)
                for a in free
                for b in row.free
                if a[0] < b[1] and b[0] < a[1] and (high := min(a[1], b[1])) - (low := max(a[0], b[0])) > least
            ]
        inner = [gutter for gutter in free if gutter[0] >= left and gutter[1] <= right]
        if inner:
            gutters, end = inner, at + 1
        elif gutters or at - first >= _AHEAD:
            break
    if end - first < _FEWEST_LINES:
        return first + 1, []
    parts = [part for row in rows[first:end] for part in row.parts]
    columns, number = _columns(parts, gutters), 0
    while gutters and number < len(columns):
        if _is_column(columns[number], parts, height):
            number += 1
            continue
        adjacent = range(max(0, number - 1), min(number + 1, len(gutters)))
        number = min(adjacent, key=lambda at: gutters[at][1] - gutters[at][0])
        gutters = gutters[:number] + gutters[number + 1 :]
        columns[number : number + 2] = [columns[number] + columns[number + 1]]
    return (end, gutters) if gutters else (first + 1, [])


def _is_heading(rows: Sequence[Line], at: int, height: float) -> bool:
    """Return True if a row is one larger line with space above and below."""
    part = rows[at].parts[0]
    if len(rows[at].parts) > 1 or not part.words or part.height <= _LARGER * height:
        return False
    near = [rows[number].parts[0].middle for number in (at - 1, at + 1) if number < len(rows)]
    return all(abs(middle - part.middle) > _APART * height for middle in near)


def _are_cut(columns: Sequence[Row], drawn: Mapping[int, Part], height: float) -> bool:
    """Return True if several columns go on in drawn order right above a band, or right below."""
    cut = [0, 0]
    for column in columns:
        left, right = min(part.left for part in column), max(part.right for part in column)
        for side, end in enumerate((min(column), max(column))):
            near = drawn.get(end.number + 2 * side - 1)
            if near and abs(near.middle - end.middle) <= _CUT * height:
                cut[side] += near.left < right and near.right > left
    return max(cut) > 1


def _goes_on(column: Row, part: Part, height: float) -> bool:
    """Return True if a part below a band is the next line of a column, which is beside a box."""
    last = min(column, key=lambda line: line.middle)
    return abs(part.left - last.left) < height and last.middle - part.middle <= _APART * height


def _is_column(column: Row, parts: Sequence[Part], height: float) -> bool:
    """Return True if some parts are lines of prose, or surround a table."""
    lines = [part for part in column if part.words]
    if len(lines) < len(column):
        return True
    if len(lines) < _FEWEST_LINES or sum([part.words for part in lines]) < _FEWEST_IN_COLUMN:
        return False
    rows = _rows(lines, height)
    if len(rows) < _FEWEST_LINES:
        return False
    words = median([part.words for part in lines])
    reach = max(part.right for part in lines) - min(part.left for part in lines)
    is_full = words >= _FEWEST_FULL and median([part.right - part.left for part in lines]) >= _FULL * reach
    if is_full or not _FEWEST_BESIDE <= words < _FEWEST_WORDS:
        return is_full or words >= _FEWEST_WORDS
    numbers = {part.number for part in column}
    others = [part for part in parts if part.number not in numbers]
    if not any(min(numbers) < part.number < max(numbers) for part in others):
        return True  # drawn at once, not row by row
    if len(lines) > _MOST_PARTS * len(rows):
        return False
    middles = sorted(part.middle for part in others)
    level = [
        bisect_right(middles, part.middle + _LEVEL * height) > bisect_left(middles, part.middle - _LEVEL * height)
        for part in lines
        if part.words >= _FEWEST_BESIDE  # no letters of a formula
    ]
    return sum(level) <= _MOST_LEVEL * len(level)


def _downwards(parts: Sequence[Part], height: float) -> list[Part]:
    """Return parts as drawn, but blocks of prose that were drawn later from the top."""
    if parts and median(part.words or _FEWEST_WORDS for part in parts) < _FEWEST_WORDS:
        return sorted(parts)
    blocks: list[Row] = []
    for part in sorted(parts):
        last = blocks[-1][-1] if blocks else part
        step = part.middle - last.middle
        is_beside = abs(step) <= _SAME_LINE * height and part.left >= last.right
        is_below = -_DOWNWARDS * height <= step <= _UPWARDS * height
        if blocks and (is_beside or (is_below and part.left < last.right and part.right > last.left)):
            blocks[-1].append(part)
        else:
            blocks.append([part])
    moving: list[tuple[Row, Box]] = []
    for block in blocks:
        words = sum(part.words for part in block)
        if moving and 0 < words < _FEWEST_MOVED:  # a label, a part of a formula
            moving[-1][0].extend(block)
        else:
            moving.append((block, _box(block)))
    return [part for at in from_top([box for _, box in moving]) for part in moving[at][0]]


def _box(block: Row) -> Box:
    """Return the box of a block with the lower end as bottom, for places from the top."""
    middles = [-part.middle for part in block]
    margin = min(part.height for part in block) / 4
    left, right = min(part.left for part in block), max(part.right for part in block)
    return left, min(middles) - margin, right, max(middles) + margin
