"""PDF: the text layer, page by page, with the outline as headings.

Engines: `pdfium` (pypdfium2; fast, the default) and `pypdf` (pure Python). A file whose pages hold images and no text
is reported as `needs ocr`, and so is one whose text is no characters; one that asks for a password as `encrypted`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from importlib.metadata import version
from types import MappingProxyType
from typing import Literal, NamedTuple

from pydantic import BaseModel, ConfigDict

from biblicus.contracts import Extractor, Given, MediaHint
from biblicus.errors import ExtractionFailed
from biblicus.extraction.composing import sensible
from biblicus.extraction.page_text import NOT_TEXT
from biblicus.extraction.pdf.legible import DOUBTFUL, GARBLED
from biblicus.models.extraction import Extraction, Heading, NoExtraction

_ENCRYPTED = NoExtraction("encrypted", "the file asks for a password")
_MOST_HEADINGS = 5_000


class Options(BaseModel):
    """`engine`: the parser."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    engine: Literal["pdfium", "pypdf"] = "pdfium"


class Bookmark(NamedTuple):
    """An entry of the outline. `level` counts from 1, `page` from 0."""

    level: int
    title: str
    page: int


class Document(NamedTuple):
    """What an engine reads. `scanned`: pages (from 0) that show something and hold no text, or none that can be read.
    `wrong`: the share of wrong characters in the text layer, by page."""

    pages: list[str]
    outline: list[Bookmark]
    title: str | None
    scanned: list[int]
    broken: list[int]
    wrong: Mapping[int, float] = MappingProxyType({})


class Pdf:
    """Parsed in a guarded worker: both engines have met files that they do not survive."""

    guarded = True

    def __init__(self, options: Options) -> None:
        self._engine = options.engine
        package = {"pdfium": "pypdfium2", "pypdf": "pypdf"}[options.engine]
        self.fingerprint = f"pdf/3 {package}/{version(package)}"

    def extract(self, raw: bytes, hint: MediaHint) -> Extraction | NoExtraction:
        if self._engine == "pdfium":
            from biblicus.extraction.pdf.pdfium import read
        else:
            from biblicus.extraction.pdf.pypdf import read
        document = read(raw)
        return document if isinstance(document, NoExtraction) else _extraction(document)


def build(options: Options, given: Given) -> Extractor:
    """The extractor for PDF."""
    return Pdf(options)


def encrypted() -> NoExtraction:
    """What an engine gives for a file that opens with a password only."""
    return _ENCRYPTED


def _extraction(document: Document) -> Extraction | NoExtraction:
    """The pages joined, or why there is nothing to join."""
    if all(page.isspace() for page in document.pages):
        if document.broken:
            raise ExtractionFailed(f"no page can be read ({_numbers(document.broken)})")
        if document.scanned:
            return NoExtraction("needs ocr", "; ".join(_unread(document)))
        return NoExtraction("empty", "the pages are blank")
    starts, length = [], 0
    for page in document.pages:
        starts.append(length)
        length += len(page)
    text = "".join(document.pages)
    warnings = [f"{cause} (needs ocr)." for cause in _unread(document)]
    doubtful = [page for page, share in document.wrong.items() if DOUBTFUL <= share < GARBLED]
    if doubtful:
        warnings.append(f"{_numbers(doubtful)}: many characters of the text are wrong.")
    if document.broken:
        warnings.append(f"{_numbers(document.broken)} cannot be read.")
    return Extraction(
        text,
        pages=tuple(starts),
        headings=tuple(sorted(_headings(document, starts))),
        title=sensible(document.title),
        warnings=tuple(warnings),
    )


def _unread(document: Document) -> list[str]:
    """Which pages show something that is not read, and why."""
    garbled = [page for page in document.scanned if document.wrong.get(page, 0) >= GARBLED]
    pictures = [page for page in document.scanned if page not in garbled]
    causes = [f"{_numbers(pictures)}: images and no text"] if pictures else []
    return causes + ([f"{_numbers(garbled)}: a text that cannot be read as characters"] if garbled else [])


def _headings(document: Document, starts: Sequence[int]) -> Iterator[Heading]:
    """The outline's entries, each at the line of its page that says it, else at the start of the page."""
    for level, title, page in document.outline[:_MOST_HEADINGS]:
        words = NOT_TEXT.sub("", title).split()
        if words and 0 <= page < len(starts):
            pattern = r"(?:\A|\n)[^\w\n]{0,9}(?:[\dA-Z][\d.]{0,9}\s{1,3})?" + r"\s{1,4}".join(
                map(re.escape, words[:30])
            )
            match = re.search(pattern, document.pages[page])
            offset = match.start() + (match[0][:1] == "\n") if match else 0
            yield Heading(starts[page] + offset, min(level, 6), " ".join(words)[:300])


def _numbers(pages: Sequence[int]) -> str:
    """`page 3` or `pages 1, 2, 5 and 9 more`, counted from 1."""
    shown = ", ".join(str(page + 1) for page in pages[:8])
    more = f" and {len(pages) - 8} more" if len(pages) > 8 else ""
    return f"page{'s' if len(pages) > 1 else ''} {shown}{more}"
