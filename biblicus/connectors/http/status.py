"""What the service says of itself without a line: alive, ready, and what it measures."""

from __future__ import annotations

from dataclasses import dataclass

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
    """Whether questions are answered. `failed`: corpora that cannot be read."""

    ready: bool
    corpora: int
    failed: int


async def livez(*_: object) -> Response:
    """As long as the process does."""
    return Response(encoded(Alive()), media_type="application/json")


async def readyz(request: Request, *_: object) -> Response:
    """From when the indexes are open until the service is told to stop."""
    service: Service = request.app.state.service
    names = service.corpora.names()
    failed = len(names) if not service.warm.is_set() else await service.failing.known(lambda: failed_of(service, names))
    ready = not service.stopping.is_set() and failed < len(names)
    body = encoded(Ready(ready, len(names), failed))
    return Response(body, 200 if ready else 503, media_type="application/json")


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


async def measured(request: Request, *_: object) -> Response:
    """Requests and latencies by route, and what is being done now, in the text format of Prometheus."""
    service: Service = request.app.state.service
    admission = service.admission
    gauges = {
        "biblicus_reading": ("Questions that are answered or wait.", float(admission.questions.inside)),
        "biblicus_answering": ("Answers that are made or wait.", float(admission.answers.inside)),
        "biblicus_writing": ("Documents that are ingested or wait.", float(admission.documents.inside)),
        "biblicus_jobs": ("Jobs that run or wait.", float(service.jobs.active())),
        "biblicus_corpora": ("Corpora served.", float(len(service.corpora.names()))),
    }
    return Response(service.metrics.text(gauges), media_type=metrics.MEDIA_TYPE)
