"""Datasets as they are kept: BEIR's layout, TREC topics and qrels, and questions as JSON lines.

The readers take lines and a name for messages, never a path: who opens files is the caller's business. Whatever is not
as it should be raises `ConfigInvalid` with file and line.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from biblicus.errors import ConfigInvalid
from biblicus.models.answers.evaluation import Dataset, JudgedQuestion, Judgement

Grades = Mapping[str, Sequence[Judgement]]
"""Judgements by question id."""


UNJUDGED = "no question has a relevant judgement."


def assemble(
    name: str,
    questions: Iterable[JudgedQuestion],
    judgements: Grades | None = None,
    *,
    where: str = "",
    judged: bool = True,
) -> Dataset:
    """The dataset of these questions, with the judgements that they carry or those given by question id.

    A question without a relevant judgement (a grade above 0) is counted and left out: its score could only be 0.
    `judged`: raise `ConfigInvalid` for `where` if no question is left, not even one that is said to be unanswerable;
    else those without judgements are kept as unanswerable.
    """
    kept: list[JudgedQuestion] = []
    unanswerable: list[JudgedQuestion] = []
    unjudged = counted = 0
    for question in questions:
        if judgements is not None:
            grades = judgements.get(question.question_id, ())
            counted += len(grades)
            question = replace(question, judgements=tuple(grades))
        if any(judgement.grade > 0 for judgement in question.judgements):
            kept.append(question)
        elif question.unanswerable or not judged:
            unanswerable.append(question)
        else:
            unjudged += 1
    if not kept and judged and not unanswerable:
        raise ConfigInvalid(where or name, UNJUDGED)
    unasked = sum(map(len, judgements.values())) - counted if judgements is not None else 0
    return Dataset(name, tuple(kept), digest([*kept, *unanswerable]), unjudged, unasked, tuple(unanswerable))


def digest(questions: Iterable[JudgedQuestion]) -> str:
    """sha256 over questions and judgements; the order in which they stand does not matter."""
    total = hashlib.sha256()
    for question in sorted(questions, key=lambda each: each.question_id):
        judged = sorted((each.item, each.grade, each.span or ()) for each in question.judgements)
        line: list[object] = [question.question_id, question.text, judged, sorted(question.tags), question.kind]
        if question.answers or question.unanswerable:
            line.append([sorted(question.answers), question.unanswerable])
        total.update(json.dumps(line, ensure_ascii=False, separators=(",", ":")).encode() + b"\n")
    return total.hexdigest()
