"""What a section says of one side of what its page is about, where a question asks for that: its limitations, what it
requires, when it is used, how it works, what is done where it fails."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from biblicus.answering.packs.joining import spanned
from biblicus.answering.quoting.question_terms import QuestionTerms, question_terms, stemmer_for
from biblicus.answering.quoting.reference.members import Place, fitting, units_at
from biblicus.answering.quoting.sections import Section
from biblicus.answering.reader.reading.blocks import Kind
from biblicus.answering.reader.reading.units import LISTED, Unit
from biblicus.answering.reader.superlatives import Whole
from biblicus.models.evidence import Evidence
from biblicus.models.extraction import Extraction, Heading
from biblicus.text.terms import titles

SURE = 0.8
"""How likely a section that is called as what is asked answers."""
_PAGES = 2
"""Pages that are looked at, the best."""
_BESIDE = 2
"""Words of a title that a question may leave out, at most."""
_HEADINGS, _PLACES = 400, 8
"""Headings of a page that are looked at, and sections that are read, at most."""
_ONE = r"(?:i|we|you|one)\s+"
_ASKED = (
    (
        re.compile(rf"\W*when\s+(?:should|would|do|can|must)\s+{_ONE}use\s+(?P<of>.+?)\W*\Z", re.IGNORECASE),
        re.compile(r"(?:when|why)\b.{0,30}\b(?:use|choose|pick)\b|use ?cases?\b", re.IGNORECASE),
    ),
    (
        re.compile(r"\W*how\s+(?:does|do)\s+(?P<of>.+?)\s+work(?:\s+internally)?\W*\Z", re.IGNORECASE),
        re.compile(r"how\b.{1,40}\bworks?\b|mental model\b|under the hood\b", re.IGNORECASE),
    ),
    (
        re.compile(r"\W*(?:is|are)\s+(?P<of>.+?)\s+(?:secure|safe)\W*\Z", re.IGNORECASE),
        re.compile(r"security\b|safety\b", re.IGNORECASE),
    ),
    (
        re.compile(
            rf"\W*what\s+(?:do|should|can|must)\s+{_ONE}do\s+(?:if|when)\s+(?P<of>.+?)\s+(?:(?:do|does|is)(?:\s+not|n['’]t)"
            r"\s+work\w*|fails?)\W*\Z|\W*(?:why\s+(?:does|do|is|are)\s+(?P<why>.+?)\s+not\s+work\w*"
            rf"|how\s+(?:do|can|should)\s+{_ONE}troubleshoot\s+(?P<how>.+?))\W*\Z",
            re.IGNORECASE,
        ),
        re.compile(r"troubleshoot\w*|common (?:issues|problems|errors|mistakes)\b", re.IGNORECASE),
    ),
    (
        re.compile(r"\W*what\s+(?:does|do)\s+(?P<of>.+?)\s+(?:need|require)\W*\Z", re.IGNORECASE),
        re.compile(
            r"(?:\w+ )?(?:requirements?|prerequisites?|dependencies)\W*\Z|before you (?:begin|start)\b", re.IGNORECASE
        ),
    ),
)
"""What a question asks of something, and how the section is called that says it."""
_NAMED = re.compile(
    r"\W*(?:what|which)\s+(?:is\s+the|are(?:\s+(?:the|some))?)\s+(?P<side>[a-z][a-z -]{3,40}?)\s+"
    r"(?:of|for|in|with|to|when\s+using)\s+(?P<of>.+?)\W*\Z"
    r"|\W*(?:what|which)\s+(?P<having>[a-z][a-z -]{3,40}?)\s+(?:does|do)\s+(?P<its>.+?)\s+"
    r"(?:have|need|require|support|provide|offer|bring|expect|set|define|use|take|accept|export|emit|contain|include|know)"
    r"\W*\Z",
    re.IGNORECASE,
)
_ALIKE = tuple(
    frozenset(names.split(", "))
    for names in (
        "limitations, limits, restrictions, constraints, known limitations, caveats",
        "requirements, prerequisites, system requirements, preconditions",
        "known issues, known problems, bugs, known bugs",
        "best practices, recommendations, good practices, guidelines",
        "benefits, advantages, pros",
        "disadvantages, drawbacks, cons",
        "features, key features, main features, capabilities, highlights",
        "platforms, supported platforms, platform support",
    )
)
"""Sides that go by several names."""
_OTHERWISE = frozenset(("default", "type", "difference", "differences", "name", "value", "meaning", "purpose", "point"))
"""What is no side that sections tell of, or is told otherwise."""


class _Asked(NamedTuple):
    """`names`: what the section is called that says what is asked `of` something; else `looks` like that."""

    of: str
    names: frozenset[str]
    looks: re.Pattern[str] | None = None


def asked_side(question: str) -> _Asked | None:
    """The side of a thing that a question asks for; None where it asks for none."""
    for asks, heading in _ASKED:
        if (match := asks.match(question)) is not None:
            return _Asked(next(filter(None, match.groups())), frozenset(), heading)
    named = _NAMED.match(question)
    side = (named["side"] or named["having"]).lower() if named else ""
    if named is None or _OTHERWISE & {*side.split()}:
        return None
    alike = next((names for names in _ALIKE if side in names), frozenset((side,)))
    return _Asked(named["of"] or named["its"], alike)


def section(question: str, evidence: Sequence[Evidence], most: int, whole: Whole | None) -> Section | None:
    """What the section says that is called as the side of a thing which a question asks for, as much as `most` words;
    None where it asks for none, or no page about that thing has one."""
    side = asked_side(question) if whole is not None else None
    if side is None or whole is None:
        return None
    best: dict[str, Evidence] = {}
    for piece in evidence:
        best.setdefault(piece.item_id, piece)
    for piece in islice((piece for piece in best.values() if piece.doctype != "code"), _PAGES):
        if (extraction := whole(piece)) is None:
            continue
        for place in islice(_places(side, piece, extraction), _PLACES):
            read = [unit for unit in units_at(piece, extraction, place) if unit.kind is not Kind.CODE]
            if units := [*fitting(_saying(read), most, names=True)]:
                of_part = spanned(piece, extraction.text, 0, 1, extraction.spots)
                return Section(of_part, place.title, 0, units, is_within=True)
    return None


def _saying(read: Sequence[Unit]) -> Iterator[Unit]:
    """What says something, leads to what does, or is listed; no names of columns."""
    return (
        unit
        for unit in read
        if (unit.says or unit.leads or unit.kind in LISTED) and not (unit.kind is Kind.HEADING and "|" in unit.reads)
    )


def _places(asked: _Asked, piece: Evidence, extraction: Extraction) -> Iterator[Place]:
    """Where a page that is about the thing, or a part of it that is called so, tells the side of it: first what is
    called just so, then what has one word before that (`Result variables`)."""
    reading = question_terms(asked.of, stemmer_for(piece.language, ()))
    if not reading.asked:
        return
    headings = [heading for heading in extraction.headings if heading.title]
    is_of_page = _is_about(piece.title or "", reading)
    below, within = [], 0
    for at, heading in enumerate(headings[:_HEADINGS]):
        if heading.level <= within:
            within = 0
        if not within and heading.title != piece.title and _is_about(heading.title, reading, beside=0):
            within = heading.level
        elif is_of_page or within or _has_name(heading.title, reading):
            below.append(at)
    for beside in (0, 1):
        for at in below:
            if _is_side(headings[at].title, asked, reading, beside):
                yield Place(headings[at].title, headings[at].offset, _end(headings, at, extraction))


def _is_about(title: str, reading: QuestionTerms, beside: int = _BESIDE) -> bool:
    terms = question_terms(titles.without_number(title), reading.stemmer).asked
    return reading.asked <= terms and len(terms - reading.asked) <= beside


def _has_name(heading: str, reading: QuestionTerms) -> bool:
    """Whether a heading says itself what it tells a side of: `Limitations of jet boats`."""
    return reading.asked <= question_terms(titles.without_number(heading), reading.stemmer).asked


def _is_side(title: str, asked: _Asked, reading: QuestionTerms, beside: int) -> bool:
    """Whether a heading is called as a side, perhaps with the thing's own name: `Limitations of Winches`."""
    title = titles.without_number(title)
    if asked.looks is not None:
        return asked.looks.match(title) is not None
    own = question_terms(title, reading.stemmer).asked - reading.asked
    for name in asked.names:
        side = question_terms(name, reading.stemmer).asked - reading.asked
        if own and side and (own == side or (beside and side < own and len(own - side) == beside)):
            return not beside or question_terms(title.split()[-1], reading.stemmer).asked <= side
    return False


def _end(headings: Sequence[Heading], at: int, extraction: Extraction) -> int:
    behind = (heading.offset for heading in headings[at + 1 :] if heading.level <= headings[at].level)
    return next(behind, len(extraction.text))
