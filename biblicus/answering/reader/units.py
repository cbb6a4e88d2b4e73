"""Quotable units of the evidence with exact spans and breadcrumbs."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from biblicus.answering.reader.reading.blocks import Kind
from biblicus.answering.reader.reading.units import LISTED, Unit, units
from biblicus.models.evidence import Evidence
from biblicus.models.extraction import Head, named
from biblicus.text import headings, kinds, records

_FRAME = 200
"""Characters of a page's frame above its title at most."""


@dataclass(frozen=True, slots=True)
class Section:
    """The units of a piece below a heading, including the heading. `heading`: its text, or empty; `start`: index of the
    first unit in the piece; `is_within`: it is not the first section."""

    piece: Evidence
    heading: str
    start: int
    units: Sequence[Unit]
    is_within: bool = False


def sections(piece: Evidence, longest: int) -> Iterator[Section]:
    """Yield the sections of a piece in ascending order. `longest`: maximum words of a unit."""
    heading, start = piece.heading or "", 0
    heads = tuple(head._replace(offset=head.offset - piece.span_start) for head in piece.heads)
    parts, begun = _headed(piece.text, piece.media_type, heading, piece.title or "", longest, heads)
    for at, unit in enumerate(parts):
        head = begun.get(at)
        if head is None and not _is_heading(unit):
            continue
        if at > start:
            yield Section(piece, heading, start, parts[start:at], start > 0)
        title = _names_in(piece.text, unit) if head is None or head.lines else head.title
        is_own = not at and not any(_is_of(piece, parts[place]) for place in begun if place)
        heading, start = piece.heading if piece.heading and (is_own or _is_of(piece, unit)) else title, at
    if start < len(parts):
        yield Section(piece, heading, start, parts[start:], start > 0)


def _is_heading(unit: Unit) -> bool:
    """Return true if a unit names what follows: no line drawn beside a heading, nor the names of a table's columns."""
    return unit.kind is Kind.HEADING and "|" not in unit.reads and any(map(str.isalnum, unit.reads))


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text))


def _names_in(text: str, unit: Unit) -> str:
    """Return the text of a heading; for an entry, the names on its lines."""
    lines = text[unit.start : unit.end].splitlines() if unit.kind is Kind.LABEL else ()
    return named(map(str.strip, lines)) if len(lines) > 1 else unit.reads


def _is_of(piece: Evidence, unit: Unit) -> bool:
    """Return True if a unit is the heading of the piece's section."""
    return unit.kind is Kind.LABEL and _letters(unit.reads) == _letters(piece.heading or "")


@lru_cache(maxsize=256)
def _headed(
    text: str, media_type: str, heading: str, title: str, longest: int, heads: tuple[Head, ...]
) -> tuple[tuple[Unit, ...], Mapping[int, Head]]:
    """Return the units of a text, and its headings that no mark shows, by the places of the units that they are, or
    that begin a part: those that are known (`heads`), and in plain text lines by themselves.

    What stands above the heading of a page's text is its frame, which says nothing. Remembered: questions one after the
    other are often answered from the same texts.
    """
    parts = list(units(text, longest, media_type, heading if media_type in records.TABLES else "", heads))
    begun = dict(_begun(parts, heads))
    heading_text = heading or (title if media_type in headings.PAGES else "")
    names = {_letters(name) for name in (*headings.within(text, media_type), *heading_text.split(" – "))} - {""}
    for at, unit in enumerate(parts):
        is_headed = (at in begun and begun[at].lines > 0) or _letters(text[unit.start : unit.end]) in names
        if is_headed and unit.kind not in (Kind.CODE, Kind.ROW, Kind.HEADING):
            begun.setdefault(at, Head(unit.start, 0))
            parts[at] = replace(unit, kind=Kind.LABEL, says=False, leads=True)
    begins = next((at for at in sorted(begun) if _letters(parts[at].reads) == _letters(heading_text)), 0)
    framed = begins if begins and parts[begins].start <= _FRAME else 0
    return (*(replace(unit, says=False) for unit in parts[:framed]), *parts[framed:]), begun


def _begun(parts: Sequence[Unit], heads: Sequence[Head]) -> Iterator[tuple[int, Head]]:
    """Yield the index of the first unit at or below each heading."""
    begins = [unit.start for unit in parts]
    for head in heads:
        if (at := bisect_left(begins, head.offset)) < len(parts):
            yield at, head


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
    name, colon, description = unit.reads.partition(":")
    return name.strip() if colon and description[:1].isspace() and len(name.split()) <= _NAME else ""
