"""What a document says of itself where it begins, for a question that asks for that: `Author: …`, `:Status: Final`, the
lines of a mail's head; and what it is about, for a question that but names its file."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from biblicus.answering.quoting.question_terms import question_terms, stemmer_for
from biblicus.answering.quoting.reading.blocks import Kind
from biblicus.answering.quoting.reading.units import Unit, words
from biblicus.answering.quoting.sections import Section
from biblicus.models.evidence import Evidence
from biblicus.text.terms import analysis, file_names

SURE = 0.9
"""How likely a field that is asked for answers."""
ABOUT = 0.8
"""How likely what a document begins with says what it is about."""
_BEGINS = 200
"""Characters before a document's head at most."""
_FIELD = re.compile(
    r"(?:[-*+][ \t]+)?(?:\*\*|__)?:?(?P<name>[^\W\d_][\w -]{0,30})(?::(?:\*\*|__)?|(?:\*\*|__):)"
    r"(?:[ \t]+(?P<value>\S.*)|[ \t]*)"
)
_LINE = re.compile(r"(.*)(?:\n|\Z)")


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
        "created date published sent datum fecha дата 日期",
        r"\bwhen (?:was|were|did)\b(?P<of>.*)\b(?:written|published|sent|posted|dated|write|send|publish)\b|\bdate of\b"
        r"|\bwann wurden?\b(?P<von>.*)\b(?:geschrieben|gesendet|veröffentlicht)\b",
        r"\bwhen (?:was|were|did)\b.*\b(?:created|made|proposed|begun|create|propose)\b|\bhow old is\b",
    ),
    _fact(
        "status state estado статус 状态",
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
    return [piece for piece in evidence if file_names.names(question, piece.path)] or evidence


def field(question: str, evidence: Sequence[Evidence]) -> Section | None:
    """The field of a document's head that answers a question. None where none is asked for, or the question does not
    say which document it means, by its file or by all of its title."""
    for piece in evidence:
        if piece.span_start > _BEGINS:
            continue
        is_named = file_names.names(question, piece.path)
        told = [(*field.reads.partition(": "), field) for field in _fields(piece)]
        fields = {name.lower().replace(" ", "-"): field for name, _, value, field in told if value}
        for fact in _FACTS if fields else ():
            match = fact.asked.search(question) or (fact.of_named.search(question) if is_named else None)
            name = next((name for name in fact.names if name in fields), None)
            if match and name and (is_named or _is_called(piece, _without(question, match))):
                return Section(piece, piece.heading or "", 0, [fields[name]])
    return None


def beginning(question: str, parts: Sequence[Section]) -> Section | None:
    """The section that says what a document is about, for a question that names its file and asks nothing else."""
    if _ONLY_NAMED.fullmatch(question) is None:
        return None
    named = [part for part in parts if file_names.names(question, part.piece.path) and part.piece.doctype != "code"]
    about = [_with_what_it_is(part) for part in named]
    about = [part for part in about if any(unit.says for unit in part.units)]
    abstract = next((part for part in about if _ABSTRACT.fullmatch(part.heading)), None)
    return abstract or next((part for part in about if part.piece.span_start <= _BEGINS), None)


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


def _is_called(piece: Evidence, rest: str) -> bool:
    """Whether all telling words of what is left of a question are of a document's title."""
    stemmer = stemmer_for(piece.language, ())
    telling = question_terms(_OF_A_DOCUMENT.sub(" ", rest), stemmer).asked
    return bool(telling) and telling <= {*analysis.analyzer(stemmer).analyze(analysis.ranked("", piece.title or ""))}


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
            last = Unit(start, start + len(written), Kind.PROSE, reads, words(reads))
        elif last and written[:1] in " \t" and written.strip():
            reads = f"{last.reads} {written.strip()}"
            last = replace(last, end=start + len(written), reads=reads, words=words(reads))
        elif last or (written.strip() and (before := before + 1) > 2):  # a title, the line below it
            break
    if last:
        yield last
