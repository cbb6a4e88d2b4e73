"""The gate: checks Host, Origin, token and size of every request, and measures it.

Pure ASGI, so that it also protects mounted applications."""

from __future__ import annotations

import asyncio
import hmac
import ipaddress
import logging
import os
import re
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from secrets import token_hex
from typing import Any, Self
from urllib.parse import urlsplit

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from biblicus import telemetry
from biblicus.config import ProxySetting
from biblicus.connectors.http.problems import problem, refusal
from biblicus.connectors.http.service import Metrics
from biblicus.contracts import Call
from biblicus.disk import files
from biblicus.errors import (
    BiblicusError,
    BodyTooLarge,
    ConfigInvalid,
    HandedRound,
    HeadTooLarge,
    HostRefused,
    LayerPinned,
    OriginRefused,
    ScopeMissing,
    SlowBody,
    Stopping,
    Unauthorized,
)
from biblicus.guards.network.addresses import is_loopback, is_own_user
from biblicus.models.sources.readers import ANYBODY, GROUP, Reader, name_of
from biblicus.service.admission import Limits
from biblicus.service.routes import MOST_THROUGH, THROUGH
from biblicus.service.tokens import IMPLIED, Tokens
from biblicus.service.verbs import Scope as TokenScope

CALLER = "biblicus.caller"
"""Key of the `Caller` in the ASGI scope."""
EITHER = frozenset({"/mcp", "/corpus/upload"})
"""Addresses that both read and ingest, depending on the body; they check the scope themselves."""
PINNED = frozenset(
    {
        "query",
        "context",
        "answer",
        "retrieve",
        "page-image",
        "file-part",
        "items",
        "facets",
        "tree",
        "verify",
        "version",
        "recipes",
        "corpora",
        "mcp",
        "context-of",
    }
)
"""Beginnings of addresses for clients pinned to layers; their verbs respect layers."""
_FORWARDED = (b"forwarded", b"x-forwarded-for", b"x-real-ip", b"via")
_WORD = re.compile(r"[0-9a-f]{1,16}")
"""Form of a service's name; other values from a client are not forwarded."""
_HARMLESS = (
    (b"x-content-type-options", b"nosniff"),
    (b"content-security-policy", b"default-src 'none'; frame-ancestors 'none'"),
    (b"referrer-policy", b"no-referrer"),
)

log = logging.getLogger("biblicus.http")


@dataclass(frozen=True, slots=True)
class Caller:
    """The client of a request.

    `names`: token id and address, for sharing limits. `call`: its layers, its reader, the services that forwarded the
    request, this one included; a guest if not certainly on this machine, so `personal` is hidden."""

    scopes: frozenset[TokenScope]
    trace_id: str
    names: frozenset[str]
    call: Call


@dataclass(frozen=True, slots=True)
class Access:
    """Access rules. `host`: the bound address. `hosts`, `origins`: further accepted ones. `proxy`: names the reader.
    `is_owners`: who names no reader is the owner, not anybody.

    If no token was ever created, everybody on this machine may read, and write if `allow_ingest` is set."""

    tokens: Tokens
    host: str = "127.0.0.1"
    hosts: frozenset[str] = frozenset()
    origins: frozenset[str] = frozenset()
    allow_ingest: bool = False
    proxy: Proxy | None = None
    is_owners: bool = False


class Gate:
    """Wraps an ASGI application. `needed`: return the scope that an address needs, or None. `has_personal`: a corpus is
    for the owner of this process alone."""

    def __init__(
        self,
        app: ASGIApp,
        access: Access,
        limits: Limits,
        metrics: Metrics,
        needed: Callable[[str], TokenScope | None],
        *,
        has_personal: bool = False,
    ) -> None:
        self._app, self._access, self._limits, self._metrics = app, access, limits, metrics
        self._needed, self._has_personal = needed, has_personal
        self._name = token_hex(8)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        if scope["type"] != "http":  # a websocket is not supported
            await send({"type": "websocket.close", "code": 1008})
            return
        traceparent = dict(scope["headers"]).get(b"traceparent", b"")
        with telemetry.request(scope["method"], traceparent) as span:
            await self._http(scope, receive, send, span)

    async def _http(self, scope: Scope, receive: Receive, send: Send, span: telemetry.Span) -> None:
        began = time.perf_counter()
        headers = dict(scope["headers"])
        trace_id = telemetry.trace_id() or ""
        status = 0

        async def marked(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                message["headers"] = [*message.get("headers", ()), *_HARMLESS, (b"trace-id", trace_id.encode())]
            await send(message)

        try:
            if _size(scope) > self._limits.head:
                raise HeadTooLarge(self._limits.head)
            needed = self._needed(scope["path"])
            caller = scope[CALLER] = self._caller(scope, headers, trace_id, needed)
            brings = needed == "ingest" or (scope["path"] in EITHER and "ingest" in caller.scopes)
            limit = self._limits.document if brings else self._limits.body
            await self._app(scope, _limited(receive, headers, limit, self._limits.body_seconds), marked)
        except BiblicusError as error:
            if not status:
                await refusal(error, trace_id)(scope, receive, marked)
        except asyncio.CancelledError:  # only stopping the service cancels a request
            if not status:
                await problem(Stopping(), trace_id)(scope, receive, marked)
        except Exception:
            log.exception("unexpected failure, trace %s", trace_id)
            if not status:
                await problem(BiblicusError("Something unexpected happened."), trace_id)(scope, receive, marked)
        finally:
            seconds, route = time.perf_counter() - began, _route(scope)
            self._metrics.seen(route, scope["method"], status, seconds)
            labels = {"http.route": route, "http.request.method": scope["method"], "http.response.status_code": status}
            span.set(labels)
            telemetry.record("http.server.request.duration", seconds, labels)

    def _caller(self, scope: Scope, headers: dict[bytes, bytes], trace_id: str, needed: TokenScope | None) -> Caller:
        """Identify the client. Raises `HostRefused`, `OriginRefused`, `Unauthorized`, `ScopeMissing`, `LayerPinned`,
        `HandedRound`."""
        hosts = [value for name, value in scope["headers"] if name == b"host"]
        host = hosts[0].decode("latin-1") if len(hosts) == 1 else ""
        name = _name(host)
        if not self._answers_to(name):
            raise HostRefused
        origin = headers.get(b"origin")
        if origin is not None and not self._same_origin(origin.decode("latin-1"), host, scope["scheme"]):
            raise OriginRefused
        client = scope.get("client")
        forwarded = any(name in headers for name in _FORWARDED)
        remote = forwarded or not (client and is_loopback(client[0]) and is_loopback(name))
        token, scopes, layers, reader = self._admitted(headers)
        if self._has_personal and client and not remote:
            is_own = is_own_user(tuple(client[:2]), tuple(scope["server"][:2]))
            remote = token is None if is_own is None else not is_own
        if self._access.proxy and (named := self._access.proxy.reader(scope)) is not None:
            scopes = scopes or IMPLIED["read"]
            reader = reader if reader and reader.name else named
        if needed is not None and not scopes:
            raise Unauthorized
        if needed is not None and needed not in scopes:
            raise ScopeMissing(needed)
        if layers and needed is not None and scope["path"].split("/")[1] not in PINNED:
            raise LayerPinned(f"The address {scope['path']}", layers)
        names = {f"token {token}"} if token else set()
        names |= {f"address {client[0]}"} if client else set()
        call = Call(guest=remote, layers=layers, through=self._through(headers), reader=reader)
        return Caller(scopes, trace_id, frozenset(names), call)

    def _through(self, headers: dict[bytes, bytes]) -> tuple[str, ...]:
        """Return the services that forwarded the request, and this one.
        Raises `HandedRound` for a loop, which would block one worker after the other, or too many services."""
        words = headers.get(THROUGH.lower().encode(), b"").decode("latin-1").split()
        before = [word for word in words if _WORD.fullmatch(word)]
        if self._name in before or len(before) > MOST_THROUGH:
            raise HandedRound
        return (*before, self._name)

    def _answers_to(self, name: str) -> bool:
        """Return true for allowed and loopback names; beyond loopback also for IP addresses, which DNS cannot
        redirect."""
        if not name:
            return False
        if name in self._access.hosts or is_loopback(name):
            return True
        if is_loopback(self._access.host):
            return False
        return name == self._access.host or _address(name) is not None

    def _same_origin(self, origin: str, host: str, scheme: str) -> bool:
        return origin in self._access.origins or origin.lower() == f"{scheme}://{host.lower()}"

    def _admitted(
        self, headers: dict[bytes, bytes]
    ) -> tuple[str | None, frozenset[TokenScope], tuple[str, ...], Reader | None]:
        """Return the token's id, if needed, the permitted scopes, the visible layers, and the reader."""
        tokens = self._access.tokens
        if not tokens.demanded and is_loopback(self._access.host):
            return None, frozenset({"read", "ingest"} if self._access.allow_ingest else {"read"}), (), None
        scheme, _, secret = headers.get(b"authorization", b"").decode("latin-1").partition(" ")
        token = tokens.known(secret.strip()) if scheme.lower() == "bearer" else None
        if token is None:
            return None, frozenset(), (), None
        reader = None if token.is_owner else Reader(token.reader, token.groups)
        return token.id, IMPLIED[token.scope], token.layers, reader


def _size(scope: Scope) -> int:
    headers = sum(len(name) + len(value) + len(": \r\n") for name, value in scope["headers"])
    return headers + len(scope["raw_path"]) + len(scope["query_string"])


def _limited(receive: Receive, headers: dict[bytes, bytes], limit: int, seconds: float) -> Receive:
    """Return a `receive` that limits the body's bytes and time."""
    length = headers.get(b"content-length", b"")
    if length.isdigit() and int(length) > limit:
        raise BodyTooLarge(limit)
    got, ended = 0, False
    until = asyncio.get_running_loop().time() + seconds

    async def limited() -> Message:
        nonlocal got, ended
        if ended:
            return await receive()
        try:
            async with asyncio.timeout_at(until):  # unlike `wait_for`, it never swallows a cancellation
                message = await receive()
        except TimeoutError:
            raise SlowBody(seconds) from None
        if message["type"] == "http.request":
            got += len(message.get("body", b""))
            ended = not message.get("more_body", False)
            if got > limit:
                raise BodyTooLarge(limit)
        return message

    return limited


@lru_cache(maxsize=256)
def _name(host: str) -> str:
    """Return the host without its port, in lower case; empty if invalid."""
    try:
        parts = urlsplit(f"//{host}")
        _ = parts.port
    except ValueError:
        return ""
    return (parts.hostname or "") if parts.netloc == host and "@" not in host else ""


def _address(name: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        return ipaddress.ip_address(name)
    except ValueError:
        return None


def _route(scope: Scope) -> str:
    """Return the route's pattern, since a label for each address would grow without bound."""
    route: Any = scope.get("route")
    return getattr(route, "path", None) or "unrouted"


def as_hosts(words: Iterable[str]) -> frozenset[str]:
    """Return host names of the command line in normal form."""
    return frozenset(word.lower().strip() for word in words)


SECRET = b"biblicus-proxy"
_SHORTEST = 16


@dataclass(frozen=True, slots=True)
class Proxy:
    """A proxy of the user's settings, with its secret."""

    setting: ProxySetting
    secret: bytes

    @classmethod
    def of(cls, setting: ProxySetting | None) -> Self | None:
        """Return the proxy of the settings. Raises `ConfigInvalid` if its secret is missing or short."""
        if setting is None:
            return None
        secret = b""
        if setting.secret_file:
            secret = files.read(Path(setting.secret_file).expanduser(), limit=files.SMALL).strip()
        elif setting.secret_env:
            secret = os.environ.get(setting.secret_env, "").encode()
        if len(secret) < _SHORTEST:
            problem = f"proxy: its secret needs {_SHORTEST} characters, in secret_file or secret_env."
            raise ConfigInvalid("the settings", problem)
        return cls(setting, secret)

    def reader(self, scope: Scope) -> Reader | None:
        """Return the reader in the headers; None if the proxy did not send them."""
        client = scope.get("client")
        sent_secret = _once(scope, SECRET)
        if not client or client[0] != self.setting.address or not hmac.compare_digest(sent_secret, self.secret):
            return None
        name = name_of(_once(scope, self.setting.header.lower().encode()).decode("utf-8", "replace"))
        if not name or name.startswith(GROUP):
            return ANYBODY
        groups = _once(scope, self.setting.groups_header.lower().encode()).decode("utf-8", "replace")
        return Reader(name, tuple(filter(None, map(name_of, groups.split(",")))))


def _once(scope: Scope, header: bytes) -> bytes:
    """Return a header's value; empty if it is absent or stands twice."""
    values: list[bytes] = [value for name, value in scope["headers"] if name == header]
    return values[0] if len(values) == 1 else b""
