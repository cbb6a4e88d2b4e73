"""The reranker `mmr`: maximal marginal relevance (Carbonell, Goldstein 1998), so that the best pieces differ.

One after another, the passage is taken that has the most of `balance · relevance − (1 − balance) · likeness`, where
relevance is the score so far, from the worst passage (0) to the best (1), and likeness the cosine with the most similar
passage taken before. These values never rise, so they are the new scores.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from biblicus.contracts import Call, Given, Passage
from biblicus.models.question import Question
from biblicus.retrieval.ranking import rounded


class Options(BaseModel):
    """`balance`: 1 counts relevance alone, 0 difference alone. `candidates`: how many chunks are put in order; no
    others are returned."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    balance: Annotated[float, Field(ge=0, le=1)] = 0.7
    candidates: Annotated[int, Field(ge=1, le=1_000)] = 50


def build(options: Options, given: Given) -> Mmr:
    """The reranker for a recipe's options."""
    return Mmr(options, given)


class Mmr:
    """See `contracts.Reranker`."""

    def __init__(self, options: Options, given: Given) -> None:
        self.candidates = options.candidates
        self._balance, self._given = options.balance, given

    def rerank(self, question: Question, passages: Sequence[Passage], call: Call) -> list[float]:
        import numpy as np

        if not passages:
            return []
        vectors = self._given.chunk_vectors([passage.row for passage in passages])
        relevance = np.array([passage.score for passage in passages])
        spread = float(np.ptp(relevance))
        relevance = (relevance - relevance.min()) / spread if spread else np.ones(len(passages))
        nearest = np.zeros(len(passages))
        scores = [0.0] * len(passages)
        left = np.ones(len(passages), bool)
        for _ in passages:
            call.check()
            worth = np.where(left, self._balance * relevance - (1 - self._balance) * nearest, -np.inf)
            taken = int(np.argmax(worth))  # of equals the first: the better one so far
            scores[taken], left[taken] = rounded(float(worth[taken])), False
            nearest = np.maximum(nearest, vectors @ vectors[taken])
        return scores
