"""Datasets as they are kept: BEIR's layout, TREC topics and qrels, and questions as JSON lines.

The readers take lines and a name for messages, never a path: who opens files is the caller's business. Whatever is not
as it should be raises `ConfigInvalid` with file and line.
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
    """The dataset of these questions and rules, with the judgements that they carry or those given by question id.

    A question without a relevant judgement (a grade above 0) is counted and left out: its score could only be 0. Where
    it or a rule says what a procedure must do, it is kept beside the others.
    `judged`: raise `ConfigInvalid` for `where` if no question is left, not even one that is said to be unanswerable;
    else those without judgements are kept as unanswerable.
    """
    kept: list[JudgedQuestion] = []
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
            kept.append(question)
        elif question.unanswerable or not judged:
            unanswerable.append(question)
        else:
            unjudged.append(question)
    stated = [each for each in unjudged if each.must != NOTHING or any(rule.covers(each) for rule in rules)]
    if not kept and judged and not unanswerable and not stated:
        raise ConfigInvalid(where or name, UNJUDGED)
    unasked = sum(map(len, judgements.values())) - counted if judgements is not None else 0
    total = digest([*kept, *unanswerable, *stated], rules)
    return Dataset(name, tuple(kept), total, len(unjudged), unasked, tuple(unanswerable), tuple(stated), tuple(rules))


def digest(questions: Iterable[JudgedQuestion], rules: Iterable[Rule] = ()) -> str:
    """sha256 over questions, judgements and rules; the order in which they stand does not matter."""
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
