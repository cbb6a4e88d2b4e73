"""The things of a kind that a question asks for, told by the headings below one that names the kind: of `Hitches`,
below which stand `Clove hitch` and `Cow hitch`, these. A text must say that they are of the kind: their names do, what
stands below them, or what leads to them; for below `Members` may stand `Fees` and `Meetings`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import islice, takewhile

from biblicus.answering.packs.joining import spanned
from biblicus.answering.quoting import entries
from biblicus.answering.quoting.question_terms import QuestionTerms, question_terms, stemmer_for, terms_in
from biblicus.answering.quoting.sections import Section, sections
from biblicus.answering.reader.reading.blocks import Kind
from biblicus.answering.reader.reading.units import LONGEST, Unit, words
from biblicus.answering.reader.superlatives import Whole
from biblicus.models.evidence import Evidence
from biblicus.models.extraction import Extraction, Heading
from biblicus.text.terms import tasks, titles

SURE = 0.75
"""How sure it is that headings below one that is called so are what is asked for."""
_PART = 2
"""The level of a heading below the title."""
_OF_CODE = re.compile(
    r"\b(?:method|function|class|member|field|propert|constant|exception|type|interface|hook|handler|task|test)\w*\b",
    re.IGNORECASE,
)
"""Words for what source code defines: its headings are names of such."""
APART = 0.6
"""How likely what the sections about both of two things begin with tells them apart: none says that they differ."""
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
_PARTED = re.compile(r"[\s_]+")
"""Between the words of a name, of which the last says what it is of: `hitch_url` is no hitch."""
_IS_A = r"\bis\s+(?:an?|one of the)\s+(?P<kind>[\w-]+(?:\s+[\w-]+){0,3})"
_LEADS = re.compile(
    r"\b(?:following|these|several|various|different|many|two|three|four|five|six|seven|eight|nine|ten|verschiedene\w*|mehrere"
    r"|folgende\w*|plusieurs|suivant\w*|différent\w*|siguientes?|varios|varias|distint[oa]s|несколько|следующи\w+)"
    r"\s+(?P<kind>[\w-]+(?:\s+[\w-]+){0,2})",
    re.IGNORECASE,
)
"""What comes, and of what that is."""
_DOING = re.compile(r"\w{2,}ing\s")
"""How a heading begins that says what is done with things of a kind: `Hauling boats`."""
_SENTENCE = 3
"""Words at least of a sentence that tells one thing from another: "Deprecated." does not."""
_NEAR = 600
"""Characters right below a heading that are read."""
_BEHIND_A_SIGNATURE = 2_000
"""The same of a definition, which its signature begins."""
_NEXT = re.compile(r"^#+\s|\n[ \t]*\n", re.MULTILINE)
_OF_A_KIND = "available supported possible provided offered exist kind type sort"
"""Words of a question that a heading need not have which names what is asked for."""


def section(question: str, evidence: Sequence[Evidence], whole: Whole | None) -> Section | None:
    """The headings that name what is asked for, each a unit; None where no heading says that they do."""
    pieces = [piece for piece in _best(evidence) if piece.doctype != "code" or _OF_CODE.search(question)]
    for piece in islice(pieces if whole is not None else (), _ITEMS):
        extraction = whole(piece) if whole is not None else None
        names = _named(extraction, question_terms(question, stemmer_for(piece.language, ()))) if extraction else []
        if extraction is not None and names:
            of_text = spanned(piece, extraction.text, 0, 1, extraction.spots)
            return Section(of_text, "", 0, [_unit(extraction, name) for name in names])
    return None


def sides(
    names: Sequence[str], evidence: Sequence[Evidence], whole: Whole | None, further: Sequence[Evidence]
) -> list[Section]:
    """What the sections begin with that are called as two things of a kind that are to be told apart, each alone, in
    one document: of `persistent` and `local flags` those below `Persistent Flags` and `Local Flags`; else the pages of
    which each is called as one, else sections of several documents, of the `further` ones, too."""
    pieces = [piece for piece in _best(evidence) if piece.doctype != "code"]
    for piece in pieces[:_ITEMS] if len(names) > 1 else ():
        if whole is None or (extraction := whole(piece)) is None:
            continue
        reading = question_terms(" ".join(names), stemmer_for(piece.language, ()))
        kind = frozenset(terms_in(names[-1].split()[-1], reading))
        begun = []
        for name in (frozenset(terms_in(name, reading)) for name in names):
            called = (
                at for at, heading in enumerate(extraction.headings) if _is_called(heading.title, name, kind, reading)
            )
            begun += [first for at in islice(called, 1) if (first := _first(piece, extraction, at)) is not None]
        if len(begun) == len(names) and len({section.heading for section in begun}) == len(names):
            return begun
    if len(names) < 2 or whole is None:
        return []
    return _pages(names, pieces, whole) or _of_any(names, further, whole)


def _pages(names: Sequence[str], pieces: Sequence[Evidence], whole: Whole) -> list[Section]:
    """What the pages begin with that are called as two things, where there is one of each."""
    begun: dict[str, Section] = {}
    for piece in pieces:
        reading = question_terms(" ".join(names), stemmer_for(piece.language, ()))
        title = titles.without_kind(piece.title or "", is_of_a_name=True)
        named = frozenset(terms_in(title, reading))
        name = next((name for name in names if name not in begun and named == frozenset(terms_in(name, reading))), "")
        extraction = whole(piece) if name and named else None
        if extraction is not None:
            at = next((at for at, heading in enumerate(extraction.headings) if heading.title == piece.title), None)
            if (first := _first(piece, extraction, at)) is not None:
                begun[name] = first
    return [begun[name] for name in names] if len(begun) == len(names) else []


def _of_any(names: Sequence[str], evidence: Sequence[Evidence], whole: Whole) -> list[Section]:
    """What sections of any documents, or definitions in code, begin with that are called as two things."""
    begun: dict[str, Section] = {}
    for piece in sorted(evidence, key=lambda piece: piece.doctype == "code"):
        if len(begun) == len(names) or (extraction := whole(piece)) is None:
            break
        reading = question_terms(" ".join(names), stemmer_for(piece.language, ()))
        wanted = {frozenset(terms_in(name, reading)): name for name in names}
        for at, heading in enumerate(extraction.headings):
            is_own = bool(heading.title) and f".{piece.heading}".endswith(f".{heading.title}")
            is_within = is_own or piece.span_start <= heading.offset < piece.span_end
            called = titles.without_number(heading.title).rpartition(".")[2] if is_within else ""
            name = wanted.get(frozenset(terms_in(called, reading)), "") if called else ""
            if name and name not in begun and (first := _first(piece, extraction, at)) is not None:
                begun[name] = first
    return [begun[name] for name in names] if len(begun) == len(names) else []


def _best(evidence: Sequence[Evidence]) -> list[Evidence]:
    """The best piece of each item, best first."""
    best: dict[str, Evidence] = {}
    for piece in evidence:
        best.setdefault(piece.item_id, piece)
    return [*best.values()]


def _is_called(title: str, name: frozenset[str], kind: frozenset[str], reading: QuestionTerms) -> bool:
    """Whether a title is a name, with what kind of thing that is at most."""
    return name <= frozenset(terms_in(titles.without_number(title), reading)) <= name | kind


def _first(piece: Evidence, extraction: Extraction, at: int | None) -> Section | None:
    """The section below a heading, or that a page begins with, with its first sentence alone; None where it has none
    right below."""
    masked = next((span.end for span in extraction.masked if not span.start), 0)
    begin = masked if at is None else extraction.headings[at].offset
    ends = (heading.offset for heading in extraction.headings[0 if at is None else at + 1 :])
    near = _BEHIND_A_SIGNATURE if piece.doctype == "code" else _NEAR
    text = extraction.text[begin : min(next(ends, len(extraction.text)), begin + near)]
    line = extraction.text.count("\n", 0, begin) + 1
    called = piece.title if at is None else extraction.headings[at].title
    below = spanned(replace(piece, heading=called), text, begin, line, extraction.spots)
    for part in sections(below, LONGEST):
        telling = (unit for unit in part.units if unit.says and not unit.leads and unit.words >= _SENTENCE)
        sentences = [unit for unit in telling if unit.kind is Kind.PROSE]
        if sentences:
            return replace(part, units=sentences[:1])
    return None


def _named(extraction: Extraction, reading: QuestionTerms) -> list[Heading]:
    """The headings right below the first one that names what is asked for and is no title, and that are of the kind."""
    headings = extraction.headings
    asked = reading.asked - question_terms(_OF_A_KIND, reading.stemmer).asked or reading.asked
    for at, heading in enumerate(headings):
        named = question_terms(titles.without_number(heading.title), reading.stemmer).asked
        if heading.level < _PART or not asked or not asked <= named or len(named - reading.asked) > _BESIDE:
            continue
        below = _below(headings, at)
        level = min((other.level for other in below), default=0)
        names = [other for other in below if other.level == level and other.title]
        if not (_LEAST <= len(names) <= _MOST and all(_is_name(name.title) for name in names)):
            continue
        of_kind = sum(_is_of(extraction.text, name, asked, reading) for name in names)
        if 2 * of_kind >= len(names) or _leads(_below_line(extraction.text, heading), asked, reading):
            return names
    return []


def _is_of(text: str, name: Heading, asked: frozenset[str], reading: QuestionTerms) -> bool:
    """Whether something is of a kind: its name ends with that (`Clove hitch`), or what stands right below says so."""
    ends = terms_in(" ".join(_PARTED.split(name.title)[-len(asked) :]), reading)
    if asked <= {*ends} and not _DOING.match(name.title):
        return True
    called = re.escape(name.title).replace(r"\ ", r"\s+")
    is_a = re.compile(rf"(?:(?:the|an?)\s+)?[`*_]{{0,3}}{called}\b[^.\n]{{0,40}}?{_IS_A}", re.IGNORECASE)
    said = is_a.match(_below_line(text, name))
    return said is not None and asked <= {*terms_in(said["kind"], reading)}


def _leads(text: str, asked: frozenset[str], reading: QuestionTerms) -> bool:
    """Whether what stands right below the heading of a kind leads to things of it: `The following hitches are tied`."""
    following = (match["kind"] for match in _LEADS.finditer(text))
    return any(asked <= {*terms_in(kind, reading)} for kind in following)


def _below_line(text: str, heading: Heading) -> str:
    """What stands right below a heading, up to the next one."""
    begins = text.find("\n", heading.offset)
    return _NEXT.split(text[begins : begins + _NEAR].strip(), maxsplit=1)[0] if begins >= 0 else ""


def _below(headings: Sequence[Heading], at: int) -> list[Heading]:
    """The headings below one of them, of any level."""
    return list(takewhile(lambda other: other.level > headings[at].level, headings[at + 1 :]))


def _is_name(title: str) -> bool:
    names_text = _OF_A_TEXT.match(title) or entries.OVERVIEW.match(title) or tasks.is_imperative(title)
    return len(title.split()) <= _NAME and not names_text


def _unit(extraction: Extraction, heading: Heading) -> Unit:
    end = extraction.text.find("\n", heading.offset)
    end = len(extraction.text) if end < 0 else end
    return Unit(heading.offset, end, Kind.ITEM, heading.title, words(heading.title))
