"""A chunk for each definition of source code: functions and methods whole, classes up to their first method.

The extraction's headings mark the definitions. Files without headings are divided as by `lines`.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from itertools import pairwise

from biblicus.chunking.boundaries import regions
from biblicus.chunking.lines import Options, cut
from biblicus.contracts import Given
from biblicus.models.extraction import Extraction, Heading, Span
from biblicus.models.frozen import dataclass

__all__ = ["Options", "build"]


_CRUMB = 40
"""Maximum code points of a short line between two definitions (`else:`, `)`) that gets no chunk of its own."""


@dataclass(frozen=True)
class Definitions:
    """Parts longer than `lines` plus a tenth are divided as by `lines`. A short line between definitions joins the text
    before it."""

    options: Options
    fingerprint = "definitions/1"

    def chunk(self, extraction: Extraction) -> Iterator[Span]:
        for part in parts(extraction, regions(extraction, self.options.cross_pages)):
            yield from cut(extraction.text, part, self.options.lines, self.options.overlap)


def parts(extraction: Extraction, within: Iterable[Span]) -> Iterator[Span]:
    """Yield regions of a text, divided at its headings."""
    starts = list(_starts(extraction.text, extraction.headings))
    for region in within:
        inside = starts[bisect_right(starts, region.start) : bisect_left(starts, region.end)]
        for start, end in pairwise([region.start, *inside, region.end]):
            yield Span(start, end)


def _starts(text: str, headings: tuple[Heading, ...]) -> Iterator[int]:
    """Yield the starts of definitions and of the text between them, except short lines."""
    seen = {""}
    for place, heading in enumerate(headings):
        behind = headings[place + 1].offset if place + 1 < len(headings) else len(text)
        if heading.title not in seen or not _is_crumb(text[heading.offset : behind]):
            yield heading.offset
        seen.add(heading.title)


def _is_crumb(part: str) -> bool:
    part = part.strip()
    return len(part) <= _CRUMB and "\n" not in part


def build(options: Options, given: Given) -> Definitions:
    return Definitions(options)
