"""Measures a procedure on one system: runs each question of a dataset and checks the replies against requirements."""

from __future__ import annotations

import re
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from urllib.parse import unquote

from biblicus.contracts import Call
from biblicus.corpus.catalog import catalog_of
from biblicus.corpus.editorial.approvals import EXPIRES, Trust, check_named, now_of
from biblicus.corpus.folder import CorpusFolder
from biblicus.errors import DeadlineExceeded, LLMError
from biblicus.measure import answer_metrics, requirements
from biblicus.measure.answers import costs_of, proofs, tags_of
from biblicus.measure.judgements import Answers, absent, catalogued, resolved
from biblicus.measure.procedures import Failed, Procedure
from biblicus.measure.requirements import CitedItem, Reply
from biblicus.measure.systems import Bench, Target, judgements_for, percentiles, system_of
from biblicus.models.answers.evaluation import JudgedQuestion, Row, System
from biblicus.models.evidence import Result
from biblicus.models.requests.runs import Piece
from biblicus.search.searcher import LocalSearcher

_REF = re.compile(r"(?P<corpus>biblicus://[a-z0-9-]{1,64}/item/)?(?P<item>[^#]+)(#[a-z]+=[\d:-]+)?", re.DOTALL)
"""A reference in the form that agents get (docs/mcp.md)."""
SHOWN = 2_000
"""Maximum characters of a stored answer."""


def check_layers(bench: Bench, questions: Iterable[JudgedQuestion]) -> None:
    """Raise an error if a requirement uses a layer that the corpus does not have."""
    layers = [question.must.layer for question in questions] + [rule.must.layer for rule in bench.dataset.rules]
    check_named(bench.corpus, list(dict.fromkeys(filter(None, layers))))


def measure_procedure(
    bench: Bench,
    target: Target,
    ranked: System | None,
    procedure: Procedure,
    others: Sequence[JudgedQuestion],
    call: Call,
) -> System:
    """Return the system with the procedure's results added to its rankings (`ranked`).

    `others`: questions without relevant items.
    """
    asker = bench.make()
    questions = [*bench.dataset.questions, *others]
    try:
        first = asker.search(target.query(questions[0].text), call)
        answered = [
            _asked(procedure, question.text, target, asker, _counted(call, procedure, done, len(questions)))
            for done, question in enumerate(questions)
        ]
    finally:
        asker.close()
    return _measured(bench, target, ranked, procedure, questions, answered, first, call)


def _counted(call: Call, procedure: Procedure, done: int, total: int) -> Call:
    call.progress(f"ask {procedure.name}", done, total)
    return call


def _asked(procedure: Procedure, text: str, target: Target, asker: LocalSearcher, call: Call) -> Reply:
    """Return a question's reply within the procedure's time; a failure counts for this question only."""
    call.check()
    began = time.monotonic()
    until = began + procedure.seconds
    bounded = replace(call, deadline=until if call.deadline is None else min(until, call.deadline))
    try:
        answered = procedure.say(text, target, asker, bounded)
    except (Failed, LLMError, DeadlineExceeded) as error:
        call.check()
        late = isinstance(error, DeadlineExceeded)
        answered = Reply(problem=f"it took longer than {procedure.seconds:g} s" if late else str(error))
    return replace(answered, seconds=time.monotonic() - began)


def _measured(
    bench: Bench,
    target: Target,
    ranked: System | None,
    procedure: Procedure,
    questions: Sequence[JudgedQuestion],
    answered: Sequence[Reply],
    first: Result,
    call: Call,
) -> System:
    replies = _located(bench, answered, call)
    rules = bench.dataset.rules
    rows = _rows(bench, ranked, questions, replies, first)
    figures = {**(ranked.system if ranked else {}), **_figures(replies)}
    figures |= requirements.figures(replies, [violation for row in rows for violation in row.violations], rules)
    name = f"{target.name}/{procedure.name}"
    system = system_of(name, first, figures, rows, ranked.missing if ranked else 0)
    return replace(system, metrics=_in_display_order(bench, system.metrics))


def _rows(
    bench: Bench, ranked: System | None, questions: Sequence[JudgedQuestion], replies: Sequence[Reply], first: Result
) -> list[Row]:
    """Return a row for each question: its ranking, if any, and the procedure's results."""
    judged = judgements_for(bench, first)
    rankings = {row.question_id: row for row in ranked.rows} if ranked else {}
    named = [name for question in questions for name in question.must.cite]
    named += [name for rule in bench.dataset.rules for name in rule.must.cite]
    ids = resolved(bench.dataset.name, set(named), catalogued(catalog_of(bench.corpus)))
    rows = []
    for question, reply in zip(questions, replies, strict=True):
        values, violations = requirements.judged(question, bench.dataset.rules, reply, ids)
        row = rankings.get(question.question_id) or _unranked(question)
        judgement = judged.of(question) if question.judgements and not question.unanswerable else None
        scores, answer = {**values, **_grounded(question, reply, judgement), **row.metrics}, reply.answer[:SHOWN]
        rows.append(replace(row, metrics=scores, answer=answer, violations=violations, problem=reply.problem))
    return rows


def _in_display_order(bench: Bench, means: Mapping[str, float]) -> dict[str, float]:
    """Return the means, those of procedures first."""
    names = [*requirements.METRICS, *answer_metrics.METRICS, *(metric.name for metric in bench.metrics)]
    return {name: means[name] for name in names if name in means}


def _unranked(question: JudgedQuestion) -> Row:
    return Row(question.question_id, question.text, {}, [], tags=tags_of(question), kind=question.kind)


def _grounded(question: JudgedQuestion, reply: Reply, judgement: Answers | None) -> dict[str, float]:
    """Return the metrics of every answer: correctness, citations, abstention."""
    if reply.problem:
        return {}
    if question.unanswerable:
        return {**answer_metrics.unanswerable(reply.answer, reply.cited), "abstained": float(reply.refused)}
    if judgement is None:
        return {}
    relevant = [name for name, grade in judgement.grades.items() if grade > 0]
    values = answer_metrics.scored(reply.answer, question.answers, reply.cited, relevant, judgement.spans)
    return {**values, "answered": float(not reply.refused)}


# --- checks of answers against the corpus ---


def _located(bench: Bench, answered: Sequence[Reply], call: Call) -> list[Reply]:
    """Return the replies, their citations located in the corpus and verified."""
    places = _Places(bench.corpus, call)
    pieces = [piece for reply in answered for piece in reply.cited if isinstance(piece, Piece)]
    proved = iter(proofs(bench.corpus, pieces, call))
    replies = []
    for reply in answered:
        cited = [places.of(name, isinstance(name, Piece) and next(proved)) for name in reply.cited]
        replies.append(replace(reply, cited=cited))
    return replies


class _Places:
    """Locates citations in the present corpus: item and layer come from the corpus, never from the citation."""

    def __init__(self, corpus: CorpusFolder, call: Call) -> None:
        self._catalog, self._trust = catalog_of(corpus), Trust(corpus, now_of(call))

    def _item(self, cited: str) -> str:
        """Return the id or path in a reference, which may include a part: `ID`, `notes/lamp.md#lines=3-9`."""
        if cited in self._catalog.paths or cited in self._catalog.items:
            return cited
        ref = _REF.fullmatch(cited)
        if ref is None:
            return cited
        return unquote(ref["item"]) if ref["corpus"] else ref["item"]

    def of(self, cited: Piece | str, verified: bool) -> CitedItem:
        name = cited.item_id if isinstance(cited, Piece) else self._item(cited)
        path = self._catalog.paths.get(name, name)
        item = self._catalog.items.get(path)
        span = (cited.span_start, cited.span_end) if isinstance(cited, Piece) else (0, 0)
        if item is None:
            return CitedItem(absent(name), *span, verified=False, path=path, layer=None)
        layer = item.layer if self._trust.shows(item, item.metadata.get(EXPIRES)) else None
        return CitedItem(item.item_id, *span, verified=verified, path=path, layer=layer)


def _figures(replies: Sequence[Reply]) -> dict[str, float]:
    answers = (reply.answer for reply in replies if reply.answer and not reply.refused)
    return {
        **percentiles("procedure", [reply.seconds * 1000 for reply in replies]),
        **costs_of(answers, [reply.usage for reply in replies]),
    }
