"""Questions as JSON lines, the format for handwritten datasets.

    {"query": "How long may a boat stay?", "relevant": ["rules/handbook.pdf"]}
    {"query": "…", "relevant": [{"item": "notes/lamp.md", "grade": 2, "span": [120, 188]}], "tags": ["light"]}

    {"query": "When was the lamp lit?", "relevant": ["notes/lamp.md"], "answers": ["1842"]}
    {"query": "Who was the first keeper?", "unanswerable": true}

    {"query": "Who may moor?", "must": {"cite": ["rules/handbook.pdf"], "contain": ["members"], "words": 60}}
    {"rule": "no-promises", "severity": "high", "says": "Nothing is promised.", "must": {"not_contain": ["we promise"]}}

An item is given by id or path. `answers`: texts, one of which a correct answer contains. `id`: optional; by default a
hash of the question's text, which stays the same when lines are added. `must`: requirements for a procedure that
answers the question; a rule applies to all questions, or to those with one of its `tags`.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from biblicus.config import explain
from biblicus.measure.formats.lines import invalid, objects
from biblicus.models.answers.evaluation import NOTHING, JudgedQuestion, Judgement, Kind, Must, Rule, Severity

_Text = Annotated[str, Field(min_length=1, pattern=r"\S")]


class _Relevant(BaseModel):
    """A relevant item with its grade. `span`: start and end of a range in the item's extraction."""

    model_config = ConfigDict(extra="forbid", strict=True, defer_build=True)

    item: _Text
    grade: Annotated[int, Field(ge=-1_000_000, le=1_000_000)] = 1
    span: Annotated[list[Annotated[int, Field(ge=0)]], Field(min_length=2, max_length=2)] | None = None

    @model_validator(mode="before")
    @classmethod
    def _named_alone(cls, value: Any) -> Any:
        return {"item": value} if isinstance(value, str) else value

    @model_validator(mode="after")
    def _span_in_order(self) -> _Relevant:
        if self.span is not None and self.span[0] >= self.span[1]:
            raise ValueError("a span ends after it starts")
        return self


class _Must(BaseModel):
    """Requirements (see `Must`)."""

    model_config = ConfigDict(extra="forbid", strict=True, defer_build=True)

    cite: list[_Text] = []
    contain: list[_Text] = []
    not_contain: list[_Text] = []
    refuse: bool | None = None
    layer: _Text | None = None
    proved: bool = False
    words: Annotated[int, Field(ge=1)] | None = None
    seconds: Annotated[float, Field(gt=0, allow_inf_nan=False)] | None = None
    tokens: Annotated[int, Field(ge=0)] | None = None

    @model_validator(mode="after")
    def _can_be_done(self) -> _Must:
        if self.as_value() == NOTHING:
            raise ValueError(f"name what must be done: {', '.join(type(self).model_fields)}")
        if self.refuse and (self.cite or self.contain or self.proved):
            raise ValueError("what must be refused cites and contains nothing")
        return self

    def as_value(self) -> Must:
        """Return the frozen value."""
        values: dict[str, Any] = {name: tuple(value) if isinstance(value, list) else value for name, value in self}
        return Must(**values)


class _Rule(BaseModel):
    """A line with a rule."""

    model_config = ConfigDict(extra="forbid", strict=True, defer_build=True)

    rule: Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$")]
    must: _Must
    severity: Severity = "medium"
    says: str = ""
    tags: list[_Text] = []


class _Question(BaseModel):
    """A line with a question."""

    model_config = ConfigDict(extra="forbid", strict=True, defer_build=True)

    query: _Text
    relevant: list[_Relevant] = []
    id: _Text | None = None
    tags: list[_Text] = []
    kind: Kind = "human"
    answers: list[_Text] = []
    unanswerable: bool = False
    must: _Must | None = None

    @model_validator(mode="after")
    def _answerable_or_not(self) -> _Question:
        if self.unanswerable and self.must and (self.must.cite or self.must.contain or self.must.refuse is False):
            raise ValueError("an unanswerable question must be refused")
        if self.unanswerable and (self.answers or any(judgement.grade > 0 for judgement in self.relevant)):
            raise ValueError("an unanswerable question has no answers and nothing relevant")
        return self


_RUNS = ("command", "procedure", "procedures")
"""Keys forbidden in a dataset: commands to run are only in the user's settings or typed."""


def questions(blocks: Iterable[bytes], where: str) -> Iterator[JudgedQuestion | Rule]:
    """Yield the questions with judgements, and the rules."""
    used_ids: set[str] = set()
    for number, value in objects(blocks, where):
        if run := next((key for key in _RUNS if key in value), None):
            raise invalid(where, number, f'unknown key "{run}": a dataset names nothing that is run (eval --command)')
        model = _Rule if "rule" in value else _Question
        try:
            line = model.model_validate(value)
        except ValidationError as error:
            raise invalid(where, number, explain(error, model).rstrip(".")) from error
        if isinstance(line, _Rule):
            if f"rule {line.rule}" in used_ids:
                raise invalid(where, number, f'the rule "{line.rule}" stands twice')
            used_ids.add(f"rule {line.rule}")
            yield Rule(line.rule, line.must.as_value(), line.severity, line.says, tuple(line.tags))
            continue
        question_id = line.id or id_of(line.query)
        if question_id in used_ids:
            raise invalid(where, number, f'the question "{line.query[:80]}" stands twice')
        used_ids.add(question_id)
        judged = tuple(
            Judgement(entry.item, entry.grade, (entry.span[0], entry.span[1]) if entry.span else None)
            for entry in line.relevant
        )
        must = line.must.as_value() if line.must else NOTHING
        yield JudgedQuestion(
            question_id, line.query, judged, tuple(line.tags), line.kind, tuple(line.answers), line.unanswerable, must
        )


def id_of(text: str) -> str:
    """Return the default id of a question."""
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def line_of(question: JudgedQuestion) -> str:
    """Return a question as a line of the file, the inverse of `questions`."""
    line: dict[str, Any] = {"id": question.question_id, "query": question.text}
    line["relevant"] = [_relevant(judgement) for judgement in question.judgements]
    if question.tags:
        line["tags"] = list(question.tags)
    if question.kind != "human":
        line["kind"] = question.kind
    if question.answers:
        line["answers"] = list(question.answers)
    if question.unanswerable:
        line["unanswerable"] = True
    if question.must != NOTHING:
        line["must"] = {name: value for name, value in asdict(question.must).items() if value != getattr(NOTHING, name)}
    return json.dumps(line, ensure_ascii=False) + "\n"


def _relevant(judgement: Judgement) -> dict[str, Any]:
    line: dict[str, Any] = {"item": judgement.item, "grade": judgement.grade}
    if judgement.span is not None:
        line["span"] = list(judgement.span)
    return line
