"""Routes about the service itself: alive, ready, metrics, capabilities."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request
from pydantic import TypeAdapter
from starlette.responses import Response

from biblicus.connectors.http import metrics
from biblicus.connectors.http.gate import Caller
from biblicus.connectors.http.openapi import PROBLEMS, documented
from biblicus.connectors.http.service import LaneRoute, Reply, Service, answer
from biblicus.contracts import Call
from biblicus.errors import BiblicusError, NoRun
from biblicus.models import replies, requests
from biblicus.models.evidence import Result
from biblicus.models.plain import encoded
from biblicus.service.desk import VERBS

router = APIRouter(responses={status: PROBLEMS[status] for status in (421, 403)})
described = APIRouter(route_class=LaneRoute, responses=PROBLEMS)


@router.get(
    "/livez", operation_id="livez", summary="Is the process alive", responses=documented(200, replies.AliveReply)
)
async def livez() -> Response:
    """Answers as long as the process does; needs no token."""
    return Response(encoded({"alive": True}), media_type="application/json")


@router.get(
    "/readyz",
    operation_id="readyz",
    summary="Are questions answered",
    responses={
        **documented(200, replies.ReadyReply, "At least one corpus is readable, and its index open."),
        **documented(503, replies.ReadyReply, "None is, or the service is stopping."),
    },
)
async def readyz(request: Request) -> Response:
    """Ready from when the indexes are open until the service is told to stop; needs no token."""
    service: Service = request.app.state.service
    names = service.corpora.names()
    failed = len(names) if not service.warm.is_set() else await service.failing.known(lambda: _failed(service, names))
    ready = not service.stopping.is_set() and failed < len(names)
    body = {"ready": ready, "corpora": len(names), "failed": failed}
    return Response(encoded(body), 200 if ready else 503, media_type="application/json")


def _failed(service: Service, names: list[str]) -> int:
    """Corpora that do not answer a question. One that has no run yet may still be ingested into."""
    asked = requests.QueryRequest.model_validate({"query": "ready", "limit": 1})
    failed = 0
    for name in names:
        try:
            service.corpora.ask("query", name, asked, Call())
        except NoRun:
            pass
        except BiblicusError:
            failed += 1
    return failed


@router.get(
    "/metrics",
    operation_id="metrics",
    summary="Counts and latencies",
    responses=PROBLEMS
    | {200: {"description": "Prometheus text format.", "content": {"text/plain": {"schema": {"type": "string"}}}}},
)
async def measured(request: Request) -> Response:
    """Requests and latencies by route, and what is being done now, in the text format of Prometheus."""
    service: Service = request.app.state.service
    gauges = {
        "biblicus_reading": ("Questions that are answered or wait.", float(service.readers.inside)),
        "biblicus_answering": ("Answers that are made or wait.", float(service.answerers.inside)),
        "biblicus_writing": ("Documents that are ingested or wait.", float(service.writers.inside)),
        "biblicus_jobs": ("Jobs that run or wait.", float(service.jobs.active())),
        "biblicus_corpora": ("Corpora served.", float(len(service.corpora.names()))),
    }
    return Response(service.metrics.text(gauges), media_type=metrics.MEDIA_TYPE)


@described.get(
    "/capabilities",
    operation_id="capabilities",
    summary="What can be asked",
    responses=documented(200, replies.CapabilitiesReply),
)
async def capabilities(request: Request) -> Response:
    """What this service offers to agents and brokers, with schemas, limits and trust."""
    service: Service = request.app.state.service

    def work(call: Call, caller: Caller) -> Reply:
        names = service.corpora.names(remote=caller.remote)
        return Reply({"capabilities": [_query(service, name) for name in names] + _others(service, names)})

    return await answer(request, work)


_ERRORS = ["not_found", "bad_request", "unauthorized", "conflict", "unavailable"]


def _query(service: Service, name: str) -> dict[str, Any]:
    params = {"corpus": name, "embedding_model": _model(service, name), "k_max": requests.LIMIT}
    return {
        **_offer(
            "rag.query@1.0", "POST", f"/query?corpus={name}", "member", service.limits.workers, service.limits.seconds
        ),
        "params": params,
        "idempotent": True,
        "request": VERBS["query"].request.model_json_schema(),
        "response": TypeAdapter(Result).json_schema(),
    }


def _others(service: Service, names: list[str]) -> list[dict[str, Any]]:
    limits = service.limits
    return [
        {
            **_offer("rag.ingest@1.0", "POST", "/ingest", "trusted", limits.writers, limits.writing_seconds),
            "params": {"corpora": [name for name in names if name != "system"]},
            "idempotent": True,
            "request": VERBS["ingest"].request.model_json_schema(),
            "response": replies.ReceivedReply.model_json_schema(),
        },
        {
            **_offer("rag.list_corpora@1.0", "GET", "/corpora", "member", limits.workers, limits.seconds),
            "params": {},
            "idempotent": True,
            "request": requests.NoRequest.model_json_schema(),
            "response": replies.CorporaReply.model_json_schema(),
        },
    ]


def _offer(name: str, method: str, path: str, trust: str, most: int, seconds: float) -> dict[str, Any]:
    shown = {"capability": name, "method": method, "path": path, "trust": trust}
    return {**shown, "max_concurrent": most, "timeout_seconds": seconds, "errors": _ERRORS}


def _model(service: Service, name: str) -> str | None:
    """The embedder of the corpus's default recipe, where it has one."""
    try:
        return service.corpora.desk(name).embedding_model()
    except BiblicusError:
        return None
