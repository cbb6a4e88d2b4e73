"""Fusion of the ranked lists of several legs into one; each leg's own score is kept.

`weighted` has these steps, each measured on several collections (docs/retrieval.md):

1. A leg's scores are scaled from its floor (0), the score of an unrelated chunk, to its best (1). The floor is 0 for
words, and the mean cosine with all chunks for vectors. (Bruch, Gai, Ingber 2023: a floor independent of the fetched
candidates.)
2. Word legs are trusted by how many of the question's words occur: `trust = min(1, support / 0.25)`, with support the
share of the question's words in the best chunks. It is low for other wordings and other languages.
3. Vectors are trusted unless trusted words disagree: with `agreement` the mean share of the word leg in the vectors'
best five, relative to its own best five, `trust = 1 − words' trust · (1 − min(1, agreement / 0.5))`. A model that
does not know the language returns chunks that no word supports. If a model declares its languages, this trust times
0.25 applies to the share of texts in other languages, and 1 to the rest.

The fused score is the mean of the legs' scaled scores, with weight times trust.

4. With vectors, chunks similar to the best are raised: of the 50 best chunks, all but the first move towards the
scores of the five most similar ones, `score + 0.1 · Σ cosine · (theirs − score)`. (Diaz 2005, "Regularizing ad hoc
retrieval scores"; moving the first would lose questions with one answer.) Less trusted vectors move them less.

5. A page about a subject has several chunks with good scores: a chunk's score changes by up to a tenth, by how near
the next best chunks of its item are to the best (`words.sibling_boost`); less for items with fewer than nine chunks.

`sum` and `min-max` are plain formulas: the weighted sum of the legs' raw scores, or of scores scaled between the worst
and best candidate. Both depend on the other candidates.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import field
from typing import NamedTuple, TypeVar

from biblicus.contracts import Hit
from biblicus.errors import UsageError
from biblicus.lazy import NDArray, np
from biblicus.models.frozen import dataclass
from biblicus.models.recipe import Fusion
from biblicus.retrieval.ranking import DECIMALS, rounded, through_tie
from biblicus.retrieval.words import sibling_boost

Key = TypeVar("Key", bound=Hashable)

FUSED = "retrieve"
"""Name of the stage with the fused score."""
_ENOUGH_SUPPORT, _ENOUGH_AGREEMENT = 0.25, 0.5
_FOREIGN = 0.25
"""Factor on the vectors' trust for texts in languages that their model does not know."""
_LOOKED_AT = 5
_BELOW = 0.01
_POOL, _ALIKE = 50, 5
"""Number of best chunks among which similar ones are searched, and number of similar ones used."""
_DRAWN = 0.1
_COMPANY = sibling_boost.Boost(0.2, 2, 8)
"""In collections of short texts, where few items have two chunks, siblings are weak evidence."""


class Fused(NamedTuple):
    """A chunk row with its score and the score by leg (and by `retrieve`, if several legs ranked). `item`: row of its
    item, -1 if unknown."""

    row: int
    score: float
    stages: Mapping[str, float]
    item: int = -1


@dataclass(frozen=True)
class Ranked:
    """The result of one leg.

    `floor`: score of an unrelated chunk. `support`: share of the question's words in the best hits, or None for legs
    without words. `more`: the leg's scores for chunks that only other legs found. `foreign`: share of texts in
    languages unknown to the leg's model, or None. `worths`: factors for less useful chunks such as tests
    (`text.kinds`), which word legs include in their scores. `vectors`: returns the vectors (n, dim) of chunks, if the
    leg has them.
    """

    hits: Sequence[Hit]
    floor: float = 0.0
    support: float | None = None
    more: Mapping[int, float] | None = None
    foreign: float | None = None
    worths: Mapping[int, float] = field(default_factory=dict)
    vectors: Callable[[Sequence[int]], NDArray[np.float32]] | None = None

    def scores(self) -> dict[int, float]:
        return {**(self.more or {}), **{hit.row: hit.score for hit in self.hits}}


ItemsOf = Callable[[Sequence[int]], tuple[Sequence[Hashable], Sequence[int]]]
"""Returns for chunk rows their items and how many other chunks each item has."""


def fuse(
    legs: Mapping[str, Ranked],
    fusion: Fusion,
    items_of: ItemsOf | None = None,
) -> list[Fused]:
    """Return all chunks that any leg found, best first. Without `items_of` there is no sibling boost."""
    scores = {name: leg.scores() for name, leg in legs.items()}
    rows = sorted({row for of_leg in scores.values() for row in of_leg})
    weights = {name: fusion.weights.get(name, 1.0) for name in legs}
    if fusion.by == "rrf":
        totals = _by_rank(rows, scores, weights, fusion.k)
    elif fusion.by in ("sum", "min-max"):
        added = scores if fusion.by == "sum" else {name: _between(of_leg) for name, of_leg in scores.items()}
        totals = {row: rounded(sum(weights[name] * added[name].get(row, 0.0) for name in legs)) for row in rows}
    else:
        totals = _by_share(rows, legs, scores, weights)
        totals = _with_company(totals, items_of) if items_of else totals
    fused = []
    for row in rows:
        stages = {name: scores[name][row] for name in legs if row in scores[name]}
        fused.append(Fused(row, totals[row], {**stages, FUSED: totals[row]}))
    return sorted(fused, key=lambda one: (-one.score, one.row))


def leg_weights(asked: Mapping[str, float], legs: Sequence[str], recipe: str) -> dict[str, float]:
    """Return the weight of each leg; legs without a requested weight share the remainder of 1 equally. Raises
    `UsageError`, which names the recipe's legs."""
    example = f"biblicus query TEXT --weight {legs[0]}=0.7"
    if unknown := [leg for leg in asked if leg not in legs]:
        raise UsageError(f'The recipe {recipe} has no leg "{unknown[0]}"; its legs: {", ".join(legs)}.', example)
    if len(legs) == 1:
        hint = "biblicus query TEXT --recipe hybrid --weight lexical=0.7"
        raise UsageError(f"The recipe {recipe} ranks by one leg, {legs[0]}: there is nothing to weigh.", hint)
    rest = [leg for leg in legs if leg not in asked]
    total = sum(asked.values())
    if not (rest or total):
        raise UsageError("Every leg weighs 0: nothing would count.", example)
    if rest and total > 1:
        raise UsageError(f"The weights come to {total:g}, which leaves nothing for {', '.join(rest)}.", example)
    return {leg: rounded(asked.get(leg, (1 - total) / max(len(rest), 1))) for leg in legs}


def _between(scores: Mapping[int, float]) -> dict[int, float]:
    """Return scores scaled from the least (0) to the best (1); equal scores all become 1."""
    least, best = min(scores.values(), default=0.0), max(scores.values(), default=0.0)
    return {row: (score - least) / (best - least) if best > least else 1.0 for row, score in scores.items()}


def _by_share(
    rows: Sequence[int],
    legs: Mapping[str, Ranked],
    scores: Mapping[str, Mapping[int, float]],
    weights: Mapping[str, float],
) -> dict[int, float]:
    shares = {name: _shares(scores[name], leg) for name, leg in legs.items()}
    trust = _trust(legs, shares)
    counted = {name: weights[name] * trust[name] for name in legs}
    if not sum(counted.values()):
        counted = dict(weights)
    total = sum(counted.values()) or 1.0
    totals = {row: rounded(sum(counted[name] * shares[name].get(row, 0.0) for name in legs) / total) for row in rows}
    for name, leg in legs.items():
        if leg.vectors is not None and counted[name]:
            return _with_those_alike(totals, leg.vectors, _DRAWN * trust[name])
    return totals


def _with_those_alike(
    totals: Mapping[int, float], vectors_of: Callable[[Sequence[int]], NDArray[np.float32]], drawn: float
) -> dict[int, float]:
    """Return the scores, moved by `drawn` towards those of the most similar chunks; unchanged below the best 50."""
    order = sorted(totals, key=lambda row: (-totals[row], row))
    pool = order[: through_tie([totals[row] for row in order], _POOL)]
    if not pool:
        return {}

    vectors, scores = vectors_of(pool), np.array([totals[row] for row in pool])
    likeness = np.clip(np.round((vectors @ vectors.T).astype(np.float64), DECIMALS), 0, None)
    np.fill_diagonal(likeness, 0)
    likeness[likeness < np.sort(likeness, axis=1)[:, -_ALIKE:][:, :1]] = 0
    again = scores + drawn * (likeness @ scores - likeness.sum(axis=1) * scores)
    least = totals[order[len(pool)]] if len(order) > len(pool) else -1.0
    again = np.where(scores < scores[0], np.maximum(again, least), scores)
    return {**totals, **{row: rounded(float(score)) for row, score in zip(pool, again, strict=True)}}


def _with_company(totals: Mapping[int, float], items_of: ItemsOf) -> dict[int, float]:
    """Return the scores with the sibling boost; chunks below the pool have none."""
    hits = [Hit(row, score) for row, score in sorted(totals.items(), key=lambda one: (-one[1], one[0]))]
    pool = hits[: through_tie([hit.score for hit in hits], sibling_boost.POOL)]
    if not pool:
        return {}
    least = sibling_boost.alone(_COMPANY.worth)
    below = {hit.row: rounded(hit.score * least) if hit.score > 0 else hit.score for hit in hits[len(pool) :]}
    items, others = items_of([hit.row for hit in pool])
    raised = sibling_boost.weighed(pool, items, others, _COMPANY)
    return {**below, **{hit.row: hit.score for hit in raised}}


def _shares(scores: Mapping[int, float], leg: Ranked) -> dict[int, float]:
    """Return scores scaled from a leg's floor (0) to the best (1), times the chunks' factors. Scores below the floor
    become almost 0 in their order."""
    floor = leg.floor
    best = max(scores.values(), default=floor)
    if best <= floor:
        floor = min(scores.values(), default=floor)
    spread = (best - floor) or 1.0
    shares = {row: (score - floor) / spread for row, score in scores.items()}
    return {row: share * leg.worths.get(row, 1.0) if share >= 0 else share * _BELOW for row, share in shares.items()}


def _trust(legs: Mapping[str, Ranked], shares: Mapping[str, Mapping[int, float]]) -> dict[str, float]:
    trust = {name: min(1.0, leg.support / _ENOUGH_SUPPORT) for name, leg in legs.items() if leg.support is not None}
    others = {}
    for name, leg in legs.items():
        if name not in trust:
            doubts = [sure * (1 - _agreement(legs[word], leg, shares[word])) for word, sure in trust.items()]
            doubted = 1 - max(doubts, default=0.0)
            others[name] = doubted if leg.foreign is None else 1 - leg.foreign * (1 - _FOREIGN * doubted)
    return {**trust, **others}


def _agreement(words: Ranked, leg: Ranked, share: Mapping[int, float]) -> float:
    """Return how far the word leg agrees (0–1) with the other leg's best hits."""
    word_shares = [share.get(hit.row, 0.0) for hit in words.hits[:_LOOKED_AT]]
    others = [share.get(hit.row, 0.0) for hit in leg.hits[:_LOOKED_AT]]
    if not others or not sum(word_shares):
        return 1.0
    return min(1.0, (sum(others) / len(others)) / (sum(word_shares) / len(word_shares)) / _ENOUGH_AGREEMENT)


def _by_rank(
    rows: Sequence[int], scores: Mapping[str, Mapping[int, float]], weights: Mapping[str, float], k: int
) -> dict[int, float]:
    """Chunks with equal scores share the better rank, so that the order does not depend on row numbers."""
    ranks = {}
    for name, of_leg in scores.items():
        of_score: dict[float, int] = {}
        for rank, score in enumerate(sorted(of_leg.values(), reverse=True), 1):
            of_score.setdefault(score, rank)
        ranks[name] = {row: of_score[score] for row, score in of_leg.items()}
    return {**dict.fromkeys(rows, 0.0), **reciprocal_ranks(ranks, k, weights)}


def reciprocal_ranks(
    ranks: Mapping[str, Mapping[Key, int]], k: int, weights: Mapping[str, float] | None = None
) -> dict[Key, float]:
    """Reciprocal rank fusion (Cormack, Clarke, Büttcher 2009): the sum of weight / (k + rank) over the lists with a
    key. `ranks`: rank of each key by list, from 1; weights are 1 by default."""
    totals: dict[Key, float] = {}
    for name, rank_of in ranks.items():
        weight = 1.0 if weights is None else weights[name]
        for key, rank in rank_of.items():
            totals[key] = totals.get(key, 0.0) + weight / (k + rank)
    return {key: rounded(total) for key, total in totals.items()}
