"""Applies a reranker to candidates: returns those it was shown, or all if it only judges the best."""

from __future__ import annotations

from collections.abc import Sequence
from typing import overload

from biblicus.contracts import Call, Judgement, JudgingReranker, Passage, Reranker
from biblicus.models.question import Question
from biblicus.retrieval.budget import Candidate
from biblicus.search.candidates import JUDGE, NEAR, RERANK, Found, with_context
from biblicus.search.weighting import WEIGHTS, Weighed, unweighted


def reordered(
    reranker: Reranker | JudgingReranker,
    question: Question,
    candidates: Sequence[Candidate],
    weighed: Weighed | None,
    call: Call,
    before: Sequence[Candidate] | None,
) -> Sequence[Candidate]:
    """Return the best candidates in the reranker's order.

    Those it was not shown are left out, or follow in their order after a judge. `before`: an order of fewer candidates
    that a judge keeps. Raises `NotReranked`.
    """
    top = candidates[: reranker.candidates]
    if not isinstance(reranker, JudgingReranker):
        scores = reranker.rerank(question, [_passage(candidate) for candidate in top], call)
        return _in_order(top, [Judgement(score, None) for score in scores], weighed)
    if before is not None:
        return Led(before[: reranker.candidates], candidates)
    judgements = reranker.judged(question, [_passage(candidate) for candidate in top], call)
    return Led(_in_order(top, judgements, weighed), candidates)


def _in_order(shown: Sequence[Candidate], judgements: Sequence[Judgement], weighed: Weighed | None) -> list[Candidate]:
    again = [
        candidate._replace(score=chunk.stages.get(WEIGHTS, judgement.score), chunk=chunk)
        for candidate, judgement in zip(shown, judgements, strict=True)
        for chunk in [_rescored(candidate.chunk, judgement, weighed)]
    ]
    return sorted(again, key=lambda candidate: -candidate.score)


def _rescored(found: Found, judgement: Judgement, weighed: Weighed | None) -> Found:
    """Return a candidate with the reranker's score, and with its weighted score if weights apply."""
    weighted = {} if weighed is None else {WEIGHTS: weighed.score(judgement.score, found.row.item_id)}
    judged = {} if judgement.logit is None else {JUDGE: judgement.logit}
    near = {} if judgement.cosine is None else {NEAR: judgement.cosine}
    return found._replace(stages={**found.stages, **near, **judged, RERANK: judgement.score, **weighted})


def _passage(candidate: Candidate) -> Passage:
    content: Found = candidate.chunk
    chunk, item, stages = content
    score = unweighted(stages) if WEIGHTS in stages else candidate.score
    breadcrumb = " › ".join(filter(None, (item.title, chunk.heading)))
    about = (item.item.doctype or "", item.language or "")
    return Passage(chunk.row, with_context(content), score, breadcrumb, chunk.text, stages, *about)


class Led(Sequence[Candidate]):
    """Judged candidates, followed by all others in their previous order, loaded on access."""

    def __init__(self, first: Sequence[Candidate], all_candidates: Sequence[Candidate]) -> None:
        judged = {candidate.chunk_id for candidate in first}
        self._made = list(first)
        self._others = (candidate for candidate in all_candidates if candidate.chunk_id not in judged)
        self._count = len(all_candidates)

    def __len__(self) -> int:
        return self._count

    @overload
    def __getitem__(self, at: int) -> Candidate: ...

    @overload
    def __getitem__(self, at: slice) -> list[Candidate]: ...

    def __getitem__(self, at: int | slice) -> Candidate | list[Candidate]:
        places = range(self._count)[at]
        for _ in range(len(self._made), (max(places, default=-1) if isinstance(places, range) else places) + 1):
            self._made.append(next(self._others))
        return [self._made[place] for place in places] if isinstance(places, range) else self._made[places]
