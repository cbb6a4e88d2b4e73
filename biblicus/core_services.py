"""Services under the names that programs of other frameworks use, each a thin layer over a corpus.

```python from biblicus import Corpus from biblicus.core_services import SearchService

with Corpus.open("harbour") as corpus:
    for hit in SearchService(corpus).search("grey seals", mode="hybrid", k=5):
        print(hit.chunk_id, hit.score, hit.text)
```
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

from biblicus.answering.prompts import PromptManager
from biblicus.connectors.python import Corpus
from biblicus.contracts import Call, LLMClient, LLMResult
from biblicus.corpus import recipes
from biblicus.errors import CorpusUnknown, UsageError
from biblicus.models.answers.persona import PersonaAnswer
from biblicus.models.item import Item
from biblicus.models.requests.bring import ReceiveRequest
from biblicus.models.requests.query import Filters
from biblicus.runs import embedders
from biblicus.service.verbs import RECEIVE

__all__ = [
    "BM25Index",
    "CorpusStore",
    "Document",
    "EmbeddingProvider",
    "IngestionService",
    "LLMClient",
    "LLMResult",
    "PersonaRuntime",
    "PromptManager",
    "ScoredChunk",
    "SearchService",
    "VectorIndex",
]
_CANDIDATES = 4
"""Chunks that each index contributes to a fused list, as a multiple of `k`."""


@dataclass(frozen=True)
class Document:
    """An item with its text. `content_hash`: `sha256:…` of the normalised text; None without text."""

    document_id: str
    corpus_id: str
    path: str
    title: str
    text: str
    content_hash: str | None
    source_uri: str | None = None
    tags: Sequence[str] = ()
    metadata: Mapping[str, Any] = field(default_factory=dict)


class ScoredChunk(NamedTuple):
    """A chunk in a result. `score`: the index's own; of `SearchService` 0 to 1."""

    chunk_id: str
    document_id: str
    path: str
    text: str
    score: float


class CorpusStore:
    """Service for the documents of open corpora, given by id or name."""

    def __init__(self, *corpora: Corpus) -> None:
        self._corpora: dict[str, Corpus] = {}
        for corpus in corpora:
            config = corpus.asker.corpus.config
            self._corpora |= {config.name: corpus, config.corpus_id: corpus}

    def list_documents(self, corpus_id: str, **filters: Any) -> Iterator[Document]:
        """Yield the documents by path; `filters` as in `Corpus.list`."""
        corpus = self._corpus(corpus_id)
        return (_document(corpus, item) for item in corpus.list(**filters))

    def get_document(self, corpus_id: str, document_id: str) -> Document:
        """Return a document by id or path. Raises `ItemNotFound`."""
        corpus = self._corpus(corpus_id)
        return _document(corpus, corpus.show(document_id))

    def find_by_hash(self, corpus_id: str, content_hash: str) -> Document | None:
        """Return the first document with this hash of its text or its bytes (`sha256:…`), or None."""
        digest = content_hash if ":" in content_hash else f"sha256:{content_hash}"
        return next(self.list_documents(corpus_id, hash=digest), None)

    def _corpus(self, corpus_id: str) -> Corpus:
        if corpus_id not in self._corpora:
            raise CorpusUnknown(corpus_id, sorted(self._corpora))
        return self._corpora[corpus_id]


class EmbeddingProvider:
    """Service that embeds texts with a built-in model: `minilm-int8`, `minilm`, `e5`, `e5-int8` or `static`."""

    def __init__(self, model: str = "minilm-int8") -> None:
        self.model = model
        self._embedder = embedders.shared(model, "auto")

    @property
    def dimension(self) -> int:
        """Return the length of a vector."""
        return self._embedder.dim

    @property
    def fingerprint(self) -> str:
        """Return what decides a vector; vectors with other fingerprints must not be compared with these."""
        return self._embedder.fingerprint

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """Return the vectors of texts, L2-normalised."""
        vectors: list[list[float]] = self._embedder.embed(list(texts), Call()).tolist()
        return vectors


class _Index:
    """Index that ranks chunks with one leg of a recipe (default: the corpus's own)."""

    leg = ""

    def __init__(self, corpus: Corpus, recipe: str | None = None) -> None:
        self._corpus, self._recipe = corpus, recipe

    def search(self, query: str, k: int = 10, filters: Filters | None = None) -> list[ScoredChunk]:
        """Return the best chunks with the leg's own scores. Raises `UsageError` if the recipe lacks the leg."""
        legs = recipes.find(self._corpus.asker.corpus, self._recipe).build.legs
        if self.leg not in legs:
            raise UsageError(f'The recipe has no leg "{self.leg}".', "biblicus reindex --recipe hybrid-int8")
        weights = {self.leg: 1.0} if len(legs) > 1 else {}
        bounds: dict[str, Any] = {"limit": k, "max_tokens": 1_000 * k, "max_per_source": k}
        result = self._corpus.query(query, recipe=self._recipe, filters=filters, leg_weights=weights, **bounds)
        hits = [
            ScoredChunk(piece.chunk_id, piece.item_id, piece.path, piece.text, piece.stage_scores[self.leg])
            for piece in result.texts
            if self.leg in piece.stage_scores
        ]
        return sorted(hits, key=lambda hit: (-hit.score, hit.chunk_id))


class VectorIndex(_Index):
    """Index that ranks chunks by the cosine of their vectors with the question's."""

    leg = "vector"


class BM25Index(_Index):
    """Index that ranks chunks by their words."""

    leg = "lexical"


class IngestionService:
    """Service that adds texts to a corpus. Equal texts are added once; a text is indexed when the call returns."""

    def __init__(self, corpus: Corpus) -> None:
        self._corpus = corpus

    def ingest(self, text: str, **words: Any) -> tuple[Document, bool]:
        """Return the document, and true if it is new: equal text returns the existing one. `words`: as in
        `POST /ingest` (`title`, `tags`, `source`, `created_at`, `metadata`). Raises `UnfitInput`."""
        received = self._corpus.asker.ask(RECEIVE, ReceiveRequest(text=text, **words), Call())
        document = _document(self._corpus, self._corpus.show(received.item_id))
        return document, received.outcome in ("added", "changed")


class SearchService:
    """Hybrid search: α · vector + β · words, the scores of each list from its worst (0) to its best (1)."""

    def __init__(self, corpus: Corpus, *, alpha: float = 0.5, beta: float = 0.5, recipe: str | None = None) -> None:
        self._corpus, self._recipe = corpus, recipe
        self._weights = {VectorIndex.leg: alpha, BM25Index.leg: beta}

    def search(
        self,
        query: str,
        mode: Literal["hybrid", "vector", "lexical"] = "hybrid",
        k: int = 10,
        filters: Filters | None = None,
    ) -> list[ScoredChunk]:
        """Return the best `k` chunks, scores 0 to 1. `hybrid` over a recipe without vectors goes by words alone."""
        built = recipes.find(self._corpus.asker.corpus, self._recipe).build.legs
        legs = [index for index in (VectorIndex, BM25Index) if index.leg in built] if mode == "hybrid" else []
        legs = legs or [VectorIndex if mode == "vector" else BM25Index]
        total = sum(self._weights[index.leg] for index in legs) or 1.0
        chunks: dict[str, ScoredChunk] = {}
        scores: dict[str, float] = {}
        for index in legs:
            for hit in _normalised(index(self._corpus, self._recipe).search(query, _CANDIDATES * k, filters)):
                chunks.setdefault(hit.chunk_id, hit)
                share = self._weights[index.leg] / total * hit.score
                scores[hit.chunk_id] = scores.get(hit.chunk_id, 0.0) + share
        best = sorted(chunks.values(), key=lambda hit: (-scores[hit.chunk_id], hit.chunk_id))[:k]
        return [hit._replace(score=round(scores[hit.chunk_id], 6)) for hit in best]


class PersonaRuntime:
    """Service that answers as a persona of a corpus."""

    def __init__(self, corpus: Corpus, persona: str) -> None:
        self._corpus, self._persona = corpus, persona

    def answer(self, question: str, **options: Any) -> PersonaAnswer:
        """Return the persona's answer; `options` as in `Corpus.answer_as`."""
        answer: PersonaAnswer = self._corpus.answer_as(self._persona, question, **options)
        return answer


def _document(corpus: Corpus, item: Item) -> Document:
    return Document(
        item.item_id,
        corpus.asker.corpus.config.corpus_id,
        item.path,
        item.title or item.path,
        corpus.get(item.item_id).text if item.content_hash else "",
        item.content_hash,
        item.source.uri,
        item.tags,
        item.metadata,
    )


def _normalised(hits: Sequence[ScoredChunk]) -> list[ScoredChunk]:
    least, most = min((hit.score for hit in hits), default=0.0), max((hit.score for hit in hits), default=0.0)
    spread = most - least
    return [hit._replace(score=(hit.score - least) / spread if spread else 1.0) for hit in hits]
