"""The whole text as one chunk (one a page, where there are pages)."""

from __future__ import annotations

from collections.abc import Iterator

from biblicus.chunking.boundaries import ChunkerOptions, regions, stripped
from biblicus.contracts import Given
from biblicus.models.extraction import Extraction, Span
from biblicus.models.frozen import dataclass
from biblicus.text.sentences import visible


@dataclass(frozen=True, kw_only=True)
class Options(ChunkerOptions):
    """Nothing but `cross_pages`."""


@dataclass(frozen=True)
class Whole:
    """Chunks without a limit of size. What is masked in the middle of a text divides it."""

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
