"""What is declared, quoted as it is written: the columns of a table, the fields of a message, the values of a type; of
one of them its line."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from biblicus.answering.quoting.question_terms import QuestionTerms, terms_in
from biblicus.answering.quoting.reading.blocks import Kind
from biblicus.answering.quoting.reading.units import Unit, words
from biblicus.answering.quoting.sections import Section
from biblicus.text.terms import symbols

SURE = 0.75
"""How likely a declaration tells of what it declares."""
_PARTS = (
    r"columns?|fields?|members?|values?|constants|keys?|methods?|rpcs?|propert(?:y|ies)|attributes?|parameters?|arguments?"
    r"|states|cases|ind(?:exes|ices)|options|inputs?|outputs?|types?|defaults?|spalten|felder|werte|columnas|campos|valores"
    r"|colonnes|champs|valeurs"
)
_ASKS = re.compile(
    rf"\W*(?:(?:which|what|list|name|show)\b.{{0,30}}?\b(?:{_PARTS})\b|what (?:is|are|does)\b.{{0,60}}?\b"
    rf"(?:{_PARTS}|hold|holds|contain|contains|consist|consists)\b"
    rf"|(?:welche|qué|quels|quelles)\b.{{0,20}}?\b(?:{_PARTS})\b)",
    re.IGNORECASE,
)
_PART = re.compile(rf"(?:{_PARTS}|hold|contain|consist|table|message|enum|class|struct|service|schema|input)s?", re.IGNORECASE)
_WORD = re.compile(r"[\w$]+")
_LINE = re.compile(r"[^\n]*\S[^\n]*")
_FEW = 3
"""Lines at most that tell of one part."""
_RANK = 4
"""Pieces of evidence that are looked at."""
_NO_CODE = re.compile(r"\s*(?:--|//|/?\*|#|\"{3})")


def quoted(question: str, terms: QuestionTerms, parts: Sequence[Section], most: int) -> tuple[Section, Unit] | None:
    """The declaration of what a question names whose parts it asks for, or the lines of those that it names; as much as
    `most` words. None where it asks for no parts, or nothing that is called so is declared."""
    if not _ASKS.match(question):
        return None
    asked = {word.casefold() for word in _WORD.findall(question)}
    for section in parts:
        name = section.heading.rpartition(".")[2]
        piece = section.piece
        is_named = piece.doctype == "code" and section.start == 0 and name.casefold() in asked
        if is_named and piece.rank <= _RANK and symbols.is_defined(section.heading, piece.text):
            return section, _of(section, name, question, terms, most)
    return None


def _of(section: Section, name: str, question: str, terms: QuestionTerms, most: int) -> Unit:
    text = section.piece.text
    begin = _begin(text, name)
    lines = [line.span() for line in _LINE.finditer(text, begin)]
    asked = _PART.sub(" ", question)
    own = frozenset(terms_in(name, terms))
    wanted = terms.asked & frozenset(terms_in(asked, terms)) - own
    holding = [span for span in lines[1:] if wanted and wanted <= frozenset(terms_in(text[slice(*span)], terms))]
    shown = holding[:1] if 0 < len(holding) <= _FEW else lines
    return _unit(text, list(_fitting(text, shown, most)))


def _begin(text: str, name: str) -> int:
    """Where the line begins that declares a name: behind the comment above it."""
    for line in _LINE.finditer(text):
        if name in line[0] and not _NO_CODE.match(line[0]):
            return line.start()
    return 0


def _fitting(text: str, lines: Sequence[tuple[int, int]], most: int) -> Iterator[tuple[int, int]]:
    """The first lines, as many as fit."""
    room = most
    for at, (start, end) in enumerate(lines):
        room -= words(text[start:end])
        if at and room < 0:
            return
        yield start, end


def _unit(text: str, lines: Sequence[tuple[int, int]]) -> Unit:
    start, end = lines[0][0], lines[-1][1]
    start += len(text[start:end]) - len(text[start:end].lstrip())
    reads = text[start:end]
    return Unit(start, end, Kind.CODE, reads, words(reads), says=False)
