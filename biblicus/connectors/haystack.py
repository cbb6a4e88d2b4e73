"""Retriever for Haystack. Needs the extra `[haystack]`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from biblicus.connectors.retrieving import Places, filters_from, metadata_of, request_of
from biblicus.errors import ExtraMissing, UsageError
from biblicus.models.evidence import Evidence

try:
    from haystack import Document, component, default_from_dict, default_to_dict
except ImportError as error:
    raise ExtraMissing("The retriever for Haystack", "haystack") from error


@component
class BiblicusRetriever:
    """Retriever that returns evidence as documents.

    `content` is the exact text, `id` the chunk's, `meta` all other fields, so that text and metadata together can be
    verified. `corpus`: a path, `corpus://NAME`, the address of a service, or a list of these, which a pipeline's YAML
    can contain. `filters`: in Haystack's form (conditions that must all hold), or as in a query. `options`: as in
    `biblicus.connectors.langchain`. Scores are the engine's own; for several corpora, whose scores are not comparable,
    1/1, 1/2, 1/3 and so on."""

    def __init__(
        self,
        corpus: str | list[str] = ".",
        top_k: int = 10,
        filters: dict[str, Any] | None = None,
        options: dict[str, Any] | None = None,
    ) -> None:
        self.corpus, self.top_k, self.filters, self.options = corpus, top_k, filters, options
        request_of("a", top_k, _filters(filters), options or {})
        self._places: Places | None = None

    def warm_up(self) -> None:
        """Open the corpora before a pipeline runs, so that the pipeline can be loaded elsewhere."""
        self._opened()

    def to_dict(self) -> dict[str, Any]:
        """Return the component as a dictionary."""
        made: dict[str, Any] = default_to_dict(
            self, corpus=self.corpus, top_k=self.top_k, filters=self.filters, options=self.options
        )
        return made

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> BiblicusRetriever:
        """Create the component from its dictionary."""
        made: BiblicusRetriever = default_from_dict(cls, data)
        return made

    @component.output_types(documents=list[Document])
    def run(
        self, query: str, filters: dict[str, Any] | None = None, top_k: int | None = None
    ) -> dict[str, list[Document]]:
        """Return the documents for a question. Arguments override the component's own."""
        return self._documents(self._opened().evidence(query, *self._asked(filters, top_k)))

    @component.output_types(documents=list[Document])
    async def run_async(
        self, query: str, filters: dict[str, Any] | None = None, top_k: int | None = None
    ) -> dict[str, list[Document]]:
        """Like `run`, for an event loop."""
        return self._documents(await self._opened().evidence_async(query, *self._asked(filters, top_k)))

    def _opened(self) -> Places:
        if self._places is None:
            self._places = Places(self.corpus)
        return self._places

    def _asked(
        self, filters: dict[str, Any] | None, top_k: int | None
    ) -> tuple[int, Mapping[str, Any], Mapping[str, Any]]:
        filters = self.filters if filters is None else filters
        return self.top_k if top_k is None else top_k, _filters(filters), self.options or {}

    def _documents(self, pieces: list[Evidence]) -> dict[str, list[Document]]:
        several = self._opened().are_several
        scores = [1 / place if several else piece.score for place, piece in enumerate(pieces, 1)]
        documents = [
            Document(id=piece.chunk_id, content=piece.text, meta=metadata_of(piece), score=score)
            for piece, score in zip(pieces, scores, strict=True)
        ]
        return {"documents": documents}


def _filters(filters: Mapping[str, Any] | None) -> dict[str, Any]:
    """Convert filters of Haystack's form to those of a query."""
    if filters is None or not ("operator" in filters or "conditions" in filters):
        return dict(filters or {})
    return filters_from(list(_conditions(filters)))


def _conditions(filters: Mapping[str, Any]) -> list[tuple[str, str, Any]]:
    if "field" in filters:
        return [(str(filters["field"]), str(filters.get("operator", "==")), filters.get("value"))]
    if filters.get("operator") != "AND":
        raise UsageError(f"Filters of a corpus must all hold, not {filters.get('operator')}.", '"operator": "AND"')
    return [condition for inner in filters.get("conditions", ()) for condition in _conditions(inner)]
