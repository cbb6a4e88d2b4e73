"""The service's capabilities for agents and brokers, with schemas, limits and trust."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, get_args

from biblicus.connectors.http.endpoints import Asked, Reply
from biblicus.connectors.http.problems import Category
from biblicus.models.fields import NoRequest
from biblicus.models.requests.query import LIMIT
from biblicus.service.corpora import ServedCorpora
from biblicus.service.verbs import QUERY, RECEIVE, adapter

Trust = Literal["member", "trusted"]


@dataclass(frozen=True)
class Capability:
    """An operation. `trust`: `member` reads, `trusted` ingests. `request`, `response`: JSON Schemas."""

    capability: str
    method: Literal["GET", "POST"]
    path: str
    trust: Trust
    max_concurrent: int
    timeout_seconds: float
    params: Mapping[str, Any]
    request: Mapping[str, Any]
    response: Mapping[str, Any]
    idempotent: bool = True
    errors: tuple[Category, ...] = tuple(word for word in get_args(Category) if word != "internal")


@dataclass(frozen=True)
class Capabilities:
    """The capabilities of the service."""

    capabilities: tuple[Capability, ...]


def capabilities(asked: Asked) -> Reply:
    """Return the capabilities for the corpora that the client may see."""
    corpora, limits = asked.service.corpora, asked.service.limits
    names = corpora.names(guest=asked.call.guest)
    reading: tuple[Trust, int, float] = ("member", limits.workers, limits.seconds)
    writing: tuple[Trust, int, float] = ("trusted", limits.writers, limits.writing_seconds)
    queries = []
    for name in names:
        params = {"corpus": name, "embedding_model": corpora.embedding_model(name), "k_max": LIMIT}
        schemas = _schemas(QUERY.request, QUERY.reply)
        queries.append(Capability("rag.query@1.0", "POST", f"/query?corpus={name}", *reading, params, *schemas))
    writable = {"corpora": [name for name in names if corpora.may_change(name)]}
    schemas = _schemas(RECEIVE.request, RECEIVE.reply)
    ingest = Capability("rag.ingest@1.0", "POST", "/ingest", *writing, writable, *schemas)
    schemas = _schemas(NoRequest, ServedCorpora)
    listed = Capability("rag.list_corpora@1.0", "GET", "/corpora", *reading, {}, *schemas)
    return Reply(Capabilities((*queries, ingest, listed)))


def _schemas(request: Any, reply: Any) -> tuple[Mapping[str, Any], Mapping[str, Any]]:
    return adapter(request).json_schema(), adapter(reply).json_schema(mode="serialization")
