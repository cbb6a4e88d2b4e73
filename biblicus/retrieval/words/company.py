"""A page that is about a thing holds several good chunks; one that mentions it in passing holds one.

A chunk's score counts up to `WORTH` / 2 more or less, by how near the next best chunks of its item come to the best
one. An item of one chunk is neither. (MaxP and SumP of Dai and Callan 2019, between the two.)
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import itemgetter

from biblicus.contracts import Hit
from biblicus.retrieval.ranking import rounded, through_tie

OTHERS = 3
"""The chunks of an item that are looked at beside its best."""
POOL = 64
"""The best chunks of a question, among which company is looked for: as many whatever is asked for, so that a score does
not depend on it."""
WORTH = 0.1
_SHARPNESS = 4
_ALONE = 1 - WORTH * 0.5
"""Of an item none of whose other chunks is in the pool."""


def weighed(hits: Sequence[Hit], items: Sequence[int], others: Sequence[int]) -> list[Hit]:
    """Hits by what their company makes of them, best first. `hits`: best first; of each, its item and how many other
    chunks that has."""
    pool = through_tie([hit.score for hit in hits], POOL)
    of_item: dict[int, list[float]] = {}
    for hit, item in zip(hits[:pool], items, strict=False):
        of_item.setdefault(item, []).append(hit.score)
    others_of = dict(zip(items, others, strict=True))
    factors = {item: _ALONE if number else 1.0 for item, number in others_of.items()}
    for item, scores in of_item.items():
        if len(scores) > 1 and others_of[item]:
            factors[item] = _factor(scores, others_of[item])
    again = [Hit(row, rounded(score * factors[item])) for (row, score), item in zip(hits, items, strict=True)]
    again.sort(key=itemgetter(1), reverse=True)
    return again


def _factor(scores: Sequence[float], others: int) -> float:
    """What an item's chunks count, by the scores of those in the pool, best first."""
    looked_at = min(others, OTHERS)
    company = sum([(score / scores[0]) ** _SHARPNESS for score in scores[1 : looked_at + 1]]) / looked_at
    return 1 + WORTH * (company - 0.5)
