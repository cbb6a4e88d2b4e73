"""Shared by the chunkers: regions that limit chunks, good places to end one and start the next, and structure that
chunks should keep, such as code fences, and headings with their text.

Offsets are code points of the extraction's text. Ranges are half-open; a boundary "in `(low, high]`" is an offset at
which a chunk may end. No function reads text outside the given range.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice, pairwise
from typing import Annotated

from biblicus.models.extraction import Extraction, Span
from biblicus.models.frozen import dataclass
from biblicus.models.locator import borders
from biblicus.models.records import Bounds, Record
from biblicus.text.counting import reach_back
from biblicus.text.sentences import first_end, hard_cut, last_end, last_word_end, visible

_LONGEST_HEADING = 400  # code points
_UNDERLINES = " \t\r=-~^\"'`#*+_:."
_BYTES = 500
"""Minimum characters of a chunk of encoded bytes; a key has fewer."""
_TO_A_BLANK = 100
"""Minimum characters per space in encoded bytes; no language and no list reaches it."""
_IN_LETTERS = re.compile(r"(?=\S{0,60}[a-z])(?=\S{0,60}[A-Z])(?=\S{0,60}\d)[A-Za-z0-9+/_=-]{40,}")
"""A line of base64 or similar."""
_REST = re.compile(r"[A-Za-z0-9+/_-]{0,39}={1,2}")
"""The last line of base64; without this ending it may be a word, which must not be lost."""
_SMALL_BESIDE_SMALL = re.compile(r"[a-z](?=[a-z])")
_OF_WORDS = 3
"""Maximum characters per match in words, as in a list of paths: there a half matches, in encoded bytes a sixth."""
_LIST_MARKERS = ("|", "- ", "* ", "+ ")


_NUMBERS = str.maketrans("", "", "0123456789.,;:|+-eE \t\r\n\"'")
"""Characters of numbers; a column of numbers contains no others."""
_OTHER = 0.02
"""Maximum share of other characters in columns of numbers (`nan`)."""
_GLANCE = 64
"""Number of characters at the start of a span that suffice to recognize most prose."""
_WHITE = re.compile(r"\s")
_BLANK_LINE = re.compile(r"\n[^\S\n]*+\n")


def in_words(text: str, spans: Iterable[Span], numbers: list[Span] | None = None) -> Iterator[Span]:
    """Yield the spans except those of encoded bytes (base64); if all are, yield the first. `numbers`: receives spans
    that contain only columns of numbers, which are skipped, too, except a text's first."""
    left_out: Span | None = None
    was_any = False
    for span in spans:
        if span.end - span.start >= _BYTES and _is_bytes(text, span):
            left_out = left_out or span
            continue
        is_long = bool(numbers) or span.end - span.start >= _BYTES
        if was_any and numbers is not None and is_long and _is_numbers(text, span):
            numbers.append(span)
            continue
        was_any = True
        yield span
    if left_out and not was_any:
        yield left_out


def _is_numbers(text: str, span: Span) -> bool:
    """Return True if a span contains only rows of numbers, in which a search for words finds nothing."""
    most = _OTHER * (span.end - span.start)
    beginning = text[span.start : min(span.end, span.start + _GLANCE + 2 * int(most))]
    if len(beginning.translate(_NUMBERS)) > most:
        return False
    part = text[span.start : span.end]
    return part.count("\n") > 1 and len(part.translate(_NUMBERS)) <= most


def _is_bytes(text: str, span: Span) -> bool:
    length = span.end - span.start
    if text.count(" ", span.start, span.end) * _TO_A_BLANK > length:
        return False
    part = text[span.start : span.end]
    if not all(_IN_LETTERS.fullmatch(line) or _REST.fullmatch(line) for line in part.split()):
        return False
    return len(_SMALL_BESIDE_SMALL.findall(part)) * _OF_WORDS < length


def fences(text: str) -> list[Span]:
    """Return Markdown code fences with their first and last line, ascending; unclosed ones are ignored."""
    spans = [span for mark in ("```", "~~~") if mark in text for span in _fences_of(text, mark)]
    spans.sort()
    outermost: list[Span] = []
    for span in spans:
        if not outermost or span.start >= outermost[-1].end:
            outermost.append(span)
    return outermost


def _fences_of(text: str, mark: str) -> Iterator[Span]:
    """Yield the fences of one kind: from a line `mark…info` to a line of only at least as many marks."""
    opened, width = -1, 0
    at = text.find(mark)
    while at >= 0:
        line_end = text.find("\n", at)
        line_end = len(text) if line_end < 0 else line_end
        # An indentation or quote mark longer than this is no fence; the limit bounds the cost of a line of fences.
        line = text.rfind("\n", max(0, at - 40), at) + 1
        if line == at or not text[line:at].strip(" \t>"):
            rest = text[at:line_end].lstrip(mark[0])
            run = line_end - at - len(rest)
            if opened < 0:
                if mark[0] not in rest:
                    opened, width = line, run
            elif run >= width and not rest.strip():
                yield Span(opened, line_end)
                opened = -1
        at = text.find(mark, line_end)


def span_around(spans: Sequence[Span], offset: int) -> Span | None:
    """Return the one of some ascending spans that starts before `offset` and ends after it."""
    before = bisect_left(spans, (offset,)) - 1
    return spans[before] if before >= 0 and spans[before].end > offset else None


def is_bare_heading(text: str, start: int, end: int) -> bool:
    """Return True if `text[start:end]` contains only the heading at its start, and a line of marks beside it."""
    if end - start > _LONGEST_HEADING:
        return False
    piece = text[start:end].strip()
    first, _, rest = piece.partition("\n")
    if first.strip(_UNDERLINES):  # if first.strip(_UNDERLINES):  # as in most headings
        return not rest.strip(_UNDERLINES + "\n")
    return sum(bool(line.strip(_UNDERLINES)) for line in rest.split("\n")) <= 1


def starts_row(text: str, line: int) -> bool:
    """Return True if the line at `line` is a row of a table or starts an item of a list."""
    start = text[line : line + 24].lstrip(" \t>")
    number, dot, _ = start[:5].partition(". ")
    return start.startswith(_LIST_MARKERS) or (bool(dot) and number.isdigit())


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
