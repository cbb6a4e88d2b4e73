"""Fusion: the ranked lists of several legs become one list, with every leg's own score kept beside the fused one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from biblicus.contracts import Hit
from biblicus.models.recipe import Fusion
from biblicus.retrieval.ranking import rounded

FUSED = "retrieve"
"""The stage whose score fusion gives."""


class Fused(NamedTuple):
    """A chunk row, its score, and the score by leg (and, where several ranked, by `retrieve`)."""

    row: int
    score: float
    stages: Mapping[str, float]


def alone(leg: str, hits: Sequence[Hit]) -> list[Fused]:
    """One leg's hits, as they are."""
    return [Fused(hit.row, hit.score, {leg: hit.score}) for hit in hits]


def fuse(lists: Mapping[str, Sequence[Hit]], more: Mapping[str, Mapping[int, float]], fusion: Fusion) -> list[Fused]:
    """All chunks that any leg found, best first.

    `more`: what legs say of chunks that only another one found. It counts as if the leg had listed them last.
    """
    known: dict[int, dict[str, float]] = {}
    for leg, hits in lists.items():
        for row, score in [*hits, *more.get(leg, {}).items()]:
            known.setdefault(row, {})[leg] = score
    if fusion.by == "rrf":
        totals = _by_rank(known, list(lists), fusion)
    else:
        totals = _by_score(known, list(lists), fusion)
    found = [Fused(row, totals[row], {**stages, FUSED: totals[row]}) for row, stages in known.items()]
    return sorted(found, key=lambda one: (-one.score, one.row))


def _weight(fusion: Fusion, leg: str) -> float:
    return fusion.weights.get(leg, 1.0)


def _by_score(known: Mapping[int, Mapping[str, float]], legs: Sequence[str], fusion: Fusion) -> dict[int, float]:
    """Each leg's scores from its worst candidate (0) to its best (1), weighted; a chunk that a leg lacks gets its 0."""
    totals = dict.fromkeys(known, 0.0)
    whole = sum(_weight(fusion, leg) for leg in legs) or 1.0
    for leg in legs:
        scores = {row: stages[leg] for row, stages in known.items() if leg in stages}
        if not scores:
            continue
        low, high = min(scores.values()), max(scores.values())
        for row, score in scores.items():
            share = (score - low) / (high - low) if high > low else 1.0
            totals[row] += _weight(fusion, leg) / whole * share
    return {row: rounded(total) for row, total in totals.items()}


def _by_rank(known: Mapping[int, Mapping[str, float]], legs: Sequence[str], fusion: Fusion) -> dict[int, float]:
    """Reciprocal ranks, weighted. Chunks of equal score share the better rank, so that order never depends on rows."""
    totals = dict.fromkeys(known, 0.0)
    for leg in legs:
        scores = sorted((stages[leg] for stages in known.values() if leg in stages), reverse=True)
        rank = {score: place for place, score in reversed(list(enumerate(scores, 1)))}
        for row, stages in known.items():
            if leg in stages:
                totals[row] += _weight(fusion, leg) / (fusion.k + rank[stages[leg]])
    return {row: rounded(total) for row, total in totals.items()}
