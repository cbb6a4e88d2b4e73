"""The filter `near_duplicates`: of chunks that say the same in nearly the same words, the best one is kept."""

from __future__ import annotations

import re
from collections.abc import Sequence

_WORD = re.compile(r"\w+")
_SHINGLE = 3
"""Words in a row that are compared, as sets (Broder 1997): order counts, whitespace and punctuation do not."""


def shingles(text: str) -> frozenset[int]:
    """The text's runs of three words, hashed; of a shorter text, all its words as one."""
    words = _WORD.findall(text.casefold())
    if len(words) < _SHINGLE:
        return frozenset({hash(tuple(words))})
    return frozenset(hash(tuple(words[at : at + _SHINGLE])) for at in range(len(words) - _SHINGLE + 1))


def repeated(texts: Sequence[str], share: float) -> list[int]:
    """Places of the texts that an earlier, kept one resembles: their shingles overlap by `share` (Jaccard) or more."""
    kept: list[frozenset[int]] = []
    places = []
    for place, text in enumerate(texts):
        mine = shingles(text)
        if any(_alike(mine, other, share) for other in kept):
            places.append(place)
        else:
            kept.append(mine)
    return places


def _alike(a: frozenset[int], b: frozenset[int], share: float) -> bool:
    small, large = sorted((len(a), len(b)))
    if small < share * large:  # then even containment would not do
        return False
    common = len(a & b)
    return common >= share * (len(a) + len(b) - common)
