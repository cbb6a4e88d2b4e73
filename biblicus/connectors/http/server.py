"""Run the application in one process on one socket until SIGTERM: become unready, drain, exit with 0."""

from __future__ import annotations

import asyncio
import logging
import secrets
import signal
import socket
from collections.abc import Callable
from types import FrameType
from typing import Any

import uvicorn
from starlette.types import ASGIApp

from biblicus.connectors.http.problems import MEDIA_TYPE, described
from biblicus.connectors.http.service import Service
from biblicus.errors import BiblicusError, HeadTooLarge, NotHttp, SlowHead, Unavailable
from biblicus.models.plain import encoded

log = logging.getLogger("biblicus.http")


def listening(host: str, port: int) -> socket.socket:
    """Return a socket bound to the address; port 0: any free port. Raises `Unavailable`."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        listener = socket.create_server((host, port), family=family, backlog=2048)
        # Connections inherit it. asyncio does not set it, and replies over kept-alive ones would wait 40 ms for an ACK.
        listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return listener
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise Unavailable(f"Cannot listen on {host}, port {port}: {reason}.", "biblicus serve --port 0") from error


def serve(app: ASGIApp, service: Service, bound: socket.socket, ready: Callable[[], None]) -> None:
    """Serve until SIGTERM or SIGINT. Running requests get `limits.drain` seconds, then they are cut off.

    `ready` is called once, when requests are answered and both signals are handled."""
    Server(app, service, ready).run([bound])


class Server(uvicorn.Server):
    """uvicorn's server, which on stop also updates `/readyz`, ends streams, and exits with 0."""

    def __init__(self, app: ASGIApp, service: Service, ready: Callable[[], None]) -> None:
        limits = service.limits
        config = uvicorn.Config(
            app,
            loop="asyncio",
            http=_patient(limits.header_seconds, limits.head),
            ws="none",
            lifespan="on",
            log_config=None,
            access_log=False,
            server_header=False,
            proxy_headers=False,
            timeout_keep_alive=15,
            timeout_graceful_shutdown=max(1, round(limits.drain)),
            h11_max_incomplete_event_size=limits.head,
        )
        super().__init__(config)
        self._service = service
        self._ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start to accept requests, then call `ready`; signals are handled by now."""
        await super().startup(sockets)
        if not self.should_exit:
            self._ready()

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Stop without re-raising the signal, so that a drained server exits with 0. A second Ctrl-C does not wait."""
        if self.should_exit and sig == signal.SIGINT:
            self.force_exit = True
        self.should_exit = True

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End streams, refuse new requests, and let running ones finish; those cut off get an error."""
        log.info("stopping")
        self._service.stopping.set()
        await super().shutdown(sockets)
        if self.force_exit:  # uvicorn leaves them to the end of the loop
            self._service.patience = 0.0
            for task in self.server_state.tasks:
                task.cancel()
            await self.lifespan.shutdown()


def _patient(seconds: float, most: int) -> type[asyncio.Protocol]:
    """Return uvicorn's protocol class, extended to limit time and size of request heads."""
    protocol: Any = _protocol()
    counts = hasattr(protocol, "on_headers_complete")  # h11 has no such event, and limits heads itself

    class Patient(protocol):  # type: ignore[misc]  # one of two, known at run time
        _timer: asyncio.TimerHandle | None = None
        _until: float | None = None  # deadline of the expected head
        _of_head = 0

        def connection_made(self, transport: asyncio.Transport) -> None:
            super().connection_made(transport)
            self._expect()

        def connection_lost(self, exc: Exception | None) -> None:
            self._met()
            if self._timer is not None:
                self._timer.cancel()
            super().connection_lost(exc)

        def data_received(self, data: bytes) -> None:
            self._of_head += len(data) if counts else 0
            super().data_received(data)
            if self._of_head > most and not self.transport.is_closing():
                self._say(HeadTooLarge(most))
                return
            if self.cycle is not None and not self.cycle.response_complete:
                self._met()
            elif self._until is None:
                self._expect()

        def on_headers_complete(self) -> None:
            self._of_head = 0
            super().on_headers_complete()

        def on_body(self, body: bytes) -> None:
            self._of_head = 0
            super().on_body(body)

        def on_response_complete(self) -> None:
            super().on_response_complete()
            self._expect()

        def send_400_response(self, msg: str) -> None:
            self._say(NotHttp())

        def _expect(self) -> None:
            """Use one timer a connection, restarted if it fires early: most heads arrive soon."""
            self._until = self.loop.time() + seconds
            if self._timer is None:
                self._timer = self.loop.call_at(self._until, self._late)

        def _met(self) -> None:
            self._until = None

        def _late(self) -> None:
            """Send an error on a new connection; an idle kept-alive one is just closed."""
            self._timer, until, self._until = None, self._until, None
            if until is None:
                return
            if until > self.loop.time():
                self._until, self._timer = until, self.loop.call_at(until, self._late)
            elif self.cycle is None and not self.transport.is_closing():
                self._say(SlowHead(seconds))
            elif self.cycle is None or self.cycle.response_complete:
                self.transport.close()

        def _say(self, error: BiblicusError) -> None:
            self.transport.write(_raw(error))
            self.transport.close()

    return Patient


def _protocol() -> Any:
    """Return the protocol of httptools if installed: a third of h11's processor time."""
    try:
        from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
    except ImportError:
        from uvicorn.protocols.http.h11_impl import H11Protocol

        return H11Protocol
    return HttpToolsProtocol


def _raw(error: BiblicusError) -> bytes:
    """Return a complete response for a connection without a valid request."""
    problem = described(error, secrets.token_hex(16))
    raw = encoded(problem)
    head = [f"HTTP/1.1 {problem.status} {problem.title}", f"Content-Type: {MEDIA_TYPE}", f"Content-Length: {len(raw)}"]
    return "\r\n".join([*head, "Connection: close", "", ""]).encode() + raw
