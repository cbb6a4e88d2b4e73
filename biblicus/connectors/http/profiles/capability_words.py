"""Requests and replies of the profile `capabilities`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal

from biblicus.errors import UsageError
from biblicus.models.evidence import Pending
from biblicus.models.fields import Request, doc, option, term, terms
from biblicus.models.plain import LEFT_OUT
from biblicus.models.requests.query import QUESTION, Filters
from biblicus.runs import embedders

K_MAX = 100
TEXTS = 64
"""Maximum number of texts to embed at a time."""
_NAME = r"^[a-z0-9-]{1,64}$"
_CID = r"^sha256:[0-9a-f]{64}$"
_CORPUS = doc("The corpus, by its name.", pattern=_NAME)


class RagQuery(Request):
    """Query one corpus."""

    corpus: str = field(metadata=_CORPUS)
    query: str = field(metadata=doc("The question.", max_length=QUESTION, schema={"pattern": r"\S"}))
    k: int = option(8, "At most so many chunks.", ge=1, le=K_MAX)
    tags: tuple[str, ...] = option((), terms("Only documents with all of these tags."))
    filter: Filters = field(default_factory=Filters, metadata=doc("Only documents that fit all of it."))


@dataclass(frozen=True, kw_only=True)
class ChunkMetadata:
    """Origin of a chunk. `chunk_index`: its position in the document, from 0."""

    doc_cid: str
    doc_title: str | None
    page: int | None
    chunk_index: int | None
    language: str | None


@dataclass(frozen=True, kw_only=True)
class Chunk:
    """Text of a document.

    `doc_cid`: content id of the whole document. `page`: from 1, if it has pages. `metadata` repeats fields under the
    family's names."""

    chunk_id: str
    doc_cid: str
    page: int | None
    text: str
    score: float
    title: str | None
    source_uri: str
    citation_url: str | None
    metadata: ChunkMetadata


@dataclass(frozen=True, kw_only=True)
class Chunks:
    """The best chunks.

    `insufficient`: they hardly answer. `forwarded`: another node with the corpus answered. `pending`: changed files
    since the run. `ms`: duration."""

    corpus: str
    chunks: tuple[Chunk, ...]
    insufficient: bool
    index_version: str
    ms: float
    forwarded: bool = False
    pending: Pending | None = field(default=None, metadata=LEFT_OUT)


class RagIngest(Request):
    """A document by a content id of a corpus here, or as bytes; with both, the bytes must match."""

    __pydantic_config__: ClassVar[Mapping[str, Any]] = {
        **Request.__pydantic_config__,
        "json_schema_extra": {
            "anyOf": [
                {"type": "object", "required": [name], "properties": {name: {"type": "string"}}}
                for name in ("doc_cid", "content_base64")
            ]
        },
    }

    corpus: str = field(metadata=_CORPUS)
    doc_cid: str | None = option(None, "The content id: sha256: and 64 hex digits.", pattern=_CID)
    content_base64: str | None = option(None, "The document's bytes in base64.")
    filename: str | None = option(None, term("Its extension tells the format.", min_length=1))
    title: str | None = option(None, "Its title.", min_length=1, max_length=300)
    tags: tuple[str, ...] = option((), terms("Its tags."))
    language: str | None = option(None, "Its language: en, de, ….", pattern="^[a-zA-Z-]{2,20}$")
    metadata: Mapping[str, str] = option({}, "Its metadata: names to texts.")

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.doc_cid is None and self.content_base64 is None:
            raise UsageError("Give doc_cid or content_base64.")


@dataclass(frozen=True, kw_only=True)
class Ingested:
    """Counts of an ingested document; if unchanged, those of the first time.

    `tokens_indexed` is an estimate. `ingest_event_id`: cursor to follow events; null if the log no longer has it. `ms`:
    duration."""

    tokens_indexed: int
    chunks_indexed: int
    ingest_event_id: str | None
    doc_cid: str
    ms: float


class EmbedTexts(Request):
    """Texts to embed with a model of this node."""

    model: str = field(metadata=doc("The model, by its name here.", choices=embedders.BUILT_IN))
    texts: tuple[str, ...] = field(metadata=doc("The texts.", each=100_000, min_length=1, max_length=TEXTS))
    purpose: Literal["text", "question"] = option(
        "text", "What they are; some models read questions otherwise.", choices=("text", "question")
    )


@dataclass(frozen=True, kw_only=True)
class Embeddings:
    """A vector for each text, in order, L2-normalised. `fingerprint`: of the model; do not compare vectors of different
    models. `tokens`: of all texts."""

    model: str
    fingerprint: str
    dimensions: int
    embeddings: tuple[tuple[float, ...], ...]
    tokens: int
    ms: float


@dataclass(frozen=True, kw_only=True)
class CorpusInfo:
    """An offered corpus. `language_majority`: of its items; null if unknown."""

    corpus: str
    documents: int
    size_bytes: int
    language_majority: str | None
    embedding_model: str | None
    index_version: str | None
    writable: bool


@dataclass(frozen=True, kw_only=True)
class CorpusInfos:
    """The corpora of this node."""

    corpora: tuple[CorpusInfo, ...]


@dataclass(frozen=True, kw_only=True)
class Descriptor:
    """A capability in the form for brokers."""

    name: str
    version: tuple[int, int] = (1, 0)
    stability: Literal["stable"] = "stable"
    request_schema: Mapping[str, Any]
    response_schema: Mapping[str, Any]
    stream_schema: Mapping[str, Any] | None = None
    params: Mapping[str, Any]
    max_concurrent: int
    trust_required: Literal["member", "trusted"]
    timeout_seconds: float
    idempotent: bool = True


@dataclass(frozen=True, kw_only=True)
class Descriptors:
    """Every capability. Each is called by a POST to its name."""

    capabilities: tuple[Descriptor, ...]
