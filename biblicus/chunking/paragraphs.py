"""Packs paragraphs into chunks, each under its heading: the default.

For speed it advances by the size of a chunk and searches backwards for the best end.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import Annotated

from biblicus.chunking.boundaries import (
    OverlapOptions,
    fences,
    is_bare_heading,
    last_boundary,
    last_line_end,
    last_paragraph_end,
    overlap_start,
    regions,
    span_around,
    starts_row,
    stripped,
)
from biblicus.contracts import Given
from biblicus.models.extraction import ENTRY, SAID, Extraction, Span
from biblicus.models.frozen import dataclass
from biblicus.models.records import Bounds
from biblicus.text.counting import reach
from biblicus.text.sentences import visible


@dataclass(frozen=True, kw_only=True)
class Options(OverlapOptions):
    """See `OverlapOptions`."""

    tokens: Annotated[int, Bounds(ge=8, le=100_000)] = 320
    overlap: Annotated[int, Bounds(ge=0)] = 0


@dataclass(frozen=True)
class Paragraphs:
    """Packs paragraphs up to `tokens`, or a tenth more to avoid a tiny rest or a divided section or code fence.

    A heading ends the chunk before it if that is at least a third full, and no chunk ends with a heading. Nothing is
    repeated across a heading. Only a paragraph longer than a chunk is divided: at rows and list items, else sentences,
    else lines, else words. Only a code fence longer than a chunk is divided.
    """

    options: Options
    fingerprint = "paragraphs/1"

    def chunk(self, extraction: Extraction) -> Iterator[Span]:
        yield from packed(extraction, regions(extraction, self.options.cross_pages), self.options)


def packed(extraction: Extraction, parts: Iterable[Span], options: Options) -> Iterator[Span]:
    """Yield the chunks of some parts of a text; none crosses from one part into the next."""
    headings = [heading.offset for heading in extraction.headings]
    entries = frozenset(heading.offset for heading in extraction.headings if heading.level >= ENTRY)
    saying = frozenset(heading.offset for heading in extraction.headings if heading.level >= SAID)
    packer = _Packer(extraction.text, headings, entries, saying, options.tokens, options.overlap)
    for part in parts:
        yield from packer.pack(part)


def build(options: Options, given: Given) -> Paragraphs:
    return Paragraphs(options)


@dataclass(frozen=True)
class _Packer:
    """State for one text. `start`: start of a chunk; `fresh`: start of its new text, both at visible characters. `end`:
    end of the region. Each cut is larger than `fresh`, which guarantees progress. `saying`: headings that are content
    by themselves."""

    text: str
    headings: list[int]
    entries: frozenset[int]
    saying: frozenset[int]
    tokens: int
    overlap: int

    @cached_property
    def fences(self) -> list[Span]:
        return fences(self.text)

    def pack(self, region: Span) -> Iterator[Span]:
        text, end = self.text, region.end
        start = fresh = visible(text, region.start, end)
        while fresh < end:
            cut = self._cut(start, fresh, end)
            yield stripped(text, start, cut)
            fresh = visible(text, cut, end)
            start = self._next_start(start, fresh) if self.overlap else fresh

    def _cut(self, start: int, fresh: int, end: int) -> int:
        """Return the end of the chunk."""
        text = self.text
        slack = self._slack(start, end)
        by_heading = self._heading_cut(start, fresh, end, slack)
        if by_heading:
            return by_heading
        if slack == end:
            return end
        high = reach(text, start, end, self.tokens)
        return (
            self._fence_cut(fresh, high, slack, end)
            or self._paragraph_cut(start, fresh, high, end)
            or self._inner_cut(start, fresh, high, end)
        )

    def _slack(self, start: int, end: int) -> int:
        """Return the absolute limit for the end of a chunk."""
        return reach(self.text, start, end, self.tokens + self.tokens // 10)

    def _heading_cut(self, start: int, fresh: int, end: int, slack: int) -> int | None:
        """Return an end before the first heading after a third of the chunk, unless little text follows it. An entry is
        a chunk of its own."""
        third = max(reach(self.text, start, end, self.tokens // 3), fresh + 1)
        index = bisect_left(self.headings, third)
        if self.entries and (cut := self._entry_cut(fresh, min(slack, end - 1), index)):
            return cut
        if index == len(self.headings) or self.headings[index] > slack or self.headings[index] >= end:
            return None
        at = self.headings[index]
        if slack == end and reach(self.text, at, end, self.tokens // 8) == end:
            return None
        return self._above_headings(at, fresh)

    def _entry_cut(self, fresh: int, last: int, index: int) -> int | None:
        """Return an end before the first entry, or first heading after an entry, among the headings before `index`."""
        at = bisect_right(self.headings, fresh)
        is_after = at > 0 and self.headings[at - 1] in self.entries
        while at < len(self.headings) and self.headings[at] <= last and (at < index or is_after):
            is_entry = self.headings[at] in self.entries
            if (is_entry or is_after) and (cut := self._above_headings(self.headings[at], fresh)):
                return cut
            is_after = is_entry
            at += 1
        return None

    def _above_headings(self, cut: int, fresh: int) -> int | None:
        """Move the cut before headings that would end the chunk; return None if nothing would remain."""
        index = bisect_left(self.headings, cut)
        while index and cut > fresh and self._is_bare(self.headings[index - 1], cut):
            index -= 1
            cut = self.headings[index]
        return cut if cut > fresh else None

    def _is_bare(self, heading: int, end: int) -> bool:
        return heading not in self.saying and is_bare_heading(self.text, heading, end)

    def _fence_cut(self, fresh: int, high: int, slack: int, end: int) -> int | None:
        """Return an end before or after a code fence that the limit would divide, if it can stay whole."""
        fence = span_around(self.fences, high)
        if fence is None or fence.end > end:
            return None
        if fence.end <= slack:
            return fence.end
        fits = reach(self.text, fence.start, end, self.tokens) >= fence.end
        return self._above_headings(fence.start, fresh) if fits else None

    def _paragraph_cut(self, start: int, fresh: int, high: int, end: int) -> int | None:
        """Return the end of the last paragraph that fits; None if a tiny chunk would precede a paragraph divided
        anyway."""
        text = self.text
        last = last_paragraph_end(text, fresh, high)
        if last is None:
            return None
        fence = span_around(self.fences, last)
        if fence and fence.end <= high:
            last = fence.end
        cut = self._above_headings(last, fresh)
        if cut is None or cut - start >= (high - start) // 4:
            return cut
        following = visible(text, cut, end)
        if self._slack(following, end) == end:
            return cut
        whole = last_paragraph_end(text, following, reach(text, following, end, self.tokens))
        return cut if whole and self._above_headings(whole, following) else None

    def _inner_cut(self, start: int, fresh: int, high: int, end: int) -> int:
        """Return an end inside a paragraph that is too long: at a row or line of code, else a sentence, line or
        word."""
        text = self.text
        low = max(fresh, start + (high - start) // 4)
        line = last_line_end(text, fresh, high)
        if line and self._keeps_line(line, low, end):
            cut = line
        else:
            cut = last_boundary(text, low, high, end)
        while cut < high and self._above_headings(cut, fresh) != cut:
            cut = last_boundary(text, cut, high, end)
        fence = span_around(self.fences, cut)
        return fence.end if fence and fence.end <= high else cut

    def _keeps_line(self, line: int, low: int, end: int) -> bool:
        """Return True to end a chunk before `line`: a row, item or code line that is better in the next chunk."""
        if starts_row(self.text, line):
            room = reach(self.text, line, end, self.tokens)
            return line >= low or room == end or self.text.find("\n", line, room + 1) >= 0
        return line >= low and span_around(self.fences, line) is not None

    def _next_start(self, start: int, fresh: int) -> int:
        """Return the start of the next chunk, including repeated text."""
        index = bisect_right(self.headings, fresh) - 1
        if index >= 0 and visible(self.text, self.headings[index], fresh) == fresh:
            return fresh
        begin = overlap_start(self.text, start + 1, fresh, self.overlap)
        fence = span_around(self.fences, begin)
        return visible(self.text, fence.end, fresh) if fence and fence.end <= fresh else begin
