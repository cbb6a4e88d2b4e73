"""`capabilities`: a node that offers corpora to others: queries by corpus, documents by content id, events."""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, ClassVar, Literal

from starlette.requests import Request as HttpRequest
from starlette.responses import Response

from biblicus.answers.conversations import from_sources
from biblicus.bring.by_content import held_by
from biblicus.connectors.http import following
from biblicus.connectors.http.endpoints import Asked, Endpoint, Reply
from biblicus.connectors.http.profiles import Profile, room_for, to_tell
from biblicus.connectors.http.surface import Followed
from biblicus.contracts import Call
from biblicus.corpus.events import reading as events
from biblicus.errors import (
    BiblicusError,
    CorpusUnknown,
    EmbedderUnavailable,
    ExtraMissing,
    NotFound,
    UnknownModel,
    UsageError,
)
from biblicus.models.event import Event
from biblicus.models.evidence import Evidence, Pending, Result
from biblicus.models.fields import NoRequest, Request, doc, term, terms
from biblicus.models.plain import LEFT_OUT
from biblicus.models.requests.bring import ReceiveRequest
from biblicus.models.requests.query import QUESTION, QueryRequest
from biblicus.service import places
from biblicus.service.askers.in_turn import InTurn
from biblicus.service.corpora import PERSONAL, SYSTEM, Corpora
from biblicus.service.verbs import EVENTS, QUERY, RECEIVE, STATS, VERSION, adapter

K_MAX = 100
QUERY_SECONDS, INGEST_SECONDS = 10.0, 300.0
INGESTED = "rag.document.ingested"
_NAME = r"^[a-z0-9-]{1,64}$"
_CID = r"^sha256:[0-9a-f]{64}$"
_CORPUS = doc("The corpus, by its name.", pattern=_NAME)

log = logging.getLogger("biblicus.http")


@dataclass(frozen=True, kw_only=True)
class RagQuery(Request):
    """A question to one corpus."""

    corpus: str = field(metadata=_CORPUS)
    query: str = field(metadata=doc("The question.", max_length=QUESTION, schema={"pattern": r"\S"}))
    k: int = field(default=8, metadata=doc("At most so many chunks.", ge=1, le=K_MAX))
    tags: tuple[str, ...] = field(default=(), metadata=terms("Only documents with all of these tags."))


@dataclass(frozen=True, kw_only=True)
class Chunk:
    """Text of a document. `doc_cid`: the content id of the whole document. `page`: from 1, where it has pages."""

    chunk_id: str
    doc_cid: str
    page: int | None
    text: str
    score: float
    title: str | None
    source_uri: str
    citation_url: str | None


@dataclass(frozen=True, kw_only=True)
class Chunks:
    """The best chunks. `insufficient`: they hardly answer. `forwarded`: another node answered, which has the corpus.
    `pending`: files that changed since the run."""

    corpus: str
    chunks: tuple[Chunk, ...]
    insufficient: bool
    index_version: str
    forwarded: bool = False
    pending: Pending | None = field(default=None, metadata=LEFT_OUT)


@dataclass(frozen=True, kw_only=True)
class RagIngest(Request):
    """A document, by a content id that a corpus here holds, or as bytes; with both, the bytes must be that content."""

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
    doc_cid: str | None = field(default=None, metadata=doc("The content id: sha256: and 64 hex digits.", pattern=_CID))
    content_base64: str | None = field(default=None, metadata=doc("The document's bytes in base64."))
    filename: str | None = field(default=None, metadata=term("Its extension tells the format.", min_length=1))
    title: str | None = field(default=None, metadata=doc("Its title.", min_length=1, max_length=300))
    tags: tuple[str, ...] = field(default=(), metadata=terms("Its tags."))

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.doc_cid is None and self.content_base64 is None:
            raise UsageError("Give doc_cid or content_base64.")


@dataclass(frozen=True, kw_only=True)
class Ingested:
    """What the document came to; the same again is what it came to then. `tokens_indexed` is an estimate.
    `ingest_event_id`: where to follow events from; null where the log does not go back that far."""

    tokens_indexed: int
    chunks_indexed: int
    ingest_event_id: str | None
    doc_cid: str


@dataclass(frozen=True, kw_only=True)
class CorpusInfo:
    """A corpus that is offered. `language_majority`: of its items; null where none is known."""

    corpus: str
    documents: int
    size_bytes: int
    language_majority: str | None
    embedding_model: str | None
    index_version: str | None
    writable: bool


@dataclass(frozen=True, kw_only=True)
class CorpusInfos:
    """What is offered here."""

    corpora: tuple[CorpusInfo, ...]


@dataclass(frozen=True, kw_only=True)
class Descriptor:
    """A capability, as brokers register it."""

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


def _query(asked: Asked) -> Reply:
    words: RagQuery = asked.request
    request = QueryRequest(
        words.query, limit=words.k, tag=words.tags, max_tokens=room_for(words.k), max_per_source=words.k
    )
    corpora, forwarded = asked.service.corpora, False
    try:
        result = from_sources(partial(corpora.ask, words.corpus, QUERY))(request, asked.call)
    except CorpusUnknown as unknown:
        elsewhere = from_sources(partial(_elsewhere, words.corpus, unknown))
        result, forwarded = elsewhere(request, asked.call), True
    return Reply(
        Chunks(
            corpus=words.corpus,
            chunks=tuple(_chunk(piece) for piece in result.texts),
            insufficient=result.insufficient,
            index_version=result.index_version,
            forwarded=forwarded,
            pending=to_tell(result.pending),
        ),
        result.index_version,
    )


def _elsewhere(corpus: str, unknown: CorpusUnknown, request: QueryRequest, call: Call) -> Result:
    """From a place of this node's user that has the corpus. Raises `unknown` where none does, `PlaceDown`."""
    try:
        known = [] if corpus == PERSONAL else places.targets(f"{places.SCHEME}{corpus}", None)
    except CorpusUnknown:
        known = []
    others = [place for place in known if place.kind == "remote"]
    if not others:
        raise unknown
    return InTurn(others, lambda passed: log.warning("%s", passed)).ask(QUERY, request, call)


def _chunk(piece: Evidence) -> Chunk:
    return Chunk(
        chunk_id=piece.chunk_id,
        doc_cid=_cid(piece.item_sha256),
        page=piece.page,
        text=piece.text,
        score=piece.score,
        title=piece.title,
        source_uri=piece.source_uri,
        citation_url=piece.citation_url,
    )


def _cid(sha256: str) -> str:
    return f"sha256:{sha256}"


def _ingest(asked: Asked) -> Reply:
    words: RagIngest = asked.request
    corpora, call = asked.service.corpora, asked.call
    name = corpora.meant(words.corpus, guest=call.guest, verb=RECEIVE)
    document = _sent(words) if words.content_base64 is not None else _known(corpora, words, call)
    cid = _cid(hashlib.sha256(document.data).hexdigest())
    if words.doc_cid not in (None, cid):
        raise UsageError(f"The bytes are {cid}, not {words.doc_cid}.")
    received = corpora.ask(name, RECEIVE, document, call)
    place = corpora.asker(name, guest=call.guest).corpus
    event = received.event_id or _first_event(place, received.item_id)
    ingested = Ingested(
        tokens_indexed=received.tokens or 0, chunks_indexed=received.chunks or 0, ingest_event_id=event, doc_cid=cid
    )
    return Reply(ingested, received.index_version)


def _sent(words: RagIngest) -> ReceiveRequest:
    """A document by the bytes that came with it; other bytes are another document, whatever they read."""
    assert words.content_base64 is not None
    return ReceiveRequest(
        content_base64=words.content_base64,
        filename=words.filename,
        title=words.title,
        tags=words.tags,
        same="bytes",
    )


def _known(corpora: Corpora, words: RagIngest, call: Call) -> ReceiveRequest:
    """A document by its content id, from whichever corpus here holds it. Raises `NotFound`."""
    assert words.doc_cid is not None
    for name in corpora.names(guest=call.guest):
        held = held_by(corpora.asker(name, guest=call.guest).corpus, words.doc_cid.removeprefix("sha256:"))
        if held is not None:
            title, tags = words.title or held.item.title, words.tags or held.item.tags
            named = words.filename or held.name
            return _sent(replace(words, content_base64=held.base64, filename=named, title=title, tags=tags))
    raise NotFound(f"No corpus here holds {words.doc_cid}.", "the same with content_base64")


def _first_event(place: Any, item_id: str) -> str | None:
    event = events.of_item(place, item_id, None)
    return event.cursor if event else None


def _list_corpora(asked: Asked) -> Reply:
    corpora, call = asked.service.corpora, asked.call
    infos = []
    for name in corpora.names(guest=call.guest):
        try:
            infos.append(_info(corpora, name, call))
        except BiblicusError as error:  # the others are offered all the same
            log.warning("the corpus %s is not offered: %s", name, error.message)
    return Reply(CorpusInfos(corpora=tuple(infos)))


def _info(corpora: Corpora, name: str, call: Call) -> CorpusInfo:
    stats = corpora.ask(name, STATS, NoRequest(), call)
    known = {language: count for language, count in stats.languages.items() if language}
    return CorpusInfo(
        corpus=name,
        documents=stats.items,
        size_bytes=stats.bytes,
        language_majority=max(known, key=lambda language: (known[language], language)) if known else None,
        embedding_model=corpora.embedding_model(name),
        index_version=corpora.version_of(name, call),
        writable=name != SYSTEM,
    )


def _describe(asked: Asked) -> Reply:
    corpora, limits = asked.service.corpora, asked.service.limits
    names = corpora.names(guest=asked.call.guest)
    queries = tuple(
        _descriptor(
            "rag.query",
            {"corpus": name, "embedding_model": corpora.embedding_model(name), "k_max": K_MAX},
            limits.workers,
        )
        for name in names
    )
    writable = {"corpora": [name for name in names if name != SYSTEM]}
    others = (
        _descriptor("rag.ingest", writable, limits.writers),
        _descriptor("rag.list_corpora", {}, limits.workers),
    )
    return Reply(Descriptors(capabilities=(*queries, *others)))


def _descriptor(name: str, params: Mapping[str, Any], at_once: int) -> Descriptor:
    endpoint = next(one for one in _ENDPOINTS if one.path == f"/{name}")
    assert endpoint.seconds is not None
    return Descriptor(
        name=name,
        request_schema=adapter(endpoint.kind).json_schema(),
        response_schema=adapter(endpoint.reply).json_schema(mode="serialization"),
        params=params,
        max_concurrent=at_once,
        trust_required="trusted" if endpoint.scope == "ingest" else "member",
        timeout_seconds=endpoint.seconds,
    )


async def _events(request: HttpRequest, asked: Any, words: Any) -> Response:
    """Each document that was ingested, as it is; nothing else is of the family."""
    return await following.stream(request, asked, words, _shown)


def _shown(corpus: str, event: Event) -> tuple[str, Mapping[str, Any]] | None:
    if event.event not in ("item.ingested", "item.changed") or event.sha256 is None:
        return None
    announced = {"event_id": event.cursor, "corpus": corpus, "doc_cid": _cid(event.sha256), "at": event.at}
    return INGESTED, {**announced, "item_id": event.item_id, "path": event.path}


def _refused(error: BiblicusError) -> BiblicusError:
    """Who embeds is out of reach, for whatever reason: other nodes are to ask elsewhere."""
    if isinstance(error, UnknownModel | ExtraMissing):
        unreachable = EmbedderUnavailable("of this corpus", error.message.rstrip("."), error.hint)
        unreachable.__cause__ = error
        return unreachable
    return error


_QUERY: Mapping[str, Any] = {"body": "json", "seconds": QUERY_SECONDS, "refuses": _refused}
_INGEST: Mapping[str, Any] = {"body": "json", "seconds": INGEST_SECONDS, "refuses": _refused}
# fmt: off
_ENDPOINTS = (
    Endpoint("rag_query", "POST", "/rag.query", "Chunks of one corpus for a question.", verb=QUERY, request=RagQuery,
             work=_query, reply=Chunks, **_QUERY),
    Endpoint("rag_ingest", "POST", "/rag.ingest", "Take in a document by its content id, or its bytes.", scope="ingest",
             verb=RECEIVE, request=RagIngest, work=_ingest, reply=Ingested, **_INGEST),
    Endpoint("rag_list_corpora", "POST", "/rag.list_corpora", "The corpora that are offered here.", verb=VERSION,
             request=NoRequest, work=_list_corpora, reply=CorpusInfos, **_QUERY),
    Endpoint("capabilities", "GET", "/capabilities", "What this node offers, as brokers register it.", verb=VERSION,
             request=NoRequest, work=_describe, reply=Descriptors),
    Endpoint("events", "GET", "/events", "Documents as they are ingested: server-sent events, from any cursor on.",
             verb=EVENTS, words=Followed, respond=_events, without={"limit": "They come one by one."},
             headers={"last-event-id": "As `after`; sent by a client that comes back."},
             reply=following.EVENT, media_type="text/event-stream",
             statuses={200: f"`id` is the cursor, `event` is {INGESTED}, `data` the event as JSON."}),
)
# fmt: on


def profile() -> Profile:
    """The profile; `personal` is never offered, to nobody."""
    tools = {"rag.query": "rag_query", "rag.ingest": "rag_ingest", "rag.list_corpora": "rag_list_corpora"}
    also = {of: name for name, of in tools.items()}
    return Profile("capabilities", _ENDPOINTS, tools, also, hidden=frozenset({PERSONAL}))
