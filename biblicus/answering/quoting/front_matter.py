"""Fields of front matter that a question asks for: `budget: 14000`, `contractor: "[[Brix]]"`. Nobody finds a document
by them, and of a document that was found only the field is told that is asked for. Where it is asked what something is
or does, the sentence that describes a page counts as its beginning where its title stands there, too: of a page with a
title of its own it is for search engines."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache

from biblicus.answering.packs.joining import spanned
from biblicus.answering.quoting import labels
from biblicus.answering.quoting.question_terms import question_terms, stemmer_for
from biblicus.answering.quoting.sections import Section
from biblicus.answering.reader.reading.blocks import Kind
from biblicus.answering.reader.reading.pointers import says_nothing
from biblicus.answering.reader.reading.readable import readable
from biblicus.answering.reader.reading.units import Unit, words
from biblicus.answering.reader.superlatives import Whole
from biblicus.models.evidence import Evidence
from biblicus.text.terms import headlines

_ITEMS = 3
"""Documents whose fields are looked at, the best."""
_TOLD = 0.7
"""How much of a question a field says at least."""
_FIELD = re.compile(
    r"^(?P<key>[^\W\d_][\w -]{0,40}):[ \t]*(?P<value>[^\s#|>&*{][^\n]*|(?=\n[ \t]*- ))(?P<items>(?:\n[ \t]*- [^\n]+)*)",
    re.MULTILINE,
)
_DESCRIPTION = re.compile(
    r"^(?:description|summary|excerpt|tagline|beschreibung|descripci[oó]n|résumé)[ \t]*:[ \t]*"
    r"(?:[>|][+-]?[ \t]*\n(?=[ \t]))?"
    r"(?P<value>[^\s>|&*{\[][^\n]*(?:\n[ \t]+[^\s#-][^\n]*)*|(?<=\n)[ \t]+\S[^\n]*(?:\n[ \t]+\S[^\n]*)*)",
    re.MULTILINE | re.IGNORECASE,
)
"""What a page says of itself in a sentence."""
_FEWEST = 4
"""Words of that at least."""
_OF_THE_TEXT = re.compile(
    r"(?:(?:an?|the|this|your)\s)?(?:(?:api|technical|quick|complete|brief|short|comprehensive)\s)*(?:overviews?|introduction"
    r"|guide|reference|tutorial|lists?|documentation|how(?:\sto)?|describes|explains|shows|documents|demonstrates|discusses"
    r"|release|version|recipe|page|article|document|section)\b",
    re.IGNORECASE,
)
"""How it begins where it says what kind of text a page is, and nothing of what that is about."""
_ESCAPED = re.compile(r"\\u(?!d[89a-f])[0-9a-f]{4}|\\[\\/bfnrt]|\\\"", re.IGNORECASE)
_NAMES = re.compile(r"alias(?:es)?: ")
_ITEM = re.compile(r"\n[ \t]*- ")
_WORDS = re.compile(r"(?<=[a-z])(?=[A-Z])|[_-]")


def beside(question: str, evidence: Sequence[Evidence], parts: Sequence[Section], whole: Whole | None) -> list[Section]:
    """The sections of texts, `parts`, behind what front matter says: a page shows that above its text. What a text
    begins with below its description is no entry."""
    above = list(_sections(question, evidence, whole))
    described = {section.piece.item_id for section in above if section.units[0].kind is Kind.PROSE}
    below = [
        replace(part, is_described=part.piece.item_id in described and not part.heading) if described else part
        for part in parts
    ]
    return [*above, *below]


def _sections(question: str, evidence: Sequence[Evidence], whole: Whole | None) -> Iterator[Section]:
    """The descriptions, and the fields that say what a question asks for, of the best documents."""
    if whole is None:
        return
    without = {piece.item_id for piece in evidence if piece.span_start == 0}  # their text begins there
    first = {piece.item_id: piece for piece in reversed(evidence) if piece.media_type in headlines.WRITTEN}
    first = {item_id: piece for item_id, piece in first.items() if item_id not in without}
    ranked = sorted(first.values(), key=lambda piece: piece.rank)[:_ITEMS]
    for piece in ranked:
        reading = question_terms(question, stemmer_for(piece.language, ()))
        is_described = bool(reading.form.subject) and not reading.form.steps
        extraction = whole(piece) if is_described or labels.may_be_told(reading) else None
        masked = extraction.masked[0] if extraction is not None and extraction.masked else None
        if extraction is None or masked is None or masked.start:
            continue
        text = extraction.text[masked.start : masked.end]
        is_titled_there = not any(heading.level == 1 for heading in extraction.headings)
        if is_described and is_titled_there and (description := _described(text)):
            opening = replace(piece, heading=None, chunk_id=f"{piece.item_id}:0")
            yield Section(spanned(opening, text, 0, 1, extraction.spots), "", 0, [description])
        if not labels.may_be_told(reading):
            continue
        fields = _fields(text)
        called = " ".join((piece.title or "", *(unit.reads for unit in fields if _NAMES.match(unit.reads))))
        around = labels.Around(replace(piece, text="", title=called), reading)
        labels_of = labels.labelled(question, reading, fields, around)
        worthy = [unit for unit, field in zip(fields, labels_of, strict=True) if field.worth >= _TOLD]
        if worthy:
            yield Section(spanned(piece, text, 0, 1, extraction.spots), "", 0, worthy)


def _described(text: str) -> Unit | None:
    """The sentence that describes a page, where it says something of what that is about."""
    match = _DESCRIPTION.search(text)
    reads = readable(unescaped(" ".join(match["value"].split())).strip("\"'")) if match else ""
    if match is None or words(reads) < _FEWEST or says_nothing(reads) or _OF_THE_TEXT.match(reads):
        return None
    return Unit(match.start("value"), match.end("value"), Kind.PROSE, reads, words(reads))


def unescaped(value: str) -> str:
    """A value as YAML means it whose escapes stand in quotation marks: `"Hauls \\u2013 slowly"`."""
    return _ESCAPED.sub(lambda match: json.loads(f'"{match[0]}"'), value) if value[:1] == '"' else value


@lru_cache(maxsize=64)
def _fields(text: str) -> tuple[Unit, ...]:
    """The fields of front matter. Remembered: questions one after the other are often answered from the same ones."""
    return tuple(_read(text))


def _read(text: str) -> Iterator[Unit]:
    for match in _FIELD.finditer(text):
        values = [match["value"], *_ITEM.split(match["items"])[1:]]
        value = ", ".join(readable(value.strip().strip("\"'[]")) for value in values if value.strip())
        reads = f"{_WORDS.sub(' ', match['key'])}: {value}"
        if value:
            yield Unit(match.start(), match.end(), Kind.FACT, reads, words(reads))
