"""Frames between processes: two lengths (4 bytes each, big-endian), a JSON object and raw bytes."""

from __future__ import annotations

import struct

LENGTHS = struct.Struct("!II")


class FrameBroken(Exception):
    """The stream ended early, or its bytes are no frame within the limits."""


def pack(head: bytes, body: bytes) -> tuple[bytes, bytes]:
    """Return a frame in two parts, so that a large body is not copied. `head`: the encoded JSON object."""
    return LENGTHS.pack(len(head), len(body)) + head, body


class Frames:
    """Collects the frames of a stream. `most_head`, `most_body`: maximum bytes of the parts of a frame."""

    def __init__(self, most_head: int, most_body: int) -> None:
        self._most_head, self._most_body = most_head, most_body
        self._data = bytearray()

    def feed(self, data: bytes) -> None:
        """Add received bytes. Raises `FrameBroken` for none, the end of the stream."""
        if not data:
            raise FrameBroken("the other side left")
        self._data += data

    def next(self) -> tuple[bytes, bytes] | None:
        """Remove and return head and body of a complete frame, or None. Raises `FrameBroken` beyond the limits."""
        if len(self._data) < LENGTHS.size:
            return None
        head_length, body_length = LENGTHS.unpack_from(self._data)
        if head_length > self._most_head or body_length > self._most_body:
            raise FrameBroken(f"a frame of {head_length + body_length:,} bytes was announced")
        body_start = LENGTHS.size + head_length
        end = body_start + body_length
        if len(self._data) < end:
            return None
        with memoryview(self._data) as data:
            frame = bytes(data[LENGTHS.size : body_start]), bytes(data[body_start:end])
        del self._data[:end]
        return frame
