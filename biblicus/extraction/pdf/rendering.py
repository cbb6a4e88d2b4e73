"""Page images of a PDF for OCR engines."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pypdfium2

_DOTS = 300 / 72
"""Pixels for each point (300 dpi)."""
_LONGEST_SIDE = 5_000
"""Maximum pixels of a side: A3 at 300 dpi. Larger pages are scaled down."""


def images(raw: bytes, numbers: Sequence[int], password: str | None) -> Iterator[tuple[int, bytes]]:
    """Yield pages by number (from 0) as grey PNM images; a page that cannot be rendered is skipped."""
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
