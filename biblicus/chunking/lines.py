"""Chunks of N lines, for code and logs; the last lines of a chunk are repeated in the next."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

from biblicus.chunking.boundaries import ChunkerOptions, regions, split_long
from biblicus.contracts import Given
from biblicus.models.extraction import Extraction, Span
from biblicus.models.frozen import dataclass
from biblicus.models.records import Bounds
from biblicus.text.sentences import visible

LONGEST = 12_000
"""Maximum code points of a chunk: far above sixty lines of code, but less than one line of minified script."""


@dataclass(frozen=True, kw_only=True)
class Options(ChunkerOptions):
    """`lines`: lines per chunk. `overlap`: number of them repeated in the next chunk."""

    lines: Annotated[int, Bounds(ge=1, le=100_000)] = 60
    overlap: Annotated[int, Bounds(ge=0)] = 10

    def __post_init__(self) -> None:
        if self.overlap >= self.lines:
            raise ValueError(f"overlap ({self.overlap}) must be less than lines ({self.lines})")


@dataclass(frozen=True)
class Lines:
    """Only a line feed ends a line. A last chunk with at most a tenth of `lines` new lines joins the previous one."""

    options: Options
    fingerprint = "lines/1"

    def chunk(self, extraction: Extraction) -> Iterator[Span]:
        for region in regions(extraction, self.options.cross_pages):
            yield from cut(extraction.text, region, self.options.lines, self.options.overlap)


def cut(text: str, region: Span, lines: int, overlap: int) -> Iterator[Span]:
    """Yield the chunks of a region: `lines` each, of which `overlap` are repeated in the next."""
    last = Span(-1, -1)
    for start, end in _windows(text, region, lines, lines - overlap):
        # Windows that overlap in blank or very long lines would give a piece twice or out of order.
        for piece in split_long(text, Span(visible(text, start, end), end), LONGEST):
            begin = piece.start if piece.start > last.start else visible(text, last.end, piece.end)
            if begin < piece.end and piece.end > last.end:
                last = Span(begin, piece.end)
                yield last


def _windows(text: str, region: Span, size: int, step: int) -> Iterator[Span]:
    """Yield whole lines, with the white space around them."""
    starts = _line_starts(text, region)
    for first in range(0, len(starts), step):
        behind = first + size
        if behind + size // 10 >= len(starts):
            yield Span(starts[first], region.end)
            return
        yield Span(starts[first], starts[behind])


def _line_starts(text: str, region: Span) -> list[int]:
    """Return the starts of a region's lines; the first may be partial."""
    starts = [region.start]
    at = text.find("\n", region.start, region.end) + 1
    while 0 < at < region.end:
        starts.append(at)
        at = text.find("\n", at, region.end) + 1
    return starts


def build(options: Options, given: Given) -> Lines:
    return Lines(options)
