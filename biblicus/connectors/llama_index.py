"""Retriever for LlamaIndex. Needs the extra `[llama-index]`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from biblicus.connectors.retrieving import Places, filters_from, metadata_of, request_of
from biblicus.errors import ExtraMissing, UsageError
from biblicus.models.evidence import Evidence

try:
    from llama_index.core.base.base_retriever import BaseRetriever
    from llama_index.core.schema import NodeRelationship, NodeWithScore, QueryBundle, RelatedNodeInfo, TextNode
    from llama_index.core.vector_stores.types import FilterCondition, MetadataFilter, MetadataFilters
except ImportError as error:
    raise ExtraMissing("The retriever for LlamaIndex", "llama-index") from error

_FOR_MODELS = ("path", "line_start", "line_end", "page", "heading", "title")
"""Metadata keys shown to a language model; programs get all."""


class BiblicusRetriever(BaseRetriever):
    """Retriever that returns evidence as nodes.

    A node has the exact text with its offsets in the item, which is its source; the chunk's id; and all other fields as
    metadata, so that text and metadata together can be verified. `corpus`, `similarity_top_k`, `filters` (a mapping as
    in a query, or `MetadataFilters` that must all hold) and `options` as in `biblicus.connectors.langchain`. Scores are
    the engine's own; for several corpora, whose scores are not comparable, 1/1, 1/2, 1/3 and so on."""

    def __init__(
        self,
        corpus: Any = ".",
        *,
        similarity_top_k: int = 10,
        filters: MetadataFilters | Mapping[str, Any] | None = None,
        options: Mapping[str, Any] | None = None,
        **named: Any,
    ) -> None:
        self._k, self._filters, self._options = similarity_top_k, _filters(filters), dict(options or {})
        request_of("a", self._k, self._filters, self._options)
        self._places = Places(corpus)
        super().__init__(**named)

    def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        return self._nodes(self._places.evidence(query_bundle.query_str, self._k, self._filters, self._options))

    async def _aretrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        asked = query_bundle.query_str, self._k, self._filters, self._options
        return self._nodes(await self._places.evidence_async(*asked))

    def _nodes(self, pieces: list[Evidence]) -> list[NodeWithScore]:
        several = self._places.are_several
        return [
            NodeWithScore(node=_node(piece), score=1 / place if several else piece.score)
            for place, piece in enumerate(pieces, 1)
        ]


def _node(piece: Evidence) -> TextNode:
    metadata = metadata_of(piece)
    hidden = [name for name in metadata if name not in _FOR_MODELS]
    source = RelatedNodeInfo(node_id=piece.item_id, hash=piece.item_sha256)
    return TextNode(
        id_=piece.chunk_id,
        text=piece.text,
        metadata=metadata,
        start_char_idx=piece.span_start,
        end_char_idx=piece.span_end,
        excluded_llm_metadata_keys=hidden,
        excluded_embed_metadata_keys=hidden,
        relationships={NodeRelationship.SOURCE: source},
    )


def _filters(filters: MetadataFilters | Mapping[str, Any] | None) -> dict[str, Any]:
    if filters is None or isinstance(filters, Mapping):
        return dict(filters or {})
    if filters.condition not in (None, FilterCondition.AND):
        raise UsageError("Filters of a corpus must all hold.", "FilterCondition.AND")
    conditions = []
    for condition in filters.filters:
        if not isinstance(condition, MetadataFilter):
            raise UsageError("Filters of a corpus stand in one list.", "MetadataFilters(filters=[…])")
        conditions.append((condition.key, str(condition.operator.value), condition.value))
    return filters_from(conditions)
