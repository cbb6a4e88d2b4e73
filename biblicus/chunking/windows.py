"""Overlapping chunks of about equal size, moved to the ends of paragraphs, sentences or words if possible."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

from biblicus.chunking.boundaries import (
    OverlapOptions,
    last_boundary,
    last_paragraph_end,
    overlap_start,
    regions,
    stripped,
)
from biblicus.contracts import Given
from biblicus.models.extraction import Extraction, Span
from biblicus.models.frozen import dataclass
from biblicus.models.records import Bounds
from biblicus.text.counting import reach
from biblicus.text.sentences import visible


@dataclass(frozen=True, kw_only=True)
class Options(OverlapOptions):
    """See `OverlapOptions`."""

    tokens: Annotated[int, Bounds(ge=8, le=100_000)] = 1000
    overlap: Annotated[int, Bounds(ge=0)] = 200


@dataclass(frozen=True)
class Windows:
    """A chunk ends in its last quarter. The last chunk may be a tenth larger, to avoid a tiny rest."""

    options: Options
    fingerprint = "windows/1"

    def chunk(self, extraction: Extraction) -> Iterator[Span]:
        for region in regions(extraction, self.options.cross_pages):
            yield from self._windows(extraction.text, region)

    def _windows(self, text: str, region: Span) -> Iterator[Span]:
        tokens, end = self.options.tokens, region.end
        start = fresh = visible(text, region.start, end)
        while fresh < end:
            stop = self._stop(text, start, fresh, end, tokens)
            yield stripped(text, start, stop)
            fresh = visible(text, stop, end)
            start = overlap_start(text, start + 1, fresh, self.options.overlap)

    @staticmethod
    def _stop(text: str, start: int, fresh: int, end: int, tokens: int) -> int:
        """Return the end of the chunk with new text from `fresh`."""
        if reach(text, start, end, tokens + tokens // 10) == end:
            return end
        high = reach(text, start, end, tokens)
        low = max(fresh, high - (high - start) // 4)
        return last_paragraph_end(text, low, high) or last_boundary(text, low, high, end)


def build(options: Options, given: Given) -> Windows:
    return Windows(options)
