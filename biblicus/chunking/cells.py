"""A chunk for each cell of a notebook; long cells are divided as by `paragraphs`, and headings join the next cell.

The extraction's headings mark the starts of cells.
"""

from __future__ import annotations

from collections.abc import Iterator

from biblicus.chunking.boundaries import is_bare_heading, regions
from biblicus.chunking.definitions import parts
from biblicus.chunking.paragraphs import Options, packed
from biblicus.contracts import Given
from biblicus.models.extraction import Extraction, Span
from biblicus.models.frozen import dataclass

__all__ = ["Options", "build"]


@dataclass(frozen=True)
class Cells:
    """A cell of one short line joins the previous one; a cell with only a heading joins the next."""

    options: Options
    fingerprint = "cells/2"

    def chunk(self, extraction: Extraction) -> Iterator[Span]:
        for region in regions(extraction, self.options.cross_pages):
            cells = _with_headings(extraction, parts(extraction, (region,)))
            yield from packed(extraction, cells, self.options)


def _with_headings(extraction: Extraction, cells: Iterator[Span]) -> Iterator[Span]:
    """Yield the cells, each with the heading-only cells directly before it."""
    titled = frozenset(heading.offset for heading in extraction.headings if heading.title)
    start: int | None = None
    end = 0
    for cell in cells:
        start, end = cell.start if start is None else start, cell.end
        if cell.start not in titled or not is_bare_heading(extraction.text, *cell):
            yield Span(start, end)
            start = None
    if start is not None:
        yield Span(start, end)


def build(options: Options, given: Given) -> Cells:
    return Cells(options)
