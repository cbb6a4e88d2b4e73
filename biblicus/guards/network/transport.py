"""HTTP client with bounds: an exchange always ends in time and within a number of bytes.

Every HTTP client of Biblicus uses this module. `http.client` parses; it reads through `Pinned`, which checks the
deadline and cancellation before each piece, however slowly the pieces arrive. Redirects and proxies of the
environment are ignored, so a key is sent only to the configured server. Failures are `Failed`, of one of six kinds;
`Retry` decides which of them are repeated, and after which pause."""

from __future__ import annotations

import http.client
import io
import json
import random
import socket
import ssl
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from email.utils import parsedate_to_datetime
from functools import cache
from typing import Any, Literal, TypeVar

from biblicus.contracts import Call
from biblicus.errors import BadData, DeadlineExceeded
from biblicus.guards import json as guarded_json
from biblicus.guards.network.urls import Url, of_server

T = TypeVar("T")

Resolve = Callable[[str, int], Sequence[str]]
"""Return the IP addresses of a host and port."""
Dial = Callable[[str, int, float], socket.socket]
"""Connect to an IP address and port within seconds."""
Trust = Callable[[], ssl.SSLContext]
"""Return the TLS context with the trusted certificates."""

Kind = Literal["unanswered", "late", "busy", "broken", "rejected", "refused"]

_SLICE = 0.1
"""Seconds between two checks of deadline and cancellation."""
_CONNECTING = 10.0
"""Seconds for establishing a connection."""
_TRIED = 4
"""Number of a host's addresses to try."""
_HEADERS = 128 << 10
"""Bytes of status line and headers together."""
_FRAMING = 1 << 20
"""Bytes of framing that a chunked body may add to its content."""
_BLOCK = 64 << 10
_FIRST_PAUSE = 0.5

BUSY = (408, 409, 425, 429, 502, 503, 504)
"""Statuses of servers that may succeed in a moment."""
_REJECTED = (400, 413, 422)


class Failed(Exception):
    """A request failed.

    Kinds: `unanswered`, no connection; `late`, no complete reply in time; `busy`, a reply that asks to wait; `broken`,
    an invalid reply or a server error; `rejected`, the server does not accept the request's content; `refused`, it
    accepts no such request (unknown model, wrong key, wrong certificate).

    `cause` continues a sentence after a colon. `status`: HTTP status, 0 without a reply. `pause`: seconds that the
    server asks to wait."""

    def __init__(self, kind: Kind, cause: str, *, status: int = 0, pause: float = 0.0) -> None:
        super().__init__(cause)
        self.kind, self.cause, self.status, self.pause = kind, cause, status, pause

    @property
    def passing(self) -> bool:
        """Return true if the same request may succeed in a moment."""
        return self.kind in ("unanswered", "busy", "broken")


@dataclass(frozen=True)
class Retry:
    """When to repeat a request. Pauses start at `first` and double, with jitter; a longer pause of the server wins.

    `attempts`: total; `unanswered`: total without a connection. `longest`: give up if a server asks for a longer
    pause. `late`: also repeat requests that timed out. No pause exceeds the caller's deadline."""

    attempts: int
    unanswered: int = 2
    first: float | None = None
    longest: float = 60.0
    late: bool = False

    def pause(self, attempt: int, *, passing: bool, unanswered: bool, asked: float) -> float | None:
        """Return the seconds to wait after this number of attempts, or None to give up."""
        most = min(self.attempts, self.unanswered) if unanswered else self.attempts
        if not passing or attempt >= most or asked > self.longest:
            return None
        first = _FIRST_PAUSE if self.first is None else self.first
        return max(asked, min(first * 2.0 ** (attempt - 1), self.longest) * random.uniform(0.75, 1.25))

    def ask(self, once: Callable[[], T], call: Call) -> T:
        """Call `once` until it succeeds or is given up. Raises `Failed`, `Cancelled`, `DeadlineExceeded`."""
        attempt = 0
        while True:
            call.check()
            try:
                return once()
            except Failed as failure:
                attempt += 1
                pause = self.pause(
                    attempt,
                    passing=failure.passing or (self.late and failure.kind == "late"),
                    unanswered=failure.kind == "unanswered",
                    asked=failure.pause,
                )
                if pause is None:
                    raise
                if call.deadline is not None and time.monotonic() + pause >= call.deadline:
                    raise DeadlineExceeded from failure
                call.cancel.wait(pause)


@dataclass(frozen=True)
class Server:
    """A server of the user's configuration. `url`: the base of all paths, checked by `server_address`.

    `seconds`: for one exchange, from start to last byte; `connecting`: for its connection."""

    url: str
    headers: Mapping[str, str] = field(default_factory=dict)
    seconds: float = 120.0
    connecting: float = _CONNECTING

    def open(self, method: str, path: str, call: Call, body: bytes | None = None, *, most: int) -> Response:
        """Send a request and return the opened reply. `most`: bytes of its body. Raises `Failed` and the errors of
        `call.check`."""
        url, watch = of_server(self.url), Watch(call, self.seconds)
        headers = {"Content-Type": "application/json", "Accept": "application/json", "Accept-Encoding": "identity"}
        pinned = connected(url, resolved(url, watch), watch, self.connecting)
        return asked(pinned, url, method, url.target + path, {**headers, **self.headers}, body, most)


class TooMuch(Exception):
    """The other side sends too much. The text continues a sentence after `it sends`."""


class TooLate(Exception):
    """The time for the whole exchange is over."""


class Watch:
    """Timer of one exchange. `left` raises `TooLate` or the errors of `call.check`."""

    def __init__(self, call: Call, seconds: float) -> None:
        self._call, self.seconds, self._end = call, seconds, time.monotonic() + seconds

    def left(self) -> float:
        """Return the remaining seconds, more than 0."""
        self._call.check()
        if (left := self._end - time.monotonic()) <= 0:
            raise TooLate
        return left


class Response:
    """A reply with its status and headers (lower-case names, the first of each); the body is not yet read.

    A context manager that closes the connection. The reading methods raise `Failed`."""

    def __init__(self, got: http.client.HTTPResponse, pinned: Pinned, most: int) -> None:
        self._got, self._pinned, self._most = got, pinned, most
        self.status = got.status
        self.headers: dict[str, str] = {}
        for name, value in got.getheaders():
            with suppress(UnicodeError):  # UTF-8 if possible: RFC 9110 leaves it open
                value = value.encode("latin-1").decode()
            self.headers.setdefault(name.lower(), value.strip())

    def __enter__(self) -> Response:
        return self

    def __exit__(self, *_: object) -> None:
        self._pinned.close()

    def blocks(self) -> Iterator[bytes]:
        """Yield the body as it arrives, still packed."""
        with self._bounded():
            while block := self._got.read(_BLOCK):
                yield block
            if self._got.length:
                raise http.client.IncompleteRead(b"", self._got.length)

    def read(self) -> bytes:
        """Return the whole body. A compressed one is refused, because its unpacked size is unknown."""
        self._refuse_packed()
        body = b"".join(self.blocks())
        if len(body) > self._most:
            raise Failed("broken", f"it sends more than {self._most:,} bytes")
        return body

    def lines(self) -> Iterator[bytes]:
        """Yield the body's lines as they arrive."""
        self._refuse_packed()
        with self._bounded():
            while line := self._got.readline():
                yield line
            if self._got.length:
                raise http.client.IncompleteRead(b"", self._got.length)

    def json(self) -> Any:
        """Parse the body as untrusted JSON."""
        try:
            return guarded_json.read(self.read(), max_bytes=self._most)
        except BadData as error:
            raise Failed("broken", f"its answer is no JSON ({error.message.rstrip('.').lower()})") from error

    def failure(self) -> Failed:
        """Return the failure for a reply with an error status, with the reason from its body."""
        kind: Kind = "broken" if self.status >= 500 else "refused"
        if self.status in BUSY:
            kind = "busy"
        elif self.status in _REJECTED:
            kind = "rejected"
        reason = ""
        with suppress(Failed):
            reason = reason_of(self.read())
        return Failed(kind, f"it answers {self.status}{reason}", status=self.status, pause=retry_after(self.headers))

    @contextmanager
    def _bounded(self) -> Iterator[None]:
        self._pinned.allowed = self._most + _FRAMING
        with failing(self._pinned.watch):
            if (self._got.length or 0) > self._most:
                raise TooMuch(f"{self._got.length:,} bytes, and {self._most:,} are taken")
            yield

    def _refuse_packed(self) -> None:
        if self.headers.get("content-encoding", "identity").lower() not in ("", "identity"):
            raise Failed("broken", "its answer is packed, which nobody asked for")


@contextmanager
def failing(watch: Watch) -> Iterator[None]:
    """Convert the errors of an exchange into `Failed`."""
    try:
        yield
    except TooLate:
        raise Failed("late", f"it takes longer than {watch.seconds:g} s") from None
    except TooMuch as error:
        raise Failed("broken", f"it sends {error}") from None
    except http.client.IncompleteRead:
        raise Failed("broken", "its answer ends too early") from None
    except http.client.RemoteDisconnected:
        raise Failed("broken", "it hangs up without an answer") from None
    except (http.client.HTTPException, ValueError) as error:
        raise Failed("broken", f"its answer is no HTTP ({type(error).__name__})") from None
    except OSError as error:
        raise Failed("broken", f"the connection breaks ({(error.strerror or str(error)).lower()})") from None


def resolve(host: str, port: int) -> list[str]:
    """Return the addresses of a host from the system's resolver."""
    entries = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(entry[4][0]) for entry in entries))


def resolved(url: Url, watch: Watch, resolving: Resolve = resolve) -> list[str]:
    """Resolve a URL's host, in a thread, because the resolver has no timeout."""
    outcome: list[list[str]] = []

    def look() -> None:
        with suppress(OSError, UnicodeError):
            outcome.append(list(resolving(url.host, url.port)))

    thread = threading.Thread(target=look, daemon=True, name="biblicus-resolve")
    thread.start()
    while thread.is_alive():
        try:
            thread.join(min(_SLICE, watch.left()))
        except TooLate:
            raise Failed("unanswered", "its host's address could not be found in time") from None
    if not outcome or not outcome[0]:
        raise Failed("unanswered", "its host has no address")
    return outcome[0]


def dial(address: str, port: int, seconds: float) -> socket.socket:
    """Open a TCP connection to an address, without a proxy."""
    return socket.create_connection((address, port), timeout=seconds)


@cache
def trust() -> ssl.SSLContext:
    """Return the system's trusted certificates."""
    return ssl.create_default_context()


def connected(
    url: Url,
    addresses: Sequence[str],
    watch: Watch,
    seconds: float = _CONNECTING,
    dialling: Dial = dial,
    trust: Trust = trust,
) -> Pinned:
    """Connect to the first address that accepts within `seconds`. With TLS, the certificate must be valid for the host
    name in the URL."""
    failure: OSError = OSError("nobody there")
    try:
        for address in addresses[:_TRIED]:
            try:
                return _connected(url, address, watch, seconds, dialling, trust)
            except ssl.SSLError:
                raise
            except OSError as error:
                failure = error
    except TooLate:
        raise Failed("late", f"it takes longer than {watch.seconds:g} s") from None
    except ssl.SSLCertVerificationError as error:
        raise Failed("refused", f"its certificate is not valid ({error.verify_message})") from None
    except ssl.SSLError as error:
        raise Failed("unanswered", f"no TLS connection ({(error.reason or 'it failed').lower()})") from None
    if isinstance(failure, TimeoutError):
        raise Failed("unanswered", "no connection in time")
    raise Failed("unanswered", (failure.strerror or str(failure)).lower())


def _connected(url: Url, address: str, watch: Watch, seconds: float, dialling: Dial, trust: Trust) -> Pinned:
    sock = dialling(address, url.port, min(seconds, watch.left()))
    try:
        if url.scheme == "https":
            sock.settimeout(min(seconds, watch.left()))
            sock = trust().wrap_socket(sock, server_hostname=url.host)
        return Pinned(sock, watch)
    except BaseException:
        sock.close()
        raise


def asked(
    pinned: Pinned, url: Url, method: str, target: str, headers: Mapping[str, str], body: bytes | None, most: int
) -> Response:
    """Send a request and return the reply. `most`: bytes of its body."""
    try:
        with failing(pinned.watch):
            connection = http.client.HTTPConnection(url.host, url.port)
            connection.sock = _AsSocket(pinned)
            connection.putrequest(method, target, skip_host=True, skip_accept_encoding=True)
            connection.putheader("Host", url.authority)
            for name, value in headers.items():
                connection.putheader(name, value)
            if body is not None:
                connection.putheader("Content-Length", str(len(body)))
            connection.putheader("Connection", "close")
            connection.endheaders(body)
            return Response(connection.getresponse(), pinned, most)
    except BaseException:
        pinned.close()
        raise


class Pinned(io.RawIOBase):
    """Reads a socket with a limit of bytes and time. `close` closes the socket."""

    def __init__(self, sock: socket.socket, watch: Watch) -> None:
        self._sock, self.watch = sock, watch
        self._count = 0
        self.allowed = _HEADERS

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any, /) -> int:
        while True:
            self._sock.settimeout(min(_SLICE, self.watch.left()))
            try:
                count = self._sock.recv_into(buffer)
            except TimeoutError:
                continue
            except ssl.SSLEOFError:  # closed without a TLS goodbye; the length shows if data is missing
                return 0
            self._count += count
            if self._count > self.allowed:
                raise TooMuch("larger headers than are taken" if self.allowed == _HEADERS else "more than is taken")
            return count

    def close(self) -> None:
        if not self.closed:
            super().close()
            with suppress(OSError):
                self._sock.close()

    def send(self, data: bytes) -> None:
        self._sock.settimeout(self.watch.left())
        self._sock.sendall(data)


class _AsSocket:
    """The parts of a socket that `http.client` needs. Its `close` does nothing, since `http.client` closes it too
    early."""

    def __init__(self, pinned: Pinned) -> None:
        self.sendall = pinned.send
        self._pinned = pinned

    def makefile(self, *_: Any) -> io.BufferedReader:
        return io.BufferedReader(self._pinned, 16 << 10)

    def close(self) -> None:
        """Do nothing: the owner of `Pinned` closes it."""


def retry_after(headers: Mapping[str, str], now: float | None = None) -> float:
    """Return the seconds that a server asks to wait (`Retry-After`, a number or a date), or 0."""
    value = headers.get("retry-after", "")
    if value.isdecimal() and len(value) < 10:
        return float(value)
    try:
        until = parsedate_to_datetime(value).timestamp()
    except (ValueError, TypeError, OverflowError):
        return 0.0
    return max(0.0, until - (time.time() if now is None else now))


def reason_of(body: bytes | str) -> str:
    """Return the message in an error's body, shortened and in brackets; servers have several formats for it."""
    try:
        value = guarded_json.read(body, max_bytes=1 << 20)
    except BadData:
        return ""
    while isinstance(value, Mapping):
        value = value.get("error") or value.get("message") or value.get("detail")
    line = str(value or "").split("\n", 1)[0]
    reason = "".join(character for character in line if character.isprintable())[:200].strip().rstrip(".")
    return f" ({reason})" if reason else ""


def as_body(value: Any) -> bytes:
    """Encode a value as the JSON body of a request."""
    return json.dumps(value, ensure_ascii=False).encode("utf-8", "surrogatepass")
