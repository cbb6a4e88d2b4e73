"""Requests to other processes of this machine and their replies: one of each a stream, as `guards.frames`.

The head of a request has `verb`, `path` (the corpus's folder), `request`, `timeout` (seconds or null), `who` (fields of
the call) and `traceparent`. A reply's body is its JSON; its head has `index_version`, or `error` with its `category`,
or `traceback`. A client cancels by closing its half of the stream, and may wait for the work to end."""

from __future__ import annotations

import json
import math
import socket
import time
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from biblicus import telemetry
from biblicus.contracts import Call
from biblicus.errors import from_object
from biblicus.guards.frames import FrameBroken, Frames, pack
from biblicus.models.fields import compact
from biblicus.models.frozen import dataclass
from biblicus.models.plain import jsonable, made_of, revived
from biblicus.models.sources.readers import Reader
from biblicus.service.verbs import Q, R, Verb

LIMIT = 64 << 20
"""Maximum bytes of a request, and of a daemon's reply."""
_BLOCK = 1 << 16
_LOOK = 0.05
"""Seconds between two checks if a reply is still wanted."""


@dataclass(frozen=True)
class Who:
    """Fields of a call that are sent, in addition to deadline and cancellation."""

    guest: bool = False
    layers: tuple[str, ...] = ()
    patient: bool = False
    reader: Reader | None = None
    through: tuple[str, ...] = ()


class Sent(NamedTuple):
    """The JSON of a reply and its `index_version`, if it has one."""

    body: bytes
    index_version: str | None = None

    def read(self, verb: Verb[Any, R]) -> R:
        """Return the reply. Raises `BadData`."""
        return revived(verb.reply, json.loads(self.body))


class Unforeseen(Exception):
    """An unexpected error in the other process, with its traceback, for the log."""


def packed(head: dict[str, Any], body: bytes = b"") -> bytes:
    """Return an encoded frame. `head`: JSON, or values that `models.plain` can encode."""
    text = json.dumps(head, ensure_ascii=False, separators=(",", ":"), default=jsonable)
    return b"".join(pack(text.encode("utf-8", "surrogatepass"), body))


def request_frame(verb: Verb[Q, Any], folder: Path | str, request: Q, call: Call) -> bytes:
    """Return the encoded request of a verb."""
    return packed(
        {
            "verb": verb.name,
            "path": str(folder),
            "request": compact(request),
            "timeout": None if call.deadline is None else call.deadline - time.monotonic(),
            "who": compact(made_of(Who, call)),
            "traceparent": telemetry.traceparent().decode(),
        }
    )


def call_of(head: dict[str, Any], call: Call) -> Call:
    """Return the call of a received request, cancelled with `call`. Raises `BadData`."""
    timeout = head.get("timeout")
    deadline = time.monotonic() + timeout if isinstance(timeout, int | float) else None
    return Call(deadline=deadline, cancel=call.cancel, **vars(revived(Who, head.get("who", {}))))


def exchange(
    stream: socket.socket,
    frame: bytes,
    call: Call,
    until: float = math.inf,
    *,
    patience: float = 0.0,
    most: int = LIMIT,
) -> tuple[bytes, bytes]:
    """Send a request and return the frame of the reply, until a moment of `time.monotonic`. `patience`: seconds for
    cancelled work to end. `most`: bytes of the reply. Raises `FrameBroken`, `OSError`, `TimeoutError`."""
    stream.settimeout(_left(until))
    stream.sendall(frame)
    frames = Frames(LIMIT, most)
    is_cancelled = False
    while (reply := frames.next()) is None:
        if call.cancel.is_set() and not is_cancelled:
            is_cancelled = True
            with suppress(OSError):  # it has just replied and left
                stream.shutdown(socket.SHUT_WR)
            until = min(until, time.monotonic() + patience)
        stream.settimeout(_left(min(until, time.monotonic() + _LOOK)))
        try:
            frames.feed(stream.recv(_BLOCK))
        except TimeoutError:
            if time.monotonic() >= until:
                raise
    return reply


def receive(stream: socket.socket, until: float = math.inf) -> dict[str, Any]:
    """Return the head of a request that arrives until a moment of `time.monotonic`. Raises `FrameBroken`, `OSError`."""
    frames = Frames(LIMIT, 0)
    while (frame := frames.next()) is None:
        stream.settimeout(_left(until))
        frames.feed(stream.recv(_BLOCK))
    return _object(frame[0])


def received(head_json: bytes, body: bytes) -> Sent:
    """Return the reply in a frame. Raises the returned error, `Unforeseen`, `FrameBroken`."""
    head = _object(head_json)
    if traceback := head.get("traceback"):
        raise Unforeseen(traceback)
    if isinstance(refusal := head.get("error"), dict):
        raise from_object(refusal, head.get("category"))
    if not body:
        raise FrameBroken("what it says is no answer")
    return Sent(body, head.get("index_version"))


def _object(text: bytes) -> dict[str, Any]:
    try:
        value = json.loads(text.decode("utf-8", "surrogatepass"))
    except (ValueError, RecursionError) as error:
        raise FrameBroken("not JSON") from error
    if not isinstance(value, dict):
        raise FrameBroken("no JSON object")
    return value


def _left(until: float) -> float | None:
    """Return the seconds until a moment, for a socket; None: no end."""
    return None if until == math.inf else max(until - time.monotonic(), 0.001)
