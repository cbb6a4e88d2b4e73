"""What the chunkers share: regions that no chunk may leave, and good places to end one and start the next.

All offsets are code points of the extraction's text. Ranges are half-open; a boundary "in `(low, high]`" is an offset
at which a chunk may end. No function looks at more text than the range that it is given.
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
    """Options of every chunker. `cross_pages`: whether a chunk may reach from one page, slide, sheet, chapter or
    message into the next."""

    cross_pages: bool = False


@dataclass(frozen=True, kw_only=True)
class OverlapOptions(ChunkerOptions):
    """`tokens`: what a chunk holds at most (estimate). `overlap`: how many of them the next chunk repeats at most."""

    tokens: Annotated[int, Bounds(ge=8, le=100_000)]
    overlap: Annotated[int, Bounds(ge=0)]

    def __post_init__(self) -> None:
        if self.overlap * 2 > self.tokens:
            raise ValueError(f"overlap ({self.overlap}) must be at most half of tokens ({self.tokens})")


def regions(extraction: Extraction, cross_pages: bool) -> list[Span]:
    """The ranges that chunks may fill: pages, slides or the like (or the whole text) without what is masked, ascending,
    not empty."""
    size = len(extraction.text)
    inner = () if cross_pages else (*extraction.pages, *borders(extraction.spots))
    edges = sorted({0, *inner, size})
    parts = []
    masks = sorted(extraction.masked)
    first = 0  # of the masks, the one that may reach into the next range
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
    """The paragraphs of a region: what stands between blank lines, ascending."""
    start = region.start
    for blank in _BLANK_LINE.finditer(text, *region):
        if start < blank.start():
            yield Span(start, blank.start())
        start = blank.end()
    if start < region.end:
        yield Span(start, region.end)


def stripped(text: str, start: int, end: int) -> Span:
    """The span from `start`, which must be visible, without white space at its end."""
    return Span(start, start + len(text[start:end].rstrip()) if text[end - 1].isspace() else end)


def last_paragraph_end(text: str, low: int, high: int) -> int | None:
    """The largest offset in `(low, high]` before a blank line, if there is one."""
    # The last two line feeds in a row are found a hundred times faster than a blank line that holds spaces.
    at = text.rfind("\n\n", low + 1, high + 2)
    if at < 0 and high > low:
        for blank in _BLANK_LINE.finditer(text, low + 1, min(high + 3, len(text))):
            at = blank.start() if blank.start() <= high else at
    return at if at > low else None


def last_boundary(text: str, low: int, high: int, end: int) -> int:
    """Where to end a chunk inside a paragraph, in `(low, high]`: after a sentence, a line or a word, else anywhere.

    `end` is where the region ends.
    """
    return (
        last_end(text, low, high, end)
        or last_line_end(text, low, high)
        or last_word_end(text, low, high)
        or hard_cut(text, low, high)
    )


def last_line_end(text: str, low: int, high: int) -> int | None:
    """The largest offset in `(low, high]` after a line feed, if there is one."""
    at = text.rfind("\n", low, high) + 1
    return at if at > low else None


def overlap_start(text: str, low: int, fresh: int, tokens: int) -> int:
    """Where a chunk starts whose new text starts at `fresh` and that repeats at most `tokens` of `text[low:fresh]`.

    Where a paragraph starts, if one does in the earlier half of these tokens, else a sentence, a word, else anywhere.
    """
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
    """The span, in pieces of at most `limit` code points where it is longer; pieces end at boundaries."""
    at, end = span
    while end - at > limit:
        stop = last_boundary(text, at + limit // 2, at + limit, end)
        yield stripped(text, at, stop)
        at = visible(text, stop, end)
    if at < end:
        yield stripped(text, at, end)
