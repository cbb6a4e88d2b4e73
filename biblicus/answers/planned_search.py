"""Searches with several queries for one question: the question and the plan's hints, fused by rank.

Pieces are ordered by reciprocal rank fusion. The question's query has more weight than all others together, so that the
plan fills gaps but does not override it. The result is the question's with the fused evidence.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Literal

from biblicus.answers.conversations import Ask
from biblicus.contracts import Call
from biblicus.models.answers.persona import PlanQuery
from biblicus.models.evidence import Dropped, Evidence, Result
from biblicus.models.question import Budget
from biblicus.models.requests.query import QueryRequest
from biblicus.retrieval.budget import within
from biblicus.retrieval.fusion import reciprocal_ranks

STAGE = "plan"
"""Name of the stage that scores fused pieces."""
K = 5
SHARE = 0.5
"""Total weight of the further queries; the question's own weight is 1. On 250 questions of xquad-en (best piece
correct): three unrelated further queries reduce .960 to .948 (K = 10: .872), and two more words each cost nothing. For
questions that lost half their words, a query that restores two raises .712 to .740."""

Origin = Literal["question", "plan", "graph"]
Rerank = Callable[[str, Sequence[Evidence], Call], Sequence[float]]
"""Returns scores for pieces; higher is better."""


@dataclass(frozen=True, slots=True)
class Planned:
    """A query with its result."""

    text: str
    origin: Origin
    result: Result


def search(
    ask: Ask, query: QueryRequest, more: Sequence[tuple[str, Origin]], call: Call, rerank: Rerank | None = None
) -> tuple[Result, tuple[PlanQuery, ...]]:
    """Return the result of a question with further queries; filters, recipe, run and budget are the question's."""
    planned = [Planned(query.query, "question", ask(query, call))]
    for text, origin in more:
        call.check()
        planned.append(Planned(text, origin, ask(replace(query, query=text), call)))
    result = planned[0].result if len(planned) == 1 else _fused(planned, call, rerank)
    chunk_ids = {piece.chunk_id for piece in result.evidence}
    return result, tuple(
        PlanQuery(
            entry.text,
            entry.origin,
            len(entry.result.evidence),
            sum(piece.chunk_id in chunk_ids for piece in entry.result.evidence),
        )
        for entry in planned
    )


def _fused(queries: Sequence[Planned], call: Call, rerank: Rerank | None) -> Result:
    question_result = queries[0].result
    pieces = _by_rank(queries)
    if rerank is not None and pieces:
        scores = rerank(question_result.query, pieces, call)
        pieces = [_rescored(piece, score, "rerank") for piece, score in zip(pieces, scores, strict=True)]
        pieces.sort(key=lambda piece: (-piece.score, piece.item_id, piece.span_start))
    bounds = question_result.budget["asked"]
    fitting = within(pieces, Budget(**{**bounds, "items": bounds["items"] or 1}))
    evidence = [piece for _, piece in fitting.kept]
    dropped = [Dropped(pieces[at].chunk_id, pieces[at].path, reason).as_object() for at, reason in fitting.dropped]
    fused = {piece.chunk_id for piece in pieces}
    before = {entry["chunk_id"]: entry for query in reversed(queries) for entry in query.result.budget["dropped"]}
    return replace(
        question_result,
        evidence=tuple(evidence),
        insufficient=not evidence or question_result.insufficient,
        budget={
            "asked": bounds,
            "used": fitting.used,
            "dropped": [*dropped, *(entry for chunk_id, entry in before.items() if chunk_id not in fused)],
        },
        timings=_summed([query.result.timings for query in queries]),
    )


def _by_rank(queries: Sequence[Planned]) -> list[Evidence]:
    """Return each piece once, by its fused score and in its longest form."""
    lists = {str(number): query.result.evidence for number, query in enumerate(queries)}
    weights = {number: SHARE / (len(queries) - 1) if int(number) else 1.0 for number in lists}
    ranks = {number: {piece.chunk_id: piece.rank for piece in evidence} for number, evidence in lists.items()}
    scores = reciprocal_ranks(ranks, K, weights)
    pieces: dict[str, Evidence] = {}
    for piece in chain.from_iterable(lists.values()):
        previous_piece = pieces.setdefault(piece.chunk_id, piece)
        if len(piece.text) > len(previous_piece.text):
            pieces[piece.chunk_id] = replace(
                piece, stage_scores=previous_piece.stage_scores, snippet=previous_piece.snippet
            )
    fused = [_rescored(piece, scores[chunk_id], STAGE) for chunk_id, piece in pieces.items()]
    return sorted(fused, key=lambda piece: (-piece.score, piece.item_id, piece.span_start))


def _rescored(piece: Evidence, score: float, stage: str) -> Evidence:
    return replace(piece, score=score, stage=stage, stage_scores={**piece.stage_scores, stage: score})


def _summed(timings: Sequence[Mapping[str, float]]) -> dict[str, float]:
    names = dict.fromkeys(name for times in timings for name in times)
    return {name: round(sum(times.get(name, 0.0) for times in timings), 3) for name in names}
