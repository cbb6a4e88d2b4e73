"""Answers: statements that cite exact words of the evidence they were made from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from biblicus.models.evidence import Evidence, Result

PREVIEW = 160
"""Characters of a citation's preview."""


@dataclass(frozen=True, slots=True)
class Citation:
    """Exact words of one piece of evidence: `piece.text[start:end]`.

    As JSON it is evidence itself (same fields, the words as `text`, with their own span, lines and hash), so that
    `verify` proves it, and `preview`, the words in short.
    """

    piece: Evidence
    start: int
    end: int

    @property
    def text(self) -> str:
        return self.piece.text[self.start : self.end]


@dataclass(frozen=True, slots=True)
class Statement:
    """One claim. `quoted`: its text is the cited words themselves. `supported`: 0-1, how much of what it says stands
    in the words it cites."""

    text: str
    citations: tuple[Citation, ...]
    quoted: bool = False
    supported: float = 1.0


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A statement that an answerer made and that was left out, and why."""

    text: str
    reason: str


@dataclass(frozen=True, slots=True)
class Drafted:
    """What an answerer makes of a result. `confidence`: 0-1; an empty draft has 0 and is `insufficient`.

    `usage`: `requests`, `input_tokens`, `output_tokens` of a model, empty without one. `prompt`: digest of the prompts
    that were used.
    """

    statements: tuple[Statement, ...]
    confidence: float
    insufficient: bool
    reasoning_summary: str
    left_out: tuple[LeftOut, ...] = ()
    usage: Mapping[str, int] | None = None
    model: str | None = None
    prompt: str | None = None


@dataclass(frozen=True, slots=True)
class Answer:
    """What `answer` returns. `answer`: the statements' texts in order, as one text.

    `evidence_strength`: the bounded measure (0-1) of how much of the question the evidence holds. `debug`: what a
    caller who asked for it gets besides (prompts, replies).
    """

    question: str
    answer: str
    statements: tuple[Statement, ...]
    insufficient: bool
    confidence: float
    evidence_strength: float
    reasoning_summary: str
    answerer: str
    result: Result
    usage: Mapping[str, int]
    timings: Mapping[str, float]
    persona: str | None = None
    model: str | None = None
    prompt: str | None = None
    left_out: tuple[LeftOut, ...] = ()
    debug: Mapping[str, Any] | None = None
