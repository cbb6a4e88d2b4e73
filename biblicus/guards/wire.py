"""A connection to one checked address: whatever the other side does, it ends in time, and within a number of bytes.

`http.client` parses; it reads through `Pinned`, which looks at the clock and at the caller's cancellation before every
piece, however slowly the pieces come.
"""

from __future__ import annotations

import http.client
import io
import socket
import ssl
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import cache
from typing import Any

from biblicus.contracts import Call
from biblicus.guards.urls import Url

Dial = Callable[[str, int, float], socket.socket]
"""Connects to an IP address and port within seconds."""

Trust = Callable[[], ssl.SSLContext]
"""Whose certificates are believed."""

_SLICE = 0.25
"""Seconds between two looks at the clock and at cancellation."""

_HEADERS = 128 << 10
"""Bytes of status line and headers together."""


class TooMuch(Exception):
    """More was sent than may be. The words go on after `it sends`."""


class TooLate(Exception):
    """The time for the whole exchange is over."""


def dial(address: str, port: int, seconds: float) -> socket.socket:
    """A TCP connection to an address, by no proxy."""
    return socket.create_connection((address, port), timeout=seconds)


@cache
def trust() -> ssl.SSLContext:
    """Those that the system believes."""
    return ssl.create_default_context()


class Watch:
    """The time one exchange has. `left` raises `TooLate`, or what the caller's `call.check` raises."""

    def __init__(self, call: Call, seconds: float) -> None:
        self._call, self._end = call, time.monotonic() + seconds

    def left(self) -> float:
        """Seconds, more than 0."""
        self._call.check()
        if (left := self._end - time.monotonic()) <= 0:
            raise TooLate
        return left


class Pinned(io.RawIOBase):
    """What arrives on a socket, counted and timed. `close` closes the socket."""

    def __init__(self, sock: socket.socket, watch: Watch) -> None:
        self._sock, self._watch = sock, watch
        self._count = 0
        self.allowed = _HEADERS

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any, /) -> int:
        while True:
            self._sock.settimeout(min(_SLICE, self._watch.left()))
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
        self._sock.settimeout(self._watch.left())
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


def connected(url: Url, address: str, watch: Watch, seconds: float, dialling: Dial, trust: Trust) -> Pinned:
    """A connection to `address` for `url`; with TLS, its certificate is verified for the name in the URL."""
    sock = dialling(address, url.port, min(seconds, watch.left()))
    try:
        if url.scheme == "https":
            sock.settimeout(min(seconds, watch.left()))
            sock = trust().wrap_socket(sock, server_hostname=url.host)
        return Pinned(sock, watch)
    except BaseException:
        sock.close()
        raise


def asked(pinned: Pinned, url: Url, headers: Mapping[str, str]) -> http.client.HTTPResponse:
    """The answer to a GET, its status and headers read; the body waits."""
    connection = http.client.HTTPConnection(url.host, url.port)
    connection.sock = _AsSocket(pinned)
    connection.putrequest("GET", url.target, skip_host=True, skip_accept_encoding=True)
    connection.putheader("Host", url.authority)
    for name, value in headers.items():
        connection.putheader(name, value)
    connection.putheader("Connection", "close")
    connection.endheaders()
    return connection.getresponse()
