"""A page that is about a thing holds several good chunks; one that mentions it in passing holds one.

A chunk's score counts up to `worth` / 2 more or less, by how near the next best chunks of its item come to the best
one. An item of one chunk is neither. (MaxP and SumP of Dai and Callan 2019, between the two.)
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from operator import itemgetter

from biblicus.contracts import Hit
from biblicus.retrieval.ranking import rounded, through_tie

OTHERS = 3
"""The chunks of an item that are looked at beside its best."""
POOL = 64
"""The best chunks of a question, among which company is looked for: as many whatever is asked for, so that a score does
not depend on it."""
WORTH, SHARPNESS = 0.1, 4


def weighed(
    hits: Sequence[Hit],
    items: Sequence[Hashable],
    others: Sequence[int],
    worth: float = WORTH,
    sharpness: int = SHARPNESS,
    many: int = 1,
) -> list[Hit]:
    """Hits by what their company makes of them, best first. `hits`: best first; of each, its item and how many other
    chunks that has. `many`: other chunks from which company counts in full; of fewer in proportion."""
    pool = through_tie([hit.score for hit in hits], POOL)
    of_item: dict[Hashable, list[float]] = {}
    for hit, item in zip(hits[:pool], items, strict=False):
        of_item.setdefault(item, []).append(hit.score)
    others_of = dict(zip(items, others, strict=True))
    worths = {item: worth * min(number, many) / many for item, number in others_of.items()}
    factors = {item: alone(of_this) for item, of_this in worths.items()}
    for item, scores in of_item.items():
        if len(scores) > 1 and others_of[item] and scores[0] > 0:
            looked_at = min(others_of[item], OTHERS)
            near = sum([max(0.0, score / scores[0]) ** sharpness for score in scores[1 : looked_at + 1]]) / looked_at
            factors[item] = 1 + worths[item] * (near - 0.5)
    again = [Hit(row, rounded(score * factors[item])) for (row, score), item in zip(hits, items, strict=True)]
    again.sort(key=itemgetter(1), reverse=True)
    return again


def alone(worth: float) -> float:
    """What a chunk counts of an item none of whose other chunks is in the pool."""
    return 1 - worth * 0.5
