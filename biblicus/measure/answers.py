"""Measures a system's answers to a dataset's questions, and to further ones without an answer in the corpus."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from biblicus.answers.answer import answer_from, answerer
from biblicus.answers.conversations import from_sources
from biblicus.contracts import Call
from biblicus.evaluation import answers, metrics
from biblicus.evaluation.answers import Cited
from biblicus.measure.judgements import Judgements
from biblicus.measure.systems import Bench, Target, judgements_for, percentile
from biblicus.models.answers.answer import Answer
from biblicus.models.answers.evaluation import JudgedQuestion, RankedItem, Row, System
from biblicus.models.requests.answer import AnswerRequest
from biblicus.models.requests.runs import BATCH, Piece, VerifyRequest
from biblicus.search.verify import verify

if TYPE_CHECKING:
    from biblicus.contracts import LLMClient

UNANSWERABLE = "unanswerable"
"""Tag of questions without an answer in the corpus."""


@dataclass(frozen=True)
class Measured:
    """A system with its calibration table: confidence against correctness. `pairs`: both for each question."""

    system: System
    calibration: Sequence[Mapping[str, Any]]
    pairs: Sequence[tuple[float, float]] = ()


@dataclass(frozen=True)
class _Given:
    """A question with its answer, and the times for evidence and answer in ms."""

    question: JudgedQuestion
    answer: Answer
    query_ms: float
    total_ms: float


def measure_answers(
    bench: Bench,
    target: Target,
    name: str,
    llm: LLMClient | None,
    others: Sequence[JudgedQuestion],
    call: Call,
) -> Measured:
    """Answer all questions with the answerer `name`. `others`: questions without an answer in the corpus.

    Raises the errors of the first question.
    """
    replies = _given(bench, target, name, llm, others, call)
    judged = judgements_for(bench, replies[0].answer.result)
    proved = _proved(bench, replies, call)
    rows = [_row(reply, judged, cited) for reply, cited in zip(replies, proved, strict=True)]
    bins = answers.calibration(
        [
            (reply.answer.confidence, row.metrics.get("answer_right", 0.0))
            for reply, row in zip(replies, rows, strict=True)
            if reply.answer.statements and not reply.answer.is_nearest
        ]
    )
    first = replies[0].answer.result
    system = System(
        name=target.name,
        recipe_id=first.recipe_id,
        run_id=first.run_id,
        index_version=first.index_version,
        metrics=metrics.means([row.metrics for row in rows]),
        system=_figures(replies, bins),
        rows=rows,
        missing=len(judged.missing),
    )
    pairs = [
        (reply.answer.confidence, row.metrics.get("answer_right", 0.0))
        for reply, row in zip(replies, rows, strict=True)
        if reply.answer.statements
    ]
    return Measured(system, [asdict(calibration_bin) for calibration_bin in bins], pairs)


def _given(
    bench: Bench, target: Target, name: str, llm: LLMClient | None, others: Sequence[JudgedQuestion], call: Call
) -> list[_Given]:
    """Return the answers in order. The first question runs twice, so that times exclude the cost of opening files."""
    asker = bench.make()
    questions = [*bench.dataset.questions, *others]
    chosen_answerer = answerer(AnswerRequest("", answerer=name), llm)
    replies = []
    try:
        asker.search(target.query(questions[0].text), call)
        for done, question in enumerate(questions):
            call.progress(f"answer {target.name}", done, len(questions))
            query = target.query(question.text)
            began = time.perf_counter()
            result = from_sources(asker.search)(query, call)
            queried = time.perf_counter()
            answer = answer_from(result, chosen_answerer, AnswerRequest(query.query, answerer=name), call)
            ended = time.perf_counter()
            replies.append(_Given(question, answer, (queried - began) * 1000, (ended - began) * 1000))
    finally:
        asker.close()
    return replies


def _proved(bench: Bench, given: Sequence[_Given], call: Call) -> list[list[Cited]]:
    """Return each answer's citations, checked by `verify`."""
    pieces = [
        citation.as_evidence()
        for reply in given
        for statement in reply.answer.statements
        for citation in statement.citations
    ]
    holds: list[bool] = []
    for start in range(0, len(pieces), BATCH):
        batch = tuple(Piece.of(piece.as_object()) for piece in pieces[start : start + BATCH])
        holds += [verdict.holds for verdict in verify(bench.corpus, VerifyRequest(evidence=batch), call).evidence]
    cited = iter(
        [
            Cited(piece.item_id, piece.span_start, piece.span_end, is_valid)
            for piece, is_valid in zip(pieces, holds, strict=True)
        ]
    )
    return [[next(cited) for statement in reply.answer.statements for _ in statement.citations] for reply in given]


def _row(one: _Given, judged: Judgements, cited: Sequence[Cited]) -> Row:
    question, answer = one.question, one.answer
    text = "" if answer.is_nearest else answer.answer
    grades: Mapping[str, int] = {}
    if question.unanswerable:
        values = answers.unanswerable(text, cited)
    else:
        judgement = judged.of(question)
        grades = {name: grade for name, grade in judgement.grades.items() if grade > 0}
        values = answers.scored(text, question.answers, cited, list(grades), judgement.spans)
    return Row(
        question_id=question.question_id,
        text=question.text,
        metrics=values,
        ranking=_ranking(answer),
        latency_ms=one.total_ms,
        tags=(*question.tags, UNANSWERABLE) if question.unanswerable else question.tags,
        kind=question.kind,
        relevant={name.lstrip("\0"): grade for name, grade in grades.items()},
    )


def _ranking(answer: Answer) -> list[RankedItem]:
    """Return the cited evidence in the answer's order, each with the answer's confidence."""
    pieces = [citation.as_evidence() for statement in answer.statements for citation in statement.citations]
    return [
        RankedItem(piece.item_id, piece.path, answer.confidence, piece.chunk_id, piece.span_start, piece.span_end)
        for piece in pieces
    ]


def _figures(given: Sequence[_Given], bins: Sequence[answers.Bin]) -> dict[str, float]:
    total = sorted(reply.total_ms for reply in given)
    query = sorted(reply.query_ms for reply in given)
    lengths = [len(reply.answer.answer.split()) for reply in given if reply.answer.statements]
    figures = {
        **{f"latency_p{share}": percentile(total, share) for share in (50, 95, 99)},
        "latency_queries": float(len(total)),
        "query_p50": percentile(query, 50),
        "answer_words": sum(lengths) / len(lengths) if lengths else 0.0,
    }
    for name in ("requests", "input_tokens", "output_tokens"):
        if any(name in reply.answer.usage for reply in given):
            figures[name] = float(sum(reply.answer.usage.get(name, 0) for reply in given))
    confidence = {
        kind: [reply.answer.confidence for reply in given if reply.question.unanswerable is kind]
        for kind in (False, True)
    }
    area, error = answers.auc(confidence[False], confidence[True]), answers.calibration_error(bins)
    figures.update({} if area is None else {"abstention_auc": area})
    figures.update({} if error is None else {"calibration_error": error})
    return figures
