"""Creates rerankers from recipes with their options and the user's models, and applies them to candidates."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, overload

from biblicus import embedding, plugins, runs, search
from biblicus.config import options_of, settings_file
from biblicus.contracts import Call, Given, Judged, Judgement, JudgingReranker, Passage, Reranker
from biblicus.corpus.folder import CorpusFolder
from biblicus.errors import UnknownModel
from biblicus.models.evidence import Result
from biblicus.models.question import Question
from biblicus.models.recipe import Choice
from biblicus.retrieval.budget import Candidate
from biblicus.search.candidates import JUDGE, NEAR, RERANK, Found, with_context
from biblicus.search.weighting import WEIGHTS, Weighed, unweighted

if TYPE_CHECKING:
    from biblicus.embedding.pairs import CrossEncoder


class Rerankers:
    """Creates rerankers for a searcher; models stay loaded between questions."""

    def __init__(self, corpus: CorpusFolder) -> None:
        self._corpus = corpus
        self._models: dict[str, CrossEncoder] = {}

    def __call__(self, choice: Choice) -> Reranker | JudgingReranker:
        """Return the reranker of a resolved choice."""
        resources = Given(pairs=self._pairs, judge=self._judge)
        reranker: Reranker | JudgingReranker = plugins.chosen("rerank", choice, resources)
        return reranker

    def _judge(self, question: str, passages: Sequence[Passage], call: Call) -> Judged:
        return search.judged.CorpusJudge(self._corpus).scores(question, passages, call)

    def _pairs(self, model: str, question: str, passages: Sequence[str], call: Call) -> Sequence[float]:
        return self.model(model).scores(question, passages, call)

    def model(self, name: str) -> CrossEncoder:
        """Return a cross-encoder of the user's configuration. Raises `UnknownModel`, `ConfigInvalid`."""
        if name not in self._models:
            self._models[name] = self._found(name)
        return self._models[name]

    def _found(self, name: str) -> CrossEncoder:
        # Loaded late: most recipes use no model for reranking.

        settings = self._corpus.settings
        if name not in settings.rerankers:
            where = f"{settings_file()}: rerankers: {{{name}: {{model: …}}}}"
            raise UnknownModel("reranker", name, sorted(settings.rerankers), where)
        where, remedy = f"{settings_file()}: rerankers.{name}", f"edit {settings_file()}"
        options = options_of(embedding.pairs.Options, settings.rerankers[name], where, remedy)
        return embedding.pairs.CrossEncoder(
            options, Given(device=settings.device, digest=runs.embedders.remembered_digest)
        )


Scores = Callable[[str, Sequence[str], Call], Sequence[float]]
"""Returns the relevance of each text to a question; higher is better."""


def rerank(corpus: CorpusFolder, result: Result, model: str | Scores, call: Call) -> Result:
    """Return a result with reordered evidence, for callers that compose a search in steps: a recipe's own reranking
    (section `query`) sees more candidates. `model`: name in `rerankers`, or a scoring function."""
    scores = Rerankers(corpus).model(model).scores if isinstance(model, str) else model
    texts = ["\n".join(filter(None, (piece.title, piece.first_heading, piece.text))) for piece in result.evidence]
    scored = list(zip(scores(result.query, texts, call) if texts else [], result.evidence, strict=True))
    scored.sort(key=lambda one: (-one[0], one[1].item_id, one[1].span_start))
    pieces = [
        replace(piece, rank=rank, score=score, stage=RERANK, stage_scores={**piece.stage_scores, RERANK: score})
        for rank, (score, piece) in enumerate(scored, 1)
    ]
    return replace(result, evidence=pieces)


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
