"""Dataset formats: BEIR, and questions as JSON lines.

Readers take lines and a name for messages, not paths; the caller opens files. Invalid content raises `ConfigInvalid`
with file and line.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, replace

from biblicus.errors import ConfigInvalid
from biblicus.models.answers.evaluation import NOTHING, Dataset, JudgedQuestion, Judgement, Rule

Grades = Mapping[str, Sequence[Judgement]]
"""Judgements by question id."""


UNJUDGED = "no question has a relevant judgement."


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
