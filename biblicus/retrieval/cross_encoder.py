"""The reranker `cross-encoder`: a model reads the question with each candidate. Slow, and often the better judge."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from biblicus.contracts import Call, Given, Passage
from biblicus.models.question import Question
from biblicus.retrieval.ranking import rounded


class Options(BaseModel):
    """`model`: a name that the user's own configuration defines under `rerankers`. `candidates`: how many chunks are
    put in order; no others are returned."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    model: str
    candidates: Annotated[int, Field(ge=1, le=1_000)] = 30


def build(options: Options, given: Given) -> CrossEncoderReranker:
    """The reranker for a recipe's options."""
    return CrossEncoderReranker(options, given)


class CrossEncoderReranker:
    """See `contracts.Reranker`."""

    def __init__(self, options: Options, given: Given) -> None:
        self.candidates = options.candidates
        self._model, self._given = options.model, given

    def rerank(self, question: Question, passages: Sequence[Passage], call: Call) -> list[float]:
        texts = [passage.text for passage in passages]
        return [rounded(score) for score in self._given.pairs(self._model, question.text, texts, call)]
