"""What a document says of itself where it begins, for a question that asks for that: `Author: …`, `:Status: Final`, the
lines of a mail's head; and what it is about, for a question that but names its file."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from biblicus.answering.packs.joining import spanned
from biblicus.answering.quoting import entries, question_forms
from biblicus.answering.quoting.question_terms import question_terms, stemmer_for
from biblicus.answering.quoting.sections import Section, sections
from biblicus.answering.reader.reading.blocks import Kind
from biblicus.answering.reader.reading.units import LONGEST, Unit, words
from biblicus.answering.reader.superlatives import Whole
from biblicus.models.evidence import Evidence
from biblicus.text import editions, kinds
from biblicus.text.terms import analysis, file_names, headlines

SURE = 0.9
"""How likely a field that is asked for answers."""
ABOUT = 0.8
"""How likely what a document begins with says what it is about."""
PERHAPS = 0.55
"""The same of a document that comes first, where its title does not say that it is about what is asked for."""
_MOST_OF_IT = 0.5
"""How much of a title is asked for at least, so that its document is what is asked for."""
_FIRST = 6_000
"""Characters with which a document has said what it is about."""
_BEGINS = 200
"""Characters before a document's head at most."""
_FIELD = re.compile(
    r"(?:[-*+][ \t]+)?(?:\*\*|__)?:?(?P<name>[^\W\d_][\w -]{0,30})(?::(?:\*\*|__)?|(?:\*\*|__):)"
    r"(?:[ \t]+(?P<value>\S.*)|[ \t]*)"
)
_SAYING = re.compile(r"(?!\.\. )\W*\w")
"""What is no rule below or above a title, no target and no remark."""
_LINE = re.compile(r"(.*)(?:\n|\Z)")


_COLUMNS = re.compile(r"(?P<left>\S(?:.*?\S)??)? {3,}+(?P<right>\S.*)")
_RIGHT = 36
"""Where the right column begins at least in the first line; what stands before it is the value of a field."""
_INITIALS = re.compile(r"(?:[A-Z]\.[ -]?){1,3} ?\w[\w '’-]+(?:, Ed(?:\.|itor))?")
_DAY = re.compile(
    r"(?:\d{1,2} )?(?:January|February|March|April|May|June|July|August|September|October|November|December),?"
    r"(?: \d{1,2},)? \d{4}"
)


class _Fact(NamedTuple):
    """`asked`: how it is asked for, of any document; `of_named`: the same of one that is named by its file. `names`: of
    the fields that tell it, the best first."""

    names: tuple[str, ...]
    asked: re.Pattern[str]
    of_named: re.Pattern[str]


def _fact(names: str, asked: str, of_named: str = r"(?!)") -> _Fact:
    return _Fact(tuple(names.split()), re.compile(asked, re.IGNORECASE), re.compile(of_named, re.IGNORECASE))


_FACTS = (
    _fact(
        "author authors creator editor verfasser autor autores auteur автор 作者",
        r"\bwho (?:wrote|authored|has written|(?:is|are|was|were) the authors?)\b|\bauthors? of\b"
        r"|\bwer (?:hat|schrieb)\b|\bverfasser\b|\bqui a écrit\b|\bquién(?:es)? escribi\w+|\bкто написал\b|\bавтор\b"
        r"|谁写|作者",
        r"\bwho (?:made|created|proposed|invented)\b|\bauthors?\b",
    ),
    _fact("from sender absender von", r"\bwho (?:sent|mailed)\b|\bsender of\b|\bwer (?:hat .*)?gesendet\b"),
    _fact("to recipient recipients", r"\bto whom\b|\bwho (?:received|got) the\b|\brecipients? of\b"),
    _fact(
        "created start-date date published sent datum fecha дата 日期",
        r"\bwhen (?:was|were|did)\b(?P<of>.*)\b(?:written|published|sent|posted|dated|write|send|publish)\b|\bdate of\b"
        r"|\bwann wurden?\b(?P<von>.*)\b(?:geschrieben|gesendet|veröffentlicht)\b",
        r"\bwhen (?:was|were|did)\b.*\b(?:created|made|proposed|begun|create|propose)\b|\bhow old is\b",
    ),
    _fact(
        "status state estado статус 状态 category-of-memo",
        r"\bstatus of\b",
        r"\bstatus\b|^\W*(?:is|was|has)\b.*\b(?:accepted|rejected|final|approved|active|withdrawn|deferred|superseded"
        r"|a draft)\b",
    ),
    _fact(
        "superseded-by replaced-by obsoleted-by",
        r"(?!)",
        r"\b(?:what|who|which)\b.*\b(?:replaced|supersede[sd]|replaces)\b",
    ),
    _fact("python-version version", r"(?!)", r"\bversions?\b"),
)
_OF_A_DOCUMENT = re.compile(
    r"\b(?:document|page|(?:e-?)?mail|message|paper|note|article|letter|report|memo|proposal)s?\b(?: (?:about|on))?",
    re.IGNORECASE,
)
_ONLY_NAMED = re.compile(
    r"\W*(?:(?:what (?:is|are|does|do|did)|tell me|explain|describe|was (?:ist|sagt)|qué (?:es|dice))\b)?"
    r"\W*(?:about\b|the\b|in\b)?\W*(?P<name>[\w.+-]+(?:[ \t]\d+)?)\W*"
    r"(?:(?:about|say|propose|describe|cover|mean|do|for|introduce|specify|define|contain)\b)?\W*",
    re.IGNORECASE,
)
_WHICH = re.compile(
    r"\W*(?i:which|what)\s+(?P<series>[A-Z]{2,8}s?)\s+(?:(?:is|are|was|were|deals?|talks?)\s+(?:about|with|on|for)"
    r"|describe[sd]?|introduce[sd]?|propose[sd]?|define[sd]?|cover(?:s|ed)?|add(?:s|ed)?|specif(?:y|ies|ied)"
    r"|explain(?:s|ed)?)\s+"
)
_ITSELF = re.compile(
    r"(?:this|the present|dies(?:es|er)|este|esta|ce|cette|настоящ\w+|этот|本)\s*(?:document|page|paper|article|note"
    r"|guide|pep|rfc|report|memo|specification|proposal|dokument|artikel|documento|artículo|документ|文档|文)\b",
    re.IGNORECASE,
)
_ABSTRACT = re.compile(
    r"(?:abstract|summary|overview|introduction|zusammenfassung|einleitung|resumen|introducción|résumé|аннотация|введение"
    r"|摘要|概述|引言)\W*",
    re.IGNORECASE,
)


def of_named(question: str, evidence: Sequence[Evidence]) -> Sequence[Evidence]:
    """The pieces of what a question names by its file, where there are any: others only say something of it."""
    return [piece for piece in evidence if file_names.names(question, piece.path, piece.title)] or evidence


def of_edition(question: str, evidence: Sequence[Evidence]) -> Sequence[Evidence]:
    """The pieces but for what other editions of a document say in the same place as the one that the question
    names, or the newest, does; all of them, where it is about what was before."""
    called = [editions.of_path(piece.path).of for piece in evidence]
    if len({*called}) == len(called) or editions.wants_older(question):
        return evidence

    def is_left(document: str, piece: Evidence) -> bool:
        if piece.doctype == "code" or kinds.of_path(piece.path) == kinds.RELEASE:
            return True
        others = (other for of, other in zip(called, evidence, strict=True) if of == document)
        return not any(
            editions.is_meant(question, other.path, piece.path)
            and (editions.headed_alike(other.heading, piece.heading) or _are_first(other, piece))
            and editions.tells_as_much(question, other.text, piece.text)
            for other in others
        )

    return [piece for document, piece in zip(called, evidence, strict=True) if is_left(document, piece)]


def _are_first(*pieces: Evidence) -> bool:
    return all(piece.chunk_id.endswith(":0") for piece in pieces)


def field(question: str, evidence: Sequence[Evidence], whole: Whole | None = None) -> Section | None:
    """The field of a document's head that answers a question; of a document that is named its head is read, whether
    that was found or not. None where none is asked for, or the question does not
    say which document it means, by its file or by all of its title."""
    for piece in (*evidence, *_beginning_of_named(question, evidence, whole)):
        if piece.span_start > _BEGINS:
            continue
        is_named = file_names.names(question, piece.path, piece.title)
        fields: dict[str, list[Unit]] = {}
        for field in _fields(piece):
            called, _, value = field.reads.partition(": ")
            if value:
                fields.setdefault(called.lower().replace(" ", "-"), []).append(field)
        fields |= _of_memo(piece)
        for fact in _FACTS if fields else ():
            match = fact.asked.search(question) or (fact.of_named.search(question) if is_named else None)
            name = next((name for name in fact.names if name in fields), None)
            if match and name and (is_named or _called(piece, _without(question, match))):
                return Section(piece, piece.heading or "", 0, fields[name])
    return None


def _beginning_of_named(question: str, evidence: Sequence[Evidence], whole: Whole | None) -> Iterator[Evidence]:
    """What the text begins with that a question about a head names, where that is plain and not among the evidence."""
    piece = evidence[0] if evidence else None
    if piece is None or whole is None or piece.media_type != "text/plain" or piece.span_start <= _BEGINS:
        return
    is_asked = any(fact.asked.search(question) or fact.of_named.search(question) for fact in _FACTS)
    if is_asked and file_names.names(question, piece.path, piece.title) and (extraction := whole(piece)):
        yield spanned(replace(piece, heading=None), extraction.text[:_FIRST], 0, 1, extraction.spots)


def beginning(
    question: str, evidence: Sequence[Evidence], parts: Sequence[Section], whole: Whole | None
) -> tuple[Section | None, float]:
    """The section that says what a document is about, for a question that names its file and asks nothing else, or asks
    which one of its series is about something; and how likely that answers. What says so is read where it stands."""
    named, sure = list[Evidence](), ABOUT
    if _ONLY_NAMED.fullmatch(question):
        named = [piece for piece in evidence if file_names.names(question, piece.path, piece.title)]
    elif which := _WHICH.match(question):
        rest = question[which.end() :]
        series = [piece for piece in evidence if _is_of(piece, which["series"])]
        share, best = max(
            ((_called(piece, rest, which["series"]), -at) for at, piece in enumerate(series)), default=(0.0, 0)
        )
        named = [piece for piece in series if piece.item_id == series[-best].item_id]
        if not share and not any(_holds_any(piece, rest) for piece in named):
            return None, 0.0
        sure = ABOUT if share >= _MOST_OF_IT else PERHAPS
    named = [piece for piece in named if piece.doctype != "code"]
    if not named:
        return None, 0.0
    ids = {id(piece) for piece in named}
    about = _that_say_something(part for part in parts if id(part.piece) in ids)
    abstract = next((part for part in about if _ABSTRACT.fullmatch(part.heading)), None)
    if abstract is None and whole is not None:
        read = _that_say_something(_first_sections(named[0], whole))
        abstract = next((part for part in read if _ABSTRACT.fullmatch(part.heading)), None)
    begins = abstract or next((part for part in about if part.piece.span_start <= _BEGINS), None)
    if begins and (at := entries.below_fields(begins.units)):
        begins = replace(begins, start=begins.start + at, units=begins.units[at:])
    return begins, sure


def _is_of(piece: Evidence, series: str) -> bool:
    """Whether a document is one of a numbered series: `NEP`."""
    begins = f"={series.lower().removesuffix('s')}"
    called = file_names.of(piece.path, piece.title or "")
    return any(term.startswith(begins) and term[len(begins) :].isdecimal() for term in called)


def of_option(question: str, evidence: Sequence[Evidence], whole: Whole | None, longest: int) -> list[Section]:
    """The sections around an option that a question asks about, of the page that comes first, where no piece of that
    has the option; none where the page has none."""
    option = entries.option_of(question_forms.form_of(question).subject)
    if not option or whole is None or not evidence or evidence[0].media_type not in headlines.WRITTEN:
        return []
    first = evidence[0]
    own = [piece.text for piece in evidence if piece.item_id == first.item_id]
    entry = re.compile(rf"^[ \t]*(?:[-*] )?[`*]{{0,2}}(?:-\w[`*]{{0,2}}, )?{re.escape(option)}(?![\w-])", re.MULTILINE)
    if any(map(entry.search, own)) or (extraction := whole(first)) is None or not (at := entry.search(extraction.text)):
        return []
    heading = next((known for known in reversed(extraction.headings) if known.offset <= at.start()), None)
    begin = max(heading.offset if heading else 0, at.start() - _FIRST)
    text = extraction.text[begin : at.end() + _FIRST]
    line = extraction.text.count("\n", 0, begin) + 1
    around = spanned(replace(first, heading=heading.title if heading else None), text, begin, line, extraction.spots)
    return [*sections(around, longest)]


def _that_say_something(parts: Iterable[Section]) -> list[Section]:
    about = [_with_what_it_is(part) for part in parts]
    return [part for part in about if any(unit.says for unit in part.units)]


def _first_sections(piece: Evidence, whole: Whole) -> list[Section]:
    """The sections that the text begins with which a piece is of, where that was written so."""
    extraction = whole(piece) if piece.media_type in headlines.WRITTEN else None
    if extraction is None:
        return []
    begins = spanned(replace(piece, heading=None), extraction.text[:_FIRST], 0, 1, extraction.spots)
    return [*sections(begins, LONGEST)]


def _with_what_it_is(section: Section) -> Section:
    """A section whose sentences about the document itself say something: `This document gives …`."""
    units = [
        replace(unit, says=True) if unit.kind is Kind.PROSE and not unit.leads and _ITSELF.match(unit.reads) else unit
        for unit in section.units
    ]
    return replace(section, units=units)


def _without(question: str, match: re.Match[str]) -> str:
    """A question without the words that ask, but for what stands among them."""
    among = " ".join(filter(None, match.groupdict().values()))
    return f"{question[: match.start()]} {among} {question[match.end() :]}"


def _holds_any(piece: Evidence, rest: str) -> bool:
    """Whether a piece holds a telling word of what is left of a question."""
    stemmer = stemmer_for(piece.language, ())
    telling = question_terms(_OF_A_DOCUMENT.sub(" ", rest), stemmer).asked
    return not telling.isdisjoint(analysis.analyzer(stemmer).analyze(piece.text))


def _called(piece: Evidence, rest: str, series: str = "") -> float:
    """How much of a document's title, without the number in its `series`, is what is left of a question; 0.0 unless all
    telling words of that are of it."""
    stemmer = stemmer_for(piece.language, ())
    telling = question_terms(_OF_A_DOCUMENT.sub(" ", rest), stemmer).asked
    called = re.sub(rf"{series.removesuffix('s')}\W?\d+", " ", piece.title or "") if series else piece.title or ""
    title = {*analysis.analyzer(stemmer).analyze(analysis.ranked("", called))}
    if not telling or not telling <= title:
        return 0.0
    return len(telling) / max(1, len(question_terms(called, stemmer).asked if series else title))


def _of_memo(piece: Evidence) -> dict[str, list[Unit]]:
    """What a head in two columns says, as RFCs have it: at the right who wrote it and when, at the left what it is."""
    head: dict[str, list[Unit]] = {}
    has_field = is_begun = False
    for line in _LINE.finditer(piece.text) if piece.media_type == "text/plain" else ():
        written = line[1].rstrip()
        if not written.strip("\ufeff \t\f"):
            if is_begun:
                break
            continue
        columns = _COLUMNS.fullmatch(written)
        left = (columns["left"] if columns else written) or ""
        is_whose = columns and left and columns.start("right") >= _RIGHT and not _FIELD.fullmatch(left)
        if not is_begun and not is_whose:
            break  # of a memo, unlike of a bill, the head begins with whose it is
        has_field = has_field or _FIELD.fullmatch(left) is not None
        if left.startswith("Category: "):
            head["category-of-memo"] = [_of_line(line.start(), 0, left)]
        if columns:
            right = columns["right"]
            name = "date" if _DAY.fullmatch(right) else "author" if not is_begun or _INITIALS.fullmatch(right) else ""
            if name:
                head.setdefault(name, []).append(_of_line(line.start(), columns.start("right"), right))
        is_begun = True
    return head if has_field and "date" in head else {}


def _of_line(start: int, column: int, written: str) -> Unit:
    return Unit(start + column, start + column + len(written), Kind.FACT, written, words(written))


def _fields(piece: Evidence) -> Iterator[Unit]:
    """The fields of the head that a text begins with, after its title at most; lines that are indented go on."""
    text, at, before = piece.text, 0, 0
    last: Unit | None = None
    while at < len(text) and (line := _LINE.match(text, at)):
        start, (written, at) = at, (line[1].rstrip(), line.end())
        field = _FIELD.fullmatch(written)
        if field:
            if last:
                yield last
            reads = f"{field['name']}: {field['value'] or ''}".rstrip()
            last = Unit(start, start + len(written), Kind.FACT, reads, words(reads))
        elif last and written[:1] in " \t" and written.strip():
            reads = f"{last.reads} {written.strip()}"
            last = replace(last, end=start + len(written), reads=reads, words=words(reads))
        elif last or (_SAYING.match(written) and (before := before + 1) > 2):  # a title, the line below it
            break
    if last:
        yield last
