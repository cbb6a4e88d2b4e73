"""Images of PDF pages with exact spans marked, drawn in a guarded worker and cached by content."""

from __future__ import annotations

import hashlib
import json
from base64 import b64encode
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, closing, nullcontext
from functools import cache
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

from biblicus import guards
from biblicus.contracts import Call
from biblicus.corpus.extracted import contents
from biblicus.corpus.extracted.extractions import Raw, of_default_recipe
from biblicus.corpus.folder import CorpusFolder
from biblicus.corpus.items import meant, present
from biblicus.errors import ExtractionFailed, NoPageImage, NoText, OutOfBounds
from biblicus.extraction import workers
from biblicus.models.digest import digest
from biblicus.models.extraction import Extraction, NoExtraction, Span
from biblicus.models.page_image import Box, Drawn, PageImage
from biblicus.models.requests.items import PageImageRequest

if TYPE_CHECKING:
    from biblicus.extraction.workers.drawing import Drawer
    from biblicus.guards.process import Limits

    Draw = Callable[[Drawer, bytes, Limits], Drawn]

_KIND = "pages"
_SHAPE = {
    **dict.fromkeys(("width", "height", "pages", "unplaced"), int),
    "boxes": [(int | float,) * 4],
    "sha256": str,
    "png_base64": str,
}
_DRAWN = "application/pdf"


def page_image(corpus: CorpusFolder, request: PageImageRequest, call: Call) -> PageImage:
    """Return the image of a page of the current file. Raises `ItemNotFound`, `NoPageImage`, `NoText`, `OutOfBounds`."""
    item = meant(corpus, request, call)
    if item.media_type != _DRAWN:
        raise NoPageImage(item.path, f"a file of type {item.media_type} has no pages to draw")
    raw = present(corpus, item)
    spans = request.spans
    page, extraction_id = request.page or 1, ""
    text: str | None = None
    within: list[tuple[int, int]] = []
    shares: list[Box] = []
    unplaced = 0
    if spans:
        extractions = of_default_recipe(corpus, call)
        outcome = extractions.outcome(raw)
        if isinstance(outcome, NoExtraction):
            raise NoText(item.path, outcome.reason or outcome.status)
        extraction_id = extractions.extraction_id(raw)
        page, text, within = _on_page(outcome, request.page, spans)
        if any(word.page == page for word in outcome.boxes):  # a scan: its words have boxes from OCR
            shares, unplaced = _read_off(outcome, page, spans)
            text, within = None, []
    parts = [raw.sha256, extraction_id, page, request.pixels, within, shares, *(["crop"] if request.crop else [])]
    key = digest(["page image/3", _engine(), *parts], 32)

    def draw(drawer: Drawer, data: bytes, limits: Limits) -> Drawn:
        return drawer.draw(data, page, request.pixels, text, within, limits, call, shares, request.crop)

    picture = _kept(corpus, key) or _drawn(corpus, raw, key, draw, call)
    picture["unplaced"] += unplaced
    return PageImage(item_id=item.item_id, path=item.path, item_sha256=raw.sha256, page=page, **picture)


@cache
def _engine() -> str:
    """Return the version of the drawing library."""
    return version("pypdfium2")


def _on_page(extraction: Extraction, page: int | None, spans: Sequence[Span]) -> tuple[int, str, list[tuple[int, int]]]:
    """Return the page, its text, and the parts of the spans on it as offsets in that text.
    Without a page, take that of the first span. Raises `OutOfBounds`."""
    starts, size = extraction.pages, len(extraction.text)
    for span in spans:
        if not span.start <= span.end <= size:
            raise OutOfBounds(f"Span {span.start}:{span.end}", f"{size} characters")
    if page is None:
        page = next((number for number in range(len(starts), 0, -1) if starts[number - 1] <= spans[0].start), 1)
    if page > len(starts):
        raise OutOfBounds(f"Page {page}", f"{len(starts)} pages")
    first = starts[page - 1]
    last = starts[page] if page < len(starts) else size
    within = [(max(span.start, first) - first, min(span.end, last) - first) for span in spans]
    return page, extraction.text[first:last], [(start, end) for start, end in within if start < end]


def _read_off(extraction: Extraction, page: int, spans: Sequence[Span]) -> tuple[list[Box], int]:
    """Return the boxes of the spans' words on a scanned page, and the number of characters without one."""
    first = extraction.pages[page - 1] if extraction.pages else 0
    last = extraction.pages[page] if page < len(extraction.pages) else len(extraction.text)
    shares: list[Box] = []
    unplaced = 0
    for span in spans:
        words = [
            word for word in extraction.boxes if word.page == page and word.start < span.end > span.start < word.end
        ]
        shares += [(word.left, word.top, word.right, word.bottom) for word in words]
        inside = range(max(span.start, first), min(span.end, last))
        placed = {offset for word in words for offset in range(word.start, word.end)}
        unplaced += sum(not extraction.text[at].isspace() and at not in placed for at in inside)
    return list(dict.fromkeys(shares)), unplaced


def _kept(corpus: CorpusFolder, key: str) -> dict[str, Any] | None:
    """Return the cached fields of a `PageImage`, or None."""
    fields = corpus.kept.get(_KIND, key, _SHAPE)
    return fields and {**fields, "boxes": tuple(tuple(box) for box in fields["boxes"])}


def _drawn(corpus: CorpusFolder, raw: Raw, key: str, draw: Draw, call: Call) -> dict[str, Any]:
    """Draw a page in a worker and cache it. Raises `NoPageImage`."""

    settings = corpus.settings
    limits = guards.process.Limits(seconds=settings.extraction_seconds, memory=settings.extraction_memory)
    if raw.bytes > settings.max_text_bytes:
        raise NoPageImage(raw.path, f"it is larger than {settings.max_text_bytes:,} bytes (max_text_bytes)")
    data = contents.read(corpus, raw.path, call, raw.sha256)
    try:
        with _drawer(corpus) as drawer:
            drawn = draw(drawer, data, limits)
    except ExtractionFailed as error:
        raise NoPageImage(raw.path, error.reason) from error
    fields = drawn._asdict()
    png = fields.pop("png")
    fields |= {"sha256": hashlib.sha256(png).hexdigest(), "png_base64": b64encode(png).decode()}
    corpus.kept.put(_KIND, key, json.dumps(fields).encode())
    return fields


def _drawer(corpus: CorpusFolder) -> AbstractContextManager[Drawer]:
    """Return the drawing worker; a long-running process keeps it."""

    return (
        closing(workers.drawing.Drawer())
        if corpus.host is None
        else nullcontext(corpus.host.kept("drawer", workers.drawing.Drawer))
    )
