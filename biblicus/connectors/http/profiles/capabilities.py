"""Profile `capabilities`: a node that offers corpora: queries by corpus, documents by content id, events."""

from __future__ import annotations

import hashlib
import logging
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import fields, replace
from functools import partial
from typing import Any

from starlette.requests import Request as HttpRequest
from starlette.responses import Response

from biblicus.answers.conversations import from_sources
from biblicus.bring.by_content import held_by
from biblicus.connectors.http import following
from biblicus.connectors.http.endpoints import Asked, Endpoint, Reply
from biblicus.connectors.http.profiles import Profile, room_for, to_tell
from biblicus.connectors.http.profiles.capability_words import (
    K_MAX,
    TEXTS,
    Chunk,
    ChunkMetadata,
    Chunks,
    CorpusInfo,
    CorpusInfos,
    Descriptor,
    Descriptors,
    Embeddings,
    EmbedTexts,
    Ingested,
    RagIngest,
    RagQuery,
)
from biblicus.connectors.http.surface import Followed
from biblicus.contracts import Call
from biblicus.corpus.events import reading as events
from biblicus.corpus.folder import CorpusFolder
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
from biblicus.models.evidence import Evidence, Result
from biblicus.models.fields import NoRequest
from biblicus.models.plain import made_of
from biblicus.models.requests.bring import ReceiveRequest
from biblicus.models.requests.query import Filters, QueryRequest
from biblicus.runs import embedders
from biblicus.service import places
from biblicus.service.askers.in_turn import InTurn
from biblicus.service.corpora import PERSONAL, Corpora
from biblicus.service.verbs import EVENTS, QUERY, RECEIVE, STATS, VERSION, adapter

QUERY_SECONDS, INGEST_SECONDS, EMBED_SECONDS = 10.0, 300.0, 60.0
INGESTED = "rag.document.ingested"

log = logging.getLogger("biblicus.http")


def _shaped(values: dict[str, Any]) -> dict[str, Any]:
    """Convert a body `{params, input}` to fields; a text in a filter becomes a list."""
    if "input" in values:
        params, inputs = values.pop("params", {}), values.pop("input")
        if not isinstance(params, dict) or not isinstance(inputs, dict):
            raise UsageError(
                "params and input must be JSON objects.", '{"params": {"corpus": …}, "input": {"query": …}}'
            )
        values = {**values, **params, **inputs}
    if isinstance(filter_values := values.get("filter"), dict):
        named = {"tag" if name == "tags" else name: value for name, value in filter_values.items()}
        several = {entry.name for entry in fields(Filters) if entry.default == ()}
        values["filter"] = {
            name: [value] if name in several and isinstance(value, str) else value for name, value in named.items()
        }
    return values


def _query(asked: Asked) -> Reply:
    began = time.perf_counter()
    words: RagQuery = asked.request
    filters = {entry.name: getattr(words.filter, entry.name) for entry in fields(Filters)}
    filters["tag"] = tuple(dict.fromkeys((*words.tags, *words.filter.tag)))
    request = QueryRequest(words.query, limit=words.k, max_tokens=room_for(words.k), max_per_source=words.k, **filters)
    corpora, forwarded = asked.service.corpora, False
    try:
        result = from_sources(partial(corpora.ask, words.corpus, QUERY))(request, asked.call)
    except CorpusUnknown as unknown:
        elsewhere = from_sources(partial(_elsewhere, words.corpus, unknown))
        result, forwarded = elsewhere(request, asked.call), True
    of_result = {"chunks": tuple(map(_chunk, result.texts)), "ms": _since(began), "forwarded": forwarded}
    chunks = made_of(Chunks, words, result, pending=to_tell(result.pending), **of_result)
    return Reply(chunks, result.index_version)


def _elsewhere(corpus: str, unknown: CorpusUnknown, request: QueryRequest, call: Call) -> Result:
    """Query a remote place of the user that has the corpus. Raises `unknown` if there is none, `PlaceDown`."""
    try:
        targets = [] if corpus == PERSONAL else places.targets(f"{places.SCHEME}{corpus}", None)
    except CorpusUnknown:
        targets = []
    others = [place for place in targets if place.kind == "remote"]
    if not others:
        raise unknown
    return InTurn(others, lambda passed: log.warning("%s", passed)).ask(QUERY, request, call)


def _chunk(piece: Evidence) -> Chunk:
    index = piece.chunk_id.rpartition(":")[2]
    doc_cid, chunk_index = _cid(piece.item_sha256), int(index) if index.isdecimal() else None
    metadata = made_of(ChunkMetadata, piece, doc_cid=doc_cid, doc_title=piece.title, chunk_index=chunk_index)
    return made_of(Chunk, piece, doc_cid=doc_cid, metadata=metadata)


def _since(began: float) -> float:
    return round(1000 * (time.perf_counter() - began), 3)


def _cid(sha256: str) -> str:
    return f"sha256:{sha256}"


def _ingest(asked: Asked) -> Reply:
    began = time.perf_counter()
    words: RagIngest = asked.request
    corpora, call = asked.service.corpora, asked.call
    name = corpora.meant(words.corpus, guest=call.guest, verb=RECEIVE)
    document = _sent(words) if words.content_base64 is not None else _known(corpora, words, call)
    cid = _cid(hashlib.sha256(document.data).hexdigest())
    if words.doc_cid not in (None, cid):
        raise UsageError(f"The bytes are {cid}, not {words.doc_cid}.")
    received = corpora.ask(name, RECEIVE, document, call)
    place = corpora.asker(name, call).corpus
    event = received.event_id or _first_event(place, received.item_id)
    ingested = Ingested(
        tokens_indexed=received.tokens or 0,
        chunks_indexed=received.chunks or 0,
        ingest_event_id=event,
        doc_cid=cid,
        ms=_since(began),
    )
    return Reply(ingested, received.index_version)


def _sent(words: RagIngest) -> ReceiveRequest:
    """Return the request for a document given as bytes; other bytes are another document, even with equal text."""
    assert words.content_base64 is not None
    metadata = {**words.metadata, **({"language": words.language} if words.language else {})}
    named = {name: getattr(words, name) for name in ("content_base64", "filename", "title", "tags")}
    return ReceiveRequest(**named, metadata=metadata, same="bytes")


def _known(corpora: Corpora, words: RagIngest, call: Call) -> ReceiveRequest:
    """Return the request for a document given by content id, from any corpus here. Raises `NotFound`."""
    assert words.doc_cid is not None
    for name in corpora.names(guest=call.guest):
        document = held_by(corpora.asker(name, call).corpus, words.doc_cid.removeprefix("sha256:"))
        if document is not None:
            title, tags = words.title or document.item.title, words.tags or document.item.tags
            named = words.filename or document.name
            return _sent(replace(words, content_base64=document.base64, filename=named, title=title, tags=tags))
    raise NotFound(f"No corpus here holds {words.doc_cid}.", "the same with content_base64")


def _first_event(place: Any, item_id: str) -> str | None:
    event = events.of_item(place, item_id, None)
    return event.cursor if event else None


def _embed(asked: Asked) -> Reply:
    began = time.perf_counter()
    words: EmbedTexts = asked.request
    corpora = asked.service.corpora
    embedder = embedders.find(corpora.owners(corpora.names()[0]).corpus, words.model)
    if words.purpose == "question":
        vectors = [embedder.question(text, asked.call) for text in words.texts]
    else:
        vectors = list(embedder.embed(words.texts, asked.call))
    embeddings = tuple(tuple(map(float, vector)) for vector in vectors)
    own = {"embeddings": embeddings, "dimensions": len(vectors[0]), "tokens": sum(embedder.count(words.texts))}
    return Reply(made_of(Embeddings, embedder, model=words.model, ms=_since(began), **own))


def _list_corpora(asked: Asked) -> Reply:
    corpora, call = asked.service.corpora, asked.call
    infos = []
    for name in corpora.names(guest=call.guest):
        try:
            infos.append(_info(corpora, name, call))
        except BiblicusError as error:  # offer the other corpora
            log.warning("the corpus %s is not offered: %s", name, error.message)
    return Reply(CorpusInfos(corpora=tuple(infos)))


def _info(corpora: Corpora, name: str, call: Call) -> CorpusInfo:
    stats = corpora.ask(name, STATS, NoRequest(), call)
    language_counts = {language: count for language, count in stats.languages.items() if language}
    return CorpusInfo(
        corpus=name,
        documents=stats.items,
        size_bytes=stats.bytes,
        language_majority=max(language_counts, key=lambda each: (language_counts[each], each), default=None),
        embedding_model=corpora.embedding_model(name),
        index_version=corpora.version_of(name, call),
        writable=corpora.may_change(name),
    )


def _describe(asked: Asked) -> Reply:
    corpora, limits = asked.service.corpora, asked.service.limits
    names = corpora.names(guest=asked.call.guest)

    def query(name: str) -> Descriptor:
        params = {"corpus": name, "corpora_available": list(names), "embedding_model": corpora.embedding_model(name)}
        return _descriptor("rag.query", {**params, "k_max": K_MAX}, limits.workers)

    writable = [name for name in names if corpora.may_change(name)]
    others = [
        _descriptor("rag.ingest", {"corpora": writable, "corpora_available": writable}, limits.writers),
        _descriptor("rag.list_corpora", {}, limits.workers),
    ]
    if models := _models(corpora.owners(names[0]).corpus):
        others.append(_descriptor("embed.text", {"models": models, "texts_max": TEXTS}, limits.workers))
    return Reply(Descriptors(capabilities=(*map(query, names), *others)))


def _models(place: CorpusFolder) -> list[Mapping[str, Any]]:
    models: list[Mapping[str, Any]] = []
    for name in embedders.BUILT_IN:
        with suppress(BiblicusError):
            embedder = embedders.find(place, name)
            models.append({"name": name, "fingerprint": embedder.fingerprint, "max_tokens": embedder.max_tokens})
    return models


def _descriptor(name: str, params: Mapping[str, Any], at_once: int) -> Descriptor:
    endpoint = next(candidate for candidate in _ENDPOINTS if candidate.path == f"/{name}")
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
    return await following.stream(request, asked, words, _shown)


def _shown(corpus: str, event: Event) -> tuple[str, Mapping[str, Any]] | None:
    if event.event not in ("item.ingested", "item.changed") or event.sha256 is None:
        return None
    announced = {"event_id": event.cursor, "corpus": corpus, "doc_cid": _cid(event.sha256), "at": event.at}
    return INGESTED, {**announced, "item_id": event.item_id, "path": event.path}


def _refused(error: BiblicusError) -> BiblicusError:
    """Convert a missing model to an unreachable one, so that other nodes try elsewhere."""
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
             work=_query, reply=Chunks, shaped=_shaped, **_QUERY),
    Endpoint("rag_ingest", "POST", "/rag.ingest", "Take in a document by its content id, or its bytes.", scope="ingest",
             verb=RECEIVE, request=RagIngest, work=_ingest, reply=Ingested, shaped=_shaped, **_INGEST),
    Endpoint("rag_list_corpora", "POST", "/rag.list_corpora", "The corpora that are offered here.", verb=VERSION,
             request=NoRequest, work=_list_corpora, reply=CorpusInfos, **_QUERY),
    Endpoint("embed_text", "POST", "/embed.text", "Vectors of texts by a model of this node.", verb=VERSION,
             request=EmbedTexts, work=_embed, reply=Embeddings, body="json", seconds=EMBED_SECONDS, refuses=_refused),
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
    """Return the profile; `personal` is never offered, and `embed.text` is no tool."""
    tools = {"rag.query": "rag_query", "rag.ingest": "rag_ingest", "rag.list_corpora": "rag_list_corpora"}
    also = {of: name for name, of in tools.items()}
    return Profile("capabilities", _ENDPOINTS, tools, also, hidden=frozenset({PERSONAL}))
