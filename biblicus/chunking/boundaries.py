"""Shared by the chunkers: regions that limit chunks, and good places to end one and start the next.

Offsets are code points of the extraction's text. Ranges are half-open; a boundary "in `(low, high]`" is an offset at
which a chunk may end. No function reads text outside the given range.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice, pairwise
from typing import Annotated

from biblicus.models.extraction import Extraction, Span
from biblicus.models.frozen import dataclass
from biblicus.models.locator import borders
from biblicus.models.records import Bounds, Record
from biblicus.text.sentences import first_end, hard_cut, last_end, last_word_end, visible
from biblicus.text.tokens import reach_back

_WHITE = re.compile(r"\s")
_BLANK_LINE = re.compile(r"\n[^\S\n]*+\n")


@dataclass(frozen=True, kw_only=True)
class ChunkerOptions(Record):
    """Options of every chunker. `cross_pages`: chunks may cross a page, slide, sheet, chapter or message border."""

    cross_pages: bool = False


@dataclass(frozen=True, kw_only=True)
class OverlapOptions(ChunkerOptions):
    """`tokens`: maximum size of a chunk (estimate). `overlap`: maximum number of them repeated in the next chunk."""

    tokens: Annotated[int, Bounds(ge=8, le=100_000)]
    overlap: Annotated[int, Bounds(ge=0)]

    def __post_init__(self) -> None:
        if self.overlap * 2 > self.tokens:
            raise ValueError(f"overlap ({self.overlap}) must be at most half of tokens ({self.tokens})")


def regions(extraction: Extraction, cross_pages: bool) -> list[Span]:
    """Return the ranges for chunks: pages, slides or the like (or the whole text) without masked parts, ascending,
    nonempty."""
    size = len(extraction.text)
    inner = () if cross_pages else (*extraction.pages, *borders(extraction.spots))
    edges = sorted({0, *inner, size})
    parts = []
    masks = sorted(extraction.masked)
    first = 0  # first = 0  # first mask that may overlap the next range
    for start, end in pairwise(edges):
        while first < len(masks) and masks[first].end <= start:
            first += 1
        for mask in islice(masks, first, None):
            if mask.start >= end:
                break
            parts.append(Span(start, mask.start))
            start = mask.end
        parts.append(Span(start, end))
    return [region for region in parts if region.start < region.end]


def paragraphs(text: str, region: Span) -> Iterator[Span]:
    """Yield the paragraphs of a region, which blank lines separate."""
    start = region.start
    for blank in _BLANK_LINE.finditer(text, *region):
        if start < blank.start():
            yield Span(start, blank.start())
        start = blank.end()
    if start < region.end:
        yield Span(start, region.end)


def stripped(text: str, start: int, end: int) -> Span:
    """Return the span without white space at its end; the character at `start` must be visible."""
    return Span(start, start + len(text[start:end].rstrip()) if text[end - 1].isspace() else end)


def last_paragraph_end(text: str, low: int, high: int) -> int | None:
    """Return the last offset in `(low, high]` before a blank line, or None."""
    # Searching two line feeds in a row is a hundred times faster than a blank line with spaces.
    at = text.rfind("\n\n", low + 1, high + 2)
    if at < 0 and high > low:
        for blank in _BLANK_LINE.finditer(text, low + 1, min(high + 3, len(text))):
            at = blank.start() if blank.start() <= high else at
    return at if at > low else None


def last_boundary(text: str, low: int, high: int, end: int) -> int:
    """Return the end of a chunk inside a paragraph, in `(low, high]`: after a sentence, line or word, else anywhere.
    `end`: end of the region."""
    return (
        last_end(text, low, high, end)
        or last_line_end(text, low, high)
        or last_word_end(text, low, high)
        or hard_cut(text, low, high)
    )


def last_line_end(text: str, low: int, high: int) -> int | None:
    """Return the last offset in `(low, high]` after a line feed, or None."""
    at = text.rfind("\n", low, high) + 1
    return at if at > low else None


def overlap_start(text: str, low: int, fresh: int, tokens: int) -> int:
    """Return the start of a chunk with new text from `fresh` that repeats at most `tokens` of `text[low:fresh]`.
    Prefers the start of a paragraph in the earlier half of these tokens, then of a sentence, then of a word."""
    start = reach_back(text, low, fresh, tokens)
    if start >= fresh:
        return fresh
    blank = _BLANK_LINE.search(text, max(low, start - 2), start + (fresh - start) // 2)
    stop = blank.end() if blank else first_end(text, start, fresh, fresh)
    if stop is None or visible(text, stop, fresh) == fresh:
        white = _WHITE.search(text, max(low, start - 1), fresh)
        stop = white.end() if white else hard_cut(text, start, min(start + 8, fresh))
    return visible(text, stop, fresh)


def split_long(text: str, span: Span, limit: int) -> Iterator[Span]:
    """Yield the span, divided at boundaries into pieces of at most `limit` code points."""
    at, end = span
    while end - at > limit:
        stop = last_boundary(text, at + limit // 2, at + limit, end)
        yield stripped(text, at, stop)
        at = visible(text, stop, end)
    if at < end:
        yield stripped(text, at, end)
