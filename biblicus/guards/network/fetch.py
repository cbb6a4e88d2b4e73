"""Fetch an untrusted URL safely: addresses are checked and every resource is bounded.

* http and https only, TLS verified, no proxy of the environment, no credentials, no cookies.
* The host is resolved once for each hop; all its addresses are checked, and the connection uses one of them. So a name
  cannot change its address in between. Each redirect is a new hop, checked like the first, never from https to http.
* Headers, packed and unpacked body, redirects and total time are limited."""

from __future__ import annotations

import http.client
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from importlib.metadata import version

from biblicus.contracts import Call
from biblicus.errors import IngestionError
from biblicus.guards.network import transport
from biblicus.guards.network.addresses import reach
from biblicus.guards.network.transport import Dial, Failed, Resolve, Response, Trust, Watch
from biblicus.guards.network.urls import Url, UrlRefused, join, parse, shown
from biblicus.models.sources.syncing import Account

AGENT = "biblicus"
"""Name of this program in `robots.txt`."""

_REDIRECTS = frozenset((301, 302, 303, 307, 308))
_KEPT = frozenset((301, 308))
_BLOCK = 64 << 10
"""Bytes that are unpacked at a time."""
_LOW_PORTS = frozenset((80, 443))


@dataclass(frozen=True)
class Limits:
    """Limits of one fetch, redirects included. `bytes`: of the unpacked body; `connecting`: seconds to connect."""

    bytes: int = 64 << 20
    seconds: float = 60.0
    connecting: float = 10.0
    redirects: int = 5


@dataclass(frozen=True)
class Reply:
    """A server's reply.

    `url`: the final address after redirects. `moved`: all redirects were permanent. `headers`: by lower-case name.
    `body`: empty unless the status is 200."""

    url: str
    status: int
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""
    moved: bool = True


class AddressRefused(UrlRefused):
    """The host's address may not be connected to."""


@dataclass(frozen=True)
class Fetcher:
    """Fetches URLs. `private`: the first URL may be on a private network.

    `account`: it is sent to the first URL's origin alone.
    `resolve`, `dial`, `trust`: functions that resolve names, connect and give the trusted certificates."""

    limits: Limits = field(default_factory=Limits)
    private: bool = False
    resolve: Resolve = transport.resolve
    dial: Dial = transport.dial
    trust: Trust = transport.trust
    account: Account | None = None

    def get(
        self, address: str, call: Call, headers: Mapping[str, str] | None = None, *, only_at: str | None = None
    ) -> Reply:
        """Return the reply to a GET. `headers` are sent with every hop, or only to the URL `only_at`.

        Raises `UrlRefused`, `AddressRefused`, `IngestionError`, and the errors of `call.check`."""
        watch = Watch(call, self.limits.seconds)
        url, moved, private = parse(address), True, self.private
        origin, secret = url.origin, self.account.secret_for(url.host) if self.account else ""
        for _ in range(self.limits.redirects + 1):
            mine = headers or {} if only_at in (None, str(url)) else {}
            with _told(url):
                addresses = self._checked(url, watch, private)
                private = private and reach(addresses[0]) == "private"
                if secret and url.origin == origin:
                    if url.scheme == "http" and not private:
                        raise AddressRefused(str(url), "an account is not sent without TLS", f"https://{url.authority}")
                    mine = {**mine, "Authorization": f"Bearer {secret}"}
                reply, location = self._ask(url, addresses, watch, mine)
            if location is None:
                return Reply(str(url), reply.status, reply.headers, reply.body, moved)
            moved = moved and reply.status in _KEPT
            after = join(url, location)
            if url.scheme == "https" and after.scheme == "http":
                raise _failed(url, f"it redirects to {after.origin}, which is without TLS")
            url = after
        raise _failed(url, f"it redirects more than {self.limits.redirects} times")

    def _checked(self, url: Url, watch: Watch, private: bool) -> list[str]:
        """Resolve the host and return its addresses if all may be connected to."""
        addresses = transport.resolved(url, watch, self.resolve)
        reaches = {reach(address) for address in addresses}
        if "never" in reaches:
            raise AddressRefused(str(url), "its host has an address that nothing is fetched from")
        if "private" in reaches and not private:
            hint = "" if self.private else "the same with --allow-private, where you know that host"
            raise AddressRefused(str(url), "its host is on a private network", hint)
        if not private and url.port < 1024 and url.port not in _LOW_PORTS:
            raise AddressRefused(str(url), f"port {url.port} is not one of the web's")
        return addresses

    def _ask(
        self, url: Url, addresses: Sequence[str], watch: Watch, headers: Mapping[str, str]
    ) -> tuple[Reply, str | None]:
        """Return the reply of one hop and its redirect target, or None."""
        pinned = transport.connected(url, addresses, watch, self.limits.connecting, self.dial, self.trust)
        sent = {**_own(), **headers}
        with transport.asked(pinned, url, "GET", url.target, sent, None, self.limits.bytes) as response:
            location = response.headers.get("location") if response.status in _REDIRECTS else None
            body = b"" if response.status != 200 else _unpacked(response, self.limits.bytes)
            return Reply(str(url), response.status, response.headers, body), location


@cache
def _own() -> dict[str, str]:
    """Return the headers of every request."""
    return {
        "User-Agent": f"{AGENT}/{version('biblicus-corpus')}",
        "Accept": "text/html, application/xhtml+xml, application/pdf, text/*;q=0.9, */*;q=0.5",
        "Accept-Encoding": "gzip",
    }


def _failed(url: Url, cause: str) -> IngestionError:
    return IngestionError(shown(str(url)), cause)


@contextmanager
def _told(url: Url) -> Iterator[None]:
    try:
        yield
    except Failed as failure:
        raise _failed(url, failure.cause) from None


def _unpacked(response: Response, most: int) -> bytes:
    """Return the unpacked body, within a bound."""
    unpacked = _Unpacked(response.headers.get("content-encoding", ""), most)
    try:
        for block in response.blocks():
            unpacked.take(block)
        return unpacked.done()
    except zlib.error:
        raise Failed("broken", "its answer is packed in a broken way") from None
    except http.client.IncompleteRead:
        raise Failed("broken", "its answer ends too early") from None


class _Unpacked:
    """Unpacks a body block by block, within a bound."""

    def __init__(self, encoding: str, most: int) -> None:
        encoding = encoding.strip().lower()
        if encoding not in ("", "identity", "gzip", "x-gzip"):
            raise Failed("broken", f"it sends an encoding that nobody asked for ({encoding[:40]!a})")
        self._most, self._length = most, 0
        self._parts: list[bytes] = []
        self._packed = encoding in ("gzip", "x-gzip")
        self._inflating = zlib.decompressobj(zlib.MAX_WBITS | 16)

    def take(self, block: bytes) -> None:
        if not self._packed:
            self._keep(block)
            return
        while block:
            if self._inflating.eof:  # a file of several members, one after the other
                if not block.strip(b"\0"):
                    return
                self._inflating = zlib.decompressobj(zlib.MAX_WBITS | 16)
            self._keep(self._inflating.decompress(block, _BLOCK))
            block = self._inflating.unused_data if self._inflating.eof else self._inflating.unconsumed_tail

    def done(self) -> bytes:
        """Return the whole body. Raises `IncompleteRead` if a packed body is truncated."""
        if self._packed and not self._inflating.eof:
            self._keep(self._inflating.flush())  # a few last bytes that the previous call left over
            if self._length and not self._inflating.eof:
                raise http.client.IncompleteRead(b"")
        return b"".join(self._parts)

    def _keep(self, part: bytes) -> None:
        self._length += len(part)
        if self._length > self._most:
            raise Failed("broken", f"it sends more than {self._most:,} bytes")
        self._parts.append(part)
