"""Answers: statements that cite exact words of the evidence they were made from."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal, Self

from biblicus.models.evidence import Evidence, Pending, Result
from biblicus.models.plain import EXCLUDED, LEFT_OUT, of_record, plain, revived, shown_fields

PREVIEW = 160
"""Maximum characters of a citation's preview."""
NEAREST = "Nothing answers this; nearest is:"
"""Beginning of an answer whose statements do not answer the question but are the closest ones."""

Band = Literal["sure", "likely", "thin"]
"""Confidence in words: right at least 4 of 5 times (sure), more often than not (likely), or less often (thin)."""
_SURE, _LIKELY = 0.8, 0.5


def band_of(confidence: float, *, insufficient: bool) -> Band:
    """Return the band of an answer; one from insufficient evidence is thin."""
    if insufficient or confidence < _LIKELY:
        return "thin"
    return "sure" if confidence >= _SURE else "likely"


@dataclass(frozen=True, slots=True, kw_only=True)
class CitedEvidence(Evidence):
    """The exact words that support a statement, as evidence. `preview`: the words, shortened."""

    preview: str


@dataclass(frozen=True, slots=True)
class Citation:
    """Exact words of one piece of evidence: `piece.text[start:end]`.

    As JSON it is a piece of evidence with the same fields, so that `verify` can check it, and a `preview`. Its `text`
    is the words, with their own span, lines and hash."""

    piece: Evidence
    start: int
    end: int

    @property
    def text(self) -> str:
        return self.piece.text[self.start : self.end]

    @property
    def preview(self) -> str:
        """Return the words, shortened, on one line."""
        line = " ".join(self.text.split())
        return line if len(line) <= PREVIEW else f"{line[: PREVIEW - 1].rstrip()}…"

    def as_evidence(self) -> Evidence:
        """Return the cited words as a piece of evidence with their own span, lines and hash.

        The page is the chunk's, since a chunk never crosses pages; slides, cells and time codes are the words' own."""
        piece, text = self.piece, self.text
        line = piece.line_start + piece.text.count("\n", 0, self.start)
        cited = replace(
            piece,
            text=text,
            snippet=self.preview,
            hash=hashlib.sha256(text.encode()).hexdigest(),
            span_start=piece.span_start + self.start,
            span_end=piece.span_start + self.end,
            line_start=line,
            line_end=line + text.count("\n"),
        )
        return cited.with_locator(piece)

    def as_object(self) -> dict[str, Any]:
        """Return the JSON object: a piece of evidence with `preview`."""
        return {**self.as_evidence().as_object(), "preview": self.preview}

    @classmethod
    def from_object(cls, value: Mapping[str, Any]) -> Citation:
        """Create a citation from its JSON object; the piece is only the cited text."""
        piece = revived(Evidence, value)
        return cls(piece, 0, len(piece.text))

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: Any) -> Any:
        """Describe the schema of the JSON object."""
        return handler.generate_schema(CitedEvidence)


@dataclass(frozen=True, slots=True)
class Statement:
    """One claim.

    `quoted`: its text is the cited words themselves, without markup. `supported`: share (0-1) of the claim found in the
    cited words."""

    text: str
    citations: tuple[Citation, ...]
    quoted: bool = False
    supported: float = 1.0


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A statement that was removed from an answer, with the reason."""

    text: str
    reason: str


@dataclass(frozen=True, slots=True)
class Drafted:
    """Draft of an answer from an answerer.

    `confidence`: 0-1; an empty draft has 0 and is `insufficient`. `nearest`: its statements do not answer but are the
    closest ones. `usage`: `requests`, `input_tokens`, `output_tokens` of a model; empty without one. `prompt`: digest
    of the prompts."""

    statements: tuple[Statement, ...]
    confidence: float
    insufficient: bool
    reasoning_summary: str
    left_out: tuple[LeftOut, ...] = ()
    usage: Mapping[str, int] | None = None
    model: str | None = None
    prompt: str | None = None
    nearest: bool = False


@dataclass(frozen=True, slots=True)
class Answer:
    """Statements with their citations, and as one text (`answer`).

    `confidence`: probability (0-1) that it is right. `evidence_strength`: share (0-1) of the question that the evidence
    covers, over all legs. `usage`: of a model. `searched`: the source of the evidence: `corpus_id`, `recipe_id`,
    `run_id`, `index_version`, `as_of`, `filters`, `pieces` (number seen), `support` (measure of each leg), and, if
    present, `leg_weights` and `notes`. `timings`: `query`, `answer`, `total` in ms. `debug`: prompts and replies, on
    request. `result`: the evidence; the JSON has only what was cited. `pending`: changes in the folder since the run.
    """

    question: str
    answer: str
    statements: tuple[Statement, ...]
    insufficient: bool
    confidence: float
    evidence_strength: float
    reasoning_summary: str
    answerer: str
    result: Result = field(metadata=EXCLUDED)
    usage: Mapping[str, int]
    timings: Mapping[str, float]
    persona: str | None = field(default=None, metadata=LEFT_OUT)
    model: str | None = field(default=None, metadata=LEFT_OUT)
    prompt: str | None = field(default=None, metadata=LEFT_OUT)
    left_out: tuple[LeftOut, ...] = ()
    debug: Mapping[str, Any] | None = field(default=None, metadata=LEFT_OUT)
    searched: Mapping[str, Any] = field(default_factory=dict)
    pending: Pending | None = field(default=None, metadata=LEFT_OUT)

    @property
    def is_nearest(self) -> bool:
        """Return true if its statements do not answer the question but are the closest ones."""
        return self.answer.startswith(NEAREST)

    def __str__(self) -> str:
        """Return the answer without its citations."""
        return self.answer

    def as_object(self) -> dict[str, Any]:
        """Return the JSON object of `answer --json`."""
        document: dict[str, Any] = plain(shown_fields(self))
        return document

    @classmethod
    def from_object(cls, value: Mapping[str, Any]) -> Self:
        """Create an answer from its JSON object; its result has only the cited evidence."""
        cited = [piece for statement in value["statements"] for piece in statement["citations"]]
        result = {
            "weights_digest": None,
            **value["searched"],
            "query": value["question"],
            "evidence": list({piece["chunk_id"]: piece for piece in cited}.values()),
            "insufficient": value["insufficient"],
            "budget": {"asked": {}, "used": {}, "dropped": []},
            "timings": value["timings"],
        }
        answer: Self = of_record(cls)({**value, "result": result})
        return answer
