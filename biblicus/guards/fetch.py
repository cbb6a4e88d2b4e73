"""Fetches one web address from whom nobody vouches for: no address is reached that should not be, and all is bounded.

* http and https only, TLS verified, no proxy of the environment, no credentials, no cookies.
* The host is resolved once per hop; every address it has is checked, and one of them is connected to. So a name cannot
  mean another address a moment later. Each redirect is a new hop, checked like the first, and never back from TLS.
* Status line and headers, the body as it comes and as it unpacks, redirects and the time for everything are limited.
"""

from __future__ import annotations

import http.client
import socket
import ssl
import threading
import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.metadata import version

from biblicus.contracts import Call
from biblicus.errors import IngestionError
from biblicus.guards.addresses import reach
from biblicus.guards.urls import Url, UrlRefused, join, parse, shown
from biblicus.guards.wire import Dial, Pinned, TooLate, TooMuch, Trust, Watch, asked, connected, dial, trust

Resolve = Callable[[str, int], Sequence[str]]
"""The IP addresses of a host."""

AGENT = "biblicus"
"""The name that `robots.txt` knows this program by."""

_REDIRECTS = frozenset((301, 302, 303, 307, 308))
_KEPT = frozenset((301, 308))
_BLOCK = 64 << 10
_FRAMING = 1 << 20
"""Bytes that the pieces of a chunked body may cost beside what they hold."""

_LOW_PORTS = frozenset((80, 443))
_TRIED = 4
"""Addresses of a host that are tried until one answers."""


@dataclass(frozen=True)
class Limits:
    """Of one fetch, redirects included. `bytes`: of the body, unpacked; `connecting`: seconds for one connection."""

    bytes: int = 64 << 20
    seconds: float = 60.0
    connecting: float = 10.0
    redirects: int = 5


@dataclass(frozen=True)
class Reply:
    """What a server said. `url`: the address that answered, after redirects; `moved`: whether all of these were for
    good. `headers`: by lower-case name. `body`: of a 200 alone."""

    url: str
    status: int
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""
    moved: bool = True


class AddressRefused(UrlRefused):
    """The host's address is none that may be reached."""

    code = "address_refused"


def resolve(host: str, port: int) -> list[str]:
    """The addresses of a host, as the system tells them."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(entry[4][0]) for entry in found))


@dataclass(frozen=True)
class Fetcher:
    """Fetches. `private`: hosts of a private network may be asked too, by an address that names one in the first place.

    `resolve`, `dial`, `trust`: how names become addresses, these connections, and whose certificates are believed.
    """

    limits: Limits = field(default_factory=Limits)
    private: bool = False
    resolve: Resolve = resolve
    dial: Dial = dial
    trust: Trust = trust

    def get(
        self, address: str, call: Call, headers: Mapping[str, str] | None = None, *, only_at: str | None = None
    ) -> Reply:
        """The reply to a GET. `headers` go to each address on the way, or `only_at` one of them.

        Raises `UrlRefused`, `AddressRefused`, `IngestionError`, and what `call.check` raises.
        """
        watch = Watch(call, self.limits.seconds)
        url, moved, private = parse(address), True, self.private
        for _ in range(self.limits.redirects + 1):
            addresses = self._checked(url, watch, private)
            private = private and reach(addresses[0]) == "private"
            mine = headers or {} if only_at in (None, str(url)) else {}
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
        """The host's addresses, all of which may be reached."""
        addresses = self._resolved(url, watch)
        found = {reach(address) for address in addresses}
        if "never" in found:
            raise AddressRefused(str(url), "its host has an address that nothing is fetched from")
        if "private" in found and not private:
            hint = "" if self.private else "the same with --allow-private, where you know that host"
            raise AddressRefused(str(url), "its host is on a private network", hint)
        if not private and url.port < 1024 and url.port not in _LOW_PORTS:
            raise AddressRefused(str(url), f"port {url.port} is not one of the web's")
        return addresses

    def _resolved(self, url: Url, watch: Watch) -> list[str]:
        """In a thread: a resolver knows no deadline."""
        outcome: list[list[str] | Exception] = []

        def look() -> None:
            try:
                outcome.append(list(self.resolve(url.host, url.port)))
            except (OSError, UnicodeError) as error:
                outcome.append(error)

        thread = threading.Thread(target=look, daemon=True, name="biblicus-resolve")
        thread.start()
        while thread.is_alive():
            try:
                thread.join(min(0.1, watch.left()))
            except TooLate:
                raise _failed(url, "its host's address could not be found in time") from None
        if not outcome or isinstance(outcome[0], Exception) or not outcome[0]:
            raise _failed(url, "its host has no address")
        return outcome[0]

    def _ask(
        self, url: Url, addresses: Sequence[str], watch: Watch, headers: Mapping[str, str]
    ) -> tuple[Reply, str | None]:
        """The reply of one hop, and where it redirects to."""
        try:
            pinned = self._connected(url, addresses, watch)
            with pinned:
                response = asked(pinned, url, {**_own(), **headers})
                found = _headers(response)
                location = found.get("location") if response.status in _REDIRECTS else None
                body = b"" if response.status != 200 else self._body(response, found, pinned)
                return Reply(str(url), response.status, found, body), location
        except TooLate:
            raise _failed(url, f"it takes longer than {self.limits.seconds:g} s") from None
        except TooMuch as error:
            raise _failed(url, f"it sends {error}") from None
        except ssl.SSLCertVerificationError as error:
            raise _failed(url, f"its certificate is not valid ({error.verify_message})") from None
        except ssl.SSLError as error:
            raise _failed(url, f"no TLS connection ({(error.reason or 'it failed').lower()})") from None
        except http.client.IncompleteRead:
            raise _failed(url, "its answer ends too early") from None
        except http.client.RemoteDisconnected:
            raise _failed(url, "it hangs up without an answer") from None
        except (http.client.HTTPException, ValueError) as error:
            raise _failed(url, f"its answer is no HTTP ({type(error).__name__})") from None
        except zlib.error:
            raise _failed(url, "its answer is packed in a broken way") from None
        except TimeoutError:
            raise _failed(url, "no connection in time") from None
        except OSError as error:
            raise _failed(url, f"no connection ({(error.strerror or str(error)).lower()})") from None

    def _connected(self, url: Url, addresses: Sequence[str], watch: Watch) -> Pinned:
        """A connection to the first of the addresses that takes one."""
        failure: OSError = OSError("nobody there")
        for address in addresses[:_TRIED]:
            try:
                return connected(url, address, watch, self.limits.connecting, self.dial, self.trust)
            except ssl.SSLError:
                raise
            except OSError as error:
                failure = error
        raise failure

    def _body(self, response: http.client.HTTPResponse, headers: Mapping[str, str], pinned: Pinned) -> bytes:
        """The body, unpacked. Raises `TooMuch`, `IncompleteRead`, `zlib.error`."""
        most = self.limits.bytes
        pinned.allowed = most + _FRAMING
        if (response.length or 0) > most:
            raise TooMuch(f"{response.length:,} bytes, and {most:,} are taken")
        unpacked = _Unpacked(headers.get("content-encoding", ""), most)
        while block := response.read(_BLOCK):
            unpacked.take(block)
        if response.length:
            raise http.client.IncompleteRead(b"", response.length)
        return unpacked.done()


@cache
def _own() -> dict[str, str]:
    """What every request says."""
    return {
        "User-Agent": f"{AGENT}/{version('biblicus-corpus')}",
        "Accept": "text/html, application/xhtml+xml, application/pdf, text/*;q=0.9, */*;q=0.5",
        "Accept-Encoding": "gzip",
    }


def _headers(response: http.client.HTTPResponse) -> dict[str, str]:
    """By lower-case name, the first of each; texts are UTF-8 where they can be (RFC 9110 leaves it open)."""
    found: dict[str, str] = {}
    for name, value in response.getheaders():
        try:
            value = value.encode("latin-1").decode()
        except UnicodeError:
            pass
        found.setdefault(name.lower(), value.strip())
    return found


def _failed(url: Url, cause: str) -> IngestionError:
    return IngestionError(shown(str(url)), cause)


class _Unpacked:
    """A body as it comes, unpacked within a bound."""

    def __init__(self, encoding: str, most: int) -> None:
        encoding = encoding.strip().lower()
        if encoding not in ("", "identity", "gzip", "x-gzip"):
            raise TooMuch(f"an encoding that nobody asked for ({encoding[:40]!a})")
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
        """All of it. Raises `IncompleteRead` where a packed body breaks off."""
        if self._packed and not self._inflating.eof:
            self._keep(self._inflating.flush())  # the end of what the last call had no room for: a few bytes
            if self._length and not self._inflating.eof:
                raise http.client.IncompleteRead(b"")
        return b"".join(self._parts)

    def _keep(self, part: bytes) -> None:
        self._length += len(part)
        if self._length > self._most:
            raise TooMuch(f"more than {self._most:,} bytes")
        self._parts.append(part)
