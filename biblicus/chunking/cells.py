"""A chunk for each cell of a notebook; a long one is divided as `paragraphs` does.

Where cells start, the extraction says by its headings.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from biblicus.chunking.boundaries import regions
from biblicus.chunking.definitions import parts
from biblicus.chunking.paragraphs import Options, packed
from biblicus.contracts import Given
from biblicus.models.extraction import Extraction, Span

__all__ = ["Options", "build"]


@dataclass(frozen=True)
class Cells:
    """A cell of one short line joins the one before it."""

    options: Options
    fingerprint = "cells/1"

    def chunk(self, extraction: Extraction) -> Iterator[Span]:
        cells = parts(extraction, regions(extraction, self.options.cross_pages))
        yield from packed(extraction, cells, self.options)


def build(options: Options, given: Given) -> Cells:
    return Cells(options)
