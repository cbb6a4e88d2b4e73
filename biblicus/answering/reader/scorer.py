"""The scorer: a weighted sum of the features of a unit, by weights that were fitted for what is known of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from biblicus.answering.reader.features import MODELS, NAMES
from biblicus.answering.reader.weights import data

JUDGED = 24
"""The best units by words, which models read."""


def configuration(known: Sequence[str]) -> str:
    """Return the name of the configuration that uses these features of models."""
    return "+".join(("words", *(name for name in MODELS if name in known)))


def by_words(rows: Sequence[Sequence[float]]) -> list[float]:
    """Return the score of each unit by the words alone."""
    return [_score(row, NAMES, data()["scorers"]["words"]) for row in rows]


def with_models(
    rows: Sequence[Sequence[float]], places: Sequence[int], read: Mapping[str, Mapping[int, float]]
) -> dict[int, float]:
    """Return the score of each unit that models read, by its place among the rows. `read`: of each model, its score of
    the unit at a place."""
    chosen = data()["scorers"][configuration(tuple(read))]
    names = (*NAMES, *(name for name in MODELS if name in read))
    return {
        place: _score([*rows[place], *(read[name][place] for name in names[len(NAMES) :])], names, chosen)
        for place in places
    }


def best_places(scores: Sequence[float], most: int = JUDGED) -> list[int]:
    """Return the places of the best scores, best first; equal ones in their order."""
    return sorted(range(len(scores)), key=lambda place: (-scores[place], place))[:most]


def _score(row: Sequence[float], names: Sequence[str], weights: Mapping[str, float]) -> float:
    return round(sum(weights[name] * value for name, value in zip(names, row, strict=True)), 9)
