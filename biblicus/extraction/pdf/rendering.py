"""Pictures of a PDF's pages, for engines of OCR."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pypdfium2

_DOTS = 300 / 72
"""Pixels for each point: 300 dots an inch."""
_LONGEST_SIDE = 5_000
"""Pixels: a sheet of A3 at 300 dots an inch; larger ones are drawn smaller."""


def images(raw: bytes, numbers: Sequence[int], password: str | None) -> Iterator[tuple[int, bytes]]:
    """Pages by number (from 0), each as a grey PNM picture; one that cannot be drawn is left out."""
    if not numbers:
        return
    document = pypdfium2.PdfDocument(raw, password)
    for number in numbers:
        try:
            page = document[number]
            scale = min(_DOTS, _LONGEST_SIDE / max(*page.get_size(), 1))
            bitmap = page.render(scale=scale, grayscale=True)
        except pypdfium2.PdfiumError:
            continue
        rows = memoryview(bitmap.buffer).cast("B")
        pixels = b"".join(
            bytes(rows[row * bitmap.stride : row * bitmap.stride + bitmap.width]) for row in range(bitmap.height)
        )
        yield number, b"P5\n%d %d\n255\n" % (bitmap.width, bitmap.height) + pixels
        bitmap.close()
        page.close()
