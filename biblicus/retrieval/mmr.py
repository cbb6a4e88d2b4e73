"""Reranker `mmr`: maximal marginal relevance (Carbonell, Goldstein 1998), for diverse results.

It repeatedly takes the passage with the highest `balance · relevance − (1 − balance) · similarity`. Relevance is the
previous score scaled from the worst passage (0) to the best (1); similarity is the highest cosine with a passage taken
before. These values never increase, so they are the new scores.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from biblicus.contracts import Call, Given, Passage
from biblicus.models.question import Question
from biblicus.retrieval.ranking import rounded


class Options(BaseModel):
    """`balance`: 1 for relevance only, 0 for diversity only. `candidates`: number of chunks to order; no others are
    returned."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    balance: Annotated[float, Field(ge=0, le=1)] = 0.7
    candidates: Annotated[int, Field(ge=1, le=1_000)] = 50


def build(options: Options, given: Given) -> Mmr:
    return Mmr(options, given)


class Mmr:
    """Reranker by maximal marginal relevance (see `contracts.Reranker`)."""

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
            taken = int(np.argmax(worth))  # the first of equals, which is the better one so far
            scores[taken], left[taken] = rounded(float(worth[taken])), False
            nearest = np.maximum(nearest, vectors @ vectors[taken])
        return scores
