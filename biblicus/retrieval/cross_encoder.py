"""The reranker `cross-encoder`: a model reads the question with each candidate. Slow, and often the better judge."""

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
    """`model`: a name that the user's own configuration defines under `rerankers`. `candidates`: how many chunks are
    put in order; no others are returned. `seconds`: how long the model may take, loading aside, at most half of what
    the question has left; past them the order stays as it was."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    model: str
    candidates: Annotated[int, Field(ge=1, le=1_000)] = 30
    seconds: Annotated[float, Field(gt=0, le=600)] = 20.0


def build(options: Options, given: Given) -> CrossEncoderReranker:
    """The reranker for a recipe's options."""
    return CrossEncoderReranker(options, given)


class CrossEncoderReranker:
    """See `contracts.Reranker`."""

    def __init__(self, options: Options, given: Given) -> None:
        self.candidates = options.candidates
        self._options, self._given = options, given

    def rerank(self, question: Question, passages: Sequence[Passage], call: Call) -> list[float]:
        """Raises `NotReranked` where the model takes too long, and `UnknownModel` where there is none."""
        texts, model = [passage.text for passage in passages], self._options.model
        self._given.pairs(model, question.text, [], call)  # loads it
        try:
            scores = self._given.pairs(model, question.text, texts, bounded(call, self._options.seconds))
        except DeadlineExceeded as error:
            call.check()
            late = f"it did not judge in {self._options.seconds:g} s"
            cause = EmbedderUnavailable(model, late, "the same with more `seconds`")
            raise NotReranked(cause.message, cause) from error
        return [rounded(score) for score in scores]
