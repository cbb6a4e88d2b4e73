"""Answers: statements that cite exact words of the evidence they were made from."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import Field, dataclass, field, fields, replace
from typing import Any, Self

from biblicus.models.evidence import Evidence, Pending, Result
from biblicus.models.plain import EXCLUDED, LEFT_OUT, of_record, plain, revived

PREVIEW = 160
"""Characters of a citation's preview."""
NEAREST = "Nothing answers this; nearest is:"
"""Stands before statements that do not answer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CitedEvidence(Evidence):
    """The exact words that a statement stands on, as evidence. `preview`: the words in short."""

    preview: str


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

    @property
    def preview(self) -> str:
        """The words in short, on one line."""
        line = " ".join(self.text.split())
        return line if len(line) <= PREVIEW else f"{line[: PREVIEW - 1].rstrip()}…"

    def as_evidence(self) -> Evidence:
        """The cited words as a piece of evidence of their own: with their own span, lines and hash.

        A chunk never crosses a page, so theirs is the chunk's; slides, cells, time codes are their own.
        """
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
        """The JSON object: a piece of evidence with `preview`."""
        return {**self.as_evidence().as_object(), "preview": self.preview}

    @classmethod
    def from_object(cls, value: Mapping[str, Any]) -> Citation:
        """From its JSON object: of the piece there is what was cited."""
        piece = revived(Evidence, value)
        return cls(piece, 0, len(piece.text))

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: Any) -> Any:
        """Described as its JSON object."""
        return handler.generate_schema(CitedEvidence)


@dataclass(frozen=True, slots=True)
class Statement:
    """One claim. `quoted`: its text is the cited words themselves as people read them, without markup.
    `supported`: 0-1, how much of what it says stands in the words it cites.
    """

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
    """What an answerer makes of a result. `confidence`: 0-1; an empty draft has 0 and is `insufficient`. `nearest`: its
    statements do not answer, they come nearest.

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
    nearest: bool = False


@dataclass(frozen=True, slots=True)
class Answer:
    """Statements with their citations, and as one text (`answer`).

    `confidence`: 0-1, that it is right. `evidence_strength`: the bounded measure (0-1) of how much of the question
    the evidence holds, over all legs. `usage`: of a model. `searched`: where the evidence is from: `corpus_id`,
    `recipe_id`, `run_id`, `index_version`, `as_of`, `filters`, `pieces` (how many were seen), `support` (each leg's
    measure), `leg_weights` and `notes` (where the result has any), and, where several were asked, `corpora` (each
    by its name; what stands beside them is of the first) and `failed`. `timings`: ms; `query`, `answer`, `total`.
    `debug`: what a caller who asked for it gets besides (prompts, replies). `result`: the evidence that it was made
    from, of which the JSON shows what was cited. `pending`: how the folder stands against the run.
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
        """Return true if its statements do not answer, but come nearest."""
        return self.answer.startswith(NEAREST)

    def __str__(self) -> str:
        """What is said, without what proves it."""
        return self.answer

    def as_object(self) -> dict[str, Any]:
        """The JSON object of `answer --json`, in values that `json.dumps` takes."""
        whole: dict[str, Any] = plain({entry.name: getattr(self, entry.name) for entry in _shown(self)})
        return whole

    @classmethod
    def from_object(cls, value: Mapping[str, Any]) -> Self:
        """From its JSON object: of the result there is what was cited, and where it is from."""
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
        made: Self = of_record(cls)({**value, "result": result})  # type: ignore[arg-type]  # a class is hashable
        return made


def _shown(answer: Answer) -> Iterator[Field[Any]]:
    """The fields that an answer's JSON has."""
    for entry in fields(answer):
        shown = entry.metadata != LEFT_OUT or getattr(answer, entry.name)
        if shown and entry.metadata != EXCLUDED:
            yield entry
