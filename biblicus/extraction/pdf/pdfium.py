"""Engine `pdfium` of the PDF extractor (pypdfium2)."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import islice

import pypdfium2
from pypdfium2 import raw as pdfium

from biblicus.errors import ExtractionFailed
from biblicus.extraction.kit.composing import encrypted, sensible
from biblicus.extraction.pages.page_text import clean, spelled
from biblicus.extraction.pdf import Bookmark, Document, sizes
from biblicus.extraction.pdf.hyphens import resolved
from biblicus.extraction.pdf.laid import Laid, laid
from biblicus.extraction.pdf.legible import GARBLED, SAMPLE, wrong_share
from biblicus.extraction.pdf.page_extras import lines
from biblicus.extraction.pdf.tables import Table
from biblicus.extraction.pdf.words import BROKEN
from biblicus.models.extraction import NoExtraction
from biblicus.models.locator import Spot

_DRAWN = 50
"""Minimum paths on a page to be letters drawn as outlines and not mere lines."""


def read(raw: bytes, passwords: Sequence[str] = ()) -> Document | NoExtraction:
    """Return the pages, outline and title, or why there are none. Raises `ExtractionFailed`."""
    document, password = _opened(raw, passwords)
    if document is None:
        return encrypted(passwords)
    pages: list[str] = []
    scanned: list[int] = []
    broken: list[int] = []
    wrong: dict[int, float] = {}
    notes: dict[int, str] = {}
    spots: dict[int, Sequence[Spot]] = {}
    before: Table | None = None
    sized: list[sizes.Line] = []
    outline = _outline(document)
    if document.get_formtype() != pdfium.FORMTYPE_NONE:
        document.init_forms()
    for number in range(len(document)):
        try:
            page = document[number]
            layer = page.get_textpage()
            text = drawn_text = layer.get_text_range()
        except pypdfium2.PdfiumError:
            broken.append(number)
            text, before = "", None
        else:
            wrong[number] = wrong_share(_sample(layer, text))
            page_text = laid(page, layer, text, before) if wrong[number] < GARBLED else Laid("")
            before, spots[number] = page_text.last, page_text.spots
            text = page_text.text
            sized += sizes.lines(number, layer, page_text) if not outline or not number else ()
            if wrong[number] >= GARBLED or (not text.strip() and _shows_something(page)):
                scanned.append(number)
            if extra_lines := list(lines(page, number, drawn_text)):
                notes[number] = spelled(clean("\n".join(extra_lines)))
            page.close()
        pages.append(spelled(clean(text)))
    pages, removed = resolved(pages)
    sized = [
        line._replace(
            offset=line.offset - bisect_left(removed[line.page], line.offset), text=line.text.replace(BROKEN, "")
        )
        for line in sized
    ]
    first = [line for line in sized if not line.page]
    outline = outline or sizes.headings(sized)
    metadata_title = sensible(document.get_metadata_value("Title"))
    title = metadata_title or sizes.title(outline) or sizes.largest(first) or sizes.in_capitals(first)
    return Document(pages, outline, title, scanned, broken, wrong, password=password, beside=notes, spots=spots)


def opened(raw: bytes, passwords: Sequence[str] = ()) -> pypdfium2.PdfDocument | None:
    """Open the document; None if it needs another password. Raises `ExtractionFailed`."""
    return _opened(raw, passwords)[0]


def _opened(raw: bytes, passwords: Sequence[str]) -> tuple[pypdfium2.PdfDocument | None, str | None]:
    """Open the document; return it with the password that opened it."""
    for password in (None, *passwords):
        try:
            return pypdfium2.PdfDocument(raw, password), password
        except pypdfium2.PdfiumError as error:
            if error.err_code not in (pdfium.FPDF_ERR_PASSWORD, pdfium.FPDF_ERR_SECURITY):
                raise ExtractionFailed("the file is no readable PDF") from error
    return None, None


def _sample(page: pypdfium2.PdfTextPage, text: str) -> Iterator[tuple[str, bool]]:
    """Yield sampled characters of a page, with True if the font has no Unicode mapping for it."""
    count, layer = page.count_chars(), page.raw  # the wrapper doubles the time of a call
    is_same, has_pairs = count == len(text), bool(text) and max(text) > "\uffff"  # which pdfium counts as two
    for number in range(0, count, max(1, count // SAMPLE)):
        is_code = pdfium.FPDFText_HasUnicodeMapError(layer, number) == 1
        code = ord(text[number]) if is_same and not is_code else pdfium.FPDFText_GetUnicode(layer, number)
        if not has_pairs or not 0xD800 <= code <= 0xDFFF:
            yield chr(code) if code < 0x110000 else "\ufffd", is_code


def _shows_something(page: pypdfium2.PdfPage) -> bool:
    """Return True if a page without text has an image, or enough paths to be drawn letters."""
    kinds = [page_object.type for page_object in islice(page.get_objects(max_depth=4), 2_000)]
    return pdfium.FPDF_PAGEOBJ_IMAGE in kinds or kinds.count(pdfium.FPDF_PAGEOBJ_PATH) >= _DRAWN


def _outline(document: pypdfium2.PdfDocument) -> list[Bookmark]:
    bookmarks: list[Bookmark] = []
    for entry in document.get_toc(max_depth=8):
        target = entry.get_dest()
        page = target.get_index() if target else None
        if page is not None:
            bookmarks.append(Bookmark(entry.level + 1, entry.get_title(), page))
    return bookmarks
