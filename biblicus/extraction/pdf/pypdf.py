"""Engine `pypdf` of the PDF extractor: pure Python and slower, for files where pdfium fails."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from io import BytesIO
from typing import Any

import pypdf
from pypdf.errors import DependencyError, PyPdfError

from biblicus.errors import ExtractionFailed
from biblicus.extraction.kit.composing import encrypted
from biblicus.extraction.pdf import Bookmark, Document
from biblicus.extraction.pdf.page_text import GARBLED, SAMPLE, clean, spelled, wrong_share
from biblicus.models.extraction import NoExtraction

_BROKEN = (PyPdfError, ValueError, KeyError, TypeError, AttributeError, IndexError, RecursionError, AssertionError)
"""Exceptions that pypdf raises for damaged files."""


def read(raw: bytes, passwords: Sequence[str] = ()) -> Document | NoExtraction:
    """Return the pages, outline and title, or why there are none. Raises `ExtractionFailed`."""
    logging.getLogger("pypdf").setLevel(logging.CRITICAL)  # its warnings have no reader in a worker
    try:
        reader = pypdf.PdfReader(BytesIO(raw))
        password = None
        if reader.is_encrypted:
            password = next((word for word in ("", *passwords) if reader.decrypt(word)), None)
            if password is None:
                return encrypted(passwords)
        count = len(reader.pages)
    except DependencyError as error:
        raise ExtractionFailed("its encryption needs the engine pdfium") from error
    except _BROKEN as error:
        raise ExtractionFailed("the file is no readable PDF") from error
    pages: list[str] = []
    scanned: list[int] = []
    broken: list[int] = []
    wrong: dict[int, float] = {}
    for number in range(count):
        try:
            page = reader.pages[number]
            text = page.extract_text()
            wrong[number] = wrong_share((char, False) for char in text[:: max(1, len(text) // SAMPLE)])
            text = text if wrong[number] < GARBLED else ""
            if wrong[number] >= GARBLED or (not text.strip() and len(page.images)):
                scanned.append(number)
        except _BROKEN:
            broken.append(number)
            text = ""
        pages.append(spelled(clean(text)))
    return Document(pages, _outline(reader), _title(reader), scanned, broken, wrong, password=password)


def _title(reader: pypdf.PdfReader) -> str | None:
    try:
        return reader.metadata.title if reader.metadata else None
    except _BROKEN:
        return None


def _outline(reader: pypdf.PdfReader) -> list[Bookmark]:
    """Return the outline as a flat list; empty if it is damaged."""
    bookmarks: list[Bookmark] = []

    def walk(entries: Any, level: int) -> None:
        for entry in entries:
            if isinstance(entry, list):
                walk(entry, level + 1)
            elif (page := reader.get_destination_page_number(entry)) is not None:
                bookmarks.append(Bookmark(level, str(entry.title), page))

    try:
        walk(reader.outline, 1)
    except _BROKEN:
        return []
    return bookmarks
