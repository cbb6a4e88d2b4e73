"""The server on the HTTP service, at `/mcp`: streamable HTTP, behind the service's gate and in its lines.

The gate has checked host, origin, token and size by the time a request comes here, and has put who asks into its scope.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, Protocol

from mcp.server.streamable_http_manager import StreamableHTTPASGIApp, StreamableHTTPSessionManager
from mcp.server.transport_security import TransportSecuritySettings

from biblicus.connectors.mcp.server import Client, Context, server
from biblicus.service.admission import Admission
from biblicus.service.corpora import Corpora
from biblicus.service.offers import Offer

PATH = "/mcp"
CALLER = "biblicus.caller"
"""Where the service's gate leaves who asks: `scopes` and `remote`."""
_SESSIONS = 1_000
_IDLE = 600.0


class Service(Protocol):
    """What the service hands over."""

    corpora: Corpora
    admission: Admission
    offers: tuple[Offer, ...]


def mount(app: Any, service: Service) -> None:
    """Add the route to a Starlette application, and the server's life to that of the application."""
    manager = StreamableHTTPSessionManager(
        server(service.corpora, _client, service.admission, service.offers),
        security_settings=TransportSecuritySettings(enable_dns_rebinding_protection=False),  # the gate's task
        session_idle_timeout=_IDLE,
        max_sessions=_SESSIONS,
        max_request_body_size=service.admission.limits.document,  # the gate lets no more come than the asker may send
    )
    around = app.router.lifespan_context

    @asynccontextmanager
    async def lifespan(served: Any) -> AsyncIterator[Any]:
        async with around(served) as state, manager.run():
            yield state

    app.router.lifespan_context = lifespan
    app.router.add_route(PATH, StreamableHTTPASGIApp(manager), include_in_schema=False)


def _client(ctx: Context) -> Client:
    """Who is behind this very request: a session gives nobody the rights of whoever began it."""
    request = ctx.request
    caller = request.scope.get(CALLER) if request is not None else None
    if caller is None:
        return Client(frozenset(), True)
    return Client(caller.scopes, caller.remote, caller.layers, caller.through)
