"""The reranker `judge`: a small cross-encoder reads the question with each of the best candidates, offline.

Its score never decides alone. Among the candidates that it is shown, what was known before (the score so far, and that
of each leg) and what it says are each measured in standard deviations from their mean, and added by fitted weights:
one set for prose, one for code (`weights.json`, which `python -m benchmarks.judging` writes). Over meaning the judge
counts more, the further its best candidate is ahead of its second.
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
"""The leg by which what was found by meaning is known, and the weight of cosines that are made for a question."""
SCORE, JUDGE, LEAD = "score", "judge", "lead"
"""Names among the weights: of the score so far, of the judge's, and of the constant `lead`. The others are legs. With a
lead of 4 the judge weighs 4 / (4 + 4) of its weight where its best logit is 4 above its second, less where it is less.
"""


class Options(BaseModel):
    """`candidates`: how many of the best chunks are judged; the others follow in the order before."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    candidates: Annotated[int, Field(ge=2, le=100)] = 16


def build(options: Options, given: Given) -> Judging:
    """The reranker for a recipe's options."""
    return Judging(options, given)


class Judging:
    """See `contracts.JudgingReranker`."""

    def __init__(self, options: Options, given: Given) -> None:
        self.candidates = options.candidates
        self._given = given

    def judged(self, question: Question, passages: Sequence[Passage], call: Call) -> list[Judgement]:
        """Raises `NotReranked` where the judge has no time, or does not know the language."""
        if len(passages) < 2:  # nothing to choose between
            return [Judgement(passage.score, None) for passage in passages]
        judged = self._given.judge(question.text, passages, call)
        scores = fused(passages, judged.scores, weights_for(passages), judged.cosines)
        logits = [None] * len(scores) if judged.by_cosine else judged.scores
        cosines: Sequence[float | None] = judged.cosines or [None] * len(scores)
        return [Judgement(*one) for one in zip(scores, logits, cosines, strict=True)]

    def logits(self, question: Question, texts: Sequence[tuple[str, str]], call: Call) -> Sequence[float]:
        """Raises `Unavailable` where the judge has no time, or does not know the language."""
        passages = [Passage(0, text, 0.0, breadcrumb, text) for breadcrumb, text in texts]
        try:
            judged = self._given.judge(question.text, passages, call)
        except NotReranked as left:
            raise Unavailable(left.reason or "The judge does not know the language.") from left
        if judged.by_cosine:
            raise Unavailable("The judge does not know the language.")
        return judged.scores


def wants_cosines(passages: Sequence[Passage]) -> bool:
    """Return true if passages that no vector found are weighed by meaning, too."""
    return MEANING in weights_for(passages) and not any(MEANING in passage.stages for passage in passages)


def weights_for(passages: Sequence[Passage]) -> Mapping[str, float]:
    """Those of what most of the passages are, and of how they were found."""
    is_code = 2 * sum(passage.doctype == "code" for passage in passages) > len(passages)
    by_meaning = any(MEANING in passage.stages for passage in passages)
    return weights()["code" if is_code else "prose"]["meaning" if by_meaning else "words"]


def fused(
    passages: Sequence[Passage],
    logits: Sequence[float],
    weighed: Mapping[str, float],
    cosines: Sequence[float] | None = None,
) -> list[float]:
    """The scores with the judge's among them, from the least that the passages had before to their best. `cosines`: of
    passages that no vector found, if they count."""
    columns = {SCORE: [passage.score for passage in passages], JUDGE: list(logits)}
    if cosines is not None:
        columns[MEANING] = list(cosines)
    legs = {leg for passage in passages for leg in passage.stages} & set(weighed)
    for leg in legs:
        known = [passage.stages[leg] for passage in passages if leg in passage.stages]
        columns[leg] = [passage.stages.get(leg, min(known)) for passage in passages]
    shares = {**weighed, JUDGE: weighed[JUDGE] * _certainty(logits, weighed.get(LEAD, 0.0))}
    sums = [0.0] * len(passages)
    for name in sorted(columns.keys() & weighed):
        sums = [total + shares[name] * share for total, share in zip(sums, _standard(columns[name]), strict=True)]
    least, most = min(columns[SCORE]), max(columns[SCORE])
    worst, best = min(sums), max(sums)
    spread = (most - least) / (best - worst) if best > worst else 0.0
    return [rounded(most - (best - total) * spread) for total in sums]


def _certainty(logits: Sequence[float], lead: float) -> float:
    """Share (0 to 1) of the judge's weight that counts: by how far its best logit is above the second."""
    second, best = sorted(logits)[-2:]
    return (best - second) / (lead + best - second) if lead else 1.0


def _standard(values: Sequence[float]) -> list[float]:
    """Each value in standard deviations from the mean; nothing where all are alike."""
    mean = math.fsum(values) / len(values)
    deviation = math.sqrt(math.fsum((value - mean) ** 2 for value in values) / len(values))
    return [round((value - mean) / deviation, 9) if deviation > 1e-9 else 0.0 for value in values]


@cache
def threshold() -> float:
    """Logit of the best passage below which none answers the question."""
    text = files("biblicus.retrieval").joinpath("weights.json").read_text(encoding="utf-8")
    return float(json.loads(text)["judge_threshold"])


@cache
def weights() -> Mapping[str, Mapping[str, Mapping[str, float]]]:
    """What each part counts: of prose and of code, each by words alone and by meaning, too."""
    text = files("biblicus.retrieval").joinpath("weights.json").read_text(encoding="utf-8")
    judge: Mapping[str, Mapping[str, Mapping[str, float]]] = json.loads(text)["judge"]
    return judge
