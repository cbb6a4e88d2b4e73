"""A PDF page as a PNG image, with the given characters highlighted, or as grey pixels for OCR.

Each character of the cleaned text is mapped to its character in pdfium, whose box `FPDF_PageToDevice` converts to
pixels, taking rotation into account.
"""

from __future__ import annotations

import ctypes
import math
import struct
import zlib
from collections.abc import Container, Iterable, Iterator, Sequence

import pypdfium2
from pypdfium2 import raw as pdfium

from biblicus.errors import ExtractionFailed
from biblicus.extraction.pdf.page_text import NOT_TEXT, clean, restored, spelled
from biblicus.models.page_image import Box, Drawn

_HYPHEN = (0x2, 0xFFFE)
"""Pdfium's code for a hyphen at a line end, as a character and in text; cleaning removes it."""
_LARGEST_SCALE = 6.0
"""Maximum pixels for each point, so that a tiny page is not enlarged beyond print resolution."""
_COLOUR = (255, 214, 84)
"""Colour by which highlighted pixels are multiplied: white becomes yellow, black stays black."""
_EDGE = (196, 110, 0)
_COMPRESSION = 3
_MARGIN = 30
"""A crop has a 30th of the page's height above its first mark and below its last."""


SHARES = 10_000
"""Units of a page's width and height for the boxes of words read by OCR."""
_DOTS = 300 / 72
"""Pixels for each point (300 dpi)."""
_LONGEST_SIDE = 5_000
"""Maximum pixels of a side: A3 at 300 dpi. Larger pages are scaled down."""


def draw(
    raw: bytes,
    page: int,
    pixels: int,
    text: str | None,
    spans: Iterable[tuple[int, int]],
    shares: Iterable[Box] = (),
    crop: bool = False,
) -> Drawn:
    """Draw a page (from 1) of at most `pixels` pixels, with spans of its text highlighted.

    `text`: the page's part of the extraction, to which the spans' offsets refer. `shares`: further boxes in
    ten-thousandths of the page. `crop`: only from the first box to the last, with a margin. Raises `ExtractionFailed`.
    """
    try:
        document = pypdfium2.PdfDocument(raw)
    except pypdfium2.PdfiumError as error:
        raise ExtractionFailed("the file is no readable PDF, or asks for a password") from error
    if not 1 <= page <= len(document):
        raise ExtractionFailed(f"it has {len(document)} pages")
    try:
        opened = document[page - 1]
        width, height = size_of(opened, pixels)
        picture = rendered(opened, width, height)
        boxes, unplaced = _marked(opened, width, height, text, list(spans)) if text is not None else ([], 0)
        boxes += _joined([box for share in shares if (box := _scaled(share, width, height)) is not None])
    except pypdfium2.PdfiumError as error:
        raise ExtractionFailed(f"page {page} cannot be drawn") from error
    _mark(picture, width, boxes)
    if crop and boxes:
        margin = height // _MARGIN
        top, bottom = max(0, min(box[1] for box in boxes) - margin), max(box[3] for box in boxes) + margin
        picture = picture[3 * width * top : 3 * width * bottom]
        height = len(picture) // (3 * width)
        boxes = [(left, upper - top, right, lower - top) for left, upper, right, lower in boxes]
    return Drawn(_png(picture, width, height), width, height, len(document), tuple(boxes), unplaced)


def _scaled(share: Box, width: int, height: int) -> Box | None:
    left, top, right, bottom = share
    box = left * width // SHARES, top * height // SHARES, -(-right * width // SHARES), -(-bottom * height // SHARES)
    return box if 0 <= box[0] < box[2] <= width and 0 <= box[1] < box[3] <= height else None


def boxes_of_characters(
    page: pypdfium2.PdfPage, width: int, height: int, text: str, wanted: Container[int] | None = None
) -> Iterator[tuple[int, Box | None]]:
    """Yield the offset and pixel box of each character that is no white space. The box is None for characters without a
    position, such as those that pdfium inserts. `wanted`: offsets to locate, or None for all."""
    textpage = page.get_textpage()
    pdfium_text = textpage.get_text_range()
    characters = _by_offset(textpage, pdfium_text)
    for offset, of_whole in _aligned(text, pdfium_text):
        if wanted is not None and offset not in wanted:
            continue
        character = None if of_whole is None else characters.get(of_whole)
        yield offset, None if character is None else _box(page, textpage, character, width, height)


def size_of(page: pypdfium2.PdfPage, pixels: int) -> tuple[int, int]:
    """Return the width and height with the page's proportions and at most `pixels` pixels. Raises
    `ExtractionFailed`."""
    width, height = page.get_size()
    if not (width > 0 and height > 0 and math.isfinite(width * height)):
        raise ExtractionFailed("the page has no size")
    scale = min(math.sqrt(pixels / (width * height)), _LARGEST_SCALE)
    across, down = max(1, int(width * scale)), max(1, int(height * scale))
    return min(across, pixels // down), down


def rendered(page: pypdfium2.PdfPage, width: int, height: int) -> bytearray:
    """Render the page on white as three bytes a pixel (red, green, blue), row by row."""
    bitmap = pdfium.FPDFBitmap_CreateEx(width, height, pdfium.FPDFBitmap_BGR, None, 0)
    if not bitmap:
        raise ExtractionFailed("there is no memory for the picture")
    try:
        pdfium.FPDFBitmap_FillRect(bitmap, 0, 0, width, height, 0xFFFFFFFF)
        flags = pdfium.FPDF_ANNOT | pdfium.FPDF_REVERSE_BYTE_ORDER
        pdfium.FPDF_RenderPageBitmap(bitmap, page, 0, 0, width, height, 0, flags)
        stride = pdfium.FPDFBitmap_GetStride(bitmap)
        rows = ctypes.string_at(pdfium.FPDFBitmap_GetBuffer(bitmap), stride * height)
    finally:
        pdfium.FPDFBitmap_Destroy(bitmap)
    if stride == 3 * width:
        return bytearray(rows)
    return bytearray().join(rows[start : start + 3 * width] for start in range(0, stride * height, stride))


# --- from offsets to boxes ---


def _marked(
    page: pypdfium2.PdfPage, width: int, height: int, text: str, spans: Sequence[tuple[int, int]]
) -> tuple[list[Box], int]:
    """Return the boxes of the spans, and the number of their characters without a box."""
    inside = [range(max(0, start), min(end, len(text))) for start, end in spans]
    marked = {offset for span in inside for offset in span}
    places = dict(boxes_of_characters(page, width, height, text, marked)) if spans else {}
    boxes: list[Box] = []
    unplaced = 0
    for span in inside:
        visible_offsets = [offset for offset in span if not text[offset].isspace()]
        placed = [box for offset in visible_offsets if (box := places.get(offset)) is not None]
        unplaced += len(visible_offsets) - len(placed)
        boxes += _joined(placed)
    return list(dict.fromkeys(boxes)), unplaced


def _by_offset(textpage: pypdfium2.PdfTextPage, whole: str) -> dict[int, int]:
    """Return pdfium's character number by offset in its page text, without the line ends and spaces it inserted."""
    numbers: dict[int, int] = {}
    for number in range(pdfium.FPDFText_CountChars(textpage)):
        offset = pdfium.FPDFText_GetTextIndexFromCharIndex(textpage, number)
        if not 0 <= offset < len(whole) or pdfium.FPDFText_IsGenerated(textpage, number) == 1:
            continue
        code = pdfium.FPDFText_GetUnicode(textpage, number)
        if ord(whole[offset]) == code or (code, ord(whole[offset])) == _HYPHEN:
            numbers[offset] = number
    return numbers


def _aligned(text: str, whole: str) -> Iterator[tuple[int, int | None]]:
    """Yield the offset of each non-space character in the extraction's text with its offset in pdfium's. The extraction
    has pdfium's characters after cleaning, with ligatures spelled out, then form values and notes. If another engine
    wrote the text and its words differ, the second offset is None."""
    whole = restored(whole)
    pdfium_letters = [
        (offset, letter)
        for offset, character in enumerate(whole)
        if not character.isspace() and not NOT_TEXT.match(character)
        for letter in spelled(character)
    ]
    text_offsets = [offset for offset, character in enumerate(text) if not character.isspace()]
    same = text.startswith(spelled(clean(whole))) or (
        len(text_offsets) >= len(pdfium_letters)
        and all(text[mine] == letter for mine, (_, letter) in zip(text_offsets, pdfium_letters, strict=False))
    )
    for number, offset in enumerate(text_offsets):
        yield offset, pdfium_letters[number][0] if same and number < len(pdfium_letters) else None


def _box(page: pypdfium2.PdfPage, textpage: pypdfium2.PdfTextPage, number: int, width: int, height: int) -> Box | None:
    """Return the pixel box of a character's ink, at least one pixel wide and high."""
    left, right, bottom, top = (ctypes.c_double() for _ in range(4))
    if not pdfium.FPDFText_GetCharBox(textpage, number, left, right, bottom, top):
        return None
    corners = [_in_picture(page, x.value, y.value, width, height) for x in (left, right) for y in (bottom, top)]
    across, down = sorted(corner[0] for corner in corners), sorted(corner[1] for corner in corners)
    box = max(0, across[0] - 1), max(0, down[0] - 1), min(width, across[-1] + 1), min(height, down[-1] + 1)
    return box if box[0] < box[2] and box[1] < box[3] else None


def _in_picture(page: pypdfium2.PdfPage, x: float, y: float, width: int, height: int) -> tuple[int, int]:
    across, down = ctypes.c_int(), ctypes.c_int()
    pdfium.FPDF_PageToDevice(page, 0, 0, width, height, 0, x, y, across, down)
    return across.value, down.value


def _joined(boxes: Sequence[Box]) -> list[Box]:
    """Merge the boxes of neighbours on a line, in text order; lines may run in any direction."""
    joined: list[Box] = []
    last: Box | None = None
    along: int | None = None
    for box in boxes:
        fitting = (0, 1) if along is None else (along,)
        direction = next((way for way in fitting if last and _follows(joined[-1], last, box, way)), None)
        if direction is None:
            joined.append(box)
        else:
            line = joined[-1]
            joined[-1] = min(line[0], box[0]), min(line[1], box[1]), max(line[2], box[2]), max(line[3], box[3])
        last, along = box, direction
    return joined


def _follows(line: Box, last: Box, box: Box, along: int) -> bool:
    """Return True if a character continues the line that `last` ends. `along`: 0 for a horizontal line, 1 for
    vertical."""
    across = 1 - along
    overlap = min(line[across + 2], box[across + 2]) - max(line[across], box[across])
    sizes = [rectangle[across + 2] - rectangle[across] for rectangle in (line, box)]
    gap = max(box[along] - last[along + 2], last[along] - box[along + 2])
    return overlap >= min(sizes) / 2 and gap <= 1.2 * max(sizes)


# --- the picture ---


def _mark(picture: bytearray, width: int, boxes: Sequence[Box]) -> None:
    """Multiply the pixels in the boxes by the highlight colour once, and draw a line at the bottom of each box."""
    tables = [bytes(value * part // 255 for value in range(256)) for part in _COLOUR]
    rows: dict[int, list[tuple[int, int]]] = {}
    for left, top, right, bottom in boxes:
        for row in range(top, bottom):
            rows.setdefault(row, []).append((left, right))
    for row, stretches in rows.items():
        done = 0
        for left, right in sorted(stretches):
            start, end = 3 * (row * width + max(left, done)), 3 * (row * width + right)
            for channel, table in enumerate(tables):
                picture[start + channel : end : 3] = picture[start + channel : end : 3].translate(table)
            done = max(done, right)
    for left, top, right, bottom in boxes:
        for row in range(max(top, bottom - max(1, round((bottom - top) / 14))), bottom):
            start = 3 * (row * width + left)
            picture[start : start + 3 * (right - left)] = bytes(_EDGE) * (right - left)


def _png(picture: bytearray, width: int, height: int) -> bytes:
    rows = b"".join(b"\0" + picture[start : start + 3 * width] for start in range(0, 3 * width * height, 3 * width))
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    chunks = (b"IHDR", head), (b"IDAT", zlib.compress(rows, _COMPRESSION)), (b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(*chunk) for chunk in chunks)


def _chunk(kind: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


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
