"""OCR stage of a recipe: turns pictures of pages into text with the boxes of its words, in reading
order: columns, rows and slanted lines.

Text with low confidence is dropped. If that is most of a page, the page is reported as unsure, so that a script without
a model does not put nonsense into the index.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator, Mapping, Sequence
from statistics import median
from typing import Any

from biblicus import plugins
from biblicus.contracts import OcrEngine
from biblicus.errors import ExtractionFailed
from biblicus.extraction.kit import blocks
from biblicus.models.extraction import Box
from biblicus.models.recognition import Reading, Scan, Word

MOST_PIXELS = 60_000_000
"""Maximum pixels of a picture; an A4 page at 600 dpi has 35 million."""
_SCALE = 10_000
_SPARSE = 0.2
_SEGMENT = b"\xc0\xc1\xc2\xc3\xc5\xc6\xc7\xc9\xca\xcb\xcd\xce\xcf"
Line = tuple[Word, ...]
_SAME_ROW, _OVERLAP = 0.4, 0.1
"""Maximum distance of lines of one row, in line heights, and their overlap as a share of the right one."""


class Stage:
    """An OCR engine with its options. `between`: called after each page, so that time limits count for each page."""

    def __init__(self, choice: Mapping[str, Any], between: Callable[[], None] = lambda: None) -> None:
        options = {name: value for name, value in choice.items() if name != "engine"}
        self.engine: OcrEngine = plugins.make("ocr", choice["engine"], options)
        self.name: str = choice["engine"]
        self.every_page = options.get("pages") == "all"
        self._between = between

    @property
    def fingerprint(self) -> str:
        return self.engine.fingerprint

    def read(self, image: bytes, first_page: int = 1) -> Iterator[Reading]:
        """Yield the reading of each page, numbered from `first_page`. Raises `ExtractionFailed` for too large
        pictures."""
        width, height = pixels(image)
        if width * height > MOST_PIXELS:
            raise ExtractionFailed(f"it has {width} × {height} pixels, {MOST_PIXELS // 1_000_000} million are the most")
        for page, scan in enumerate(self.engine.read(image), first_page):
            yield reading(scan, self.engine.sure_from, page)
            self._between()


def reading(scan: Scan, sure_from: float, page: int) -> Reading:
    """Return a scan's text and boxes, from lines with enough confidence and with letters along their length."""
    lines = scan.lines if scan.ordered else in_order(scan.lines)
    sure_lines = [line for line in lines if _is_sure(line, sure_from)]
    if _width(sure_lines) * 2 < _width(lines):
        return Reading("", (), unsure=True)
    parts: list[str] = []
    boxes: list[Box] = []
    length = 0
    for line in sure_lines:
        for number, word in enumerate(line):
            text = " ".join(word.text.split())
            apart = "\n" if number == len(line) - 1 else " "
            boxes.append(Box(length, length + len(text), page, *_share(word, scan)))
            parts += (text, apart)
            length += len(text) + 1
    return Reading("".join(parts), tuple(boxes))


def _is_sure(line: Sequence[Word], sure_from: float) -> bool:
    letters = sum(len(word.text.replace(" ", "")) for word in line)
    if not letters:
        return False
    width = line[-1].right - line[0].left
    height = max(word.bottom - word.top for word in line)
    sure = sum(word.sure * len(word.text) for word in line) / sum(len(word.text) for word in line)
    return sure >= sure_from and letters * height >= _SPARSE * width


def _width(lines: Sequence[Sequence[Word]]) -> float:
    return sum(line[-1].right - line[0].left for line in lines)


def _share(word: Word, scan: Scan) -> tuple[int, int, int, int]:
    """Return a word's box in ten-thousandths of the page's width and height."""
    edges = zip((word.left, word.top, word.right, word.bottom), (scan.width, scan.height) * 2, strict=True)
    left, top, right, bottom = (max(0, min(_SCALE, round(value / max(1, whole) * _SCALE))) for value, whole in edges)
    return left, top, right, bottom


def pixels(image: bytes) -> tuple[int, int]:
    """Return the width and height from a picture's header, without decoding it. Raises `ExtractionFailed`."""
    size = _pixels(image)
    if size is None or not all(size):
        raise ExtractionFailed("OCR reads PNG, JPEG, TIFF and WebP, and this is none")
    return size


def _pixels(image: bytes) -> tuple[int, int] | None:
    try:
        if image[:8] == b"\x89PNG\r\n\x1a\n":
            return struct.unpack_from(">II", image, 16)
        if image[:3] == b"\xff\xd8\xff":
            return _of_jpeg(image)
        if image[:4] in (b"II*\0", b"MM\0*"):
            return _of_tiff(image)
        if image[:4] == b"RIFF" and image[8:12] == b"WEBP":
            return _of_webp(image)
        if image[:3] in (b"P5\n", b"P6\n"):
            width, height = image[3:40].split(b"\n", 1)[0].split()
            return int(width), int(height)
    except (struct.error, ValueError, IndexError):
        return None
    return None


def _of_jpeg(image: bytes) -> tuple[int, int] | None:
    at = 2
    while at + 9 <= len(image):
        if image[at] != 0xFF:
            return None
        marker = image[at + 1]
        if marker in _SEGMENT:
            height, width = struct.unpack_from(">HH", image, at + 5)
            return width, height
        if marker == 0xFF:
            at += 1
            continue
        at += 2 + max(2, struct.unpack_from(">H", image, at + 2)[0])
    return None


def _of_tiff(image: bytes) -> tuple[int, int] | None:
    """Return the size of the largest page."""
    order = "<" if image[:2] == b"II" else ">"
    (at,) = struct.unpack_from(f"{order}I", image, 4)
    largest: tuple[int, int] | None = None
    offsets: set[int] = set()
    while at and at not in offsets and len(offsets) < 1_000:
        offsets.add(at)
        (count,) = struct.unpack_from(f"{order}H", image, at)
        sizes = {}
        for number in range(count):
            tag, kind = struct.unpack_from(f"{order}HH", image, at + 2 + 12 * number)
            if tag in (0x100, 0x101):
                (sizes[tag],) = struct.unpack_from(order + ("H" if kind == 3 else "I"), image, at + 10 + 12 * number)
        size = sizes.get(0x100, 0), sizes.get(0x101, 0)
        if largest is None or size[0] * size[1] > largest[0] * largest[1]:
            largest = size
        (at,) = struct.unpack_from(f"{order}I", image, at + 2 + 12 * count)
    return largest


def _of_webp(image: bytes) -> tuple[int, int] | None:
    kind = image[12:16]
    if kind == b"VP8X":
        width = int.from_bytes(image[24:27], "little") + 1
        return width, int.from_bytes(image[27:30], "little") + 1
    if kind == b"VP8L":
        bits = int.from_bytes(image[21:25], "little")
        return (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
    if kind == b"VP8 ":
        width, height = struct.unpack_from("<HH", image, 26)
        return width & 0x3FFF, height & 0x3FFF
    return None


def in_order(lines: Sequence[Line]) -> tuple[Line, ...]:
    """Return the lines in reading order; lines side by side in one row are joined."""
    rows = _rows(lines, _slant(lines))
    row_of = [number for number, row in enumerate(rows) for _ in row]
    parts = [
        blocks.Part(
            number,
            sum(len(word.text.split()) for word in line),
            line[0].left,
            line[-1].right,
            -place,
            median(word.bottom - word.top for word in line),
        )
        for number, (place, line) in enumerate(entry for row in rows for entry in row)
    ]
    ordered: list[Line] = []
    before = -1
    flat = [line for row in rows for _, line in row]
    for number in blocks.in_order(parts):
        if number and number == before + 1 and row_of[number] == row_of[before]:
            ordered[-1] += flat[number]
        else:
            ordered.append(flat[number])
        before = number
    return tuple(ordered)


def _slant(lines: Sequence[Line]) -> float:
    """Return the vertical shift of a line for each pixel to the right (median over lines)."""
    slopes = []
    for line in lines:
        run = line[-1].left - line[0].left
        if len(line) > 2 and run > 0:
            slopes.append(((line[-1].top + line[-1].bottom) - (line[0].top + line[0].bottom)) / 2 / run)
    return median(slopes) if slopes else 0.0


def _rows(lines: Sequence[Line], slant: float) -> list[list[tuple[float, Line]]]:
    """Return the lines by row from top to bottom and from left to right, each with its height without slant."""
    places = [
        (median((word.top + word.bottom) / 2 - slant * (word.left + word.right) / 2 for word in line), line)
        for line in lines
    ]
    rows: list[list[tuple[float, Line]]] = []
    for place, line in sorted(places):
        tall = median(word.bottom - word.top for word in line)
        if rows and place - rows[-1][-1][0] < tall * _SAME_ROW and not _overlap(line, rows[-1]):
            rows[-1].append((place, line))
        else:
            rows.append([(place, line)])
    return [sorted(row, key=lambda entry: entry[1][0].left) for row in rows]


def _overlap(line: Line, row: Sequence[tuple[float, Line]]) -> bool:
    """Return True if a line overlaps another of the row."""
    left, right = line[0].left, line[-1].right
    return any(min(right, other[-1].right) - max(left, other[0].left) > _OVERLAP * (right - left) for _, other in row)
