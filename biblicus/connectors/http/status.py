"""State of the service, without a queue: liveness, readiness, metrics."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from starlette.requests import Request
from starlette.responses import Response

from biblicus.connectors.http.service import MEDIA_TYPE, Service
from biblicus.contracts import Call
from biblicus.errors import BiblicusError, NoRun
from biblicus.models.plain import encoded
from biblicus.models.requests.query import QueryRequest
from biblicus.service.verbs import QUERY


@dataclass(frozen=True)
class Alive:
    """Reply of a running process."""

    alive: bool = True


@dataclass(frozen=True)
class Ready:
    """Readiness for requests. `failed`: unreadable corpora. `unread`: unreadable files."""

    ready: bool
    corpora: int
    failed: int
    unread: int


@dataclass(frozen=True)
class Health:
    """State of the service in a word, and its readiness. `failed`: unreadable corpora. `unread`: unreadable files of
    others."""

    state: Literal["ready", "starting", "failing", "stopping"]
    ready: bool
    corpora: int
    failed: int
    unread: int


async def livez(*_: object) -> Response:
    """Reply while the process runs."""
    return Response(encoded(Alive()), media_type="application/json")


async def readyz(request: Request, *_: object) -> Response:
    """Reply 200 while the indexes are open and the service is not stopping, else 503."""
    now = await state_of(request.app.state.service)
    return _told(Ready(now.ready, now.corpora, now.failed, now.unread), now)


async def health(request: Request, *_: object) -> Response:
    """Like `readyz`, with the state in a word."""
    now = await state_of(request.app.state.service)
    return _told(now, now)


async def state_of(service: Service) -> Health:
    """Return the current state of the service."""
    names = service.corpora.here()
    warm = service.warm.is_set()
    failed = await service.failing.known(lambda: failed_of(service, names)) if warm else len(names)
    unread = await service.unread.known(lambda: sum(map(service.corpora.unread, names))) if warm else 0
    if service.stopping.is_set():
        return Health("stopping", False, len(names), failed, unread)
    ready = failed < len(names) or (warm and not names)
    return Health("ready" if ready else "failing" if warm else "starting", ready, len(names), failed, unread)


def _told(body: object, now: Health) -> Response:
    return Response(encoded(body), 200 if now.ready else 503, media_type="application/json")


def failed_of(service: Service, names: list[str]) -> int:
    """Return the number of corpora that fail a query. One without a run counts as valid, since it can be ingested
    into."""
    failed = 0
    for name in names:
        try:
            service.corpora.ask(name, QUERY, QueryRequest("ready", limit=1), Call())
        except NoRun:
            pass
        except BiblicusError:
            failed += 1
    return failed


def _answering(service: Service) -> int:
    processes = service.corpora.processes
    return max(1, processes.ready if processes else 0)


async def measured(request: Request, *_: object) -> Response:
    """Return requests and latencies by route, and current activity, in Prometheus text format."""
    service: Service = request.app.state.service
    admission = service.admission
    gauges = {
        "biblicus_reading": ("Questions that are answered or wait.", float(admission.questions.inside)),
        "biblicus_answering": ("Answers that are made or wait.", float(admission.answers.inside)),
        "biblicus_writing": ("Documents that are ingested or wait.", float(admission.documents.inside)),
        "biblicus_jobs": ("Jobs that run or wait.", float(service.jobs.active())),
        "biblicus_processes": ("Processes that answer questions.", float(_answering(service))),
        "biblicus_corpora": ("Corpora served.", float(len(service.corpora.names()))),
    }
    return Response(service.metrics.text(gauges), media_type=MEDIA_TYPE)
