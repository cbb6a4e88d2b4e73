"""Reranker `judge`: a small cross-encoder scores the question with each of the best candidates, offline.

Its score is combined with the previous score and each leg's score: each is standardised over the candidates and added
with fitted weights, one set for prose and one for code (`weights.json`, written by `python -m benchmarks.judging`).
With a vector leg, the judge's weight grows with its best candidate's lead over the second.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from biblicus.contracts import Call, Given, Judgement, NotReranked, Passage
from biblicus.errors import Unavailable
from biblicus.models.question import Question
from biblicus.retrieval.ranking import rounded

MEANING = "vector"
"""Name of the vector leg, and of the weight of cosines computed for a question."""
SCORE, JUDGE, LEAD = "score", "judge", "lead"
"""Names among the weights: previous score, judge's score, and the constant `lead`; the others are legs. With a lead of
4, the judge has half its weight if its best logit is 4 above the second, less for smaller differences."""


class Options(BaseModel):
    """`candidates`: number of best chunks that are judged; the others follow in their previous order."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    candidates: Annotated[int, Field(ge=2, le=100)] = 16


def build(options: Options, given: Given) -> Judging:
    return Judging(options, given)


class Judging:
    """Reranker with the built-in judge model (see `contracts.JudgingReranker`)."""

    def __init__(self, options: Options, given: Given) -> None:
        self.candidates = options.candidates
        self._given = given

    def judged(self, question: Question, passages: Sequence[Passage], call: Call) -> list[Judgement]:
        """Return the judgements. Raises `NotReranked` if the judge has no time or does not know the language."""
        if len(passages) < 2:  # nothing to order
            return [Judgement(passage.score, None) for passage in passages]
        judged = self._given.judge(question.text, passages, call)
        scores = fused(passages, judged.scores, weights_for(passages), judged.cosines)
        logits = [None] * len(scores) if judged.by_cosine else judged.scores
        cosines: Sequence[float | None] = judged.cosines or [None] * len(scores)
        return [Judgement(*values) for values in zip(scores, logits, cosines, strict=True)]

    def logits(self, question: Question, texts: Sequence[tuple[str, str]], call: Call) -> Sequence[float]:
        """Return the logit of each text. Raises `Unavailable` if the judge has no time or does not know the
        language."""
        passages = [Passage(0, text, 0.0, breadcrumb, text) for breadcrumb, text in texts]
        try:
            judged = self._given.judge(question.text, passages, call)
        except NotReranked as left:
            raise Unavailable(left.reason or "The judge does not know the language.") from left
        if judged.by_cosine:
            raise Unavailable("The judge does not know the language.")
        return judged.scores


def wants_cosines(passages: Sequence[Passage]) -> bool:
    """Return True if cosines must be computed, since no vector leg found the passages but their weights use cosines."""
    return MEANING in weights_for(passages) and not any(MEANING in passage.stages for passage in passages)


def weights_for(passages: Sequence[Passage]) -> Mapping[str, float]:
    """Return the weights for the passages' doctype and for how they were found."""
    is_code = 2 * sum(passage.doctype == "code" for passage in passages) > len(passages)
    by_meaning = any(MEANING in passage.stages for passage in passages)
    return weights()["code" if is_code else "prose"]["meaning" if by_meaning else "words"]


def fused(
    passages: Sequence[Passage],
    logits: Sequence[float],
    weighed: Mapping[str, float],
    cosines: Sequence[float] | None = None,
) -> list[float]:
    """Return the combined scores, scaled to the range of the previous ones. `cosines`: of passages that no vector leg
    found, if they are used."""
    columns = {SCORE: [passage.score for passage in passages], JUDGE: list(logits)}
    if cosines is not None:
        columns[MEANING] = list(cosines)
    legs = {leg for passage in passages for leg in passage.stages} & set(weighed)
    for leg in legs:
        leg_scores = [passage.stages[leg] for passage in passages if leg in passage.stages]
        columns[leg] = [passage.stages.get(leg, min(leg_scores)) for passage in passages]
    shares = {**weighed, JUDGE: weighed[JUDGE] * _certainty(logits, weighed.get(LEAD, 0.0))}
    sums = [0.0] * len(passages)
    for name in sorted(columns.keys() & weighed):
        sums = [total + shares[name] * share for total, share in zip(sums, _standard(columns[name]), strict=True)]
    least, most = min(columns[SCORE]), max(columns[SCORE])
    worst, best = min(sums), max(sums)
    spread = (most - least) / (best - worst) if best > worst else 0.0
    return [rounded(most - (best - total) * spread) for total in sums]


def _certainty(logits: Sequence[float], lead: float) -> float:
    """Return the share (0 to 1) of the judge's weight that applies, by its best logit's lead over the second."""
    second, best = sorted(logits)[-2:]
    return (best - second) / (lead + best - second) if lead else 1.0


def _standard(values: Sequence[float]) -> list[float]:
    """Return each value in standard deviations from the mean; zeros if all are equal."""
    mean = math.fsum(values) / len(values)
    deviation = math.sqrt(math.fsum((value - mean) ** 2 for value in values) / len(values))
    return [round((value - mean) / deviation, 9) if deviation > 1e-9 else 0.0 for value in values]


@cache
def threshold() -> float:
    """Return the logit below which the best passage does not answer the question."""
    text = files("biblicus.retrieval").joinpath("weights.json").read_text(encoding="utf-8")
    return float(json.loads(text)["judge_threshold"])


@cache
def weights() -> Mapping[str, Mapping[str, Mapping[str, float]]]:
    """Return the weights for prose and for code, each without and with a vector leg."""
    text = files("biblicus.retrieval").joinpath("weights.json").read_text(encoding="utf-8")
    judge: Mapping[str, Mapping[str, Mapping[str, float]]] = json.loads(text)["judge"]
    return judge
