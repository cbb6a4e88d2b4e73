"""What the service says of itself without a line: alive, ready, and what it measures."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from starlette.requests import Request
from starlette.responses import Response

from biblicus.connectors.http import metrics
from biblicus.connectors.http.service import Service
from biblicus.contracts import Call
from biblicus.errors import BiblicusError, NoRun
from biblicus.models.plain import encoded
from biblicus.models.requests.query import QueryRequest
from biblicus.service.verbs import QUERY


@dataclass(frozen=True)
class Alive:
    """The process answers."""

    alive: bool = True


@dataclass(frozen=True)
class Ready:
    """Whether questions are answered. `failed`: corpora that cannot be read. `unread`: files that could not be."""

    ready: bool
    corpora: int
    failed: int
    unread: int


@dataclass(frozen=True)
class Health:
    """How the service is, in a word, and whether it takes questions. `failed`: corpora that cannot be read. `unread`:
    files of the others that could not be."""

    state: Literal["ready", "starting", "failing", "stopping"]
    ready: bool
    corpora: int
    failed: int
    unread: int


async def livez(*_: object) -> Response:
    """As long as the process does."""
    return Response(encoded(Alive()), media_type="application/json")


async def readyz(request: Request, *_: object) -> Response:
    """From when the indexes are open until the service is told to stop."""
    now = await state_of(request.app.state.service)
    return _told(Ready(now.ready, now.corpora, now.failed, now.unread), now)


async def health(request: Request, *_: object) -> Response:
    """The same, in a word."""
    now = await state_of(request.app.state.service)
    return _told(now, now)


async def state_of(service: Service) -> Health:
    """How the service is now."""
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
    """Corpora that do not answer a question. One that has no run yet may still be ingested into."""
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
    """How many processes answer: this one, where no other does."""
    processes = service.corpora.processes
    return max(1, processes.ready if processes else 0)


async def measured(request: Request, *_: object) -> Response:
    """Requests and latencies by route, and what is being done now, in the text format of Prometheus."""
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
    return Response(service.metrics.text(gauges), media_type=metrics.MEDIA_TYPE)
