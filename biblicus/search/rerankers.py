"""Creates rerankers from recipes with their options and the user's models."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from biblicus import embedding, plugins, runs, search
from biblicus.config import options_of, settings_file
from biblicus.contracts import Call, Given, Judged, JudgingReranker, Passage, Reranker
from biblicus.corpus.folder import CorpusFolder
from biblicus.errors import UnknownModel
from biblicus.models.evidence import Result
from biblicus.models.recipe import Choice
from biblicus.search.candidates import RERANK

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
