"""Conversations kept as notes, and what keeps an answer from becoming the source of the next one.

A note holds the turns with what was stated and the passages it was stated from, each with its citation, so that
`verify --citations` tells which still stand. Its doctype is `conversation`: queries find it like any item, but what is
made for a model or an answer (packs, answers, the retrievers of other libraries) is made from other items, unless
conversations are asked for by that doctype. `from_sources` is where that is decided.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from biblicus.contracts import Call
from biblicus.models.evidence import Result
from biblicus.models.item import CONVERSATION, DOCTYPES
from biblicus.models.requests.query import QueryRequest

Ask = Callable[[QueryRequest, Call], Result]
"""Gets the evidence of one corpus, wherever that is."""
_TITLE = 120
_NOT_IN_YAML = re.compile("[\x7f-\x9f\ufffe\uffff]")
"""Characters that YAML takes as escapes alone; others, and JSON leaves them as they are."""
_OTHERS = tuple(doctype for doctype in DOCTYPES if doctype != CONVERSATION)


@dataclass(frozen=True, slots=True)
class Passage:
    """Words that were cited. `place`: `path:lines`; None where they do not stand there any more."""

    text: str
    place: str | None


@dataclass(frozen=True, slots=True)
class Stated:
    """A statement with its passages. `quoted`: it is the passages themselves."""

    text: str
    passages: Sequence[Passage]
    quoted: bool = False


def place(path: str, line_start: int, line_end: int) -> str:
    """Where a passage stands, as `verify --citations` reads it."""
    return f"{path}:{line_start}" if line_start == line_end else f"{path}:{line_start}-{line_end}"


def head(question: str) -> str:
    """How the note of a conversation begins."""
    title = title_of(question)
    written = _NOT_IN_YAML.sub(lambda match: f"\\u{ord(match[0]):04x}", json.dumps(title, ensure_ascii=False))
    return f"---\ntitle: {written}\ndoctype: {CONVERSATION}\n---\n# {title}\n"


def title_of(question: str) -> str:
    """What the note of a conversation is called: its first question."""
    line = " ".join(question.split())
    return line if len(line) <= _TITLE else f"{line[: _TITLE - 1].rstrip()}…"


def turn(question: str, asked: str, statements: Sequence[Stated]) -> str:
    """A turn of the note."""
    parts = [f"## {' '.join(question.split())}"]
    if asked != question:
        parts.append(f"Asked as: {' '.join(asked.split())}")
    for statement in statements:
        parts += [] if statement.quoted else [statement.text.strip()]
        parts += [_quoted(passage) for passage in statement.passages]
    if not statements:
        parts.append("The corpus does not answer this.")
    return "".join(f"\n{part}\n" for part in parts)


def _quoted(passage: Passage) -> str:
    lines = [f"> {line}".rstrip() for line in passage.text.strip("\n").split("\n")]
    where = f"[{passage.place}]" if passage.place else "(changed since it was cited)"
    return "\n".join([*lines, ">", f"> {where}"])


def from_sources(ask: Ask) -> Ask:
    """Asks for evidence to answer from: without kept conversations, unless a doctype is asked for."""

    def asked(question: QueryRequest, call: Call) -> Result:
        result = ask(question, call)
        if question.doctype or all(piece.doctype != CONVERSATION for piece in result.evidence):
            return result
        return ask(replace(question, doctype=_OTHERS), call)

    return asked
