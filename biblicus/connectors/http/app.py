"""The application: routes, errors, compression and lifespan, behind the gate."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.middleware.gzip import GZipMiddleware
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp

from biblicus.connectors.http import following, openapi, reading, standing, telling, writing
from biblicus.connectors.http.gate import CALLER, Access, Gate
from biblicus.connectors.http.limits import Limits
from biblicus.connectors.http.problems import of_framework, problem
from biblicus.connectors.http.service import Service
from biblicus.contracts import Call
from biblicus.errors import BiblicusError, UsageError
from biblicus.models import requests
from biblicus.service.corpora import Corpora

log = logging.getLogger("biblicus.http")
_ABOUT = "Questions to corpora, answered with evidence: exact text with its source, line or page, and score."
_ROUTERS = (
    reading.router,
    telling.router,
    writing.router,
    following.router,
    standing.router,
    standing.described,
)
Mount = Callable[[FastAPI, Service], None]
"""What another connector puts on the service: called once, before the first request."""


def application(
    corpora: Corpora, access: Access, limits: Limits | None = None, mounts: tuple[Mount, ...] = ()
) -> tuple[ASGIApp, Service]:
    """The ASGI application and the service behind it. The lifespan closes what the service holds."""
    service = Service(corpora, access, limits or Limits())

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        warming = asyncio.create_task(asyncio.to_thread(_warm, service))
        yield
        await warming
        await asyncio.to_thread(service.close)

    app = FastAPI(
        title="Biblicus",
        version="1.0",
        description=_ABOUT,
        openapi_url=None,
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
        lifespan=lifespan,
    )
    app.state.service = service
    for router in _ROUTERS:
        app.include_router(router)
    _documents(app)
    app.add_middleware(GZipMiddleware, minimum_size=1024, compresslevel=4)
    app.add_exception_handler(BiblicusError, _known)
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(HTTPException, _refused)
    app.add_exception_handler(Exception, _unforeseen)
    for mount in mounts:
        mount(app, service)
    return Gate(app, access, service.limits, service.metrics), service


def _warm(service: Service) -> None:
    """Open every index, so that the first question does not wait for it."""
    asked = requests.QueryRequest.model_validate({"query": "ready", "limit": 1})
    for name in service.corpora.names():
        try:
            service.corpora.ask("query", name, asked, Call())
        except BiblicusError as error:
            log.warning("the corpus %s is not ready: %s", name, error.message)
        except Exception:  # the others are served all the same
            log.exception("the corpus %s is not ready", name)
    service.warm.set()


def _documents(app: FastAPI) -> None:
    """Serve the OpenAPI document, in both versions, made once."""
    made: dict[str, bytes] = {}

    def served(path: str, make: Callable[[], dict[str, Any]]) -> None:
        async def route(request: Request) -> Response:
            if path not in made:
                made[path] = json.dumps(make(), ensure_ascii=False).encode()
            return Response(made[path], media_type="application/json")

        app.add_route(path, route, methods=["GET"], include_in_schema=False)

    served("/openapi.json", lambda: openapi.document(app))
    served("/openapi-3.0.json", lambda: openapi.as_3_0(openapi.document(app)))


def _trace(request: Request) -> str:
    return str(request.scope[CALLER].trace_id)


async def _known(request: Request, error: Exception) -> Response:
    assert isinstance(error, BiblicusError)
    if error.http_status >= 500:
        log.warning("%s: %s, trace %s", error.code, error.message, _trace(request))
    return problem(error, _trace(request))


async def _unforeseen(request: Request, error: Exception) -> Response:
    """The framework raises it again after this answer, and the gate logs it."""
    return problem(BiblicusError("Something unexpected happened."), _trace(request))


async def _invalid(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    first = error.errors()[0]
    where = ".".join(str(part) for part in first["loc"][1:])
    said = str(first["msg"]).lower()
    return problem(UsageError(f"{where}: {said}." if where else f"{said}."), _trace(request))


async def _refused(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    if isinstance(error.__cause__, BiblicusError):  # what reading the body met
        cause = error.__cause__
        return problem(UsageError(cause.message, cause.hint) if cause.http_status == 422 else cause, _trace(request))
    found = problem(of_framework(error.status_code, str(error.detail)), _trace(request))
    if error.status_code == 405:
        found.headers["Allow"] = ", ".join(sorted(_methods(request)))
    return found


def _methods(request: Request) -> set[str]:
    """What the address takes, by all its routes: the framework names those of the first."""
    path = request.url.path
    every = [route for router in (request.app, *_ROUTERS) for route in router.routes]
    routes = [route for route in every if isinstance(route, Route) and route.path_regex.match(path)]
    return {method for route in routes for method in route.methods or ()}
