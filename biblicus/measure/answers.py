"""Measures a system's answers to a dataset's questions, and to further ones without an answer in the corpus."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from biblicus.answers.answer import answer_from, answerer
from biblicus.answers.conversations import from_sources
from biblicus.contracts import Call
from biblicus.corpus.folder import CorpusFolder
from biblicus.measure import answer_metrics
from biblicus.measure.answer_metrics import Cited
from biblicus.measure.judgements import Judgements
from biblicus.measure.systems import Bench, Target, judgements_for, percentiles, system_of
from biblicus.models.answers.answer import Answer
from biblicus.models.answers.evaluation import JudgedQuestion, RankedItem, Row, System
from biblicus.models.evidence import Evidence
from biblicus.models.plain import made_of
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
    bench: Bench, target: Target, name: str, llm: LLMClient | None, others: Sequence[JudgedQuestion], call: Call
) -> Measured:
    """Answer all questions with the answerer `name`. `others`: questions without an answer in the corpus.

    Raises the errors of the first question.
    """
    replies = _given(bench, target, name, llm, others, call)
    first = replies[0].answer.result
    judged = judgements_for(bench, first)
    proved = iter(_proved(bench, replies, call))
    rows = [_row(reply, judged, [next(proved) for _ in _cited(reply.answer)]) for reply in replies]
    answered = [(reply.answer, row) for reply, row in zip(replies, rows, strict=True) if reply.answer.statements]
    pairs = [(answer.confidence, row.metrics.get("answer_right", 0.0)) for answer, row in answered]
    bins = answer_metrics.calibration(
        [pair for pair, (answer, _) in zip(pairs, answered, strict=True) if not answer.is_nearest]
    )
    system = system_of(target.name, first, _figures(replies, bins), rows, len(judged.missing))
    return Measured(system, [asdict(calibration_bin) for calibration_bin in bins], pairs)


def _cited(answer: Answer) -> list[Evidence]:
    return [citation.as_evidence() for statement in answer.statements for citation in statement.citations]


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


def _proved(bench: Bench, given: Sequence[_Given], call: Call) -> list[Cited]:
    """Return the citations of all answers, checked by `verify`."""
    pieces = [piece for reply in given for piece in _cited(reply.answer)]
    holds = proofs(bench.corpus, [Piece.of(piece.as_object()) for piece in pieces], call)
    return [
        Cited(piece.item_id, piece.span_start, piece.span_end, is_valid)
        for piece, is_valid in zip(pieces, holds, strict=True)
    ]


def proofs(corpus: CorpusFolder, pieces: Sequence[Piece], call: Call) -> list[bool]:
    """Return True for each piece that `verify` confirms."""
    holds: list[bool] = []
    for start in range(0, len(pieces), BATCH):
        batch = tuple(pieces[start : start + BATCH])
        holds += [verdict.holds for verdict in verify(corpus, VerifyRequest(evidence=batch), call).evidence]
    return holds


def _row(one: _Given, judged: Judgements, cited: Sequence[Cited]) -> Row:
    question, answer = one.question, one.answer
    text = "" if answer.is_nearest else answer.answer
    grades: Mapping[str, int] = {}
    if question.unanswerable:
        values = answer_metrics.unanswerable(text, cited)
    else:
        judgement = judged.of(question)
        grades = {name: grade for name, grade in judgement.grades.items() if grade > 0}
        values = answer_metrics.scored(text, question.answers, cited, list(grades), judgement.spans)
    ranking = [
        RankedItem(piece.item_id, piece.path, answer.confidence, piece.chunk_id, piece.span_start, piece.span_end)
        for piece in _cited(answer)
    ]
    own = {"ranking": ranking, "tags": tags_of(question), "latency_ms": one.total_ms}
    relevant = {name.lstrip("\0"): grade for name, grade in grades.items()}
    return made_of(Row, question, metrics=values, relevant=relevant, **own)


def tags_of(question: JudgedQuestion) -> tuple[str, ...]:
    """Return the question's tags, with one for a question without an answer in the corpus."""
    return (*question.tags, UNANSWERABLE) if question.unanswerable else question.tags


def costs_of(answers: Iterable[str], usage: Sequence[Mapping[str, int]]) -> dict[str, float]:
    """Return the mean number of words of the answers, and the sums of what models used."""
    lengths = [len(answer.split()) for answer in answers]
    figures = {"answer_words": sum(lengths) / len(lengths) if lengths else 0.0}
    for name in ("requests", "input_tokens", "output_tokens"):
        if any(name in used for used in usage):
            figures[name] = float(sum(used.get(name, 0) for used in usage))
    return figures


def _figures(given: Sequence[_Given], bins: Sequence[answer_metrics.Bin]) -> dict[str, float]:
    figures = {
        **percentiles("latency", [reply.total_ms for reply in given]),
        "latency_queries": float(len(given)),
        "query_p50": percentiles("query", [reply.query_ms for reply in given])["query_p50"],
        **costs_of(
            (reply.answer.answer for reply in given if reply.answer.statements), [reply.answer.usage for reply in given]
        ),
    }
    confidence = {
        kind: [reply.answer.confidence for reply in given if reply.question.unanswerable is kind]
        for kind in (False, True)
    }
    area, error = answer_metrics.auc(confidence[False], confidence[True]), answer_metrics.calibration_error(bins)
    figures.update({} if area is None else {"abstention_auc": area})
    figures.update({} if error is None else {"calibration_error": error})
    return figures
