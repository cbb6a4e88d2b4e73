"""Profile `desk`: citations from repositories: search, exact lines, tree and weights, over HTTP and as tools."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any, Literal

from starlette.requests import Request as HttpRequest
from starlette.responses import Response

from biblicus.answers.answer import strength
from biblicus.connectors.http import status
from biblicus.connectors.http.endpoints import Asked, Endpoint, Reply
from biblicus.connectors.http.profiles import Profile, only_name, room_for, to_tell
from biblicus.connectors.http.surface import OneCorpus
from biblicus.corpus import registries
from biblicus.corpus.catalog import catalog_of
from biblicus.corpus.folder import CorpusFolder
from biblicus.errors import BiblicusError
from biblicus.models.evidence import Evidence, Pending
from biblicus.models.fields import NoRequest, Request, doc, option, term
from biblicus.models.item import Item
from biblicus.models.plain import LEFT_OUT, encoded, made_of
from biblicus.models.reading import Excerpt, FailedText
from biblicus.models.requests.bring import NAMESPACE, TTL_DAYS, WeightRequest
from biblicus.models.requests.items import BATCH, GetBatchRequest, GetRequest, TreeRequest
from biblicus.models.requests.query import QUESTION, QueryRequest
from biblicus.service.verbs import GET, GET_BATCH, QUERY, TREE, VERSION, WEIGHT

INSUFFICIENT = "Insufficient evidence"
DOCTYPES = ("paper", "readme", "notebook", "doc", "code")
_HITS = 100
_DOC_ID = "The document, by the id that a search gave, or by its path."


class SearchRequest(Request):
    """Search the documents of the toolkits. Hits cite lines; read them with retrieve."""

    query: str = field(metadata=doc("A question or keywords.", max_length=QUESTION, schema={"pattern": r"\S"}))
    limit: int = option(6, "At most so many hits.", ge=1, le=_HITS)
    toolkit: str | None = option(None, term("Only documents of this toolkit."))
    doctype: str | None = option(None, "Only of this kind.", choices=DOCTYPES)
    threshold: float = option(
        0.0,
        "How much of the question the best evidence must hold, 0 to 1; less is insufficient. 0: the recipe's own.",
        ge=0,
        le=1,
    )


class RetrieveRequest(Request):
    """Return exact lines of a document."""

    doc_id: str = field(metadata=term(_DOC_ID, min_length=1))
    start: int = field(metadata=doc("The first line, from 1.", ge=1))
    end: int = field(metadata=doc("The last line, included.", ge=1))


class RetrieveBatchRequest(Request):
    """Return exact lines of several documents, in order; a failed one is an error in its place."""

    requests: tuple[RetrieveRequest, ...] = field(metadata=doc("What to retrieve.", min_length=1, max_length=BATCH))


class EntriesRequest(Request):
    """List folders and documents below a folder."""

    prefix: str = option("", term("A folder; empty: all of it."))
    depth: int = option(2, "How many levels.", ge=1, le=100)
    max_entries: int = option(500, "At most so many entries.", ge=1, le=10_000)


class WeighRequest(Request):
    """Set the weight of a document, which multiplies its score."""

    doc_id: str = field(metadata=term(f"{_DOC_ID} Or a pattern of paths: docs/**.", min_length=1))
    multiplier: float = field(metadata=doc("What scores are multiplied by.", ge=0.1, le=10.0))
    namespace: str = option("global", NAMESPACE)
    ttl_days: float | None = option(None, TTL_DAYS)


@dataclass(frozen=True, kw_only=True)
class Cited:
    """Origin of a document.

    `github_url`: address pinned to the commit that was read. `default_branch`: followed by its source.
    `content_sha256`: of the whole document."""

    doc_id: str
    github_url: str | None
    default_branch: str | None
    toolkit: str | None
    doctype: str | None
    content_sha256: str
    index_version: str


@dataclass(frozen=True, kw_only=True)
class Hit(Cited):
    """A hit: lines `start` to `end` of a document, with a snippet."""

    rank: int
    score: float
    snippet: str
    path: str
    title: str | None
    heading: str | None
    start: int
    end: int


@dataclass(frozen=True, kw_only=True)
class Hits:
    """Hits of a search.

    `strength`: share (0 to 1) of the question that the best evidence covers. `message`: empty, or that the evidence is
    insufficient; below the requested threshold there are no hits. `pending`: changed files since the run."""

    hits: tuple[Hit, ...]
    insufficient: bool
    message: str
    strength: float
    index_version: str
    pending: Pending | None = field(default=None, metadata=LEFT_OUT)


@dataclass(frozen=True, kw_only=True)
class Passage:
    """Exact lines of a document. `content_sha256`: of the whole document, as in a hit."""

    doc_id: str
    start: int
    end: int
    text: str
    github_url: str | None
    content_sha256: str
    index_version: str | None


@dataclass(frozen=True)
class Passages:
    """Passages in the requested order."""

    results: tuple[Passage | FailedText, ...]


@dataclass(frozen=True, kw_only=True)
class Entry:
    """A folder or a document. `documents`: number below it."""

    path: str
    kind: Literal["folder", "item"]
    documents: int
    doc_id: str | None
    title: str | None


@dataclass(frozen=True, kw_only=True)
class Entries:
    """Folders and documents. `truncated`: there are more."""

    entries: tuple[Entry, ...]
    truncated: bool
    index_version: str | None


@dataclass(frozen=True, kw_only=True)
class Weighed:
    """The current weight."""

    doc_id: str
    multiplier: float
    namespace: str
    expires: str | None
    outcome: str


@dataclass(frozen=True, kw_only=True)
class Versions:
    """Version of the index, its build time, and a digest of the software."""

    index_version: str
    build_sha: str
    built_at: str


@dataclass(frozen=True, kw_only=True)
class Health:
    """Health of the service.

    `state`: ok if every corpus answers, degraded if some do or the indexes are not open yet; down if none does, and
    while the service stops."""

    state: Literal["ok", "degraded", "down"]
    corpora: int
    failed: int
    build_sha: str


def _search(asked: Asked) -> Reply:
    words: SearchRequest = asked.request
    corpora, name = asked.service.corpora, only_name(asked, asked.words.corpus)
    filters: dict[str, Any] = {"toolkit": words.toolkit or (), "doctype": words.doctype or ()}
    threshold = words.threshold or None
    room = room_for(words.limit)
    query = QueryRequest(words.query, limit=words.limit, max_tokens=room, threshold=threshold, **filters)
    result = corpora.ask(name, QUERY, query, asked.call)
    place = corpora.asker(name, asked.call).corpus
    pieces = () if threshold and result.insufficient else result.texts
    hits = tuple(_hit(place, piece, result.index_version) for piece in pieces)
    own = {"message": INSUFFICIENT if result.insufficient else "", "pending": to_tell(result.pending)}
    return Reply(made_of(Hits, result, hits=hits, strength=strength(result), **own), result.index_version)


def _hit(place: CorpusFolder, piece: Evidence, index_version: str) -> Hit:
    item, branch = catalog_of(place).items.get(piece.path), _branch(place, piece.path)
    own = {"default_branch": branch, "toolkit": _toolkit(item), "index_version": index_version}
    return made_of(Hit, piece, **own, **_named(piece))


def _named(text: Evidence | Excerpt) -> dict[str, Any]:
    """Return the fields that the family calls otherwise."""
    return {
        "doc_id": text.item_id,
        "github_url": text.citation_url,
        "content_sha256": text.item_sha256,
        "start": text.line_start,
        "end": text.line_end,
    }


def _toolkit(item: Item | None) -> str | None:
    value = item.metadata.get("toolkit") if item is not None else None
    return ", ".join(map(str, value)) if isinstance(value, list | tuple) else value and str(value)


def _branch(place: CorpusFolder, path: str) -> str | None:
    """Return the branch that an imported document's source follows."""
    top, _, rest = path.partition("/")
    name = rest.partition("/")[0]
    if top != "imports" or not name or place.host is None:
        return None

    def read() -> str | None:
        try:
            registry = registries.read_registry(place, name)
        except BiblicusError:
            return None
        return registry.header.state.get("branch") if registry is not None else None

    branch: str | None = place.host.remembered(f"branch of {name}", read)
    return branch


def _get_request(words: RetrieveRequest) -> GetRequest:
    return GetRequest(words.doc_id, lines=(words.start, words.end))


def _passage(excerpt: Excerpt, index_version: str | None) -> Passage:
    return Passage(text=excerpt.text, index_version=index_version, **_named(excerpt))


def _retrieve(asked: Asked) -> Reply:
    corpora, name = asked.service.corpora, only_name(asked, asked.words.corpus)
    excerpt = corpora.ask(name, GET, _get_request(asked.request), asked.call)
    version = corpora.version_of(name, asked.call)
    return Reply(_passage(excerpt, version), version)


def _as_requests(values: dict[str, Any]) -> dict[str, Any]:
    """Rename `items` to `requests`; the family uses both."""
    return {"requests" if name == "items" and "requests" not in values else name: values[name] for name in values}


def _retrieve_batch(asked: Asked) -> Reply:
    corpora, name = asked.service.corpora, only_name(asked, asked.words.corpus)
    batch_request = GetBatchRequest(requests=tuple(_get_request(words) for words in asked.request.requests))
    texts = corpora.ask(name, GET_BATCH, batch_request, asked.call).results
    version = corpora.version_of(name, asked.call)
    return Reply(
        Passages(tuple(text if isinstance(text, FailedText) else _passage(text, version) for text in texts)), version
    )


def _tree(asked: Asked) -> Reply:
    words: EntriesRequest = asked.request
    corpora, name = asked.service.corpora, only_name(asked, asked.words.corpus)
    request = TreeRequest(words.prefix, depth=words.depth, max_entries=words.max_entries)
    tree = corpora.ask(name, TREE, request, asked.call)
    entries = tuple(made_of(Entry, node, documents=node.items, doc_id=node.item_id) for node in tree.nodes)
    version = corpora.version_of(name, asked.call)
    return Reply(Entries(entries=entries, truncated=tree.truncated, index_version=version), version)


def _weigh(asked: Asked) -> Reply:
    words: WeighRequest = asked.request
    request = WeightRequest(words.doc_id, words.multiplier, namespace=words.namespace, ttl_days=words.ttl_days)
    name = asked.service.corpora.meant(asked.words.corpus, guest=asked.call.guest, verb=WEIGHT)
    weight = asked.service.corpora.ask(name, WEIGHT, request, asked.call)
    return Reply(made_of(Weighed, weight, doc_id=weight.item or weight.pattern or words.doc_id))


def _version(asked: Asked) -> Reply:
    version = asked.service.corpora.ask(asked.words.corpus, VERSION, NoRequest(), asked.call)
    versions = Versions(index_version=version.index_version, build_sha=build_sha(), built_at=version.built_at)
    return Reply(versions, version.index_version)


def _state(corpora: int, failed: int, ready: bool) -> Health:
    state: Literal["ok", "degraded", "down"] = "down" if not ready else "degraded" if failed else "ok"
    return Health(state=state, corpora=corpora, failed=failed, build_sha=build_sha())


def _health(asked: Asked) -> Reply:
    names = asked.service.corpora.names()
    failed = status.failed_of(asked.service, names)
    return Reply(_state(len(names), failed, failed < len(names)))


async def _healthy(request: HttpRequest, *_: object) -> Response:
    """Return the health without a queue, so that it works on a busy service."""
    now = await status.state_of(request.app.state.service)
    is_up = now.ready or now.state == "starting"  # the first question opens what it needs
    health = replace(_state(now.corpora, now.failed, is_up), failed=now.failed if now.ready else 0)
    return Response(encoded(health), 200 if is_up else 503, media_type="application/json")


_ONE: Mapping[str, Any] = {"words": OneCorpus}
# fmt: off
_ENDPOINTS = (
    Endpoint("search", "GET", "/search", "Search documents: hits with the lines that they cite.", verb=QUERY,
             request=SearchRequest, work=_search, reply=Hits, **_ONE),
    Endpoint("retrieve", "POST", "/retrieve", "Exact lines of a document.", verb=GET, request=RetrieveRequest,
             body="json", work=_retrieve, reply=Passage, **_ONE),
    Endpoint("retrieve_batch", "POST", "/retrieve/batch", "Exact lines of several documents.", verb=GET_BATCH,
             request=RetrieveBatchRequest, body="json", work=_retrieve_batch, reply=Passages, shaped=_as_requests,
             **_ONE),
    Endpoint("tree", "GET", "/tree", "Folders and documents.", verb=TREE, request=EntriesRequest, work=_tree,
             reply=Entries, **_ONE),
    Endpoint("weight", "POST", "/weight", "Rank a document higher or lower.", scope="ingest", verb=WEIGHT,
             request=WeighRequest, body="json", work=_weigh, reply=Weighed, **_ONE),
    Endpoint("version", "GET", "/version", "Which index answers, and which software.", verb=VERSION, request=NoRequest,
             work=_version, reply=Versions, **_ONE),
    Endpoint("health", "GET", "/health", "Whether questions are answered; needs no token.", scope=None,
             request=NoRequest, work=_health, respond=_healthy, reply=Health,
             statuses={200: "Some corpus answers.", 503: "None does, for now."}),
)
# fmt: on


def profile() -> Profile:
    """Return the profile, with its seven operations as tools."""
    tools = {endpoint.path.removeprefix("/"): endpoint.id for endpoint in _ENDPOINTS}
    return Profile("desk", _ENDPOINTS, tools, {"list_tree": "tree", "set_weight": "weight"}, openapi="3.0.3")


@cache
def build_sha() -> str:
    """Return the sha256 over this package's modules, by name and content; equal for the same software."""
    root = Path(__file__).parents[3]
    digest = hashlib.sha256()
    for path in sorted(root.rglob("*.py")):
        raw = path.read_bytes()
        digest.update(f"{path.relative_to(root).as_posix()} {len(raw)}\n".encode() + raw)
    return digest.hexdigest()
