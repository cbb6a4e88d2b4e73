"""What release notes say of a version: when it came, and what it brought; and which version something came with, went
with or changed in, as its entry says it, else release notes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from typing import NamedTuple

from biblicus.answering.packs.joining import spanned
from biblicus.answering.quoting import entries
from biblicus.answering.quoting.question_terms import QuestionTerms, question_terms, terms_in
from biblicus.answering.quoting.sections import Section, letters
from biblicus.answering.reader.reading.blocks import Kind
from biblicus.answering.reader.reading.units import Unit, units
from biblicus.answering.reader.superlatives import Whole
from biblicus.models.evidence import Evidence
from biblicus.text import kinds
from biblicus.text.terms import file_names, headlines, titles

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
_GUIDES = re.compile(r"\b(?:migrat\w*|upgrad\w*|porting)\b", re.IGNORECASE)
"""What a page is called that tells how one gets to a version: what that brought is told there second."""
_ANNOUNCED = re.compile(
    r"\breleased?\b|\bannounc|\[ann|\bann:|\bavailable\b|\bis (?:out|here)\b|\bveröffentlicht|\berschienen\b|\bist da\b"
    r"|\bverfügbar\b|\bdisponib|\bpublicad|\bpublié|\bвыш(?:ла|ел|ло)\b|\bвыпущен|发布",
    re.IGNORECASE,
)
_PLANNED = re.compile(
    r"\?|\b(?:plan|schedul|prepar|roadmap|propos|freez|block|geplant|vorbereit|prévu|previst|планир)"
    r"|\b(?:will|when|should|before|until|towards?|todo|wann|soll|vor|cuándo|quand|когда)\b",
    re.IGNORECASE,
)
"""How the subject of a message says that a version is there; and that somebody plans it, or asks for it."""
_NEAR = 4
"""Lines below the heading of a version in which its date may stand."""

_OF_A_VERSION = (
    r"(?:\s+(?-i:(?!Section|Table|Figure|Chapter|Appendix)[A-Z])[\w.+-]{1,20})?(?:\s+(?:version|release))?"
    r"[\s\"'`*v:]{0,4}\d+(?:\.\d+)+"
)
"""A number, or that of what is named before it: `since Harbour 2.4`, `with Harbour version 2.4`."""
_SAYS = {
    "came": re.compile(
        r"\b(?:versionadded::|version_?added\W|@?since\b\W|new (?:in|since)\b|(?:added|introduced) (?:in|with|by)\b"
        rf"|available (?:since|from|as of)\b|first appeared in\b)(?: version| release)?{_OF_A_VERSION}",
        re.IGNORECASE,
    ),
    "went": re.compile(
        r"\b(?:deprecated::|deprecated(?: (?:in|since|as of|from))?|(?:removed|dropped) (?:in|with|from))"
        rf"(?: version| release)?{_OF_A_VERSION}",
        re.IGNORECASE,
    ),
    "changed": re.compile(
        rf"\b(?:versionchanged::|(?:changed|renamed|fixed) (?:in|with))(?: version| release)?{_OF_A_VERSION}",
        re.IGNORECASE,
    ),
}
"""How an entry says of what it explains that it came with a version."""
_SAYS_OF_IT = re.compile(
    rf"\b(?:beginning|starting|as) (?:with|in|from|of)(?: version| release)?{_OF_A_VERSION}"
    rf"|\b(?:by|in|with|requires?|needs?)(?: version| release)?{_OF_A_VERSION}"
    r"(?: \([^()]{1,40}\))?,? (?:and|or) (?:later|newer|higher|above|up)\b",
    re.IGNORECASE,
)
"""How a sentence says it of what it names."""
_STABLE = re.compile(r"\bstab(?:le|ili[sz]ed)\b", re.IGNORECASE)
_HISTORY = re.compile(r"\b(?:version history|history|change ?log|changes)\b", re.IGNORECASE)
"""What stands above a table of the versions in which an entry changed."""
_TELLS = {
    "came": re.compile(
        r"\b(?:new|add(?:s|ed|ing)?|introduc\w+|support\w*|feat(?:ure)?s?|implement\w*|allow\w*|gain\w*"
        r"|recogni[sz]\w+)\b(?!.{0,80}\bno longer\b)",
        re.IGNORECASE,
    ),
    "went": re.compile(r"\b(?:remov\w+|drop(?:s|ped)?|deprecat\w+|delet\w+)\b", re.IGNORECASE),
    "changed": re.compile(r"\b(?:chang\w+|fix(?:e[sd])?|renam\w+|bug\w*|now)\b", re.IGNORECASE),
}
"""Words of a line of release notes, or of the heading of a group of lines, that tell it."""
_ALL = re.compile(r"\bchanges\b|\bwhat['’]?s new\b", re.IGNORECASE)
"""What stands over lines of all kinds."""
_NUMBER = re.compile(r"\b(?:version|release)\b|\bv?\d+(?:\.\d+)+", re.IGNORECASE)
_ASKS_ALL = re.compile(r"\b(?:chang\w+|new|news|notes|releas\w+)\b", re.IGNORECASE)
"""Words that ask for all that a version brought."""
_MORE = 2
"""Words at most that what is called so may be called beside."""
_OF_A_KIND = re.compile(
    r"\A(?:the|an?)\s+|(?<=\w)\s+(?:option|flag|filter|function|method|class|tag|setting|command|module|parameter|feature"
    r"|attribute|field|property|annotation|type)\Z",
    re.IGNORECASE,
)
"""Words beside a name that say what kind of thing it is."""
_CAPITALS = re.compile(r"\b[A-Z]{2,}\b")
"""Names in capitals, of which other forms are other words: `STRICT`, not `strictly`."""
_MARKS = re.compile(r"\A[\s*/#.;%-]+|(?<=\w)::(?=\s)")
_STEM = 5
"""Letters that the forms of a verb share."""
_BETWEEN = 8
"""Characters between two pieces of a text that follow each other, at most."""
_SAID_SO, _LIKELY, _PERHAPS = 0.9, 0.8, 0.5
_MEMBER, _MADE = re.compile(r"\w(?:::|\()"), re.compile(r"\b(\w+)::~?\1\b")
"""A heading that shows a member, and one that shows how something is made: `Winch::haul(int)`, `Winch::Winch()`."""
_LAST = re.compile(r".*[.#]")


def quoted(question: str, parts: Sequence[Section], most: int) -> list[tuple[Section, list[Unit]]]:
    """What the section of the version that a question asks for says, as much as `most` words: of the day where that is
    asked, else of what is new. Nothing where it asks for no version, or none of the `parts` is of it."""
    if not kinds.asks_for_a_release(question):
        return []
    version = file_names.versions(question)[0]
    telling = [part for part in parts if part.piece.doctype != "message" or _announces(part)]
    notes = [part for part in telling if kinds.of_path(part.piece.path) == kinds.RELEASE]
    others = [part for part in telling if not _GUIDES.search(part.piece.title or "")]
    own = next(filter(None, (list(_of_version(version, of)) for of in (notes, others, telling))), [])
    if not own:
        return []
    if _WHEN.search(question):
        dated = ((part, unit) for part in own for unit in part.units[:_NEAR] if _DATE.search(unit.reads))
        return next(([(part, [unit])] for part, unit in dated), [])
    return list(_told(_of_kind(question, own) or own, most))


def _of_kind(question: str, own: Sequence[Section]) -> list[Section]:
    """The sections of a version that are called as what is asked of it: what was removed, fixed or deprecated."""
    read = question_terms(_ASKS_ALL.sub(" ", _NUMBER.sub(" ", question)), "english")
    headings = ((part, {*terms_in(part.heading, read)}) for part in own if not file_names.versions(part.heading))
    return [part for part, terms in headings if read.asked & terms]


def _of_version(version: str, parts: Sequence[Section]) -> Iterator[Section]:
    """The sections of a version, of the first piece that begins with its heading on: from there to the next version."""
    own: str | None = None
    is_within = False
    for part in parts:
        if own not in (None, part.piece.item_id):
            continue
        about = file_names.versions(part.heading)[:1] if not part.is_within or _heads(part) else []
        about = about or ([] if part.is_within else _of_page(part))
        if about and _HOW.search(part.heading):
            is_within = False
        elif about:
            is_within = about == [version]
        elif not part.is_within:
            is_within = False
        if is_within:
            own = part.piece.item_id
            yield part


def _of_page(part: Section) -> list[str]:
    """The version that all of a page is about which tells of one release."""
    is_one = kinds.of_path(part.piece.path) == kinds.RELEASE
    return file_names.versions(part.piece.title or "")[:1] if is_one else []


def _announces(part: Section) -> bool:
    """Whether a message is by its subject about a release that is there, and not one that somebody plans."""
    subject = part.piece.heading or ""
    return _ANNOUNCED.search(subject) is not None and not _PLANNED.search(subject)


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


def came_with(
    question: str, evidence: Sequence[Evidence], parts: Sequence[Section], whole: Whole | None
) -> tuple[list[tuple[Section, list[Unit]]], float]:
    """What says which version something came with, with how likely it does; nothing where none is asked for, or named.
    `whole`: reads the text that a piece is of."""
    asked = file_names.came_with(question)
    if asked is None:
        return [], 0.0
    read = question_terms(_OF_A_KIND.sub("", asked.what), "english")
    for part in parts:
        if _is_about(part, read) and (unit := _said(part, asked.how, whole)) is not None:
            return [unit], _SAID_SO
    for piece in evidence:
        if whole is not None and (unit := _begun(piece, asked.how, read, whole)) is not None:
            return [unit], _SAID_SO
    for piece in evidence:
        if whole is not None and (row := _row(piece, asked.how, read, whole)) is not None:
            return [row], _SAID_SO
    for part in parts if asked.how == "came" else ():
        if _is_about(part, read) and (unit := _said_of_it(part, read)) is not None:
            return [unit], _LIKELY
    capitals = () if question.isupper() else _CAPITALS.findall(asked.what)
    noted = [line for piece in evidence if whole is not None for line in _noted_in(piece, whole, read)]
    noted = noted or [line for part in parts for line in _noted(part, part.heading, _head(part), read)]
    noted = [line for line in noted if all(name in line.unit.reads for name in capitals)]
    if not noted:
        return [], 0.0
    stem = asked.verb[:_STEM] or "add"
    is_other, tells_not, _, _, _, best = min(
        ((*_ranked(line, asked.how, stem, read), line.version, line) for line in noted), key=lambda rank: rank[:-1]
    )
    if not asked.by_version and (is_other or tells_not):
        return [], 0.0
    head = [(best.section, [best.head])] if best.head else []
    return [*head, (best.section, [best.unit])], _PERHAPS if is_other or tells_not else _LIKELY


def _ranked(line: _Line, how: str, stem: str, read: QuestionTerms) -> tuple[bool, bool, bool, bool]:
    """How a line ranks, the best first: one of a group of lines of that kind before one of another (`Fixed`), one that
    tells it, one that tells it by the word of the question, one that says little beside."""
    says, group = line.unit.reads, "" if line.section.heading == line.about else _ALL.sub("", line.section.heading)
    is_told = _TELLS[how].search(group) is not None
    is_other = not is_told and any(tells.search(group) for tells in _TELLS.values())
    beside = {*terms_in(_TELLS[how].sub("", says), read)} - read.asked
    tells_not = not is_told and _TELLS[how].search(says) is None
    return is_other, tells_not, stem not in f"{group} {says}".lower(), len(beside) > _MORE


def _head(part: Section) -> Unit | None:
    return part.units[0] if _heads(part) and file_names.versions(part.heading) else None


class _Line(NamedTuple):
    """A line of release notes. `about`: what names its version, `head`: the line that does, where it stands in the same
    text."""

    version: tuple[int, ...]
    section: Section
    unit: Unit
    about: str
    head: Unit | None


def _is_about(part: Section, read: QuestionTerms) -> bool:
    """Whether a section is called what is asked about, with little beside; what tells of a member tells not of what it
    is of."""
    heading = part.heading
    names = (_LAST.sub("", heading), heading, "" if _MEMBER.search(heading) else part.piece.title or "")
    if _MADE.search(heading):
        return False
    return any(read.asked <= (terms := {*terms_in(name, read)}) and len(terms - read.asked) <= _MORE for name in names)


def _said(part: Section, how: str, whole: Whole | None) -> tuple[Section, list[Unit]] | None:
    """What a section says of it; one that goes on behind its piece may say it there."""
    text = part.piece.text
    for unit in part.units:
        if match := _SAYS[how].search(text, unit.start, unit.end):
            return part, [_read(unit if unit.kind is not Kind.MARKS else _line(text, match.start(), unit))]
    extraction = whole(part.piece) if whole is not None and part.units[-1].end + _BETWEEN >= len(text) else None
    if extraction is None:
        return None
    begins = part.piece.span_end
    ends = next((heading.offset for heading in extraction.headings if heading.offset >= begins), len(extraction.text))
    if (match := _SAYS[how].search(extraction.text, begins, ends)) is None:
        return None
    start = extraction.text.rfind("\n", 0, match.start()) + 1
    end = extraction.text.find("\n", match.end())
    of_text = spanned(part.piece, extraction.text, 0, 1, extraction.spots)
    line = list(units(extraction.text[start : end if end >= 0 else None], media_type=part.piece.media_type))
    quoted = [_read(replace(unit, start=unit.start + start, end=unit.end + start)) for unit in line]
    return (Section(of_text, part.heading, 0, quoted), quoted) if quoted else None


def _begun(piece: Evidence, how: str, read: QuestionTerms, whole: Whole) -> tuple[Section, list[Unit]] | None:
    """What the beginning says of a page of a reference that is called what is asked about."""
    title = titles.without_kind(piece.title or "")
    if piece.media_type not in headlines.PAGES or not read.asked or {*terms_in(title, read)} != read.asked:
        return None
    if (extraction := whole(piece)) is None or not _SAYS[how].search(extraction.text):
        return None
    text = extraction.text
    begins = next((heading.offset for heading in extraction.headings if heading.title == piece.title), 0)
    ends = next((heading.offset for heading in extraction.headings if heading.offset > begins), len(text))
    for unit in units(text[begins:ends], media_type=piece.media_type):
        if unit.says and _SAYS[how].search(unit.reads):
            moved = replace(unit, start=unit.start + begins, end=unit.end + begins)
            return Section(spanned(piece, text, 0, 1, extraction.spots), piece.title or "", 0, [moved]), [moved]
    return None


def _row(piece: Evidence, how: str, read: QuestionTerms, whole: Whole) -> tuple[Section, list[Unit]] | None:
    """The row of the first version that a table of the versions of a page, which is called what is asked about, says it
    of."""
    if not read.asked or {*terms_in(piece.title or "", read)} != read.asked or (extraction := whole(piece)) is None:
        return None
    text = extraction.text
    ends = [*(heading.offset for heading in extraction.headings[1:]), len(text)]
    of_text = spanned(piece, text, 0, 1, extraction.spots)
    told: list[tuple[tuple[int, ...], Section, Unit]] = []
    for heading, end in zip(extraction.headings, ends, strict=False):
        start = heading.offset
        below = units(text[start:end], media_type=piece.media_type) if _HISTORY.search(heading.title) else ()
        for unit in below:
            versions = file_names.versions(unit.reads) if unit.kind is Kind.ROW and _tells(how, unit.reads) else ()
            if versions:
                moved = replace(unit, start=unit.start + start, end=unit.end + start)
                told.append((_numbers(versions[0]), Section(of_text, heading.title, 0, [moved]), moved))
    if not told:
        return None
    _, section, row = min(told, key=lambda line: line[0])
    return section, [row]


def _tells(how: str, row: str) -> bool:
    return _TELLS[how].search(row) is not None or (how == "came" and _STABLE.search(row) is not None)


def _said_of_it(part: Section, read: QuestionTerms) -> tuple[Section, list[Unit]] | None:
    """A sentence of a section that says it of what it names."""
    for unit in part.units:
        if unit.says and _SAYS_OF_IT.search(unit.reads) and read.asked <= {*terms_in(unit.reads, read)}:
            return part, [unit]
    return None


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(number) for number in version.split(".") if number.isdigit())


def _line(text: str, at: int, unit: Unit) -> Unit:
    """The line of a unit that something stands in."""
    start, end = max(unit.start, text.rfind("\n", 0, at) + 1), text.find("\n", at, unit.end)
    end = end if end >= 0 else unit.end
    start += len(text[start:end]) - len(text[start:end].lstrip())
    return replace(unit, start=start, end=end, reads=text[start:end].rstrip())


def _read(unit: Unit) -> Unit:
    """A unit without the marks of a comment or a directive."""
    return replace(unit, reads=_MARKS.sub("", unit.reads))


def _noted_in(piece: Evidence, whole: Whole, read: QuestionTerms) -> Iterator[_Line]:
    """The lines of all release notes that a piece is of."""
    if kinds.of_path(piece.path) != kinds.RELEASE or (extraction := whole(piece)) is None:
        return
    text, about, head = extraction.text, "", None
    of_text = spanned(piece, text, 0, 1, extraction.spots)
    ends = [*(heading.offset for heading in extraction.headings[1:]), len(text)]
    for heading, end in zip(extraction.headings, ends, strict=False):
        start = heading.offset
        if file_names.versions(heading.title):
            line = text.find("\n", start, end)
            about, head = heading.title, Unit(start, line if line >= 0 else end, Kind.HEADING, heading.title, 0)
        if about and read.may_hold_all(text[start:end]):
            below = units(text[start:end], media_type=piece.media_type)
            moved = [replace(unit, start=unit.start + start, end=unit.end + start) for unit in below]
            yield from _noted(Section(of_text, heading.title, 0, moved), about, head, read)


def _noted(part: Section, about: str, head: Unit | None, read: QuestionTerms) -> Iterator[_Line]:
    """The lines of a section of release notes that hold all that is asked about. `about`: what names its version,
    `head`: the line that does."""
    versions, of_releases = file_names.versions(about), kinds.of_path(part.piece.path) == kinds.RELEASE
    if not versions and of_releases:
        versions = file_names.versions(part.piece.title or "") or file_names.versions(part.piece.path)
    if not of_releases and _NUMBER.sub("", _DATE.sub("", about)).strip(" \t()[]:,.–—-"):  # a section that has a number
        return
    if not versions or not read.asked:
        return
    version = _numbers(versions[0])
    option = read.form.subject if entries.is_option(read.form.subject) else ""
    for unit in part.units:
        if option and not entries.has_option(option, unit.reads):
            continue
        if unit.says and letters(unit.reads) != letters(about) and read.asked <= {*terms_in(unit.reads, read)}:
            yield _Line(version, part, unit, about, head)
