"""What tells what is to be done: a step, code, a command, an order, what one can or must do. English alone."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from biblicus.answering.reader.reading.blocks import Kind
from biblicus.answering.reader.reading.units import Unit
from biblicus.models.evidence import Evidence
from biblicus.text.terms import tasks

_ASKS = re.compile(r"\bhow\s+(?:to|do|can|could|should|would|must)\b|\bsteps?\s+to\b", re.IGNORECASE)
_ACTS = re.compile(
    r"\b(?:you|we|one|users?|administrators?|developers?)(?:['’]ll|\s+(?:\w+\s+)?(?:can|may|might|must|need|have\s+to"
    r"|should|could|will|want))\b(?!\s+(?:now\s+|also\s+|already\s+|soon\s+)?(?:expect|see|find|read|learn|be|hear"
    r"|notice|know)\b)"
    r"|\bby\s+\w+ing\b|\b(?:must|should|has\s+to|needs?\s+to)\s+be\s+\w+(?:ed|n|t|ne)\b"
    r"|\b(?:can|may)\s+be\s+\w+(?:ed|n|t|ne)\s+(?:through|by|with|using|via)\b"
    r"|\b(?:is|are)\s+(?:done|made)\b|(?<!\w)--\w|(?<!\S)[$>]\s\S|\bremember\s+to\b|\bmake\s+sure\b",
    re.IGNORECASE,
)
"""What says in a sentence what somebody does, or with what."""
_NAMED = re.compile(
    r"--?\w[^:]{0,60}: |[\w./-]+(?: [\w-]+)? [<\[][^:]{1,80}: |\S[^:]{0,60}: (?:this|the) \w", re.IGNORECASE
)
"""How a text begins that is told with the option or the command that does it."""
_MANUAL, _OF_ALL = re.compile(r"\S\(\d\w{0,3}\)\Z"), re.compile(r"(?:name|synopsis|description)\W*", re.IGNORECASE)
"""What a manual page is called, `tar(1)`, and where it says what its command does: that is what one does it with."""
_WITH_NAME = re.compile(
    r"\b(?:used?|using|set|setting|run|running|call|calling|add|adding|pass|passing|click|press|select|choose|type|enter"
    r"|open|specify(?:ing)?|install|create|via|with|by|through)\s+(?:the\s+|an?\s+)?[`\"“‘*<{/$@-]",
    re.IGNORECASE,
)
"""With what something is done that is written as a name."""
_BEGINNING = 60
"""Characters of a clause that are read."""
_CLAUSE = re.compile(r"(?:^|\s[—–-]{1,2}\s+|[.;:,]\s+(?:then\s+|and\s+|just\s+|simply\s+|first\s+|next\s+)*)(?=[\w`])")
_ORDER = re.compile(
    r"(?!(?:as|at|about|after|although|among|and|because|before|behind|beside|between|both|but|by|during|either|even|for"
    r"|from|given|here|how|if|in|into|like|near|neither|nor|not|of|off|on|once|only|or|over|per|since|so|than|that|then"
    r"|there|though|through|to|under|unlike|until|upon|via|what|when|where|whether|which|while|who|why|with|within"
    r"|without|all|any|each|every|it|they|we|you|let|have|had|may|might|can|could|will|would|do|did)\b)"
    r"[a-z]{2,14}(?<!ing)(?<!ed)(?<!ly)(?<!\ws)\s+(?:it|them|the|an?|your|each|all|every|any|one|this|these|yourself)\b"
    r"|(?:apply|supply|list|go|press|pass|access|focus|discuss|compress|subclass|double-click|right-click|double|rely|log|sign|navigate)\s",
    re.IGNORECASE,
)
"""Orders by verbs that are in no list of tasks: a verb and what it is done with."""


def asks(question: str) -> bool:
    """Whether a question asks in English how something is done."""
    return _ASKS.search(question) is not None


def tells(shown: Iterable[tuple[Evidence, Sequence[Unit]]], text: str) -> bool:
    """Whether units of pieces tell what is to be done, or their `text` begins with the command that does it; those of
    another language than English, and messages, always."""
    return _NAMED.match(text) is not None or any(_tells(piece, units) for piece, units in shown)


def is_told(piece: Evidence, units: Sequence[Unit]) -> bool:
    """Whether units of a piece tell what is to be done."""
    return tells([(piece, units)], "")


def _tells(piece: Evidence, units: Sequence[Unit]) -> bool:
    if piece.language not in (None, "en") or piece.doctype == "message":
        return True
    if _MANUAL.search(piece.title or "") and _OF_ALL.fullmatch(piece.heading or ""):
        return True
    return any(
        unit.kind in (Kind.CODE, Kind.STEP) or (unit.says and _orders(unit.reads, piece.text[unit.start : unit.end]))
        for unit in units
    )


def _orders(reads: str, written: str) -> bool:
    """Whether a sentence says what somebody does. `written`: with the marks of code, which people do not read."""
    if _ACTS.search(reads) or _WITH_NAME.search(written):
        return True
    clauses = (reads[clause.end() :][:_BEGINNING] for clause in _CLAUSE.finditer(reads))
    return any(tasks.is_imperative(clause) or _ORDER.match(clause) for clause in clauses)
