"""Quotable units of the evidence with exact spans and breadcrumbs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from biblicus.answering.reader.reading.blocks import Kind
from biblicus.answering.reader.reading.units import LISTED, Unit
from biblicus.answering.reader.sections import Section, sections
from biblicus.models.evidence import Evidence
from biblicus.text import kinds

PIECES = 6
"""Number of pieces that are read, by rank."""
LONGEST = 60
"""Maximum words of a unit; a longer sentence is split at a clause."""
_LABEL, _LEAD = 12, 24
"""Maximum words of a label, and of a sentence that introduces a list."""
_NAME = 3
"""Maximum words of a name before a colon."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A unit that may be quoted.

    `section`: part of a piece that contains it; `at`: index in the section's units; `order`: index of its piece;
    `label`: the line that names it, such as a parameter's name or the sentence that introduces its list.
    """

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
        return " › ".join(dict.fromkeys(name for name in names if name and name != self.unit.reads))

    @property
    def items(self) -> Iterator[Candidate]:
        """Yield the items of the list that this unit introduces, if any."""
        if self.unit.leads:
            for at in range(self.at + 1, len(self.section.units)):
                if self.section.units[at].kind not in LISTED:
                    return
                yield replace(self, at=at)

    @property
    def place(self) -> tuple[str, int]:
        """Chunk id and offset, the key of a unit."""
        return self.piece.chunk_id, self.unit.start


def read(evidence: Sequence[Evidence], longest: int = LONGEST) -> list[Candidate]:
    """Return all units of the evidence that state something. `longest`: maximum words of a unit."""
    pieces = [piece for piece in evidence if not kinds.is_generated(piece.path)] or list(evidence)
    return [
        candidate
        for order, piece in enumerate(pieces[:PIECES])
        for section in sections(piece, min(longest, LONGEST))
        for candidate in _labelled(section, order)
    ]


def _labelled(section: Section, order: int) -> Iterator[Candidate]:
    """Yield the units of a section that state something or introduce a list, with the label above."""
    label = lead = ""
    for at, unit in enumerate(section.units):
        if unit.kind is Kind.LABEL:
            label = unit.reads if unit.words <= _LABEL else ""
            continue
        candidate = Candidate(section, at, order)
        is_lead = unit.kind is Kind.PROSE and next(candidate.items, None) is not None
        if unit.kind not in LISTED:
            lead = unit.reads if is_lead and unit.words <= _LEAD else ""
        above = lead or label
        if (unit.says or is_lead) and unit.kind is not Kind.MARKS:
            named = _own_label(unit) or (above if above != section.heading else "")
            yield replace(candidate, label=named)


def _own_label(unit: Unit) -> str:
    """Return the name before a unit's first colon (`weight : string`), or an empty string before a sentence."""
    name, colon, said = unit.reads.partition(":")
    return name.strip() if colon and said[:1].isspace() and len(name.split()) <= _NAME else ""
