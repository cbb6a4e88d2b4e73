"""HTTP from this program to others: whatever the other side does, an exchange ends in time and within so many bytes.

Every client of ours speaks through here, and is only its protocol. `http.client` parses; it reads through `Pinned`,
which looks at the clock and at the caller's cancellation before every piece, however slowly the pieces come. No
redirect is followed and no proxy of the environment is used, so that a key goes where the user said and nowhere else.
What goes wrong is `Failed`, of one of six kinds; `Retry` says which of them are asked again, and after what pause.
"""

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
from types import TracebackType
from typing import Any, Literal, TypeVar

from biblicus.contracts import Call
from biblicus.errors import BadData, DeadlineExceeded
from biblicus.guards import json as guarded_json
from biblicus.guards.network.urls import Url, of_server

T = TypeVar("T")

Resolve = Callable[[str, int], Sequence[str]]
"""The IP addresses of a host."""
Dial = Callable[[str, int, float], socket.socket]
"""Connects to an IP address and port within seconds."""
Trust = Callable[[], ssl.SSLContext]
"""Whose certificates are believed."""

Kind = Literal["unanswered", "late", "busy", "broken", "rejected", "refused"]

_SLICE = 0.1
"""Seconds between two looks at the clock and at cancellation."""
_CONNECTING = 10.0
"""Seconds that a connection may take."""
_TRIED = 4
"""Addresses of a host that are tried until one answers."""
_HEADERS = 128 << 10
"""Bytes of status line and headers together."""
_FRAMING = 1 << 20
"""Bytes that the pieces of a chunked body may cost beside what they hold."""
_BLOCK = 64 << 10
_FIRST_PAUSE = 0.5

BUSY = (408, 409, 425, 429, 502, 503, 504)
"""Statuses of servers that may answer in a moment."""
_REJECTED = (400, 413, 422)


class Failed(Exception):
    """There is no good answer.

    `unanswered`: no connection. `late`: no whole answer in time. `busy`: an answer that says so. `broken`: one that
    makes no sense, or a server's own fault. `rejected`: for what the request holds. `refused`: whatever it holds
    (unknown model, wrong key, a certificate of somebody else).

    `cause` goes into a sentence after a colon. `status`: HTTP's; 0 without an answer. `pause`: seconds that the server
    asks for.
    """

    def __init__(self, kind: Kind, cause: str, *, status: int = 0, pause: float = 0.0) -> None:
        super().__init__(cause)
        self.kind, self.cause, self.status, self.pause = kind, cause, status, pause

    @property
    def passing(self) -> bool:
        """Whether the same request may well do better in a moment."""
        return self.kind in ("unanswered", "busy", "broken")


@dataclass(frozen=True)
class Retry:
    """When to ask again. Pauses double from `first`, more or less; a server's own wish counts where it is longer.

    `attempts`: in all; `unanswered`: where there is no connection. `longest`: a server that asks for a longer pause is
    given up. `late`: also ask again what took too long. No pause outlasts the caller's deadline.
    """

    attempts: int
    unanswered: int = 2
    first: float | None = None
    longest: float = 60.0
    late: bool = False

    def pause(self, attempt: int, *, passing: bool, unanswered: bool, asked: float) -> float | None:
        """Seconds to wait after this many attempts; None where it is to be given up."""
        most = min(self.attempts, self.unanswered) if unanswered else self.attempts
        if not passing or attempt >= most or asked > self.longest:
            return None
        first = _FIRST_PAUSE if self.first is None else self.first
        return max(asked, min(first * 2.0 ** (attempt - 1), self.longest) * random.uniform(0.75, 1.25))

    def ask(self, once: Callable[[], T], call: Call) -> T:
        """What `once` gives, asked as often as it takes. Raises `Failed`, `Cancelled`, `DeadlineExceeded`."""
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
    """A server of the user's own configuration. `url`: the base that paths are put behind, as `server_address` has it.

    `seconds`: for one exchange, from the first step to the last byte; `connecting`: for its connection.
    """

    url: str
    headers: Mapping[str, str] = field(default_factory=dict)
    seconds: float = 120.0
    connecting: float = _CONNECTING

    def open(self, method: str, path: str, call: Call, body: bytes | None = None, *, most: int) -> Response:
        """The beginning of the answer. `most`: bytes of its body. Raises `Failed` and what `call.check` raises."""
        url, watch = of_server(self.url), Watch(call, self.seconds)
        headers = {"Content-Type": "application/json", "Accept": "application/json", "Accept-Encoding": "identity"}
        pinned = connected(url, resolved(url, watch), watch, self.connecting)
        return asked(pinned, url, method, url.target + path, {**headers, **self.headers}, body, most)


class TooMuch(Exception):
    """More was sent than may be. The words go on after `it sends`."""


class TooLate(Exception):
    """The time for the whole exchange is over."""


class Watch:
    """The time one exchange has. `left` raises `TooLate`, or what the caller's `call.check` raises."""

    def __init__(self, call: Call, seconds: float) -> None:
        self._call, self.seconds, self._end = call, seconds, time.monotonic() + seconds

    def left(self) -> float:
        """Seconds, more than 0."""
        self._call.check()
        if (left := self._end - time.monotonic()) <= 0:
            raise TooLate
        return left


class Response:
    """An answer whose status and headers (by lower-case name, the first of each) are read; the body waits.

    A context manager that closes the connection. What reads raises `Failed`.
    """

    def __init__(self, got: http.client.HTTPResponse, pinned: Pinned, most: int) -> None:
        self._got, self._pinned, self._most = got, pinned, most
        self.status = got.status
        self.headers: dict[str, str] = {}
        for name, value in got.getheaders():
            with suppress(UnicodeError):  # UTF-8 where it can be: RFC 9110 leaves it open
                value = value.encode("latin-1").decode()
            self.headers.setdefault(name.lower(), value.strip())

    def __enter__(self) -> Response:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._pinned.close()

    def blocks(self) -> Iterator[bytes]:
        """The body as it comes, packed as it is."""
        with self._bounded():
            while block := self._got.read(_BLOCK):
                yield block
            if self._got.length:
                raise http.client.IncompleteRead(b"", self._got.length)

    def read(self) -> bytes:
        """The whole body. A packed one is refused: it may be any size when it is opened."""
        self._refuse_packed()
        body = b"".join(self.blocks())
        if len(body) > self._most:
            raise Failed("broken", f"it sends more than {self._most:,} bytes")
        return body

    def lines(self) -> Iterator[bytes]:
        """The body's lines as they come."""
        self._refuse_packed()
        with self._bounded():
            while line := self._got.readline():
                yield line
            if self._got.length:
                raise http.client.IncompleteRead(b"", self._got.length)

    def json(self) -> Any:
        """The body as JSON from a stranger."""
        try:
            return guarded_json.read(self.read(), max_bytes=self._most)
        except BadData as error:
            raise Failed("broken", f"its answer is no JSON ({error.message.rstrip('.').lower()})") from error

    def failure(self) -> Failed:
        """What an answer that is no 200 says, with the reason that its body gives."""
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
    """Says what goes wrong with an exchange as `Failed`."""
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
    """The addresses of a host, as the system tells them."""
    entries = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(entry[4][0]) for entry in entries))


def resolved(url: Url, watch: Watch, resolving: Resolve = resolve) -> list[str]:
    """The addresses of a URL's host. In a thread: a resolver knows no deadline."""
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
    """A TCP connection to an address, by no proxy."""
    return socket.create_connection((address, port), timeout=seconds)


@cache
def trust() -> ssl.SSLContext:
    """Those that the system believes."""
    return ssl.create_default_context()


def connected(
    url: Url,
    addresses: Sequence[str],
    watch: Watch,
    seconds: float = _CONNECTING,
    dialling: Dial = dial,
    trust: Trust = trust,
) -> Pinned:
    """A connection for `url` to the first of the addresses that takes one within `seconds`; with TLS, its certificate
    is verified for the name in the URL."""
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
    """The answer to one request. `most`: bytes of its body."""
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
    """What arrives on a socket, counted and timed. `close` closes the socket."""

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
            except ssl.SSLEOFError:  # closed without a good-bye; what is missing shows by the length
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
    """What `http.client` wants of a socket. It closes it while it still reads."""

    def __init__(self, pinned: Pinned) -> None:
        self.sendall = pinned.send
        self._pinned = pinned

    def makefile(self, *_: Any) -> io.BufferedReader:
        return io.BufferedReader(self._pinned, 16 << 10)

    def close(self) -> None:
        """`Pinned` is closed by who made it."""


def retry_after(headers: Mapping[str, str], now: float | None = None) -> float:
    """Seconds that a server asks to wait, as a number or a date; 0 where it does not say."""
    value = headers.get("retry-after", "")
    if value.isdecimal() and len(value) < 10:
        return float(value)
    try:
        until = parsedate_to_datetime(value).timestamp()
    except (ValueError, TypeError, OverflowError):
        return 0.0
    return max(0.0, until - (time.time() if now is None else now))


def reason_of(body: bytes | str) -> str:
    """What an error's body says, in brackets and shortened: servers say it in several ways."""
    try:
        value = guarded_json.read(body, max_bytes=1 << 20)
    except BadData:
        return ""
    while isinstance(value, Mapping):
        value = value.get("error") or value.get("message") or value.get("detail")
    line = str(value or "").split("\n", 1)[0]
    shown = "".join(character for character in line if character.isprintable())[:200].strip().rstrip(".")
    return f" ({shown})" if shown else ""


def as_body(value: Any) -> bytes:
    """A request's JSON."""
    return json.dumps(value, ensure_ascii=False).encode("utf-8", "surrogatepass")
