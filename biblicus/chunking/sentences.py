"""Chunks of N sentences; the last sentences of a chunk are repeated in the next."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import Annotated

from biblicus.chunking.boundaries import ChunkerOptions, paragraphs, regions, split_long
from biblicus.contracts import Given
from biblicus.models.extraction import Extraction, Span
from biblicus.models.frozen import dataclass
from biblicus.models.records import Bounds
from biblicus.text.sentences import sentences

LONGEST = 2_000
"""Maximum code points of a sentence; longer ones (tables, data) are divided at lines or words."""


@dataclass(frozen=True, kw_only=True)
class Options(ChunkerOptions):
    """`sentences`: number per chunk. `overlap`: number of them repeated in the next chunk. `paragraphs`: end chunks at
    paragraphs."""

    sentences: Annotated[int, Bounds(ge=1, le=1_000)] = 5
    overlap: Annotated[int, Bounds(ge=0)] = 1
    paragraphs: bool = False

    def __post_init__(self) -> None:
        if self.overlap >= self.sentences:
            raise ValueError(f"overlap ({self.overlap}) must be less than sentences ({self.sentences})")


@dataclass(frozen=True)
class Sentences:
    """A rest of at most a tenth of the last chunk's length joins that chunk."""

    options: Options
    fingerprint = "sentences/1"

    def chunk(self, extraction: Extraction) -> Iterator[Span]:
        text = extraction.text
        size, step = self.options.sentences, self.options.sentences - self.options.overlap
        parts = regions(extraction, self.options.cross_pages)
        for region in (
            chain.from_iterable(paragraphs(text, part) for part in parts) if self.options.paragraphs else parts
        ):
            spans: list[Span] = []
            for sentence in sentences(text, *region):
                spans += [sentence] if sentence.end - sentence.start <= LONGEST else split_long(text, sentence, LONGEST)
            for first in range(0, len(spans), step):
                behind = first + size
                if behind >= len(spans) or _is_crumb(spans, first, behind):
                    yield Span(spans[first].start, spans[-1].end)
                    break
                yield Span(spans[first].start, spans[behind - 1].end)


def _is_crumb(found: list[Span], first: int, behind: int) -> bool:
    """Return True if the text after the sentences `first` to `behind` is small compared with them."""
    end = found[behind - 1].end
    return (found[-1].end - end) * 10 <= end - found[first].start


def build(options: Options, given: Given) -> Sentences:
    return Sentences(options)
