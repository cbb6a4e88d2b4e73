"""The table of HTTP endpoints: addresses of the verbs, and other addresses of the service.

Requests, replies, descriptions and bounds come from the verbs (`service.verbs`), addresses from `service.routes`. This
table has what HTTP adds: further addresses, names, defaults, choices of fields, and statuses."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from typing import Annotated, Any

from pydantic import Field
from starlette.routing import compile_path

from biblicus.connectors.http import answering, capabilities, following, service, status, writing
from biblicus.connectors.http.endpoints import Endpoint
from biblicus.errors import UsageError
from biblicus.models.evidence import Result
from biblicus.models.fields import Request, doc, option, term
from biblicus.service.corpora import FusedResult, ServedCorpora
from biblicus.service.jobs import Job
from biblicus.service.routes import ROUTES
from biblicus.service.verbs import ANSWER, EVENTS, PAGE_IMAGE, QUERY, RECEIVE, VERBS, Scope, Verb

CorpusName = Annotated[str, Field(pattern=r"^[a-z0-9-]{1,64}$")]


class OneCorpus(Request):
    """Parameter of most requests."""

    corpus: CorpusName | None = option(None, "The corpus, by the name it is served under. Default: the only one.")


class SeveralCorpora(Request):
    """Parameter of queries."""

    corpus: tuple[CorpusName, ...] = option(
        (), "The corpora to ask; several are fused by rank. Default: all of them.", max_length=20
    )


class Measured(Request):
    """Parameters of queries with a known answer."""

    eval: bool = option(False, "Measure this question: how its evidence scores, and whether `gold` is found.")
    gold: str | None = option(None, term("With `eval`: the item that answers, by id or path.", min_length=1))

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.gold is not None and not self.eval:
            raise UsageError("The item in gold counts where the question is measured: eval=true.")


class Searched(Measured, SeveralCorpora):
    """Parameters of `GET /search`."""


class Answered(Measured, OneCorpus):
    """Parameters of `GET /answer`."""


class Followed(OneCorpus):
    """Parameters of `GET /events`."""

    follow: bool = option(True, "Go on with each event as it comes; else end after those that are there.")


class JobRequest(Request):
    """Request about a job."""

    job_id: str = field(metadata=doc("The job, by the id that starting it gave.", max_length=64))


def _of(verb: Verb[Any, Any], **own: Any) -> Endpoint:
    """Return the endpoint of a verb as in `service.routes`, with HTTP's own settings."""
    method, path = ROUTES[verb.name]
    body = "json" if own.get("method", method) == "POST" else None
    derived: dict[str, Any] = {"id": verb.name, "method": method, "path": path, "summary": verb.summary}
    derived |= {"scope": verb.scope, "verb": verb, "words": OneCorpus, "body": body, "work": answering.sent}
    return Endpoint(**(derived | own))


# fmt: off
_SEVERAL: dict[str, Any] = {"words": SeveralCorpora, "work": answering.of_several, "reply": Result | FusedResult}
_RECEIVED: dict[str, Any] = {"work": answering.received, "statuses": {
    201: "The document is an item now, and can be found.",
    200: "The same source again: its item was updated, or nothing changed.",
}}
_NAMES = {"query": "q", "leg_weights": "weight"}
_ALIASES = {"query": "query", "k": "limit"}
_IN_THE_BODY = "It is said in the body of the POST."
_THE_BODY = "It is the body itself."
_OWN: Mapping[str, Mapping[str, Any]] = {
    "query": _SEVERAL, "answer": {"id": "post_answer"}, "get": {"id": "retrieve"},
    "get_batch": {"id": "retrieve_batch"}, "list": {"id": "list_items", "defaults": {"limit": 100}},
    "show": {"id": "get_item"}, "runs": {"id": "list_runs"}, "run": {"id": "get_run"},
    "recipes": {"id": "list_recipes"}, "events": {"id": "events_page"}, "weights": {"id": "list_weights"},
    "alerts": {"id": "list_alerts"},
    "alert_feed": {"work": answering.feed, "media_type": "application/atom+xml", "reply": {"type": "string"},
                   "statuses": {200: "Atom (RFC 4287)."}},
    "notes": {"id": "list_notes"}, "receive": {"id": "ingest", **_RECEIVED},
    "reindex": {"work": answering.begun, "reply": Job, "statuses": {202: "The job; ask for it under Location."}},
}
"""Settings of the verbs' own addresses, by verb."""

ENDPOINTS: tuple[Endpoint, ...] = (
    _of(PAGE_IMAGE, id="get_page_image", method="GET", path="/items/{item}/pages/{page}.png", work=answering.picture,
        reply={"type": "string", "format": "binary"}, media_type="image/png",
        statuses={200: "The picture (PNG)."}),
    *(_of(VERBS[name], **_OWN.get(name, {})) for name in ROUTES),
    _of(QUERY, id="search", method="GET", path="/search", words=Searched, work=answering.measured,
        reply=_SEVERAL["reply"], names=_NAMES, aliases=_ALIASES, without={"run": _IN_THE_BODY}),
    _of(ANSWER, id="get_answer", method="GET", words=Answered, work=answering.measured,
        names=_NAMES, aliases=_ALIASES, without={"run": _IN_THE_BODY}),
    _of(ANSWER, id="stream_answer", method="GET", path="/answer/stream", work=None, respond=writing.answer,
        names=_NAMES, aliases=_ALIASES, without={"run": _IN_THE_BODY},
        reply=writing.EVENT, media_type="text/event-stream",
        summary="The same while it is written: server-sent events, drafts first where a language model writes.",
        statuses={200: "`draft`: the text so far, not yet held against the evidence; `answer`, or `error`, ends it."}),
    _of(RECEIVE, id="ingest_upload", path="/ingest/upload", body="bytes", **_RECEIVED,
        names={"tags": "tag"}, without={"text": _THE_BODY, "content_base64": _THE_BODY}),
    _of(EVENTS, id="events", path="/events", words=Followed, work=None, respond=following.events,
        without={"limit": "They come one by one."},
        headers={"last-event-id": "As `after`; sent by a client that comes back."},
        reply=following.EVENT, media_type="text/event-stream",
        summary="What happens, as it happens: server-sent events, to go on from any cursor.",
        statuses={200: "`id` is the cursor, `event` the kind, `data` the event as JSON."}),
    Endpoint("list_corpora", "GET", "/corpora", "Which corpora there are; one that cannot be read has its error.",
             work=answering.corpora, reply=ServedCorpora),
    Endpoint("get_job", "GET", "/jobs/{job_id}", "How far a job is, and what came of it.",
             request=JobRequest, work=answering.job, reply=Job),
    Endpoint("cancel_job", "POST", "/jobs/{job_id}/cancel",
             "Ask a job to stop. The corpus keeps its previous state; a job that has ended stays as it is.",
             scope="ingest", request=JobRequest, work=answering.cancelled, reply=Job),
    Endpoint("capabilities", "GET", "/capabilities",
             "What this service offers to agents and brokers, with schemas, limits and trust.",
             work=capabilities.capabilities, reply=capabilities.Capabilities),
    Endpoint("livez", "GET", "/livez", "Is the process alive? It answers as long as it is; needs no token.",
             scope=None, respond=status.livez, reply=status.Alive),
    Endpoint("readyz", "GET", "/readyz",
             "Are questions answered? From when the indexes are open until the service stops; needs no token.",
             scope=None, respond=status.readyz, reply=status.Ready,
             statuses={200: "At least one corpus is readable, and its index open.",
                       503: "None is, or the service is stopping."}),
    Endpoint("health", "GET", "/health",
             "How is the service? ready, starting, failing (no corpus is readable) or stopping; needs no token.",
             scope=None, respond=status.health, reply=status.Health,
             statuses={200: "Questions are answered.", 503: "They are not, for now."}),
    Endpoint("metrics", "GET", "/metrics", "Requests and latencies by route, and what is being done now.",
             respond=status.measured, reply={"type": "string"}, media_type=service.MEDIA_TYPE.partition(";")[0],
             statuses={200: "Prometheus text format."}),
)
# fmt: on
OPEN = ("/openapi.json", "/openapi-3.0.json")
"""Addresses of descriptions, which need no token."""


def scopes(endpoints: Sequence[Endpoint]) -> Callable[[str], Scope | None]:
    """Return a function that gives the scope an address needs, or None."""
    scope_by_path: Mapping[str, Scope | None] = {
        endpoint.path: endpoint.scope for endpoint in endpoints
    } | dict.fromkeys(OPEN)
    further = [
        (compile_path(path)[0], scope) for path, scope in scope_by_path.items() if "{" in path and scope != "read"
    ]

    def needed(path: str) -> Scope | None:
        if path in scope_by_path:
            return scope_by_path[path]
        return next((scope for pattern, scope in further if pattern.match(path)), "read")

    return needed
