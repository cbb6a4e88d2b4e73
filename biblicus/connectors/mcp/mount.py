"""Streamable HTTP at `/mcp` of the HTTP service, with its gate and its queues.

The gate has checked host, origin, token and size before, and has set the caller in the request's scope."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, Protocol

from mcp.server.streamable_http_manager import StreamableHTTPASGIApp, StreamableHTTPSessionManager
from mcp.server.transport_security import TransportSecuritySettings

from biblicus.connectors.mcp.server import Client, Context, server
from biblicus.contracts import Call
from biblicus.service.admission import Admission
from biblicus.service.corpora import Corpora
from biblicus.service.offers import Offer

PATH = "/mcp"
CALLER = "biblicus.caller"
"""Scope key of the caller set by the gate: `scopes` and `call`."""
_SESSIONS = 1_000
_IDLE = 600.0


class Service(Protocol):
    """Objects provided by the service."""

    corpora: Corpora
    admission: Admission
    offers: tuple[Offer, ...]


def mount(app: Any, service: Service) -> None:
    """Add the route to a Starlette application, and the server to its lifespan."""
    manager = StreamableHTTPSessionManager(
        server(service.corpora, _client, service.admission, service.offers),
        security_settings=TransportSecuritySettings(enable_dns_rebinding_protection=False),  # checked by the gate
        session_idle_timeout=_IDLE,
        max_sessions=_SESSIONS,
        max_request_body_size=service.admission.limits.document,  # the gate enforces the client's own limit
    )
    around = app.router.lifespan_context

    @asynccontextmanager
    async def lifespan(served: Any) -> AsyncIterator[Any]:
        async with around(served) as state, manager.run():
            yield state

    app.router.lifespan_context = lifespan
    app.router.add_route(PATH, StreamableHTTPASGIApp(manager), include_in_schema=False)


def _client(ctx: Context) -> Client:
    """Return the caller of this request; a session grants no rights of the client that opened it."""
    request = ctx.request
    caller = request.scope.get(CALLER) if request is not None else None
    return Client(caller.scopes, caller.call) if caller is not None else Client(frozenset(), Call(guest=True))
