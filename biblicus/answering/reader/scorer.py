"""Scores units by a weighted sum of features, with weights fitted for the available models."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from biblicus.answering.reader.classes import data
from biblicus.answering.reader.features import MODELS, NAMES

JUDGED = 24
"""Number of best units by words that models score."""


def configuration(known: Sequence[str]) -> str:
    """Return the name of the configuration for these model features."""
    return "+".join(("words", *(name for name in MODELS if name in known)))


def by_words(rows: Sequence[Sequence[float]]) -> list[float]:
    """Return the score of each unit without models."""
    return [_score(row, NAMES, data()["scorers"]["words"]) for row in rows]


def with_models(
    rows: Sequence[Sequence[float]], places: Sequence[int], read: Mapping[str, Mapping[int, float]]
) -> dict[int, float]:
    """Return the score of each unit that models have scored, by its row index. `read`: scores of each model by row
    index."""
    chosen = data()["scorers"][configuration(tuple(read))]
    names = (*NAMES, *(name for name in MODELS if name in read))
    return {
        place: _score([*rows[place], *(read[name][place] for name in names[len(NAMES) :])], names, chosen)
        for place in places
    }


def best_places(scores: Sequence[float], most: int = JUDGED) -> list[int]:
    """Return the indices of the best scores, best first; ties in order."""
    return sorted(range(len(scores)), key=lambda place: (-scores[place], place))[:most]


def _score(row: Sequence[float], names: Sequence[str], weights: Mapping[str, float]) -> float:
    return round(sum(weights[name] * value for name, value in zip(names, row, strict=True)), 9)
