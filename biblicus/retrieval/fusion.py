"""Fusion: the ranked lists of several legs become one list, with every leg's own score kept beside the fused one.

`weighted` works in three steps, each one measured over several collections (docs/retrieval.md):

1. A leg's scores count from its floor (0), what a chunk that has nothing to do with the question gets, to its best (1).
   For words the floor is 0, for vectors the mean cosine with all chunks. (Bruch, Gai, Ingber 2023: a floor that does
   not depend on which candidates were fetched.)
2. Words are trusted as far as they are there: `trust = min(1, support / 0.25)`, support being the share of the
   question's words that the best chunks hold. A question in other words, or in another language, has little.
3. Vectors are trusted unless trusted words disagree: with `agreement` the mean share of the word leg in the vectors'
   best five, relative to its own best five, `trust = 1 − words' trust · (1 − min(1, agreement / 0.5))`. A model that
   does not know the language finds what no word supports. Of a model that tells its languages, that trust, times 0.25,
   is what its vectors count over the share of the texts in others; over the rest they are trusted.

The fused score is the mean of the legs' shares, by weight times trust.

4. Where a leg compares vectors, what is like what was found is worth more: of the 50 best chunks, all but the best one
   are drawn to the scores of the five chunks most like them, `score + 0.1 · Σ cosine · (theirs − score)`. (Diaz 2005,
   "Regularizing ad hoc retrieval scores"; the best one stays, or questions with one answer lose it.) Vectors
   that are trusted less draw less.

5. A page that is about a thing holds several chunks that the legs together find good: a chunk's score counts up to a
   tenth more or less, by how near the next best ones of its item come to the best (see `retrieval.words.company`); less
   where the item has fewer than nine chunks.

`sum` and `min-max` are the plain formulas, for who wants them: the weighted sum of the legs' scores as they are, and of
their shares between the worst and the best candidate. Both depend on more than the question and the chunk.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import field
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from biblicus.contracts import Hit
from biblicus.errors import UsageError
from biblicus.models.frozen import dataclass
from biblicus.models.recipe import Fusion
from biblicus.retrieval.ranking import rounded, through_tie
from biblicus.retrieval.words import company

if TYPE_CHECKING:
    from numpy import float32
    from numpy.typing import NDArray

Key = TypeVar("Key", bound=Hashable)

FUSED = "retrieve"
"""The stage whose score fusion gives."""
_ENOUGH_SUPPORT, _ENOUGH_AGREEMENT = 0.25, 0.5
_FOREIGN = 0.25
"""What vectors count over texts whose language their model does not know, times their trust."""
_LOOKED_AT = 5
_BELOW = 0.01
_POOL, _ALIKE = 50, 5
"""The best chunks, among which those alike are looked for, and how many of these count."""
_DRAWN = 0.1
_COMPANY, _SHARPNESS, _MANY = 0.2, 2, 8
"""What company is worth, how soon it is none where chunks score less, and other chunks from which it counts in full: in
collections of short texts, where some have two chunks, it says little."""
_DECIMALS = 6
"""Of a cosine: what the order of a sum adds beyond them must not decide an order."""


class Fused(NamedTuple):
    """A chunk row, its score, and the score by leg (and, where several ranked, by `retrieve`)."""

    row: int
    score: float
    stages: Mapping[str, float]


@dataclass(frozen=True)
class Ranked:
    """What one leg found. `floor`: the score of a chunk that has nothing to do with the question. `support`: how much
    of the question's words the best hits hold; None for a leg that does not go by words. `more`: the leg's scores for
    chunks that only another leg found. `foreign`: the share of the texts in languages that the leg's model does not
    know; None where that is not told. `worths`: what shares count of chunks that are worth less, such as those of
    tests (`text.kinds`), which a leg that goes by words has in its scores. `vectors`: gives the vectors (n, dim) of
    chunks, where the leg compares such."""

    hits: Sequence[Hit]
    floor: float = 0.0
    support: float | None = None
    more: Mapping[int, float] | None = None
    foreign: float | None = None
    worths: Mapping[int, float] = field(default_factory=dict)
    vectors: Callable[[Sequence[int]], NDArray[float32]] | None = None

    def scores(self) -> dict[int, float]:
        return {**(self.more or {}), **dict(self.hits)}


ItemsOf = Callable[[Sequence[int]], tuple[Sequence[Hashable], Sequence[int]]]
"""Gives of chunk rows their items, and how many other chunks each of these has."""


def fuse(
    legs: Mapping[str, Ranked],
    fusion: Fusion,
    items_of: ItemsOf | None = None,
) -> list[Fused]:
    """All chunks that any leg found, best first. Without `items_of` no chunk has company."""
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
    """What each leg counts where a question says it of some: the others share, evenly, what is left of 1. Raises
    `UsageError`, which names the recipe's legs."""
    example = f"biblicus query TEXT --weight {legs[0]}=0.7"
    if unknown := [leg for leg in asked if leg not in legs]:
        raise UsageError(f'The recipe {recipe} has no leg "{unknown[0]}"; its legs: {", ".join(legs)}.', example)
    if len(legs) == 1:
        hint = "biblicus query TEXT --recipe hybrid --weight lexical=0.7"
        raise UsageError(f"The recipe {recipe} ranks by one leg, {legs[0]}: there is nothing to weigh.", hint)
    rest = [leg for leg in legs if leg not in asked]
    whole = sum(asked.values())
    if not (rest or whole):
        raise UsageError("Every leg weighs 0: nothing would count.", example)
    if rest and whole > 1:
        raise UsageError(f"The weights come to {whole:g}, which leaves nothing for {', '.join(rest)}.", example)
    return {leg: rounded(asked.get(leg, (1 - whole) / max(len(rest), 1))) for leg in legs}


def _between(scores: Mapping[int, float]) -> dict[int, float]:
    """Scores from the least (0) to the best (1); all alike are all the best."""
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
    whole = sum(counted.values()) or 1.0
    totals = {row: rounded(sum(counted[name] * shares[name].get(row, 0.0) for name in legs) / whole) for row in rows}
    for name, leg in legs.items():
        if leg.vectors is not None and counted[name]:
            return _with_those_alike(totals, leg.vectors, _DRAWN * trust[name])
    return totals


def _with_those_alike(
    totals: Mapping[int, float], vectors_of: Callable[[Sequence[int]], NDArray[float32]], drawn: float
) -> dict[int, float]:
    """The scores, drawn by so much to those of the chunks most like each one. Below the pool, nothing changes."""
    order = sorted(totals, key=lambda row: (-totals[row], row))
    pool = order[: through_tie([totals[row] for row in order], _POOL)]
    if not pool:
        return {}
    import numpy as np

    vectors, scores = vectors_of(pool), np.array([totals[row] for row in pool])
    likeness = np.clip(np.round((vectors @ vectors.T).astype(np.float64), _DECIMALS), 0, None)
    np.fill_diagonal(likeness, 0)
    likeness[likeness < np.sort(likeness, axis=1)[:, -_ALIKE:][:, :1]] = 0
    again = scores + drawn * (likeness @ scores - likeness.sum(axis=1) * scores)
    least = totals[order[len(pool)]] if len(order) > len(pool) else -1.0
    again = np.where(scores < scores[0], np.maximum(again, least), scores)
    return {**totals, **{row: rounded(float(score)) for row, score in zip(pool, again, strict=True)}}


def _with_company(totals: Mapping[int, float], items_of: ItemsOf) -> dict[int, float]:
    """The scores by what the company of each chunk makes of it; below the pool a chunk has none."""
    hits = [Hit(row, score) for row, score in sorted(totals.items(), key=lambda one: (-one[1], one[0]))]
    pool = hits[: through_tie([hit.score for hit in hits], company.POOL)]
    if not pool:
        return {}
    least = company.alone(_COMPANY)
    below = {row: rounded(score * least) if score > 0 else score for row, score in hits[len(pool) :]}
    items, others = items_of([hit.row for hit in pool])
    return {**below, **dict(company.weighed(pool, items, others, _COMPANY, _SHARPNESS, _MANY))}


def _shares(scores: Mapping[int, float], leg: Ranked) -> dict[int, float]:
    """Scores from a leg's floor (0) to the best (1), by their worth. Below the floor they hardly count, but keep their
    order."""
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
    """How far the word leg agrees (0–1) with what the other one finds best."""
    own = [share.get(hit.row, 0.0) for hit in words.hits[:_LOOKED_AT]]
    others = [share.get(hit.row, 0.0) for hit in leg.hits[:_LOOKED_AT]]
    if not others or not sum(own):
        return 1.0
    return min(1.0, (sum(others) / len(others)) / (sum(own) / len(own)) / _ENOUGH_AGREEMENT)


def _by_rank(
    rows: Sequence[int], scores: Mapping[str, Mapping[int, float]], weights: Mapping[str, float], k: int
) -> dict[int, float]:
    """Chunks of equal score share the better rank, so that order never depends on rows."""
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
    """Reciprocal rank fusion of lists (Cormack, Clarke, Büttcher 2009): of each key the sum of weight / (k + rank) over
    the lists that hold it. `ranks`: of each list, the rank of each key, counted from 1; a list weighs 1 unless told."""
    totals: dict[Key, float] = {}
    for name, rank_of in ranks.items():
        weight = 1.0 if weights is None else weights[name]
        for key, rank in rank_of.items():
            totals[key] = totals.get(key, 0.0) + weight / (k + rank)
    return {key: rounded(total) for key, total in totals.items()}
