"""Reranks existing evidence with a cross-encoder from the user's configuration.

It is for callers that compose a search in steps; a recipe's own reranking (section `query`) sees more candidates.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from biblicus.contracts import Call
from biblicus.corpus.folder import CorpusFolder
from biblicus.models.evidence import Result
from biblicus.search.rerankers import Rerankers

STAGE = "rerank"

Scores = Callable[[str, Sequence[str], Call], Sequence[float]]
"""Returns the relevance of each text to a question; higher is better."""


def rerank(corpus: CorpusFolder, result: Result, model: str | Scores, call: Call) -> Result:
    """Return the result with reordered evidence. `model`: name in `rerankers`, or a scoring function."""
    scores = Rerankers(corpus).model(model).scores if isinstance(model, str) else model
    texts = ["\n".join(filter(None, (piece.title, piece.first_heading, piece.text))) for piece in result.evidence]
    scored = list(zip(scores(result.query, texts, call) if texts else [], result.evidence, strict=True))
    scored.sort(key=lambda one: (-one[0], one[1].item_id, one[1].span_start))
    pieces = [
        replace(piece, rank=rank, score=score, stage=STAGE, stage_scores={**piece.stage_scores, STAGE: score})
        for rank, (score, piece) in enumerate(scored, 1)
    ]
    return replace(result, evidence=pieces)
