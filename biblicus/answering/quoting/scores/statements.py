"""Statements of an answer: units of the evidence as people read them, each with its citations."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import accumulate

from biblicus.answering.quoting import mailed
from biblicus.answering.quoting.scores.scored import Scored
from biblicus.answering.quoting.sections import Section
from biblicus.answering.reader.reading.blocks import Kind
from biblicus.answering.reader.reading.units import LISTED, Unit
from biblicus.models.answers.answer import Citation, Statement
from biblicus.models.evidence import Evidence
from biblicus.text.terms import symbols

_OPEN = re.compile(
    r"\b(?:may|might|must|can|cannot|could|shall|should|will|would|ought to|has to|have to|not|to|be|is|are|if|when|by"
    r"|darf|dürfen|muss|müssen|kann|können|soll|sollen|wird|werden|zu|wenn|peut|peuvent|doit|doivent|puede|pueden|debe"
    r"|deben)\s*:$",
    re.IGNORECASE,
)
"""How what leads to a list ends whose items go on with it."""

_COLUMNS = re.compile(r"\|.*\|\s*\Z")
"""How the names of a table's columns are written."""
_SPEAKS_OF_NAME = re.compile(
    r"(?:This|The) (?:(?:sub|meta)?command|option|function|method|macro|statement|directive|setting|flag|switch"
    r"|parameter|utility|tool|program|script|property|attribute|variable|hook|event|endpoint|operation|call|rule|key|class)\b"
    r"(?! line\b)"
)
"""How a text begins that speaks of what its heading names."""
_USAGE = re.compile(r"(?=.{1,80}\Z)[\w./-]+(?: [\w-]+)?(?: (?:<[^<>]+>|\[[^\[\]]+\]))+")
"""A line that shows how a command is called: `luksAddKey <device> [<key file>]`."""
_NAME = 60
"""Characters of a heading that names an option or a command, with what it takes."""


def lead_of(first: Scored) -> Unit | None:
    """What leads to an item, where it goes on with that sentence: "The crew may:"."""
    lead = leading_to(first) if first.unit.kind in (Kind.ITEM, Kind.STEP) else None
    return lead if lead and _OPEN.search(lead.reads) else None


def leading_to(listed: Scored) -> Unit | None:
    """What leads to the list or the table that something is of: "Fees in summer:"."""
    units, above = listed.section.units, listed.at - listed.section.start - 1
    beside = (listed.unit.kind,) if listed.unit.kind in LISTED else ()
    while above >= 0 and (units[above].kind in (*beside, Kind.MARKS) or _COLUMNS.match(units[above].reads)):
        above -= 1
    return units[above] if above >= 0 and units[above].leads else None


def statement(section: Section, units: Sequence[Unit], lead: Unit | None = None) -> Statement:
    """A statement of units that follow each other, behind what leads to them, which is cited by itself: other items may
    stand between. It stands under its section's heading, not that of the chunk."""
    piece = replace(section.piece, heading=section.heading) if section.is_within else section.piece
    citation = Citation(piece, units[0].start, units[-1].end)
    header = units[0].header
    beside = tuple(Citation(piece, other.start, other.end) for other in (header, lead) if other)
    return Statement(_reads([lead, *units] if lead else units), (citation, *beside), quoted=True)


def with_name(statement: Statement, section: Section, units: Sequence[Unit]) -> Statement:
    """A statement of how something is done, with the heading that names the option or the command which it tells of:
    `flush: This command empties the cache.`, `-l, --list: List boats.`"""
    text, name = section.piece.text, section.heading
    above = text[: units[0].start].rstrip().rpartition("\n")[2].strip("`* ")
    if _USAGE.fullmatch(above) and above not in statement.text:
        return _named(statement, above, text.rfind(above, 0, units[0].start))
    option = symbols.OPTION.findall(name) if name.startswith("-") else []
    is_told = any(one in statement.text for one in option) if option else not _SPEAKS_OF_NAME.match(statement.text)
    at = text.rfind(name, 0, units[0].start) if name and not is_told and len(name) <= _NAME else -1
    return _named(statement, name, at) if at >= 0 else statement


def _named(statement: Statement, name: str, at: int) -> Statement:
    """A statement behind a name that stands at a place of its piece."""
    citation = Citation(statement.citations[0].piece, at, at + len(name))
    return replace(statement, text=f"{name}: {statement.text}", citations=(*statement.citations, citation))


def with_who(statement: Statement, group: Sequence[Scored], evidence: Sequence[Evidence]) -> Statement:
    """A statement from a message, with who says it there and when."""
    piece = group[0].piece
    letter = mailed.letter(piece, evidence)
    quoted = [one.unit for one in group]
    if letter is None:
        speaker = mailed.spoken_by(piece, group[0].section.units, quoted)
    else:
        speaker = mailed.said_by(letter, piece, quoted) or mailed.quoted_of(piece, quoted)
    if speaker is None:
        return statement
    who, citation = speaker
    return replace(statement, text=f"{who}: {statement.text}", citations=(*statement.citations, citation))


def _reads(units: Sequence[Unit]) -> str:
    """What people read: sentences in a row, each item of a list on a line of its own."""
    if len(units) < 2 or not any(unit.kind in LISTED for unit in units):
        return " ".join(unit.reads for unit in units)
    text = ""
    for unit in units:
        begins = "\n" if text and unit.kind in LISTED and not unit.joined else " " if text else ""
        mark = "- " if unit.kind is Kind.ITEM and not unit.joined else ""
        text += f"{begins}{mark}{unit.reads}"
    return text


def listed(names: Section, most: int) -> Statement:
    """A statement of headings, as many as fit, each cited."""
    room = accumulate((unit.words for unit in names.units), initial=0)
    fitting = [unit for unit, before in zip(names.units, room, strict=False) if before + unit.words <= most]
    citations = tuple(Citation(names.piece, unit.start, unit.end) for unit in fitting)
    return Statement(_reads(fitting), citations, quoted=True)
