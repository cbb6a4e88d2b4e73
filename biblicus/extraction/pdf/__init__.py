"""Extractor of PDF: the text layer page by page, with the outline or larger lines as headings.

Engines: `pdfium` (pypdfium2; fast, the default) and `pypdf` (pure Python). A file with images and no text, or with
unreadable text, is reported as `needs ocr`; one that needs a password as `encrypted`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from importlib.metadata import version
from itertools import accumulate
from types import MappingProxyType
from typing import Literal, NamedTuple

from biblicus.contracts import Extractor, Given, MediaHint, OcrStage
from biblicus.errors import ExtractionFailed
from biblicus.extraction.kit.composing import sensible
from biblicus.extraction.ocr import unsure_of
from biblicus.extraction.pdf.lines import line_of, running, set_apart
from biblicus.extraction.pdf.page_text import DOUBTFUL, GARBLED, NOT_TEXT, spelled
from biblicus.models.extraction import Box, Extraction, Heading, NoExtraction, Span
from biblicus.models.frozen import dataclass
from biblicus.models.locator import Spot
from biblicus.models.records import Record

_MOST_HEADINGS = 5_000
_SCANNED = ": images and no text"
_WORDLESS = ": images without words"


@dataclass(frozen=True, kw_only=True)
class Options(Record):
    """`engine`: the PDF parser."""

    engine: Literal["pdfium", "pypdf"] = "pdfium"


class Bookmark(NamedTuple):
    """An entry of the outline. `level` counts from 1, `page` from 0. `offset`: where its line begins in the page's
    text, if known."""

    level: int
    title: str
    page: int
    offset: int | None = None


class Document(NamedTuple):
    """The result of an engine. Pages count from 0.

    `scanned`: pages with images or drawings and no readable text. `wrong`: share of wrong characters by page. `boxes`:
    words read by OCR by page, with offsets from the page's start. `unsure`: pages whose OCR was rejected. `beside`:
    form values and annotations by page, which follow the page's text. `spots`: rows of tables by page, with the number
    of their line as offset.
    """

    pages: list[str]
    outline: list[Bookmark]
    title: str | None
    scanned: list[int]
    broken: list[int]
    wrong: Mapping[int, float] = MappingProxyType({})
    boxes: Mapping[int, tuple[Box, ...]] = MappingProxyType({})
    unsure: Sequence[int] = ()
    password: str | None = None
    beside: Mapping[int, str] = MappingProxyType({})
    spots: Mapping[int, Sequence[Spot]] = MappingProxyType({})


class Pdf:
    """Extractor that runs in a guarded worker, since some files crash both engines."""

    guarded = True

    def __init__(self, options: Options, ocr: OcrStage | None, passwords: Sequence[str]) -> None:
        self._engine, self._ocr, self._passwords = options.engine, ocr, passwords
        package = {"pdfium": "pypdfium2", "pypdf": "pypdf"}[options.engine]
        self.fingerprint = f"pdf/23 {package}/{version(package)}"
        if ocr is not None:
            self.fingerprint += f" {ocr.fingerprint} pypdfium2/{version('pypdfium2')}"

    def extract(self, raw: bytes, hint: MediaHint) -> Extraction | NoExtraction:
        if self._engine == "pdfium":
            from biblicus.extraction.pdf.pdfium import read
        else:
            from biblicus.extraction.pdf.pypdf import read
        document = read(raw, self._passwords)
        if isinstance(document, NoExtraction):
            return document
        if self._ocr is None:
            return _extraction(document)
        return _extraction(_with_scans(document, raw, self._ocr), self._ocr)


def build(options: Options, given: Given) -> Extractor:
    return Pdf(options, given.ocr, given.passwords)


def scanned_pages(outcome: Extraction | NoExtraction) -> int:
    """Return the number of pages that an outcome reports as images without text."""
    texts = outcome.warnings if isinstance(outcome, Extraction) else (outcome.reason,)
    scan_warning = next((text for text in texts if _SCANNED in text), "")
    words = scan_warning.partition(":")[0].replace(",", "").split()
    numbers = [int(word) for word in words if word.isdecimal()]
    return len(numbers) - 1 + numbers[-1] if words[-1:] == ["more"] else len(numbers)


def _with_scans(document: Document, raw: bytes, ocr: OcrStage) -> Document:
    """Return the document with OCR text in its scanned pages. With `every_page`, other pages are read as well and keep
    their text if OCR finds none."""
    from biblicus.extraction.pdf.page_image import images

    page_numbers = range(len(document.pages)) if ocr.every_page else document.scanned
    pages, boxes, unsure = list(document.pages), {}, []
    for number, image in images(raw, page_numbers, document.password):
        for reading in ocr.read(image, number + 1):
            if reading.text.strip():
                pages[number], boxes[number] = reading.text, reading.boxes
            elif reading.unsure:
                unsure.append(number)
    return document._replace(
        pages=pages,
        scanned=[number for number in document.scanned if number not in boxes],
        boxes=boxes,
        unsure=unsure,
        outline=[entry._replace(offset=None) if entry.page in boxes else entry for entry in document.outline],
    )


def _extraction(document: Document, ocr: OcrStage | None = None) -> Extraction | NoExtraction:
    """Join the pages, or return why there is no text."""
    if all(page.isspace() for page in document.pages) and not document.beside:
        if document.broken:
            raise ExtractionFailed(f"no page can be read ({_numbers(document.broken)})")
        if document.unsure and ocr is not None:
            return NoExtraction("needs ocr", f"{_numbers(document.unsure)}: {unsure_of(ocr)}")
        if document.scanned and ocr is not None:
            return NoExtraction("empty", f"{_numbers(document.scanned)}: {ocr.name} finds no words")
        if document.scanned:
            return NoExtraction("needs ocr", "; ".join(_unread(document)))
        return NoExtraction("empty", "the pages are blank")
    pages = [page + document.beside.get(number, "") for number, page in enumerate(document.pages)]
    starts, length = [], 0
    for page in pages:
        starts.append(length)
        length += len(page)
    text = "".join(pages)
    warnings = [f"{cause} (needs ocr)." for cause in _unread(document, _SCANNED if ocr is None else _WORDLESS)]
    if document.unsure and ocr is not None:
        warnings.append(f"{_numbers(document.unsure)}: {unsure_of(ocr)}.")
    doubtful = [page for page, share in document.wrong.items() if DOUBTFUL <= share < GARBLED]
    if doubtful:
        warnings.append(f"{_numbers(doubtful)}: many characters of the text are wrong.")
    if document.broken:
        warnings.append(f"{_numbers(document.broken)} cannot be read.")
    masked = running(document.pages, starts)
    extraction = Extraction(
        text,
        pages=tuple(starts),
        headings=tuple(sorted(_below(masked, _headings(document, starts), length))),
        masked=tuple(masked),
        title=sensible(spelled(document.title or "")),
        warnings=tuple(warnings),
        spots=tuple(_spots(document, starts)),
        boxes=tuple(
            box._replace(start=box.start + starts[number], end=box.end + starts[number])
            for number in sorted(document.boxes)
            for box in document.boxes[number]
        ),
    )
    return set_apart(extraction)


def _spots(document: Document, starts: Sequence[int]) -> Iterator[Spot]:
    """Yield the rows of tables by offset, named after page and table: `page 3, table 1`."""
    for number, spots in sorted(document.spots.items()):
        ends = [0, *accumulate(len(line) + 1 for line in document.pages[number].split("\n")[:-1])]
        for spot in spots if number not in document.boxes else ():
            name = f"page {number + 1}, {spot.name}" if spot.name else ""
            yield spot._replace(offset=starts[number] + ends[min(spot.offset, len(ends) - 1)], name=name)


def _unread(document: Document, pictured: str = _SCANNED) -> list[str]:
    """Return messages on pages with unread content and the reason. `pictured`: reason for pages that are images."""
    scanned = [page for page in document.scanned if page not in document.unsure]
    garbled = [page for page in scanned if document.wrong.get(page, 0) >= GARBLED]
    pictures = [page for page in scanned if page not in garbled]
    causes = [f"{_numbers(pictures)}{pictured}"] if pictures else []
    return causes + ([f"{_numbers(garbled)}: a text that cannot be read as characters"] if garbled else [])


def _headings(document: Document, starts: Sequence[int]) -> Iterator[Heading]:
    """Yield the outline's entries, each at the line with its title, or else at the start of its page."""
    for level, title, page, title_offset in document.outline[:_MOST_HEADINGS]:
        words = NOT_TEXT.sub("", spelled(title)).split()
        if not words or not 0 <= page < len(starts):
            continue
        if title_offset is not None and title_offset < len(document.pages[page]):
            yield Heading(starts[page] + title_offset, min(level, 6), " ".join(words)[:300])
        else:
            pattern = r"(?:\A|\n)[^\w\n]{0,9}(?:[\dA-Z][\d.]{0,9}\s{1,3})?" + r"\s{1,4}".join(
                map(re.escape, words[:30])
            )
            match = re.search(pattern, document.pages[page])
            offset = match.start() + (match[0][:1] == "\n") if match else line_of(document.pages[page], title) or 0
            yield Heading(starts[page] + offset, min(level, 6), " ".join(words)[:300])


def _below(masked: Sequence[Span], headings: Iterator[Heading], length: int) -> Iterator[Heading]:
    """Yield the headings, moving those in a running head below it if text follows."""
    ends = {mask.start: mask.end for mask in masked if mask.end < length}
    return (replace(heading, offset=ends.get(heading.offset, heading.offset)) for heading in headings)


def _numbers(pages: Sequence[int]) -> str:
    """Return page numbers from 1 as text: `page 3` or `pages 1, 2, 5 and 9 more`."""
    first_numbers = ", ".join(str(page + 1) for page in pages[:8])
    more = f" and {len(pages) - 8} more" if len(pages) > 8 else ""
    return f"page{'s' if len(pages) > 1 else ''} {first_numbers}{more}"
