"""Several queries for one question: the question itself and what a plan adds, fused by rank into one result.

Pieces are ordered by the sum of weight / (k + rank) over the queries that found them (reciprocal rank fusion: Cormack,
Clarke, Büttcher 2009). The question's own query weighs more than all others together: what a plan adds fills gaps and
breaks near-ties, it does not overrule. The result is that of the question, with the fused evidence.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from biblicus.contracts import Call
from biblicus.models.evidence import Dropped, Evidence, Result
from biblicus.models.persona import PlanQuery
from biblicus.models.question import Budget, Query
from biblicus.retrieval.budget import Candidate, spend
from biblicus.text.tokens import estimate

STAGE = "plan"
"""The stage that gives fused pieces their score."""
K = 5
SHARE = 0.5
"""What all further queries weigh together; the question's own weighs 1.

On 250 questions of xquad-en, best piece right: three unrelated further queries cost .960 to .948 (K = 10: .872), two
more words each cost nothing; of questions that lost half their words, one that adds two back brings .712 to .740.
"""

Origin = Literal["question", "plan", "graph"]
Ask = Callable[[Query, Call], Result]
Rerank = Callable[[str, Sequence[Evidence], Call], Sequence[float]]
"""Scores for pieces, higher is better."""


@dataclass(frozen=True, slots=True)
class Planned:
    """One query that is asked, and the result it gave."""

    text: str
    origin: Origin
    result: Result


def search(
    ask: Ask, query: Query, more: Sequence[tuple[str, Origin]], call: Call, rerank: Rerank | None = None
) -> tuple[Result, tuple[PlanQuery, ...]]:
    """The result of a question with further queries: filters, recipe, run and budget are the question's."""
    asked = [Planned(query.text, "question", ask(query, call))]
    for text, origin in more:
        call.check()
        asked.append(Planned(text, origin, ask(replace(query, text=text), call)))
    result = asked[0].result if len(asked) == 1 else _fused(asked, call, rerank)
    kept = {piece.chunk_id for piece in result.evidence}
    return result, tuple(
        PlanQuery(
            one.text,
            one.origin,
            len(one.result.evidence),
            sum(piece.chunk_id in kept for piece in one.result.evidence),
        )
        for one in asked
    )


def _fused(asked: Sequence[Planned], call: Call, rerank: Rerank | None) -> Result:
    own = asked[0].result
    pieces = _by_rank(asked)
    if rerank is not None and pieces:
        scores = rerank(own.query, pieces, call)
        pieces = [_rescored(piece, score, "rerank") for piece, score in zip(pieces, scores, strict=True)]
        pieces.sort(key=lambda piece: (-piece.score, piece.item_id, piece.span_start))
    evidence, used, dropped = _spent(pieces, own.budget["asked"])
    return replace(
        own,
        evidence=evidence,
        insufficient=not evidence or own.insufficient,
        budget={"asked": own.budget["asked"], "used": used, "dropped": dropped},
        timings=_summed([one.result.timings for one in asked]),
    )


def _by_rank(asked: Sequence[Planned]) -> list[Evidence]:
    """Every piece once, by its fused score; of a piece that was shortened somewhere, its longest form."""
    weights = [1.0, *[SHARE / (len(asked) - 1)] * (len(asked) - 1)]
    scores: dict[str, float] = {}
    pieces: dict[str, Evidence] = {}
    for weight, one in zip(weights, asked, strict=True):
        for piece in one.result.evidence:
            scores[piece.chunk_id] = scores.get(piece.chunk_id, 0.0) + weight / (K + piece.rank)
            known = pieces.get(piece.chunk_id)
            if known is None:
                pieces[piece.chunk_id] = piece
            elif len(piece.text) > len(known.text):
                pieces[piece.chunk_id] = replace(piece, stage_scores=known.stage_scores, snippet=known.snippet)
    found = [_rescored(piece, round(scores[chunk_id], 6), STAGE) for chunk_id, piece in pieces.items()]
    return sorted(found, key=lambda piece: (-piece.score, piece.item_id, piece.span_start))


def _rescored(piece: Evidence, score: float, stage: str) -> Evidence:
    return replace(piece, score=score, stage=stage, stage_scores={**piece.stage_scores, stage: score})


def _spent(
    pieces: Sequence[Evidence], asked: Mapping[str, int | None]
) -> tuple[list[Evidence], Mapping[str, int], tuple[Dropped, ...]]:
    """What of the fused pieces the budget keeps."""
    budget = Budget(asked["items"] or 1, asked["tokens"], asked["characters"], asked["per_source"])
    spent = spend(
        [
            Candidate(
                piece.text, estimate(piece.text), piece.item_id, piece.chunk_id, piece.path, piece.score, 0, piece
            )
            for piece in pieces
        ],
        budget,
    )
    kept = [_cut(candidate.chunk, candidate.text) for candidate in spent.kept]
    return [replace(piece, rank=rank) for rank, piece in enumerate(kept, 1)], spent.used, spent.dropped


def _cut(piece: Evidence, text: str) -> Evidence:
    """The piece, or its beginning where the budget had no more room."""
    if text == piece.text:
        return piece
    return replace(
        piece,
        text=text,
        hash=hashlib.sha256(text.encode()).hexdigest(),
        span_end=piece.span_start + len(text),
        line_end=piece.line_start + text.count("\n"),
    )


def _summed(timings: Sequence[Mapping[str, float]]) -> dict[str, float]:
    names = dict.fromkeys(name for one in timings for name in one)
    return {name: round(sum(one.get(name, 0.0) for one in timings), 3) for name in names}
