"""The units of the evidence that can be quoted, each with its exact span and its breadcrumb."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from biblicus.answering.reader.reading.blocks import Kind
from biblicus.answering.reader.reading.units import Unit
from biblicus.answering.reader.sections import Section, sections
from biblicus.models.evidence import Evidence
from biblicus.text import kinds

PIECES = 6
"""Pieces of the evidence that are read, by rank."""
LONGEST = 60
"""Words of a unit; a longer sentence is cut where a clause ends."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A unit that may be quoted. `section`: the part of a piece that contains it; `at`: its place among the units of
    that section; `order`: the place of its piece among those that are read."""

    section: Section
    at: int
    order: int

    @property
    def unit(self) -> Unit:
        return self.section.units[self.at]

    @property
    def piece(self) -> Evidence:
        return self.section.piece

    @property
    def breadcrumb(self) -> str:
        """Title › heading, without repetition."""
        title, heading = self.piece.title or "", self.section.heading or ""
        return title if heading in ("", title) else f"{title} › {heading}" if title else heading

    @property
    def place(self) -> tuple[str, int]:
        """Its chunk and offset: the key of a unit."""
        return self.piece.chunk_id, self.unit.start


def read(evidence: Sequence[Evidence]) -> list[Candidate]:
    """Return every unit of the evidence that says something."""
    pieces = [piece for piece in evidence if kinds.of(piece.path, piece.text) != kinds.GENERATED] or list(evidence)
    return [
        Candidate(section, at, order)
        for order, piece in enumerate(pieces[:PIECES])
        for section in sections(piece, LONGEST)
        for at, unit in enumerate(section.units)
        if unit.says and unit.kind is not Kind.MARKS
    ]
