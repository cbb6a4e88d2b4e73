"""The things of a kind that a question asks for, told by the headings below one that names the kind: of `Knots`, below
which stand `Bowline`, `Sheet Bend` and `Clove Hitch`, these three.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import islice, takewhile

from biblicus.answering.packs.joining import spanned
from biblicus.answering.quoting import entries
from biblicus.answering.quoting.question_terms import QuestionTerms, question_terms, stemmer_for
from biblicus.answering.quoting.reading.blocks import Kind
from biblicus.answering.quoting.reading.units import Unit, words
from biblicus.answering.quoting.sections import Section
from biblicus.answering.quoting.superlatives import Whole
from biblicus.models.evidence import Evidence
from biblicus.models.extraction import Extraction, Heading
from biblicus.text.terms import titles

SURE = 0.75
"""How sure it is that headings below one that is called so are what is asked for."""
_PART = 2
"""The level of a heading below the title."""
_ITEMS = 2
"""Documents whose headings are read, the best."""
_LEAST, _MOST = 3, 30
"""Headings that tell what the things of a kind are."""
_BESIDE = 1
"""Other words of a heading that names the kind, at most."""
_NAME = 8
"""Words of a name at most."""
_OF_A_TEXT = re.compile(
    r"\W*(?:(?:(?:an?|more|basic|advanced|simple|complete|full|code|usage)\s+)?examples?|usage|syntax|see also|notes?"
    r"|remarks?|requirements?|parameters|arguments|returns?|next steps|related|further|summary|conclusion|background"
    r"|motivation|installation|installing|configuration|getting started|good to know|how|why|when|what|where"
    r"|limitations|permissions|prerequisites|troubleshooting|faq|version history|references?|using|creating|adding"
    r"|beispiele?|siehe auch|exemples?|ejemplos?|voir aussi)\b",
    re.IGNORECASE,
)
"""How a heading begins that says what kind of text stands below it, and names nothing."""
_OF_A_KIND = "available supported possible provided offered exist kind type sort"
"""Words of a question that a heading need not have which names what is asked for."""


def section(question: str, evidence: Sequence[Evidence], whole: Whole | None) -> Section | None:
    """The headings that name what is asked for, each a unit; None where no heading says that they do."""
    best: dict[str, Evidence] = {}
    for piece in evidence:
        best.setdefault(piece.item_id, piece)
    for piece in islice(best.values() if whole is not None else (), _ITEMS):
        extraction = whole(piece) if whole is not None else None
        names = (
            _named(extraction.headings, question_terms(question, stemmer_for(piece.language, ()))) if extraction else []
        )
        if extraction is not None and names:
            of_text = spanned(piece, extraction.text, 0, 1, extraction.spots)
            return Section(of_text, "", 0, [_unit(extraction, name) for name in names])
    return None


def _named(headings: Sequence[Heading], reading: QuestionTerms) -> list[Heading]:
    """The headings right below the first one that names what is asked for and is no title."""
    asked = reading.asked - question_terms(_OF_A_KIND, reading.stemmer).asked or reading.asked
    for at, heading in enumerate(headings):
        named = question_terms(titles.without_number(heading.title), reading.stemmer).asked
        if heading.level < _PART or not asked <= named or len(named - reading.asked) > _BESIDE:
            continue
        below = _below(headings, at)
        level = min((other.level for other in below), default=0)
        names = [other for other in below if other.level == level and other.title]
        if _LEAST <= len(names) <= _MOST and all(_is_name(name.title) for name in names):
            return names
    return []


def _below(headings: Sequence[Heading], at: int) -> list[Heading]:
    """The headings below one of them, of any level."""
    return list(takewhile(lambda other: other.level > headings[at].level, headings[at + 1 :]))


def _is_name(title: str) -> bool:
    return len(title.split()) <= _NAME and not (_OF_A_TEXT.match(title) or entries.OVERVIEW.match(title))


def _unit(extraction: Extraction, heading: Heading) -> Unit:
    end = extraction.text.find("\n", heading.offset)
    end = len(extraction.text) if end < 0 else end
    return Unit(heading.offset, end, Kind.ITEM, heading.title, words(heading.title))
