"""Conversations stored as notes, and the rule that an answer is never evidence for another answer.

A note has the turns with statements and cited passages, so that `verify --citations` can check them. Its doctype is
`conversation`. Queries return such notes, but packs, answers and retrievers of other libraries exclude them unless the
doctype is requested; `from_sources` implements this.
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
"""Queries a corpus, local or remote."""
_TITLE = 120
_NOT_IN_YAML = re.compile("[\x7f-\x9f\ufffe\uffff]")
"""Characters that YAML requires as escapes, but JSON does not escape."""
_OTHERS = tuple(doctype for doctype in DOCTYPES if doctype != CONVERSATION)


@dataclass(frozen=True, slots=True)
class Passage:
    """Cited words. `place`: `path:lines`, or None if the text has changed."""

    text: str
    place: str | None


@dataclass(frozen=True, slots=True)
class Stated:
    """A statement with its passages. `quoted`: it consists of the passages."""

    text: str
    passages: Sequence[Passage]
    quoted: bool = False


def place(path: str, line_start: int, line_end: int) -> str:
    """Return the position of a passage in the form that `verify --citations` reads."""
    return f"{path}:{line_start}" if line_start == line_end else f"{path}:{line_start}-{line_end}"


def head(question: str) -> str:
    """Return the beginning of a conversation's note."""
    title = title_of(question)
    written = _NOT_IN_YAML.sub(lambda match: f"\\u{ord(match[0]):04x}", json.dumps(title, ensure_ascii=False))
    return f"---\ntitle: {written}\ndoctype: {CONVERSATION}\n---\n# {title}\n"


def title_of(question: str) -> str:
    """Return the title of a conversation's note: its first question."""
    line = " ".join(question.split())
    return line if len(line) <= _TITLE else f"{line[: _TITLE - 1].rstrip()}…"


def turn(question: str, asked: str, statements: Sequence[Stated]) -> str:
    """Return a turn of the note."""
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
    """Return a query function that excludes stored conversations unless a doctype is requested."""

    def asked(question: QueryRequest, call: Call) -> Result:
        result = ask(question, call)
        if question.doctype or all(piece.doctype != CONVERSATION for piece in result.evidence):
            return result
        return ask(replace(question, doctype=_OTHERS), call)

    return asked
