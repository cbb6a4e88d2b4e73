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


def weighed(hits: Sequence[Hit], items: Sequence[int], others: Sequence[int]) -> list[Hit]:
    """Hits by what their company makes of them, best first. `hits`: best first; of each, its item and how many other
    chunks that has."""
    pool = through_tie([hit.score for hit in hits], POOL)
    of_item: dict[int, list[float]] = {}
    for hit, item in zip(hits[:pool], items, strict=False):
        of_item.setdefault(item, []).append(hit.score)
    factors = {
        item: _factor(of_item.get(item, ()), number) for item, number in dict(zip(items, others, strict=True)).items()
    }
    again = [Hit(row, rounded(score * factors[item])) for (row, score), item in zip(hits, items, strict=True)]
    again.sort(key=itemgetter(1), reverse=True)
    return again


def _factor(scores: Sequence[float], others: int) -> float:
    """What an item's chunks count, by the scores of those in the pool, best first: 1 where it has no other chunk."""
    looked_at = min(others, OTHERS)
    if not looked_at:
        return 1.0
    company = sum([(score / scores[0]) ** _SHARPNESS for score in scores[1 : looked_at + 1]]) / looked_at
    return 1 + WORTH * (company - 0.5)
