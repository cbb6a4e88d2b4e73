"""Measures one system on a dataset: its rankings and answers, and its costs in time, memory and disk."""

from __future__ import annotations

import math
import re
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass
from statistics import median
from typing import Any

from biblicus.answers.answer import answer_from, answerer
from biblicus.answers.conversations import from_sources
from biblicus.contracts import Call, LLMClient
from biblicus.corpus.catalog import catalog_of
from biblicus.corpus.folder import CorpusFolder
from biblicus.guards.processes import peak, reset_peak
from biblicus.measure import answer_metrics, metrics
from biblicus.measure.answer_metrics import Cited
from biblicus.measure.documents import KIND, Answers, Judgements, Known, catalogued
from biblicus.measure.metrics import Metric
from biblicus.models.answers.answer import Answer
from biblicus.models.answers.evaluation import Dataset, JudgedQuestion, RankedItem, Row, System
from biblicus.models.evidence import Evidence, Result
from biblicus.models.manifest import Manifest
from biblicus.models.plain import made_of
from biblicus.models.requests.answer import AnswerRequest
from biblicus.models.requests.query import QueryRequest
from biblicus.models.requests.runs import BATCH, Piece, VerifyRequest
from biblicus.runs import manifests as runs
from biblicus.search.searcher import LocalSearcher
from biblicus.search.verify import verify

WARM_SECONDS = 10.0
"""Time limit for timing queries; slow recipes are timed on fewer of them."""
_COLD_TIMES, _COLD_SECONDS = 3, 2.0
_AT_LEAST = 3
_SOURCE = re.compile(rf'"source":\{{"kind":"{KIND}","uri":"([^"\\]*)"')

UNANSWERABLE = "unanswerable"
"""Tag of questions without an answer in the corpus."""


class _Trial(QueryRequest):
    """A query to a run with another recipe's query settings, which requests of users cannot combine."""

    def __post_init__(self) -> None:
        super(QueryRequest, self).__post_init__()


@dataclass(frozen=True)
class Target:
    """A recipe's latest run, or a run, to measure. `name`: its name in results."""

    name: str
    recipe: str | None = None
    run_id: str | None = None

    def query(self, text: str) -> QueryRequest:
        """Return a query to this target, with the recipe's own budget."""
        return _Trial(text, recipe=self.recipe, run=self.run_id)


@dataclass(frozen=True)
class Bench:
    """Shared settings of all systems in an evaluation.

    `make`: creates a searcher as users have it. `hold`: creates one that reads live files once.
    """

    corpus: CorpusFolder
    make: Callable[[], LocalSearcher]
    dataset: Dataset
    metrics: Sequence[Metric]
    depth: int
    hold: Callable[[], LocalSearcher] | None = None


def measure(bench: Bench, target: Target, call: Call) -> System:
    """Measure one system. Raises the errors of its first query: `NoRun`, `RunNotFound`, `ExtraMissing`, …"""
    reset_peak()
    asker = bench.make()
    try:
        first = asker.search(target.query(bench.dataset.questions[0].text), call)
        manifest = runs.read(bench.corpus, first.run_id)
        warm = _warm(bench, asker, target, call)
        judged = Judgements(bench.dataset, _items(bench.corpus, manifest))
        if not manifest.sizes and bench.hold is not None:
            asker.close()
            asker = bench.hold()
        rows = rank_all(bench, asker, target, judged, warm, call)  # uses cached question vectors
    finally:
        asker.close()
    figures = {**_latencies(warm), "latency_cold": _cold(bench, target, call), **_built(manifest)}
    if most := peak():
        figures["peak_memory_bytes"] = float(most)
    return system_of(target.name, first, figures, rows, len(judged.missing))


def system_of(name: str, first: Result, figures: dict[str, float], rows: list[Row], missing: int) -> System:
    """Return a measured system. `first`: any result of its run."""
    means = metrics.means([row.metrics for row in rows])
    return System(name, first.recipe_id, first.run_id, first.index_version, means, figures, rows, missing)


def judgements_for(bench: Bench, result: Result) -> Judgements:
    """Return the dataset's judgements, resolved against the items of a result's run."""
    return Judgements(bench.dataset, _items(bench.corpus, runs.read(bench.corpus, result.run_id)))


# --- rankings ---


def rank_all(
    bench: Bench, asked: LocalSearcher, target: Target, judged: Judgements, warm: Mapping[str, float], call: Call
) -> list[Row]:
    """Return the rows of all questions. `warm`: the latency in ms of those that were timed."""
    rows = []
    for done, question in enumerate(bench.dataset.questions):
        call.progress(f"rank {target.name}", done, len(bench.dataset.questions))
        ranking = asked.rank(target.query(question.text), bench.depth, call)
        rows.append(_row(bench, question, ranking, judged.of(question), warm.get(question.question_id, 0.0)))
    return rows


def _row(bench: Bench, question: JudgedQuestion, ranking: list[RankedItem], answers: Answers, ms: float = 0.0) -> Row:
    scores = metrics.score(bench.metrics, ranking, answers.grades, answers.spans)
    relevant = {name.lstrip("\0"): grade for name, grade in answers.grades.items() if grade > 0}
    return made_of(Row, question, metrics=scores, ranking=ranking, latency_ms=ms, relevant=relevant)


def _items(corpus: CorpusFolder, manifest: Manifest) -> Known:
    """Yield the run's items as (id, path, source URI); those of the catalog if the run has no index files."""
    if not corpus.store.holds(manifest.run_id):
        yield from catalogued(catalog_of(corpus))
        return
    with closing(corpus.store.tables(manifest.run_id)) as tables:
        for row in tables.all_items():
            source = _SOURCE.search(row.record)
            yield row.item_id, row.path, source[1] if source else ""


# --- figures ---


def _warm(bench: Bench, asked: LocalSearcher, target: Target, call: Call) -> dict[str, float]:
    """Return the latency in ms by question, one after the other, within the time limit. A query ran before."""
    taken: dict[str, float] = {}
    until = time.perf_counter() + WARM_SECONDS
    for question in bench.dataset.questions:
        call.progress(f"ask {target.name}", len(taken), len(bench.dataset.questions))
        began = time.perf_counter()
        asked.search(target.query(question.text), call)
        ended = time.perf_counter()
        taken[question.question_id] = (ended - began) * 1000
        if ended > until and len(taken) >= _AT_LEAST:
            break
    return taken


def _latencies(taken: Mapping[str, float]) -> dict[str, float]:
    total = math.fsum(taken.values())
    return {
        **percentiles("latency", list(taken.values())),
        "latency_queries": float(len(taken)),
        "throughput": 1000 * len(taken) / total if total else 0.0,
    }


def percentiles(name: str, values: Sequence[float]) -> dict[str, float]:
    """Return `NAME_p50`, `NAME_p95` and `NAME_p99` by nearest rank: the smallest value that at least this share of the
    values does not exceed."""
    ordered = sorted(values)
    return {f"{name}_p{share}": ordered[max(0, math.ceil(len(ordered) * share / 100) - 1)] for share in (50, 95, 99)}


def _cold(bench: Bench, target: Target, call: Call) -> float:
    """Return the median time in ms of a new searcher's first query, in a process with all modules loaded."""
    taken: list[float] = []
    while len(taken) < _COLD_TIMES and sum(taken) < _COLD_SECONDS * 1000:
        with closing(bench.make()) as fresh:
            began = time.perf_counter()
            fresh.search(target.query(bench.dataset.questions[0].text), call)
            taken.append((time.perf_counter() - began) * 1000)
    return median(taken)


def _built(manifest: Manifest) -> dict[str, float]:
    return {
        "index_bytes": float(sum(manifest.sizes.values())),
        "build_ms": float(manifest.timings.get("total", sum(manifest.timings.values()))),
    }


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
    rows = [_answer_row(reply, judged, [next(proved) for _ in _cited(reply.answer)]) for reply in replies]
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
    questions = [*bench.dataset.questions, *others]
    chosen_answerer = answerer(AnswerRequest("", answerer=name), llm)
    replies = []
    with closing(bench.make()) as asker:
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


def _answer_row(one: _Given, judged: Judgements, cited: Sequence[Cited]) -> Row:
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
