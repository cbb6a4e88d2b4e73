"""The command that measures: eval."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from biblicus.connectors.cli import output
from biblicus.connectors.cli.options import Corpus, Json, place_of
from biblicus.errors import UsageError

if TYPE_CHECKING:
    from biblicus.corpus.folder import CorpusFolder
    from biblicus.models.evaluation import Difference, Evaluation, Gate, System

_SHOWN = 10


def add(app: typer.Typer) -> None:
    """Register the commands."""
    app.command("eval")(evaluate)


def evaluate(
    dataset: Annotated[
        str | None,
        typer.Argument(
            metavar="DATASET", help="A registered name, or the path of a dataset; with --golden, of a YAML file."
        ),
    ] = None,
    recipe: Annotated[
        list[str] | None, typer.Option("--recipe", metavar="NAME|FILE", help="A recipe that has a run (repeat).")
    ] = None,
    run: Annotated[
        list[str] | None, typer.Option("--run", metavar="RUN|FILE", help="A run, or a TREC run file (repeat).")
    ] = None,
    metric: Annotated[
        list[str] | None,
        typer.Option(
            "--metric",
            metavar="NAME",
            help="ndcg, recall, precision, map, mrr, success, span_success; with a cut-off: ndcg@10 (repeat).",
        ),
    ] = None,
    cutoff: Annotated[
        list[int] | None,
        typer.Option("-k", "--cutoff", metavar="N", help="Cut-off of metrics named without one (repeat)."),
    ] = None,
    split: Annotated[
        str | None, typer.Option("--split", metavar="NAME", help="Which judgements (default: test).")
    ] = None,
    baseline: Annotated[
        str | None,
        typer.Option(
            "--baseline", metavar="RUN|FILE|RECIPE", help="What the others are compared with: an evaluation's JSON too."
        ),
    ] = None,
    fail_if: Annotated[
        list[str] | None,
        typer.Option(
            "--fail-if", metavar="CONDITION", help='Leave with exit code 4 if so: "ndcg@10 < baseline - 0.01" (repeat).'
        ),
    ] = None,
    report: Annotated[
        list[Path] | None,
        typer.Option("--report", metavar="FILE", help="Write .html, .md, .xml (JUnit), .json or .trec (repeat)."),
    ] = None,
    answers: Annotated[
        bool, typer.Option("--answers", help="Measure answers: right, cited, verified, silent where nothing answers.")
    ] = False,
    answerer: Annotated[
        str | None, typer.Option("--answerer", metavar="NAME", help="Who answers, with --answers (default: quote).")
    ] = None,
    llm: Annotated[
        str | None, typer.Option("--llm", metavar="NAME", help="Which language model of your configuration answers.")
    ] = None,
    unanswerable: Annotated[
        str | None,
        typer.Option(
            "--unanswerable", metavar="DATASET", help="Questions that this corpus does not answer, with --answers."
        ),
    ] = None,
    golden: Annotated[
        bool,
        typer.Option(
            "--golden",
            help="Check golden questions (default: .biblicus/datasets/golden.yml); exit code 4 where one fails.",
        ),
    ] = False,
    per_query: Annotated[bool, typer.Option("--per-query", help="With --json, also a row for every question.")] = False,
    as_json: Json = False,
    corpus: Corpus = None,
) -> None:
    """Measure recipes on a dataset: quality, latency, size. With no recipe or run named, all recipes that have one."""
    from biblicus.answers.language_models import answerer_for
    from biblicus.measure.evaluate import EvaluationRequest
    from biblicus.measure.evaluate import evaluate as operation

    if golden:
        _golden(place_of(corpus), dataset, recipe or [], report or [], as_json=as_json)
        return
    if dataset is None:
        raise UsageError("Name a dataset, or say --golden.", "biblicus datasets list")
    request = EvaluationRequest(
        dataset,
        tuple(recipe or ()),
        tuple(run or ()),
        tuple(metric or ()),
        tuple(cutoff or ()),
        split,
        baseline,
        tuple(fail_if or ()),
        tuple(report or ()),
        answerer_for(answerer, llm) if answers or answerer or llm or unanswerable else None,
        llm,
        unanswerable,
    )
    with output.watched() as call:
        found, written = operation(place_of(corpus), request, call)
    if as_json:
        from biblicus.evaluation.record import as_document

        output.document(as_document(found, per_query=per_query))
    else:
        _show(found)
        for path in written:
            output.line(f"Wrote {path}")
    if any(not gate.holds for gate in found.gates):
        raise typer.Exit(4)


def _golden(
    place: CorpusFolder, file: str | None, recipe: Sequence[str], report: Sequence[Path], *, as_json: bool
) -> None:
    """Golden questions: what fails, with what was expected and what was found."""
    from biblicus.measure.golden import check_golden

    if len(recipe) > 1:
        raise UsageError("Golden questions are asked of one recipe.", "biblicus eval --golden --recipe lexical")
    with output.watched() as call:
        found = check_golden(place, call, file=file, recipe=recipe[0] if recipe else None, reports=report)
    if as_json:
        output.document(found)
    else:
        for one in found.checked:
            output.line(f"{'ok' if one.holds else 'failed':7} {one.question}", fg="green" if one.holds else "red")
            if not one.holds:
                output.line(f"        expected: {one.expected}")
                output.line(f"        found:    {one.found}")
        good = sum(one.holds for one in found.checked)
        output.line(f"{good} of {len(found.checked)} golden questions hold.", bold=True)
    if not found.ok:
        raise typer.Exit(4)


def _show(found: Evaluation) -> None:
    left = f", {found.unjudged} without judgements left out" if found.unjudged else ""
    output.line(f"{found.dataset}: {found.questions} questions{left}", bold=True)
    unasked = found.settings.get("unasked")
    if unasked:
        output.line(f"{unasked} judgements are of questions that the dataset does not have.", fg="yellow")
    for system in found.systems:
        if system.missing:
            output.line(
                f"{system.missing} judged items are not in {system.name}; they count as not found.", fg="yellow"
            )
    output.line()
    output.table(_table(found.systems), right=frozenset(range(1, len(found.systems) + 1)))
    if found.comparisons:
        output.line()
        base = found.comparisons[0].base
        output.line(f"Against {base} (95 % interval; p corrected for all comparisons)", bold=True)
        output.table([_difference(one) for one in found.comparisons], right=frozenset((2,)))
    _show_calibration(found)
    for gate in found.gates:
        _show_gate(gate, found)


def _table(systems: Sequence[System]) -> list[list[str]]:
    """Metrics, then figures, as rows; systems as columns."""
    rows = [["", *(system.name for system in systems)]]
    names = dict.fromkeys(name for system in systems for name in system.metrics)
    rows += [[name, *(_number(system.metrics.get(name)) for system in systems)] for name in names]
    measured = [figure for figure in _FIGURES if any(figure[0] in system.system for system in systems)]
    return rows + [
        [title, *(_figure(system.system.get(name), form) for system in systems)] for name, title, form in measured
    ]


def _show_calibration(found: Evaluation) -> None:
    """Of answers: how often those with so much confidence are right."""
    for name, bins in found.settings.get("calibration", {}).items():
        output.line()
        output.line(f"{name}: confidence against being right", bold=True)
        rows = [["confidence", "answers", "mean", "right"]]
        for one in bins:
            between = f"{one['low']:.1f}-{one['high']:.1f}"
            rows.append([between, str(one["count"]), f"{one['confidence']:.2f}", f"{one['right']:.2f}"])
        output.table(rows, right=frozenset((1, 2, 3)))


_FIGURES = (
    ("latency_p50", "latency p50", "ms"),
    ("latency_p95", "latency p95", "ms"),
    ("latency_p99", "latency p99", "ms"),
    ("latency_cold", "latency cold", "ms"),
    ("throughput", "queries a second", ""),
    ("index_bytes", "index", "size"),
    ("build_ms", "build", "s"),
    ("peak_memory_bytes", "peak memory", "size"),
    ("tokens", "tokens asked", ""),
    ("cost", "cost of asking", "money"),
    ("build_tokens", "tokens embedded", ""),
    ("build_cost", "cost of embedding", "money"),
    ("query_p50", "evidence p50", "ms"),
    ("answer_words", "words an answer", ""),
    ("requests", "model requests", ""),
    ("input_tokens", "tokens read", ""),
    ("output_tokens", "tokens written", ""),
    ("abstention_auc", "abstention AUC", "share"),
    ("calibration_error", "calibration error", "share"),
)


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.4f}"


def _figure(value: float | None, form: str) -> str:
    if value is None:
        return "-"
    if form == "size":
        return output.size(int(value))
    if form == "share":
        return f"{value:.4f}"
    if form == "money":
        return f"{value:.6f}".rstrip("0").rstrip(".")
    return {"ms": f"{value:.1f} ms", "s": f"{value / 1000:.1f} s"}.get(form, f"{value:,.0f}")


def _difference(one: Difference) -> list[str]:
    p = "p < 0.0001" if one.p_adjusted < 0.0001 else f"p {one.p_adjusted:.4f}"
    return [
        one.other,
        one.metric,
        f"{one.difference:+.4f}",
        f"[{one.low:+.4f}, {one.high:+.4f}]",
        p,
        f"better {one.wins}, worse {one.losses}, same {one.ties}",
    ]


def _show_gate(gate: Gate, found: Evaluation) -> None:
    word, colour = ("Passed", "green") if gate.holds else ("FAILED", "red")
    output.line()
    output.line(f"{word}: {gate.system}: not {gate.condition}: {gate.detail}.", fg=colour, bold=not gate.holds)
    texts = {row.question_id: row.text for system in found.systems for row in system.rows}
    if gate.worse:
        output.line(f"{len(gate.worse)} questions got worse, the worst first:")
    for question in gate.worse[:_SHOWN]:
        output.line(f"  {question}  {texts.get(question, '')[:90]}")
    if len(gate.worse) > _SHOWN:
        output.line(f"  … and {len(gate.worse) - _SHOWN} more; --json lists them all")
