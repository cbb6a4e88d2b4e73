"""Retriever for LangChain. Needs the extra `[langchain]`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from biblicus.connectors.retrieving import Places, metadata_of, request_of
from biblicus.errors import ExtraMissing
from biblicus.models.evidence import Evidence

try:
    from langchain_core.callbacks import AsyncCallbackManagerForRetrieverRun, CallbackManagerForRetrieverRun
    from langchain_core.documents import Document
    from langchain_core.retrievers import BaseRetriever
    from pydantic import ConfigDict, Field, PrivateAttr
except ImportError as error:
    raise ExtraMissing("The retriever for LangChain", "langchain") from error


class BiblicusRetriever(BaseRetriever):
    """Retriever that returns evidence as documents.

    `page_content` is the exact text, `id` the chunk's, `metadata` all other fields, so that text and metadata together
    can be verified. `corpus`: a path, `corpus://NAME`, the address of a service, an open `Corpus`, or a list of these.
    `k`: maximum number of documents. `filters`: as in a query (`tag`, `path`, `doctype`, `where`, …). `options`: other
    parameters of a query (`recipe`, `run`, `max_tokens`, `max_per_source`, `threshold`, …). `invoke` accepts `k`,
    `filters` and `options`, too."""

    model_config = ConfigDict(arbitrary_types_allowed=True, extra="forbid")

    corpus: Any = "."
    k: int = Field(default=10, ge=1)
    filters: dict[str, Any] = Field(default_factory=dict)
    options: dict[str, Any] = Field(default_factory=dict)
    _places: Places = PrivateAttr()

    def model_post_init(self, context: Any) -> None:
        """Open the corpora. Raises `BiblicusError` for a missing corpus or an invalid filter or option."""
        super().model_post_init(context)
        request_of("a", self.k, self.filters, self.options)
        self._places = Places(self.corpus)

    def _get_relevant_documents(
        self,
        query: str,
        *,
        run_manager: CallbackManagerForRetrieverRun,
        k: int | None = None,
        filters: Mapping[str, Any] | None = None,
        options: Mapping[str, Any] | None = None,
    ) -> list[Document]:
        return [_document(piece) for piece in self._places.evidence(query, *self._asked(k, filters, options))]

    async def _aget_relevant_documents(
        self,
        query: str,
        *,
        run_manager: AsyncCallbackManagerForRetrieverRun,
        k: int | None = None,
        filters: Mapping[str, Any] | None = None,
        options: Mapping[str, Any] | None = None,
    ) -> list[Document]:
        pieces = await self._places.evidence_async(query, *self._asked(k, filters, options))
        return [_document(piece) for piece in pieces]

    def _asked(
        self, k: int | None, filters: Mapping[str, Any] | None, options: Mapping[str, Any] | None
    ) -> tuple[int, Mapping[str, Any], Mapping[str, Any]]:
        return (
            self.k if k is None else k,
            self.filters if filters is None else filters,
            self.options if options is None else options,
        )


def _document(piece: Evidence) -> Document:
    return Document(page_content=piece.text, id=piece.chunk_id, metadata=metadata_of(piece))
