"""The whole text as one chunk, or one per page if there are pages."""

from __future__ import annotations

from collections.abc import Iterator

from biblicus.chunking.boundaries import ChunkerOptions, regions, stripped
from biblicus.contracts import Given
from biblicus.models.extraction import Extraction, Span
from biblicus.models.frozen import dataclass
from biblicus.text.sentences import visible


@dataclass(frozen=True, kw_only=True)
class Options(ChunkerOptions):
    """No options besides `cross_pages`."""


@dataclass(frozen=True)
class Whole:
    """Chunks without a size limit. Masked parts in the middle of a text divide it."""

    options: Options
    fingerprint = "whole/1"

    def chunk(self, extraction: Extraction) -> Iterator[Span]:
        text = extraction.text
        for start, end in regions(extraction, self.options.cross_pages):
            start = visible(text, start, end)
            if start < end:
                yield stripped(text, start, end)


def build(options: Options, given: Given) -> Whole:
    return Whole(options)
