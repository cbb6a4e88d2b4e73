"""Asks a service for JSON over HTTP: with a time limit, back-off, and an ear for cancellation.

It connects to the address of the user's configuration and to no other: no redirect is followed, no proxy of the
environment is used.
"""

from __future__ import annotations

import http.client
import json
import random
import socket
import threading
import time
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, TypeVar
from urllib.parse import urlsplit

from biblicus.errors import BadData, DeadlineExceeded
from biblicus.guards import json as guarded_json

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from biblicus.contracts import Call

Read = TypeVar("Read")
Kind = Literal["down", "broken", "rejected", "refused"]

_LARGEST_REPLY = 256 << 20
_LONGEST_PAUSE = 30.0
_FIRST_PAUSE = 0.5
_LISTENING = 0.05
"""Seconds between two looks at deadline and cancellation."""

_DOWN = (408, 429, 502, 503, 504)
_REJECTED = (400, 413, 422)


class Failed(Exception):
    """`down`: no answer for now. `broken`: an answer that makes no sense. `rejected`: for what the request holds.

    `refused`: whatever the request holds (unknown model, wrong key). `status`: HTTP's; 0 without an answer.
    """

    def __init__(self, kind: Kind, cause: str, *, status: int = 0, pause: float = 0.0) -> None:
        super().__init__(cause)
        self.kind = kind
        self.cause = cause
        self.status = status
        self.pause = pause


def _as_it_is(reply: Any) -> Any:
    return reply


@dataclass(frozen=True)
class Service:
    """`url`: the base that paths are put behind. `seconds`: for one request."""

    url: str
    headers: Mapping[str, str] = field(default_factory=dict)
    seconds: float = 120.0

    def ask(
        self,
        path: str,
        body: Mapping[str, Any] | None,
        call: Call,
        attempts: int = 1,
        read: Callable[[Any], Read] = _as_it_is,
    ) -> Read:
        """What `read` makes of the reply's JSON; it may raise `Failed`, too.

        A request that may do better later is sent again, after a pause that doubles each time. Raises `Failed`.
        """
        attempt = 0
        while True:
            call.check()
            try:
                return read(self._once(path, body, call))
            except Failed as failure:
                attempt += 1
                if attempt >= attempts or failure.kind in ("rejected", "refused"):
                    raise
                pause = _FIRST_PAUSE * 2 ** (attempt - 1) * random.uniform(0.75, 1.25)
                self._wait(max(failure.pause, pause), call)

    def _wait(self, seconds: float, call: Call) -> None:
        end = time.monotonic() + min(seconds, _LONGEST_PAUSE)
        if call.deadline is not None and end > call.deadline:
            raise DeadlineExceeded
        call.cancel.wait(end - time.monotonic())
        call.check()

    def _once(self, path: str, body: Mapping[str, Any] | None, call: Call) -> Any:
        status, pause, raw = self._exchange(path, body, call)
        if status != 200:
            cause = f"it answers {status}" + _said(raw)
            if status in _DOWN:
                raise Failed("down", cause, status=status, pause=pause)
            if status in _REJECTED:
                raise Failed("rejected", cause, status=status)
            raise Failed("broken" if status >= 500 else "refused", cause, status=status)
        try:
            return guarded_json.read(raw, max_bytes=_LARGEST_REPLY)
        except BadData as error:
            raise Failed("broken", f"its answer is no JSON ({error.message.rstrip('.').lower()})") from error

    def _exchange(self, path: str, body: Mapping[str, Any] | None, call: Call) -> tuple[int, float, bytes]:
        """Status, asked pause and body. In a thread, since only so can a caller leave a server that says nothing."""
        connection = self._connection()
        outcome: list[tuple[int, float, bytes] | BaseException] = []
        done = threading.Event()

        def talk() -> None:
            try:
                outcome.append(self._talk(connection, path, body))
            except BaseException as error:  # handed to the caller's thread
                outcome.append(error)
            finally:
                connection.close()
                done.set()

        threading.Thread(target=talk, daemon=True, name="biblicus-service").start()
        end = time.monotonic() + self.seconds
        try:
            while not done.wait(_LISTENING):
                call.check()
                if time.monotonic() > end:
                    raise Failed("down", f"it does not answer within {self.seconds:g} s")
        finally:
            if not done.is_set() and connection.sock is not None:
                with suppress(OSError):
                    connection.sock.shutdown(socket.SHUT_RDWR)
        (result,) = outcome
        if isinstance(result, (http.client.HTTPException, ValueError)):
            raise Failed("broken", f"its answer ends early or is no HTTP ({type(result).__name__})") from result
        if isinstance(result, OSError):
            raise Failed("down", f"no connection ({result.strerror or result})") from result
        if isinstance(result, BaseException):
            raise result
        return result

    def _connection(self) -> http.client.HTTPConnection:
        parts = urlsplit(self.url)
        kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
        return kind(parts.hostname or "", parts.port, timeout=self.seconds)

    def _talk(
        self, connection: http.client.HTTPConnection, path: str, body: Mapping[str, Any] | None
    ) -> tuple[int, float, bytes]:
        data = None if body is None else json.dumps(body).encode()
        headers = {"Content-Type": "application/json", "Accept": "application/json", **self.headers}
        connection.request("GET" if data is None else "POST", urlsplit(self.url).path.rstrip("/") + path, data, headers)
        response = connection.getresponse()
        asked = response.headers.get("Retry-After", "")
        return response.status, float(asked) if asked.isdigit() else 0.0, response.read(_LARGEST_REPLY + 1)


def _said(raw: bytes) -> str:
    """What an error's body says, shortened: servers say it in several ways."""
    try:
        value = guarded_json.read(raw, max_bytes=1 << 20)
    except BadData:
        return ""
    while isinstance(value, dict):
        value = value.get("error") or value.get("message") or value.get("detail")
    line = str(value or "").split("\n", 1)[0]
    shown = "".join(character for character in line if character.isprintable())[:200].strip().rstrip(".")
    return f" ({shown})" if shown else ""
