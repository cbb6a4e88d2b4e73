"""Chunks of N sentences; the last ones of a chunk are repeated in the next."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated

from pydantic import Field, model_validator

from biblicus.chunking.boundaries import ChunkerOptions, regions, split_long
from biblicus.models.extraction import Extraction, Span
from biblicus.text.sentences import sentences

LONGEST = 2_000
"""Code points of the longest sentence; what goes on longer (tables, data) is divided at lines or words."""


class Options(ChunkerOptions):
    """`sentences`: how many a chunk holds. `overlap`: how many of them the next chunk repeats."""

    sentences: Annotated[int, Field(ge=1, le=1_000)] = 5
    overlap: Annotated[int, Field(ge=0)] = 1

    @model_validator(mode="after")
    def _overlap_leaves_room(self) -> Options:
        if self.overlap >= self.sentences:
            raise ValueError(f"overlap ({self.overlap}) must be less than sentences ({self.sentences})")
        return self


@dataclass(frozen=True)
class Sentences:
    """What is left at the end joins the last chunk where it is at most a tenth of that chunk's length."""

    options: Options
    fingerprint = "sentences/1"

    def chunk(self, extraction: Extraction) -> Iterator[Span]:
        text = extraction.text
        size, step = self.options.sentences, self.options.sentences - self.options.overlap
        for region in regions(extraction, self.options.cross_pages):
            found: list[Span] = []
            for one in sentences(text, *region):
                found += [one] if one.end - one.start <= LONGEST else split_long(text, one, LONGEST)
            for first in range(0, len(found), step):
                behind = first + size
                if behind >= len(found) or _is_crumb(found, first, behind):
                    yield Span(found[first].start, found[-1].end)
                    break
                yield Span(found[first].start, found[behind - 1].end)


def _is_crumb(found: list[Span], first: int, behind: int) -> bool:
    """Whether all that follows the sentences `first` to `behind` is small beside them."""
    end = found[behind - 1].end
    return (found[-1].end - end) * 10 <= end - found[first].start


def build(options: Options) -> Sentences:
    return Sentences(options)
