"""BEIR format: `corpus.jsonl` (`_id, title, text`), `queries.jsonl` (`_id, text`), `qrels/<split>.tsv`.

Questions may have `answers`, as in Biblicus's JSON lines.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from biblicus.measure.formats.lines import invalid, numbered, objects, text_of
from biblicus.models.answers.evaluation import JudgedQuestion, Judgement


@dataclass(frozen=True, slots=True)
class Document:
    """A document in `corpus.jsonl`. `number`: its line number."""

    number: int
    document_id: str
    title: str
    text: str
    metadata: Mapping[str, Any] = field(default_factory=dict)


def documents(blocks: Iterable[bytes], where: str) -> Iterator[Document]:
    """Yield the documents one at a time. Empty ones are allowed, duplicate ids are not."""
    for number, document_id, line in _identified(blocks, where, "document"):
        title = text_of({"title": "", **line}, "title", where, number, blank=True)
        text = text_of(line, "text", where, number, blank=True)
        metadata = line.get("metadata")
        yield Document(number, document_id, title, text, metadata if isinstance(metadata, dict) else {})


def questions(blocks: Iterable[bytes], where: str) -> Iterator[JudgedQuestion]:
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


def judgements(blocks: Iterable[bytes], where: str) -> dict[str, list[Judgement]]:
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
