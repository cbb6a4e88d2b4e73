"""What release notes say of a version: when it came, and what it brought."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import groupby

from biblicus.answering.quoting.reading.blocks import Kind
from biblicus.answering.quoting.reading.units import Unit
from biblicus.answering.quoting.sections import Section
from biblicus.text import kinds
from biblicus.text.terms import file_names

SURE = 0.85
"""How likely the section of a version tells of it."""
_WHEN = re.compile(
    r"\b(?:when|what (?:day|date|year)|release date|how (?:old|long ago)|wann|cuándo|quand)\b|когда|何时|什么时候",
    re.IGNORECASE,
)
_DATE = re.compile(
    r"\b\d{4}[-/.]\d{1,2}(?:[-/.]\d{1,2})?\b|\b\d{1,2}[./]\d{1,2}[./]\d{4}\b"
    r"|\b\d{1,2}(?:st|nd|rd|th|\.)?\s+[^\W\d_]{3,10}\.?,?\s+\d{4}\b|\b[^\W\d_]{3,10}\.?\s+\d{1,2}(?:st|nd|rd|th)?,?\s+\d{4}\b"
)
_HOW = re.compile(
    r"\b(?:install\w*|requirements?|requires?|prerequisites?|download\w*|build(?:ing)?|compatib\w*)\b", re.IGNORECASE
)
"""How headings begin that name a version, and do not tell what it brought: `Installing 2.0`."""
_NEAR = 4
"""Lines below the heading of a version in which its date may stand."""


def quoted(question: str, parts: Sequence[Section], most: int) -> list[tuple[Section, list[Unit]]]:
    """What the section of the version that a question asks for says, as much as `most` words: of the day where that is
    asked, else of what is new. Nothing where it asks for no version, or none of the `parts` is of it."""
    if not kinds.asks_for_a_release(question):
        return []
    version = file_names.versions(question)[0]
    own = list(_of_version(version, parts))
    if not own:
        return []
    if _WHEN.search(question):
        dated = ((part, unit) for part in own for unit in part.units[:_NEAR] if _DATE.search(unit.reads))
        return next(([(part, [unit])] for part, unit in dated), [])
    return list(_told(own, most))


def _of_version(version: str, parts: Sequence[Section]) -> Iterator[Section]:
    """The sections of a version, of the first piece that begins with its heading on: from there to the next version."""
    own: str | None = None
    is_within = False
    for part in parts:
        if own not in (None, part.piece.item_id):
            continue
        about = file_names.versions(part.heading)[:1] if not part.is_within or _heads(part) else []
        if about and _HOW.search(part.heading):
            is_within = False
        elif about:
            is_within = about == [version]
        elif not part.is_within:
            is_within = False
        if is_within:
            own = part.piece.item_id
            yield part


def _heads(part: Section) -> bool:
    return part.units[0].kind is Kind.HEADING


def _told(own: Sequence[Section], most: int) -> Iterator[tuple[Section, list[Unit]]]:
    room = most
    for part in own:
        saying: list[Unit] = []
        for unit in part.units:
            if unit.kind is Kind.HEADING and file_names.versions(unit.reads):
                continue
            if unit.words > room:
                room = 0
                break
            if unit.says or unit.kind is Kind.CODE:
                room -= unit.words
                saying.append(unit)
        for _, group in groupby(enumerate(saying), key=lambda pair: pair[0] - part.units.index(pair[1])):
            yield part, [unit for _, unit in group]
