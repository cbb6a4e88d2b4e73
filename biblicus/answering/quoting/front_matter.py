"""Fields of front matter that a question asks for: `budget: 14000`, `contractor: "[[Brix]]"`. Nobody finds a document
by them, and of a document that was found only the field is told that is asked for."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache

from biblicus.answering.packs.joining import spanned
from biblicus.answering.quoting import labels
from biblicus.answering.quoting.question_terms import question_terms, stemmer_for
from biblicus.answering.quoting.reading.blocks import Kind
from biblicus.answering.quoting.reading.readable import readable
from biblicus.answering.quoting.reading.units import Unit, words
from biblicus.answering.quoting.sections import Section
from biblicus.answering.quoting.superlatives import Whole
from biblicus.models.evidence import Evidence
from biblicus.text.terms import titles

_ITEMS = 3
"""Documents whose fields are looked at, the best."""
_TOLD = 0.7
"""How much of a question a field says at least."""
_TYPES = ("text/plain", "text/x-rst", *titles.MARKDOWN)
_FIELD = re.compile(
    r"^(?P<key>[^\W\d_][\w -]{0,40}):[ \t]*(?P<value>[^\s#|>&*{][^\n]*|(?=\n[ \t]*- ))(?P<items>(?:\n[ \t]*- [^\n]+)*)",
    re.MULTILINE,
)
_NAMES = re.compile(r"alias(?:es)?: ")
_ITEM = re.compile(r"\n[ \t]*- ")
_WORDS = re.compile(r"(?<=[a-z])(?=[A-Z])|[_-]")


def sections(question: str, evidence: Sequence[Evidence], whole: Whole | None) -> Iterator[Section]:
    """The fields of the best documents that say what a question asks for."""
    if whole is None:
        return
    without = {piece.item_id for piece in evidence if piece.span_start == 0}  # their text begins there
    first = {piece.item_id: piece for piece in reversed(evidence) if piece.media_type in _TYPES}
    first = {item_id: piece for item_id, piece in first.items() if item_id not in without}
    ranked = sorted(first.values(), key=lambda piece: piece.rank)[:_ITEMS]
    for piece in ranked:
        reading = question_terms(question, stemmer_for(piece.language, ()))
        extraction = whole(piece) if labels.may_be_told(reading) else None
        masked = extraction.masked[0] if extraction is not None and extraction.masked else None
        if extraction is None or masked is None or masked.start:
            continue
        text = extraction.text[masked.start : masked.end]
        fields = _fields(text)
        called = " ".join((piece.title or "", *(unit.reads for unit in fields if _NAMES.match(unit.reads))))
        around = labels.Around(replace(piece, text="", title=called), reading)
        labels_of = labels.labelled(question, reading, fields, around)
        worthy = [unit for unit, field in zip(fields, labels_of, strict=True) if field.worth >= _TOLD]
        if worthy:
            yield Section(spanned(piece, text, 0, 1, extraction.spots), "", 0, worthy)


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
