"""Creates rerankers from recipes with their options, the open run and the user's models."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from biblicus import plugins
from biblicus.config import options_of, settings_file
from biblicus.contracts import Call, Given, Judged, JudgingReranker, LLMClient, Passage, Reranker, VectorReader
from biblicus.corpus.folder import CorpusFolder
from biblicus.errors import UnknownModel, UsageError
from biblicus.models.evidence import Result
from biblicus.models.recipe import Choice
from biblicus.search.candidates import RERANK
from biblicus.search.opened_run import OpenRun

if TYPE_CHECKING:
    from numpy import float32
    from numpy.typing import NDArray

    from biblicus.embedding.pairs import CrossEncoder


class Rerankers:
    """Creates rerankers for a searcher; models stay loaded between questions."""

    def __init__(self, corpus: CorpusFolder) -> None:
        self._corpus = corpus
        self._models: dict[str, CrossEncoder] = {}

    def __call__(self, choice: Choice, run: OpenRun) -> Reranker | JudgingReranker:
        """Return the reranker of a resolved choice for a run."""

        def chunk_vectors(rows: Sequence[int]) -> NDArray[float32]:
            for leg in run.legs:
                if isinstance(reader := run.reader(leg), VectorReader):
                    return reader.vectors(rows)
            raise UsageError("This reranker compares vectors, and the run has none.", "biblicus recipes show hybrid")

        resources = Given(chunk_vectors=chunk_vectors, pairs=self._pairs, named_llm=self._llm, judge=self._judge)
        reranker: Reranker | JudgingReranker = plugins.chosen("rerank", choice, resources)
        return reranker

    def _judge(self, question: str, passages: Sequence[Passage], call: Call) -> Judged:
        from biblicus.search.judged import CorpusJudge  # lazy: few recipes judge

        return CorpusJudge(self._corpus).scores(question, passages, call)

    def _llm(self, name: str) -> LLMClient:
        """Return a language model of the user's configuration. Raises `UnknownModel`, `ConfigInvalid`, `LLMError`."""
        from biblicus.search import language_models  # lazy: most recipes rerank with no model

        return language_models.named(self._corpus, name)

    def _pairs(self, model: str, question: str, passages: Sequence[str], call: Call) -> Sequence[float]:
        return self.model(model).scores(question, passages, call)

    def model(self, name: str) -> CrossEncoder:
        """Return a cross-encoder of the user's configuration. Raises `UnknownModel`, `ConfigInvalid`."""
        if name not in self._models:
            self._models[name] = self._found(name)
        return self._models[name]

    def _found(self, name: str) -> CrossEncoder:
        # Loaded late: most recipes use no model for reranking.
        from biblicus.embedding.pairs import CrossEncoder, Options
        from biblicus.runs.embedders import remembered_digest

        settings = self._corpus.settings
        if name not in settings.rerankers:
            where = f"{settings_file()}: rerankers: {{{name}: {{model: …}}}}"
            raise UnknownModel("reranker", name, sorted(settings.rerankers), where)
        where, remedy = f"{settings_file()}: rerankers.{name}", f"edit {settings_file()}"
        options = options_of(Options, settings.rerankers[name], where, remedy)
        return CrossEncoder(options, Given(device=settings.device, digest=remembered_digest))


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
