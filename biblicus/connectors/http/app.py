"""The ASGI application: routes, errors, compression and lifespan, behind the gate."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping
from contextlib import asynccontextmanager
from functools import cache, partial
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from biblicus.connectors.http import openapi
from biblicus.connectors.http.endpoints import Endpoint
from biblicus.connectors.http.gate import CALLER, Access, Gate
from biblicus.connectors.http.problems import of_framework, problem, refusal
from biblicus.connectors.http.profiles import Profile
from biblicus.connectors.http.service import Service
from biblicus.connectors.http.surface import ENDPOINTS, OPEN, scopes
from biblicus.contracts import Call
from biblicus.errors import BiblicusError
from biblicus.models.requests.query import QueryRequest
from biblicus.models.sources.readers import ANYBODY
from biblicus.service.admission import Admission, Limits
from biblicus.service.corpora import PERSONAL, Corpora
from biblicus.service.verbs import QUERY
from biblicus.service.verbs import Scope as TokenScope

log = logging.getLogger("biblicus.http")
Mount = Callable[[Starlette, Service], None]
"""Adds another connector's routes to the service; called once, before the first request."""


def application(
    corpora: Corpora,
    access: Access,
    limits: Limits | None = None,
    mounts: tuple[Mount, ...] = (),
    profile: Profile | None = None,
    public_url: str | None = None,
    is_open: Callable[[str], bool] = lambda path: False,
) -> tuple[ASGIApp, Service]:
    """Return the ASGI application and its service, which the lifespan closes.

    `profile`: also answer in the words of a family of clients. `public_url`: external address, if it differs.
    `is_open`: return true for addresses of mounts that need no token."""
    if not access.is_owners:
        corpora.for_reader(ANYBODY)
    service = Service(corpora, Admission(limits or Limits()))
    endpoints = ENDPOINTS if profile is None else profile.beside(ENDPOINTS)
    documents = openapi.DOCUMENTS if profile is None else profile.documents(endpoints)
    described = {path: cache(partial(_described, make, public_url)) for path, make in documents.items()}
    service.offers = () if profile is None else profile.offers(service)

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        ahead = None if profile is None else described[OPEN[0]]
        warming = asyncio.create_task(asyncio.to_thread(_warm, service, endpoints, ahead))
        yield
        await warming
        await asyncio.to_thread(service.close)

    app = Starlette(
        routes=[
            *(endpoint.route() for endpoint in endpoints),
            *(Route(path, _document(document), methods=["GET"]) for path, document in described.items()),
        ],
        exception_handlers={BiblicusError: _known, HTTPException: _refused, Exception: _unforeseen},
        lifespan=lifespan,
    )
    app.router.redirect_slashes = False
    app.state.service = service
    for mount in mounts:
        mount(app, service)
    scope_of = scopes(endpoints)

    def needed(path: str) -> TokenScope | None:
        return None if is_open(path) else scope_of(path)

    has_personal = PERSONAL in corpora.names()
    gate = Gate(Direct(app, endpoints), access, service.limits, service.metrics, needed, has_personal=has_personal)
    return gate, service


class Direct:
    """ASGI application that finds endpoints without path parameters in one step.

    `app` handles all other requests: its middleware and its routing take longer than the rest of such a request.
    Responses are compressed for clients that accept it."""

    def __init__(self, app: Starlette, endpoints: Iterable[Endpoint]) -> None:
        self._app = app
        self._known: dict[tuple[Any, Any], Endpoint] = {}
        for endpoint in endpoints:
            self._known.setdefault((endpoint.method, endpoint.path), endpoint)
        self._compressed = GZipMiddleware(self._answer, minimum_size=1024, compresslevel=4)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        accepts = any(name == b"accept-encoding" and b"gzip" in value for name, value in scope.get("headers", ()))
        await (self._compressed if accepts else self._answer)(scope, receive, send)

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        endpoint = self._known.get((scope.get("method"), scope.get("path")))
        if endpoint is None:
            await self._app(scope, receive, send)
            return
        scope.update(app=self._app, path_params={}, route=endpoint)
        response = await endpoint.answered(Request(scope, receive, send))
        await response(scope, receive, send)


def _warm(service: Service, endpoints: Iterable[Endpoint], describe: Callable[[], bytes] | None) -> None:
    """Open every index and build the request parsers, so that the first query is fast.
    `describe`: build the description that a profile's clients read first."""
    if service.corpora.processes is not None:
        service.corpora.processes.wait()
    for name in service.corpora.here():
        try:
            service.corpora.ask(name, QUERY, QueryRequest("ready", limit=1), Call())
        except BiblicusError as error:
            log.warning("the corpus %s is not ready: %s", name, error.message)
        except Exception:  # serve the other corpora
            log.exception("the corpus %s is not ready", name)
    for endpoint in endpoints:
        endpoint.get_ready()
    if describe is not None:
        describe()
    service.warm.set()


def _described(make: Callable[[str | None], Mapping[str, Any]], public_url: str | None) -> bytes:
    """Return an encoded document that describes the service."""
    return json.dumps(make(public_url), ensure_ascii=False).encode()


def _document(made: Callable[[], bytes]) -> Callable[[Request], Awaitable[Response]]:
    """Return a route that serves a document, built on the first request without blocking others."""
    making = asyncio.Lock()

    async def route(request: Request) -> Response:
        async with making:
            body = await asyncio.to_thread(made)
        return Response(body, media_type="application/json")

    return route


def _trace(request: Request) -> str:
    return str(request.scope[CALLER].trace_id)


async def _known(request: Request, error: Exception) -> Response:
    assert isinstance(error, BiblicusError)
    return refusal(error, _trace(request))


async def _unforeseen(request: Request, error: Exception) -> Response:
    """Handle an unexpected error; the framework raises it again, and the gate logs it."""
    return problem(BiblicusError("Something unexpected happened."), _trace(request))


async def _refused(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    methods = sorted(_methods(request)) if error.status_code == 405 else []
    refused = problem(of_framework(error.status_code, str(error.detail), methods), _trace(request))
    if methods:
        refused.headers["Allow"] = ", ".join(methods)
    return refused


def _methods(request: Request) -> set[str]:
    routes = [route for route in request.app.routes if isinstance(route, Route)]
    fitting = [route for route in routes if route.path_regex.match(request.url.path)]
    return {method for route in fitting for method in route.methods or ()}
