"""The engine `pdfium` of the PDF extractor (pypdfium2)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

import pypdfium2
from pypdfium2 import raw as pdfium

from biblicus.errors import ExtractionFailed
from biblicus.extraction.pdf import Bookmark, Document, clean, encrypted
from biblicus.models.extraction import NoExtraction

_DRAWN = 50
"""Paths on a page from which on they may be letters drawn as outlines, and no mere lines."""


def read(raw: bytes, passwords: Sequence[str] = ()) -> Document | NoExtraction:
    """The pages' texts, the outline and the title. Raises `ExtractionFailed`."""
    for password in (None, *passwords):
        try:
            document = pypdfium2.PdfDocument(raw, password)
            break
        except pypdfium2.PdfiumError as error:
            if error.err_code not in (pdfium.FPDF_ERR_PASSWORD, pdfium.FPDF_ERR_SECURITY):
                raise ExtractionFailed("the file is no readable PDF") from error
    else:
        return encrypted(passwords)
    pages: list[str] = []
    scanned: list[int] = []
    broken: list[int] = []
    for number in range(len(document)):
        try:
            page = document[number]
            text = page.get_textpage().get_text_range()
        except pypdfium2.PdfiumError:
            broken.append(number)
            text = ""
        else:
            if not text.strip() and _shows_something(page):
                scanned.append(number)
            page.close()
        pages.append(clean(text))
    title = document.get_metadata_value("Title")
    return Document(pages, _outline(document), title, scanned, broken, password=password)


def _shows_something(page: pypdfium2.PdfPage) -> bool:
    """Whether a page without text holds an image, or so many paths that they may be drawn letters."""
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
