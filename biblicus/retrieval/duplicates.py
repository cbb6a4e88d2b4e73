"""Filter `near_duplicates`: of chunks with nearly the same words, the best one is kept."""

from __future__ import annotations

import re
from collections.abc import Sequence

_WORD = re.compile(r"\w+")
_SHINGLE = 3
"""Words of a shingle (Broder 1997): word order matters, white space and punctuation do not."""


def shingles(text: str) -> frozenset[int]:
    """Return the hashes of all runs of three words; a shorter text is one run."""
    words = _WORD.findall(text.casefold())
    if len(words) < _SHINGLE:
        return frozenset({hash(tuple(words))})
    return frozenset(hash(tuple(words[at : at + _SHINGLE])) for at in range(len(words) - _SHINGLE + 1))


def repeated(texts: Sequence[str], share: float) -> list[int]:
    """Return the indices of texts whose shingles overlap with an earlier kept text by at least `share` (Jaccard)."""
    shingle_sets: list[frozenset[int]] = []
    places = []
    for place, text in enumerate(texts):
        mine = shingles(text)
        if any(_alike(mine, shingle_set, share) for shingle_set in shingle_sets):
            places.append(place)
        else:
            shingle_sets.append(mine)
    return places


def _alike(a: frozenset[int], b: frozenset[int], share: float) -> bool:
    small, large = sorted((len(a), len(b)))
    if small < share * large:  # even containment would not reach the share
        return False
    common = len(a & b)
    return common >= share * (len(a) + len(b) - common)
