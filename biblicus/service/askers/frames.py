"""Framing of requests over a socket: four bytes of length, big-endian, then one JSON document in UTF-8.

One request and one reply a connection. Request: `verb`, `path` (the corpus's folder), `request`, `timeout` (seconds or
null). Reply: `value`, or `error` with its `category`."""

from __future__ import annotations

import json
import socket
import struct
from typing import Any

from biblicus.models.plain import jsonable

LIMIT = 64 << 20
"""Maximum bytes of one document."""
_LENGTH = struct.Struct(">I")


class FrameBroken(Exception):
    """The other side closed early, or sent an invalid frame."""


def send(connection: socket.socket, document: Any) -> None:
    """Send one document: JSON, or values that `models.plain` can encode."""
    text = json.dumps(document, ensure_ascii=False, separators=(",", ":"), default=jsonable)
    data = text.encode("utf-8", "surrogatepass")
    if len(data) > LIMIT:
        raise FrameBroken(f"a document of {len(data):,} bytes is larger than {LIMIT:,}")
    connection.sendall(_LENGTH.pack(len(data)) + data)


def receive(connection: socket.socket) -> Any:
    """Receive one document. Raises `FrameBroken`, `TimeoutError`."""
    (length,) = _LENGTH.unpack(_exactly(connection, _LENGTH.size))
    if length > LIMIT:
        raise FrameBroken(f"a document of {length:,} bytes was announced")
    try:
        return json.loads(_exactly(connection, length).decode("utf-8", "surrogatepass"))
    except (ValueError, RecursionError) as error:
        raise FrameBroken("not JSON") from error


def _exactly(connection: socket.socket, count: int) -> bytes:
    data = bytearray()
    while len(data) < count:
        block = connection.recv(min(count - len(data), 1 << 20))
        if not block:
            raise FrameBroken("the other side left")
        data += block
    return bytes(data)
