"""A page that is about a thing holds several good chunks; one that mentions it in passing holds one.

A chunk's score counts up to `worth` / 2 more or less, by how near the next best chunks of its item come to the best
one. An item of one chunk is neither. (MaxP and SumP of Dai and Callan 2019, between the two.)
"""

from __future__ import annotations

import json
from collections.abc import Hashable, Mapping, Sequence
from operator import itemgetter
from pathlib import Path

from biblicus.contracts import Hit
from biblicus.retrieval.ranking import rounded, through_tie

OTHERS = 3
"""The chunks of an item that are looked at beside its best."""
POOL = 64
"""The best chunks of a question, among which company is looked for: as many whatever is asked for, so that a score does
not depend on it."""
_LOADED = json.loads(Path(__file__).with_name("weights.json").read_bytes())["company"]
WORTH: float = _LOADED["weight"]
SHARPNESS = 4
MANY: int = _LOADED["of"]
"""Fitted with the weights of the fields (`make fit-search`)."""


def weighed(
    hits: Sequence[Hit],
    items: Sequence[Hashable],
    others: Sequence[int],
    worth: float = WORTH,
    sharpness: int = SHARPNESS,
    many: int = MANY,
) -> list[Hit]:
    """Hits by what their company makes of them, best first. `hits`: best first; of each, its item and how many other
    chunks that has. `many`: other chunks from which company counts in full; of fewer in proportion."""
    scores = scores_of([score for _, score in hits], items, others, worth, sharpness, many)
    again = [Hit(row, rounded(score)) for (row, _), score in zip(hits, scores, strict=True)]
    again.sort(key=itemgetter(1), reverse=True)
    return again


def settled(
    hits: Sequence[Hit], items: Sequence[Hashable], others: Sequence[int], last: float, k: int, *, is_all: bool
) -> list[Hit] | None:
    """The best `k` of the hits that were fetched by what their company makes of them, with all that tie with the last
    of them; None where a chunk that was not fetched could be among them. `last`: what such a chunk scores at most, of
    which company makes so much more at most; `is_all`: whether there is none."""
    again = weighed(hits, items, others)
    is_pool = len(hits) >= POOL and hits[POOL - 1].score > last
    if is_all or (is_pool and len(again) >= k and again[k - 1].score > last * (1 + WORTH / 2)):
        return again[: through_tie([hit.score for hit in again], k)]
    return None


def scores_of(
    scores: Sequence[float],
    items: Sequence[Hashable],
    others: Sequence[int],
    worth: float = WORTH,
    sharpness: int = SHARPNESS,
    many: int = MANY,
) -> list[float]:
    """What the company of each chunk makes of its score (see `weighed`), in the same order, not rounded."""
    factors = factors_of(scores[: through_tie(scores, POOL)], items, others, worth, sharpness, many)
    return counted(scores, items, others, factors, worth, many)


def counted(
    scores: Sequence[float],
    items: Sequence[Hashable],
    others: Sequence[int],
    factors: Mapping[Hashable, float],
    worth: float = WORTH,
    many: int = MANY,
) -> list[float]:
    """Return the scores of chunks with what their company counts. `factors`: see `factors_of`; of the other items no
    chunk has company."""
    alone_of = {number: alone(_worth(number, worth, many)) for number in set(others)}
    return [
        score * (factors[item] if item in factors else alone_of[number])
        for score, item, number in zip(scores, items, others, strict=True)
    ]


def factors_of(
    pool: Sequence[float],
    items: Sequence[Hashable],
    others: Sequence[int],
    worth: float = WORTH,
    sharpness: int = SHARPNESS,
    many: int = MANY,
) -> dict[Hashable, float]:
    """Return the factor of an item's scores, for items with several chunks in the pool of the best, which is `pool`."""
    of_item: dict[Hashable, list[float]] = {}
    others_of: dict[Hashable, int] = {}
    for score, item, number in zip(pool, items, others, strict=False):
        if item in of_item:
            of_item[item].append(score)
        else:
            of_item[item], others_of[item] = [score], number
    factors: dict[Hashable, float] = {}
    for item, of_this in of_item.items():
        if len(of_this) > 1 and (number := others_of[item]) and of_this[0] > 0:
            looked_at = min(number, OTHERS)
            near = sum([max(0.0, score / of_this[0]) ** sharpness for score in of_this[1 : looked_at + 1]]) / looked_at
            factors[item] = 1 + _worth(number, worth, many) * (near - 0.5)
    return factors


def _worth(others: int, worth: float, many: int) -> float:
    """What company is worth to a chunk whose item has so many others."""
    return worth * min(others, many) / many


def alone(worth: float) -> float:
    """What a chunk counts of an item none of whose other chunks is in the pool."""
    return 1 - worth * 0.5
