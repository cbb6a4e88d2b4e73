"""Sibling boost: a page about a subject has several good chunks, a page that only mentions it has one.

A chunk's score changes by up to `worth` / 2, by how near the next best chunks of its item are to the best. An item with
one chunk is unchanged. (Between MaxP and SumP of Dai and Callan 2019.)
"""

from __future__ import annotations

import json
from collections.abc import Hashable, Mapping, Sequence
from operator import itemgetter
from pathlib import Path
from typing import NamedTuple

from biblicus.contracts import Hit
from biblicus.retrieval.ranking import rounded, through_tie

OTHERS = 3
"""Number of an item's other chunks that contribute to the boost."""
POOL = 64
"""Number of best chunks among which siblings are searched; constant, so that scores do not depend on `k`."""
_LOADED = json.loads(Path(__file__).with_name("weights.json").read_bytes())["company"]


class Boost(NamedTuple):
    """`worth`: twice the largest change of a score. `sharpness`: exponent by which it falls with lower scores. `many`:
    number of other chunks for the full effect; it is proportional for fewer."""

    worth: float
    sharpness: int
    many: int

    def of(self, others: int) -> float:
        """Return the weight for an item with so many other chunks."""
        return self.worth * min(others, self.many) / self.many


FITTED = Boost(_LOADED["weight"], 4, _LOADED["of"])
"""Fitted together with the field weights (`make fit-search`)."""


def weighed(hits: Sequence[Hit], items: Sequence[Hashable], others: Sequence[int], boost: Boost = FITTED) -> list[Hit]:
    """Return the hits with their sibling boost, best first. `hits`: best first, with the item of each and how many
    other chunks that has."""
    scores = scores_of([hit.score for hit in hits], items, others, boost)
    again = [Hit(hit.row, rounded(score)) for hit, score in zip(hits, scores, strict=True)]
    again.sort(key=itemgetter(1), reverse=True)
    return again


def settled(
    hits: Sequence[Hit], items: Sequence[Hashable], others: Sequence[int], last: float, k: int, *, is_all: bool
) -> list[Hit] | None:
    """Return the best `k` of the fetched hits with their sibling boost and all ties, or None if more must be fetched.
    `last`: maximum raw score of chunks that were not fetched; `is_all`: True if there are none."""
    again = weighed(hits, items, others)
    is_pool = len(hits) >= POOL and hits[POOL - 1].score > last
    if is_all or (is_pool and len(again) >= k and again[k - 1].score > last * (1 + FITTED.worth / 2)):
        return again[: through_tie([hit.score for hit in again], k)]
    return None


def scores_of(
    scores: Sequence[float], items: Sequence[Hashable], others: Sequence[int], boost: Boost = FITTED
) -> list[float]:
    """Return the score of each chunk with its sibling boost (see `weighed`), in the same order, not rounded."""
    factors = factors_of(scores[: through_tie(scores, POOL)], items, others, boost)
    return counted(scores, items, others, factors, boost)


def counted(
    scores: Sequence[float],
    items: Sequence[Hashable],
    others: Sequence[int],
    factors: Mapping[Hashable, float],
    boost: Boost = FITTED,
) -> list[float]:
    """Return the chunk scores with the sibling boost. `factors`: from `factors_of`; other items have no siblings."""
    alone_of = {number: alone(boost.of(number)) for number in set(others)}
    return [
        score * (factors[item] if item in factors else alone_of[number])
        for score, item, number in zip(scores, items, others, strict=True)
    ]


def factors_of(
    pool: Sequence[float], items: Sequence[Hashable], others: Sequence[int], boost: Boost = FITTED
) -> dict[Hashable, float]:
    """Return the score factor of each item with several chunks in `pool`, the best scores."""
    of_item: dict[Hashable, list[float]] = {}
    others_of: dict[Hashable, int] = {}
    for score, item, number in zip(pool, items, others, strict=False):
        of_item.setdefault(item, []).append(score)
        others_of.setdefault(item, number)
    factors: dict[Hashable, float] = {}
    for item, of_this in of_item.items():
        if len(of_this) > 1 and (number := others_of[item]) and of_this[0] > 0:
            siblings = of_this[1 : min(number, OTHERS) + 1]
            near = sum([max(0.0, score / of_this[0]) ** boost.sharpness for score in siblings]) / min(number, OTHERS)
            factors[item] = 1 + boost.of(number) * (near - 0.5)
    return factors


def alone(worth: float) -> float:
    """Return the factor for a chunk none of whose siblings is in the pool."""
    return 1 - worth * 0.5
