"""Selects the units to quote: the best, and others with nearly the same score."""

from __future__ import annotations

import re
from collections.abc import Sequence

from biblicus.answering.reader.units import Candidate

NEAR, NEAR_JUDGED, MOST = 1.2, 4.0, 3
"""Maximum score difference of a further quoted unit to the best, the same with a judge's scores, and maximum units."""

_SAME = 0.6
"""Minimum share of common words for two units to make the same statement with other numbers."""
_NUMBER, _WORD = re.compile(r"\d+(?:[.,]\d+)*"), re.compile(r"[^\W\d_]+")


def chosen(scores: Sequence[float], words: Sequence[int], most: int, *, judged: bool = False) -> list[int]:
    """Return the indices of the units to quote, best first, with at most `most` words in all."""
    near = NEAR_JUDGED if judged else NEAR
    order = sorted(range(len(scores)), key=lambda place: (-scores[place], place))
    order = [place for place in order if words[place] <= most]
    if not order:
        return []
    picked: list[int] = []
    used = 0
    for place in order:
        if len(picked) == MOST or scores[place] < scores[order[0]] - near:
            break
        if used + words[place] <= most:
            picked.append(place)
            used += words[place]
    return picked


def without_repeats(picked: Sequence[int], texts: Sequence[str]) -> list[int]:
    """Return the indices without units whose text contains a better unit's text or is contained in it."""
    said: list[int] = []
    for place in picked:
        text = _letters(texts[place])
        if not any(text in (other_text := _letters(texts[other])) or other_text in text for other in said):
            said.append(place)
    return said


def with_differing(picked: Sequence[int], candidates: Sequence[Candidate], most: int) -> list[int]:
    """Return the indices to quote, including units of other items that state the same with other numbers."""
    if not picked:
        return []
    best, used = candidates[picked[0]], candidates[picked[0]].unit.words
    others = [place for place, other in enumerate(candidates) if differing([best, other])]
    kept = [picked[0]]
    for place in (*others, *picked[1:]):
        if place not in kept and used + candidates[place].unit.words <= most:
            kept.append(place)
            used += candidates[place].unit.words
    return kept


def differing(quoted: Sequence[Candidate]) -> list[str]:
    """Return the paths of units from different items that state the same as the best with other numbers."""
    if not quoted:
        return []
    best, *others = quoted
    paths = [
        other.piece.path
        for other in others
        if other.piece.item_id != best.piece.item_id and _differ(best.unit.reads, other.unit.reads)
    ]
    return [best.piece.path, *dict.fromkeys(paths)] if paths else []


def _differ(text: str, other: str) -> bool:
    numbers, other_numbers = (frozenset(_NUMBER.findall(one)) for one in (text, other))
    words, other_words = (frozenset(_WORD.findall(one.casefold())) for one in (text, other))
    shared = len(words & other_words) / (min(len(words), len(other_words)) or 1)
    return bool(numbers and other_numbers) and not numbers & other_numbers and shared >= _SAME


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text)).casefold()
