"""The units of the evidence that can be quoted, each with its exact span and its breadcrumb."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
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
_LABEL = 12
"""Words of a label at most."""
_NAME = 3
"""Words of a name before a colon at most."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A unit that may be quoted. `section`: the part of a piece that contains it; `at`: its place among the units of
    that section; `order`: the place of its piece among those that are read; `label`: the line that names it, such as a
    parameter's."""

    section: Section
    at: int
    order: int
    label: str = ""

    @property
    def unit(self) -> Unit:
        return self.section.units[self.at]

    @property
    def piece(self) -> Evidence:
        return self.section.piece

    @property
    def breadcrumb(self) -> str:
        """Title › heading › label, without repetition."""
        names = (self.piece.title, self.section.heading, self.label)
        return " › ".join(dict.fromkeys(name for name in names if name))

    @property
    def place(self) -> tuple[str, int]:
        """Its chunk and offset: the key of a unit."""
        return self.piece.chunk_id, self.unit.start


def read(evidence: Sequence[Evidence], longest: int = LONGEST) -> list[Candidate]:
    """Return every unit of the evidence that says something. `longest`: words of a unit."""
    pieces = [piece for piece in evidence if not kinds.is_generated(piece.path)] or list(evidence)
    return [
        candidate
        for order, piece in enumerate(pieces[:PIECES])
        for section in sections(piece, min(longest, LONGEST))
        for candidate in _labelled(section, order)
    ]


def _labelled(section: Section, order: int) -> Iterator[Candidate]:
    """Yield the units of a section that say something, each with the label above it."""
    label = ""
    for at, unit in enumerate(section.units):
        if unit.kind is Kind.LABEL:
            label = unit.reads if unit.words <= _LABEL else ""
        elif unit.says and unit.kind is not Kind.MARKS:
            yield Candidate(section, at, order, _own_label(unit) or (label if label != section.heading else ""))


def _own_label(unit: Unit) -> str:
    """Return the name before the first colon of a unit, `weight : string`; empty where a sentence stands there."""
    name, colon, said = unit.reads.partition(":")
    return name.strip() if colon and said[:1].isspace() and len(name.split()) <= _NAME else ""
