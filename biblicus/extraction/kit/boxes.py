"""Reading order of the boxes of a slide by their positions."""

from __future__ import annotations

from collections.abc import Sequence

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
