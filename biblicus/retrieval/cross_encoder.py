"""Reranker `cross-encoder`: a model scores the question with each candidate; slow but often more accurate."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from biblicus.contracts import Call, Given, NotReranked, Passage
from biblicus.errors import DeadlineExceeded, EmbedderUnavailable
from biblicus.guards.deadlines import bounded
from biblicus.models.question import Question
from biblicus.retrieval.ranking import rounded


class Options(BaseModel):
    """Options of the reranker.

    `model`: a name that the user's configuration defines under `rerankers`. `candidates`: number of chunks to order; no
    others are returned. `seconds`: timeout of the model without loading, at most half of the question's remaining time;
    after it the order stays unchanged.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    model: str
    candidates: Annotated[int, Field(ge=1, le=1_000)] = 30
    seconds: Annotated[float, Field(gt=0, le=600)] = 20.0


def build(options: Options, given: Given) -> CrossEncoderReranker:
    return CrossEncoderReranker(options, given)


class CrossEncoderReranker:
    """Reranker with a configured cross-encoder model (see `contracts.Reranker`)."""

    def __init__(self, options: Options, given: Given) -> None:
        self.candidates = options.candidates
        self._options, self._given = options, given

    def rerank(self, question: Question, passages: Sequence[Passage], call: Call) -> list[float]:
        """Return the scores. Raises `NotReranked` on timeout, and `UnknownModel` if the model is not configured."""
        texts, model = [passage.text for passage in passages], self._options.model
        self._given.pairs(model, question.text, [], call)  # loads the model
        try:
            scores = self._given.pairs(model, question.text, texts, bounded(call, self._options.seconds))
        except DeadlineExceeded as error:
            call.check()
            late = f"it did not judge in {self._options.seconds:g} s"
            cause = EmbedderUnavailable(model, late, "the same with more `seconds`")
            raise NotReranked(cause.message, cause) from error
        return [rounded(score) for score in scores]
