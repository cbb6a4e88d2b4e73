"""Scores units by a weighted sum of features, with weights fitted for the available models."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from biblicus.answering.reader import terms
from biblicus.answering.reader.classes import data
from biblicus.answering.reader.features import JUDGE, MODELS, NAMES
from biblicus.models.evidence import Evidence, Rarity

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


_OF_BEST = (
    "share", "idf", "named", "missing", "pairs", "passage", "title_asked", "heading_asked", "label_asked", "called",
    "opens", "begins", "clause",
)  # fmt: skip
SIGNS = (
    *_OF_BEST, "covered", "spread", "margin", "fits", "quoted", "lead", "terms", "rarest", "judged", "cosine", "judge",
    "judge_margin",
)  # fmt: skip
"""Input features of the confidence models; those of `_OF_BEST` are features of the best unit.

`covered`: share of the question's idf in the unit, its neighbours, names and section. `spread`: log of the number of
units with nearly the same score. `margin`: lead over the next unit that is not quoted. `fits`: contains the expected
number or time. `quoted`: number of quoted units. `lead`, `terms`, `rarest`, `judged`: see `Found`. `judge_margin`: lead
of the best logit over the median.
"""
_LEAD = 0.5
_AROUND = ("idf", "before", "after", "named", "around")


class Found(NamedTuple):
    """Confidence features from the search.

    `lead`: relative score difference of the best piece to the next (0 to .5). `terms`: log of the number of distinct
    question terms. `judged`: best logit of a piece, 0 without a judge. `rarest`: idf of an unseen word, which grows
    with the log of the corpus size: a larger corpus has more near misses.
    """

    lead: float
    terms: float
    judged: float
    rarest: float


def found(question: str, evidence: Sequence[Evidence], rarity: Rarity | None) -> Found:
    """Return the features of a search. `evidence`: the pieces that are read."""
    question_terms = terms.of_question(question, terms.stemmer_for(None, [piece.language for piece in evidence]))
    logits = [piece.stage_scores[JUDGE] for piece in evidence if JUDGE in piece.stage_scores]
    rarest = rarity.rarest if rarity else 0.0
    return Found(_lead(evidence), math.log1p(len(question_terms.ordered)), max(logits, default=0.0), rarest)


def signs(
    scores: Sequence[float], rows: Sequence[Mapping[str, float]], picked: Sequence[int], search: Found
) -> list[float]:
    """Return the confidence features. `rows`: features of each unit by name; `picked`: indices of the quoted units,
    best first."""
    if not picked:
        return [0.0] * len(SIGNS)
    best = picked[0]
    row, others = rows[best], [score for place, score in enumerate(scores) if place not in picked]
    logits = sorted(candidate_row.get("judge", 0.0) for candidate_row in rows)
    logit = row.get(JUDGE, 0.0)
    named = {
        **{name: row[name] for name in _OF_BEST},
        "covered": sum(row[name] for name in _AROUND),
        "spread": math.log(sum(math.exp(score - scores[best]) for score in scores)),
        "margin": min(scores[best] - max(others), 5.0) if others else 5.0,
        "fits": row["number"] + row["time"],
        "quoted": len(picked) / 4,
        "lead": search.lead,
        "terms": search.terms,
        "rarest": search.rarest / 10,
        "judged": search.judged / 4,
        "cosine": row.get("cosine", 0.0),
        "judge": logit / 4,
        "judge_margin": (logit - logits[len(logits) // 2]) / 4,
    }
    return [named[name] for name in SIGNS]


def _lead(evidence: Sequence[Evidence]) -> float:
    scores = sorted((piece.score for piece in evidence), reverse=True)
    if len(scores) < 2 or scores[0] <= 0:
        return 0.0
    return min(_LEAD, 1 - max(0.0, scores[1]) / scores[0])


def confidence(values: Sequence[float], configuration: str) -> tuple[float, float, float]:
    """Return the calibrated confidence, the probability that the corpus has the answer, and that this is the answer."""
    fitted = data()["doubt"][configuration]
    here, right = (_logistic(values, fitted[name]) for name in ("here", "right"))
    return _on_curve(here * right, fitted["curve"]), here, right


def _logistic(values: Sequence[float], weights: Sequence[float]) -> float:
    total = math.fsum(value * weight for value, weight in zip((*values, 1.0), weights, strict=True))
    return 1 / (1 + math.exp(-max(-40.0, min(40.0, total))))


def _on_curve(raw: float, curve: Sequence[Sequence[float]]) -> float:
    """Return the value of a piecewise linear curve at `raw`."""
    at = bisect_right([x for x, _ in curve], raw)
    if at in (0, len(curve)):
        return curve[min(at, len(curve) - 1)][1]
    (low, below), (high, above) = curve[at - 1], curve[at]
    return round(below + (above - below) * (raw - low) / (high - low), 4)
