"""Requests about items: lists, one item, exact text, the tree."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import field
from typing import Any, ClassVar

from biblicus.errors import UsageError
from biblicus.models.extraction import Span
from biblicus.models.fields import ITEM, LAYERS, Request, at_most_one, doc, option, term
from biblicus.models.requests.query import LIMIT, Filters

BATCH = 100
"""Maximum number of texts in one request."""
MARKS = 100
"""Maximum number of marks in one image."""
MOST_PIXELS = 8_000_000
MOST_BYTES = 4 << 20
"""Maximum bytes of a file in one reply."""
_MARK = re.compile(r"(\d{1,12}):(\d{1,12})")
_CURSOR = "Where to go on: the `next_cursor` of the page before."


class ItemRequest(Request):
    """Base of requests about one item."""

    item: str = field(kw_only=False, metadata=ITEM)
    layer: tuple[str, ...] = option((), LAYERS)


class ShowRequest(ItemRequest):
    """Return one item with its metadata."""

    links: bool = option(False, "Also list what the item's Markdown links to, and which items link to it.")


class GetRequest(ItemRequest):
    """Return exact text of an item: all of it, or by lines, span, page or locator."""

    __pydantic_config__: ClassVar[Mapping[str, Any]] = {
        **Request.__pydantic_config__,
        "json_schema_extra": at_most_one("lines", "span", "page", "locator"),
    }

    lines: tuple[int, int] | None = option(None, "First and last line, from 1, both included.")
    span: tuple[int, int] | None = option(None, "Start and end in characters (code points), from 0, end excluded.")
    page: int | None = option(None, "A page, from 1, of an item that has pages.")
    locator: str | None = option(
        None, term("A place, by its label in evidence: slide 2, Sheet1!A4:F9, 12:03-12:40, message 3.")
    )
    spots: bool = option(False, "Also list where headings, slides, rows of cells and cues begin.")

    def __post_init__(self) -> None:
        super().__post_init__()
        if sum(part is not None for part in (self.lines, self.span, self.page, self.locator)) > 1:
            raise UsageError("Give one of lines, span, page and locator.", "biblicus get ITEM --lines 1:10")


class PageImageRequest(ItemRequest):
    """Return a page of an item as an image, with spans marked."""

    page: int | None = option(None, "A page, from 1. Default: the page of the first mark.", ge=1)
    mark: tuple[str, ...] = option(
        (), "Spans to mark, START:END in characters of the item, from 0, end excluded.", max_length=MARKS, each=40
    )
    pixels: int = option(2_000_000, "Maximum number of pixels.", ge=10_000, le=MOST_PIXELS)
    crop: bool = option(False, "Only the part of the page from the first mark to the last, with a margin.")

    @property
    def spans(self) -> list[Span]:
        """Return the marks as spans. Raises `UsageError`."""
        spans = []
        for words in self.mark:
            match = _MARK.fullmatch(words)
            if match is None or int(match[1]) >= int(match[2]):
                problem = f"mark takes START:END, not {words[:40]}."
                raise UsageError(problem, "biblicus get ITEM --image page.png --mark 0:80")
            spans.append(Span(int(match[1]), int(match[2])))
        return spans


class FilePartRequest(ItemRequest):
    """Return a range of bytes of an item's file, for players and viewers."""

    start: int = option(0, "The first byte, from 0.", ge=0, le=1 << 50)
    length: int = option(1 << 20, "Maximum number of bytes.", ge=1, le=MOST_BYTES)


class GetBatchRequest(Request):
    """Return several texts at once; a failed one is an error in its place."""

    requests: tuple[GetRequest, ...] = field(
        metadata=doc("The texts to retrieve; the reply keeps this order.", min_length=1, max_length=BATCH)
    )


ORDERS = ("path", "size", "title", "type", "date")
"""Orders for listing items."""


class ListRequest(Filters):
    """List matching items in an order, a page at a time."""

    sort: str = option(
        "path",
        "The order: path, size (largest first), title, type, or date (newest first, undated last).",
        choices=ORDERS,
    )
    cursor: str | None = option(None, term(_CURSOR))
    limit: int | None = option(None, "Maximum number of items per page. Default: all.", ge=1, le=LIMIT)


class FacetsRequest(Filters):
    """Return the values for filtering the matching items."""

    most: int = option(20, "Maximum number of values per filter, most frequent first.", ge=1, le=LIMIT)


class TreeRequest(Request):
    """Return folders and items below a folder."""

    prefix: str = field(default="", kw_only=False, metadata=term("A folder of the corpus. Default: the whole corpus."))
    layer: tuple[str, ...] = option((), LAYERS)
    depth: int | None = option(None, "Maximum number of levels. Default: all.", ge=1)
    max_entries: int | None = option(
        None, "Maximum number of entries; `truncated` tells whether there are more.", ge=1, le=100_000
    )
    cursor: str | None = option(None, term(_CURSOR))
