"""Reads back the pictures that are drawn here: PNG of eight bits a channel, red, green, blue, no filter."""

from __future__ import annotations

import struct
import zlib
from typing import NamedTuple

from biblicus.models.page_image import Box

EDGE = bytes((196, 110, 0))
"""What stands at the foot of a mark."""


class Picture(NamedTuple):
    """Rows of pixels, three bytes each."""

    width: int
    height: int
    rows: list[bytes]

    @classmethod
    def read(cls, png: bytes) -> Picture:
        assert png.startswith(b"\x89PNG\r\n\x1a\n")
        width, height, bits, kind = struct.unpack_from(">IIBB", png, 16)
        assert (bits, kind) == (8, 2)
        start = png.index(b"IDAT") + 4
        (size,) = struct.unpack_from(">I", png, start - 8)
        body = zlib.decompress(png[start : start + size])
        step = 3 * width + 1
        assert len(body) == step * height
        assert not any(body[::step])
        return cls(width, height, [body[row * step + 1 : (row + 1) * step] for row in range(height)])

    def part(self, box: Box) -> list[bytes]:
        """The pixels of a box, row by row."""
        left, top, right, bottom = box
        return [self.rows[row][3 * left : 3 * right] for row in range(top, bottom)]

    def holds_ink(self, box: Box) -> bool:
        """Whether something dark stands in a box."""
        return any(min(row) < 128 for row in self.part(box) if row)

    def feet(self) -> list[tuple[int, int]]:
        """The edges at the foot of marks, each by its last row and its first pixel."""
        feet: list[tuple[int, int]] = []
        for number, row in enumerate(self.rows):
            below = self.rows[number + 1] if number + 1 < self.height else b""
            before = False
            for pixel in range(self.width):
                here = row[3 * pixel : 3 * pixel + 3] == EDGE
                if here and not before and below[3 * pixel : 3 * pixel + 3] != EDGE:
                    feet.append((number, pixel))
                before = here
        return feet


def blank(width: int, height: int) -> bytes:
    """A white picture."""
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    rows = zlib.compress((b"\0" + b"\xff" * (3 * width)) * height)
    parts = (b"IHDR", head), (b"IDAT", rows), (b"IEND", b"")
    chunks = (
        struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body)) for kind, body in parts
    )
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunks)
