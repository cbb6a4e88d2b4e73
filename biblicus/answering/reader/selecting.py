"""Which units are quoted: the best, and others that score nearly as much and say something else."""

from __future__ import annotations

from collections.abc import Sequence

NEAR = 0.7
"""How much less than the best, in units of the fitted score, another unit scores that is quoted beside it."""


def chosen(scores: Sequence[float], words: Sequence[int], most: int, near: float = NEAR) -> list[int]:
    """Return the places of the units that are quoted, best first, with at most so many words."""
    order = sorted(range(len(scores)), key=lambda place: (-scores[place], place))
    order = [place for place in order if words[place] <= most]
    if not order:
        return []
    picked, used = [], 0
    for place in order:
        if scores[place] < scores[order[0]] - near:
            break
        if used + words[place] <= most:
            picked.append(place)
            used += words[place]
    return picked


def without_repeats(picked: Sequence[int], texts: Sequence[str]) -> list[int]:
    """Return the places without those whose text is part of another that is quoted; of equal ones the first stays."""
    said: list[int] = []
    for place in picked:
        text = _letters(texts[place])
        if not any(text in _letters(texts[other]) for other in said):
            said.append(place)
    return said


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text)).casefold()
