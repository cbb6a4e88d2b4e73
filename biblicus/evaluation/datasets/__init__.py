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
from biblicus.models.evaluation import Dataset, Judged, Judgement

Grades = Mapping[str, Sequence[Judgement]]
"""Judgements by question id."""


def assemble(
    name: str,
    questions: Iterable[Judged],
    judgements: Grades | None = None,
    *,
    where: str = "",
    judged: bool = True,
) -> Dataset:
    """The dataset of these questions, with the judgements that they carry or those given by question id.

    A question without a relevant judgement (a grade above 0) is counted and left out: its score could only be 0.
    `judged`: raise `ConfigInvalid` for `where` if no question is left; else the others are kept as unanswerable.
    """
    kept: list[Judged] = []
    unanswerable: list[Judged] = []
    unjudged = asked = 0
    for question in questions:
        if judgements is not None:
            found = judgements.get(question.question_id, ())
            asked += len(found)
            question = replace(question, judgements=tuple(found))
        if any(judgement.grade > 0 for judgement in question.judgements):
            kept.append(question)
        elif question.unanswerable or not judged:
            unanswerable.append(question)
        else:
            unjudged += 1
    if not kept and judged:
        raise ConfigInvalid(where or name, "no question has a relevant judgement.")
    unasked = sum(map(len, judgements.values())) - asked if judgements is not None else 0
    return Dataset(name, tuple(kept), digest([*kept, *unanswerable]), unjudged, unasked, tuple(unanswerable))


def digest(questions: Iterable[Judged]) -> str:
    """sha256 over questions and judgements; the order in which they stand does not matter."""
    total = hashlib.sha256()
    for question in sorted(questions, key=lambda one: one.question_id):
        judged = sorted((one.item, one.grade, one.span or ()) for one in question.judgements)
        line: list[object] = [question.question_id, question.text, judged, sorted(question.tags), question.kind]
        if question.answers or question.unanswerable:
            line.append([sorted(question.answers), question.unanswerable])
        total.update(json.dumps(line, ensure_ascii=False, separators=(",", ":")).encode() + b"\n")
    return total.hexdigest()
