"""Dataset formats: BEIR, and questions as JSON lines.

BEIR: `corpus.jsonl` (`_id, title, text`), `queries.jsonl` (`_id, text`, perhaps `answers`), `qrels/<split>.tsv`.
JSON lines, for handwritten datasets:

    {"query": "How long may a boat stay?", "relevant": ["rules/handbook.pdf"]}
    {"query": "…", "relevant": [{"item": "notes/lamp.md", "grade": 2, "span": [120, 188]}], "tags": ["light"]}
    {"query": "When was the lamp lit?", "relevant": ["notes/lamp.md"], "answers": ["1842"]}
    {"query": "Who was the first keeper?", "unanswerable": true}
    {"query": "Who may moor?", "must": {"cite": ["rules/handbook.pdf"], "contain": ["members"], "words": 60}}
    {"rule": "no-promises", "severity": "high", "says": "Nothing is promised.", "must": {"not_contain": ["we promise"]}}

An item is given by id or path. `answers`: texts, one of which a correct answer contains. `id`: optional; by default a
hash of the question's text, which stays the same when lines are added. `must`: requirements for a procedure that
answers the question; a rule applies to all questions, or to those with one of its `tags`.

Readers take lines and a name for messages, not paths; the caller opens files. Invalid content raises `ConfigInvalid`
with file and line.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from biblicus.config import explain
from biblicus.errors import BadData, ConfigInvalid
from biblicus.guards import json as guarded_json
from biblicus.models.answers.evaluation import NOTHING, Dataset, JudgedQuestion, Judgement, Kind, Must, Rule, Severity

Grades = Mapping[str, Sequence[Judgement]]
"""Judgements by question id."""
UNJUDGED = "no question has a relevant judgement."
LONGEST = 16 << 20
"""Maximum bytes of a line, far above any document of common collections."""

_Text = Annotated[str, Field(min_length=1, pattern=r"\S")]


def assemble(
    name: str,
    lines: Iterable[JudgedQuestion | Rule],
    judgements: Grades | None = None,
    *,
    where: str = "",
    judged: bool = True,
) -> Dataset:
    """Return the dataset of these questions and rules, with their own judgements or those given by question id.

    Questions without a relevant judgement (grade above 0) are counted and dropped, as their score would always be 0;
    those with requirements for a procedure are kept separately. `judged`: raise `ConfigInvalid` for `where` if no
    question is left, not even an unanswerable one; if False, questions without judgements are kept as unanswerable.
    """
    judged_questions: list[JudgedQuestion] = []
    unanswerable: list[JudgedQuestion] = []
    unjudged: list[JudgedQuestion] = []
    rules: list[Rule] = []
    counted = 0
    for question in lines:
        if isinstance(question, Rule):
            rules.append(question)
            continue
        if judgements is not None:
            grades = judgements.get(question.question_id, ())
            counted += len(grades)
            question = replace(question, judgements=tuple(grades))
        if any(judgement.grade > 0 for judgement in question.judgements):
            judged_questions.append(question)
        elif question.unanswerable or not judged:
            unanswerable.append(question)
        else:
            unjudged.append(question)
    stated = [each for each in unjudged if each.must != NOTHING or any(rule.covers(each) for rule in rules)]
    if not judged_questions and judged and not unanswerable and not stated:
        raise ConfigInvalid(where or name, UNJUDGED)
    unasked = sum(map(len, judgements.values())) - counted if judgements is not None else 0
    total = digest([*judged_questions, *unanswerable, *stated], rules)
    return Dataset(
        name, tuple(judged_questions), total, len(unjudged), unasked, tuple(unanswerable), tuple(stated), tuple(rules)
    )


def digest(questions: Iterable[JudgedQuestion], rules: Iterable[Rule] = ()) -> str:
    """Return the SHA-256 of questions, judgements and rules, independent of their order."""
    total = hashlib.sha256()
    for question in sorted(questions, key=lambda each: each.question_id):
        judged = sorted((each.item, each.grade, each.span or ()) for each in question.judgements)
        line: list[object] = [question.question_id, question.text, judged, sorted(question.tags), question.kind]
        if question.answers or question.unanswerable:
            line.append([sorted(question.answers), question.unanswerable])
        if question.must != NOTHING:
            line.append(asdict(question.must))
        total.update(_line(line))
    for rule in sorted(rules, key=lambda each: each.name):
        total.update(_line(asdict(rule)))
    return total.hexdigest()


def _line(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def numbered(blocks: Iterable[bytes], where: str) -> Iterator[tuple[int, str]]:
    """Yield the lines that are not blank with their numbers from 1. Raises `ConfigInvalid`."""
    for number, part in enumerate(_split(blocks, where), 1):
        try:
            line = (part.removeprefix(b"\xef\xbb\xbf") if number == 1 else part).decode().rstrip("\r")
        except UnicodeDecodeError as error:
            raise invalid(where, number, "it is not UTF-8 text") from error
        if line and not line.isspace():
            yield number, line


def _split(blocks: Iterable[bytes], where: str) -> Iterator[bytes]:
    rest, number = b"", 0
    for block in blocks:
        *parts, rest = (rest + block).split(b"\n")
        number += len(parts)
        yield from parts
        if len(rest) > LONGEST:
            raise invalid(where, number + 1, f"it is longer than {LONGEST:,} bytes")
    yield rest


def objects(blocks: Iterable[bytes], where: str) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the JSON objects of a file with one in each line."""
    for number, line in numbered(blocks, where):
        try:
            value = guarded_json.read(line, max_bytes=LONGEST)
        except BadData as error:
            raise invalid(where, number, error.message[:1].lower() + error.message[1:].rstrip(".")) from error
        if not isinstance(value, dict):
            raise invalid(where, number, "expected a JSON object")
        yield number, value


def text_of(line: dict[str, Any], key: str, where: str, number: int, *, blank: bool = False) -> str:
    """Return a required text field; numbers become their digits, as some collections have numeric ids."""
    value = line.get(key)
    if isinstance(value, int) and not isinstance(value, bool):
        value = str(value)
    if not isinstance(value, str) or not (blank or value.strip()):
        raise invalid(where, number, f'"{key}" must be a text' + ("" if blank else " that is not blank"))
    return value


def invalid(where: str, number: int, cause: str) -> ConfigInvalid:
    """Return the error for a line."""
    return ConfigInvalid(where, f"line {number}: {cause}.")


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
        question_id = line.id or hashlib.sha256(line.query.encode()).hexdigest()[:12]
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


@dataclass(frozen=True, slots=True)
class Document:
    """A document in `corpus.jsonl`. `number`: its line number."""

    number: int
    document_id: str
    title: str
    text: str
    metadata: Mapping[str, Any] = field(default_factory=dict)


def beir_documents(blocks: Iterable[bytes], where: str) -> Iterator[Document]:
    """Yield the documents one at a time. Empty ones are allowed, duplicate ids are not."""
    for number, document_id, line in _identified(blocks, where, "document"):
        title = text_of({"title": "", **line}, "title", where, number, blank=True)
        text = text_of(line, "text", where, number, blank=True)
        metadata = line.get("metadata")
        yield Document(number, document_id, title, text, metadata if isinstance(metadata, dict) else {})


def beir_questions(blocks: Iterable[bytes], where: str) -> Iterator[JudgedQuestion]:
    """Yield the questions without judgements."""
    for number, question_id, line in _identified(blocks, where, "question"):
        answers = line.get("answers", [])
        if not isinstance(answers, list) or not all(isinstance(answer, str) and answer.strip() for answer in answers):
            raise invalid(where, number, "answers must be a list of texts")
        yield JudgedQuestion(question_id, text_of(line, "text", where, number), answers=tuple(answers))


def _identified(blocks: Iterable[bytes], where: str, kind: str) -> Iterator[tuple[int, str, dict[str, Any]]]:
    """Yield the objects with their line numbers and ids. A duplicate id raises `ConfigInvalid`."""
    ids: set[str] = set()
    for number, line in objects(blocks, where):
        line_id = text_of(line, "_id", where, number)
        if line_id in ids:
            raise invalid(where, number, f'the {kind} "{line_id[:80]}" stands twice')
        ids.add(line_id)
        yield number, line_id, line


def beir_judgements(blocks: Iterable[bytes], where: str) -> dict[str, list[Judgement]]:
    """Return judgements by question id from tab-separated lines `query-id, corpus-id, score`; a header is optional."""
    by_question: dict[str, list[Judgement]] = {}
    for number, line in numbered(blocks, where):
        fields = line.split("\t")
        if number == 1 and fields[-1].strip().lower() == "score":
            continue
        if len(fields) != 3 or not all(field.strip() for field in fields):
            raise invalid(where, number, "expected question, document and grade with tabs between them")
        question, document, grade = (field.strip() for field in fields)
        by_question.setdefault(question, []).append(Judgement(document, grade_of(grade, where, number)))
    return by_question


def grade_of(text: str, where: str, number: int) -> int:
    """Return a grade, which may be written as `1.0`. Negative grades (junk, spam) are kept and never relevant."""
    if not re.fullmatch(r"[+-]?[0-9]{1,6}(\.0{1,6})?", text):
        raise invalid(where, number, f'"{text[:40]}" is no grade; expected a whole number')
    return int(text.partition(".")[0])
