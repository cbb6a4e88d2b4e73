"""Commands for evaluation: eval, tune, datasets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from biblicus import measure, search
from biblicus.connectors.cli import output
from biblicus.connectors.cli.front.commands import Command, Given
from biblicus.errors import UsageError
from biblicus.models import requests
from biblicus.models.fields import option
from biblicus.service.verbs import DATASET, DATASETS, EVALUATE, GOLDEN, IMPORT_DATASET, SYNTHESIZE, TUNE

if TYPE_CHECKING:
    from biblicus.measure.datasets import DatasetEntry
    from biblicus.measure.documents import Imported
    from biblicus.measure.evaluate import Evaluated
    from biblicus.measure.golden import GoldenReport
    from biblicus.measure.synthesize import Synthesized
    from biblicus.measure.tune import Tuning
    from biblicus.models.answers.evaluation import Difference, Evaluation, Gate, System

_SHOWN = 10
_OF_GOLDEN = frozenset(("golden", "dataset", "recipes", "reports"))


@dataclass(frozen=True, kw_only=True)
class _Measuring:
    answers: bool = option(
        False, "Measure answers: whether they are right, cited, verified, and absent where nothing answers."
    )
    golden: bool = option(
        False, "Check golden questions (default: .biblicus/datasets/golden.yml); exit with code 4 if one fails."
    )
    per_query: bool = option(False, "With --json: include a row for each question.")


def _measured(given: Given) -> Evaluated | GoldenReport:
    if given.own.golden:
        return _checked_golden(given)
    if given.values.get("dataset") is None:
        raise UsageError("Name a dataset, or say --golden.", "biblicus datasets list")

    request = given.request
    if request.procedures or request.commands:
        if given.own.answers:
            raise UsageError("Measure answers or procedures, not both.", "biblicus eval DATASET --procedure answer")
    elif given.own.answers or request.answerer or request.llm or request.unanswerable or request.calibrate:
        request = replace(request, answerer=search.language_models.answerer_for(request.answerer, request.llm))
    evaluated: Evaluated = given.ask(EVALUATE, request)
    return evaluated


def _checked_golden(given: Given) -> GoldenReport:
    for entry in given.command.parts[requests.measure.EvaluateRequest] + given.command.parts[_Measuring]:
        if given.values.get(entry.name) and entry.name not in _OF_GOLDEN:
            raise UsageError(f"Golden questions take no {entry.flags[0]}.", "biblicus eval --golden")
    recipes = given.values.get("recipes") or ()
    if len(recipes) > 1:
        raise UsageError("Golden questions are asked of one recipe.", "biblicus eval --golden --recipe lexical")
    request = requests.measure.GoldenRequest(
        given.values.get("dataset"), recipe=next(iter(recipes), None), reports=given.values.get("reports") or ()
    )
    report: GoldenReport = given.ask(GOLDEN, request)
    return report


def _document(reply: Evaluated | GoldenReport, given: Given) -> Any:
    if isinstance(reply, measure.golden.GoldenReport):
        return reply

    return measure.stored.as_document(reply.evaluation, per_query=given.own.per_query)


def _show(reply: Any, given: Given) -> None:
    if given.own.golden:
        _show_golden(reply)
        return
    _show_evaluation(reply.evaluation)
    for path in reply.files:
        output.line(f"Wrote {path}")


def _code(reply: Any) -> int:
    holds = reply.ok if hasattr(reply, "golden") else all(gate.holds for gate in reply.evaluation.gates)
    return 0 if holds else 4


def _show_golden(report: GoldenReport) -> None:
    """Print the golden questions; for failed ones the expected and the actual result."""
    for checked in report.golden:
        output.line(
            f"{'ok' if checked.holds else 'failed':7} {checked.question}", fg="green" if checked.holds else "red"
        )
        if not checked.holds:
            output.line(f"        expected: {checked.expected}")
            output.line(f"        found:    {checked.found}")
    good = sum(checked.holds for checked in report.golden)
    output.line(f"{good} of {len(report.golden)} golden questions hold.", bold=True)


def _show_evaluation(found: Evaluation) -> None:
    left = f", {found.unjudged} without judgements left out" if found.unjudged else ""
    output.line(f"{found.dataset}: {output.count(found.questions, 'questions')}{left}", bold=True)
    _show_lacking(found)
    output.line()
    output.table(_table(found.systems), right=frozenset(range(1, len(found.systems) + 1)))
    _show_broken(found)
    if found.comparisons:
        output.line()
        base = found.comparisons[0].base
        output.line(f"Against {base} (95 % interval; p corrected for all comparisons)", bold=True)
        output.table([_difference(comparison) for comparison in found.comparisons], right=frozenset((2,)))
    _show_calibration(found)
    for gate in found.gates:
        _show_gate(gate, found)


def _show_lacking(found: Evaluation) -> None:
    """Print judgements that cannot count: without a question, or of missing items."""
    unasked = found.settings.get("unasked")
    if unasked:
        are = "is of a question" if unasked == 1 else "are of questions"
        output.line(f"{output.count(unasked, 'judgements')} {are} that the dataset does not have.", fg="yellow")
    for system in found.systems:
        if system.missing:
            are, they = ("is", "it counts") if system.missing == 1 else ("are", "they count")
            judged = output.count(system.missing, "judged items")
            output.line(f"{judged} {are} not in {system.name}; {they} as not found.", fg="yellow")


def _table(systems: Sequence[System]) -> list[list[str]]:
    """Return a table of metrics and measurements as rows, and systems as columns."""
    from biblicus.measure.report import words

    rows = [["", *(system.name for system in systems)]]
    names = dict.fromkeys(name for system in systems for name in system.metrics)
    rows += [[name, *(_number(system.metrics.get(name)) for system in systems)] for name in names]
    measured = (name for name in words.NAMES if any(name in system.system for system in systems))
    for name in measured:
        values = (system.system.get(name) for system in systems)
        rows.append([words.NAMES[name].lower(), *("-" if v is None else words.figure(name, v) for v in values)])
    return rows


def _show_broken(found: Evaluation) -> None:
    """Print the answers of procedures that break requirements, the worst first."""
    from biblicus.measure.report.findings import Findings, shortcomings

    broken = Findings(found).broken
    if broken:
        output.line()
        output.line(f"Not as they must be, the worst first: {output.count(len(broken), 'answers')}", bold=True)
    for system, row in broken[:_SHOWN]:
        output.line(f"  {system.name}  {row.text[:90]}")
        for reason in shortcomings(row):
            output.line(f"      {reason}", fg="red")
    if len(broken) > _SHOWN:
        output.line(f"  … and {len(broken) - _SHOWN} more; --json --per-query lists them all")


def _show_calibration(found: Evaluation) -> None:
    """Print how often answers of each confidence are right."""
    for name, bins in found.settings.get("calibration", {}).items():
        output.line()
        output.line(f"{name}: confidence against being right", bold=True)
        rows = [["confidence", "answers", "mean", "right"]]
        for each in bins:
            rows.append([f"{each['low']:.1f}-{each['high']:.1f}", str(each["count"])])
            rows[-1] += [f"{each[name]:.2f}" for name in ("confidence", "right")]
        output.table(rows, right=frozenset((1, 2, 3)))


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.4f}"


def _difference(one: Difference) -> list[str]:
    p = "p < 0.0001" if one.p_adjusted < 0.0001 else f"p {one.p_adjusted:.4f}"
    interval, counts = f"[{one.low:+.4f}, {one.high:+.4f}]", f"better {one.wins}, worse {one.losses}, same {one.ties}"
    return [one.other, one.metric, f"{one.difference:+.4f}", interval, p, counts]


def _show_gate(gate: Gate, found: Evaluation) -> None:
    word, colour, negated = ("Passed", "green", "not ") if gate.holds else ("FAILED", "red", "")
    output.line()
    output.line(f"{word}: {gate.system}: {negated}{gate.condition}: {gate.detail}.", fg=colour, bold=not gate.holds)
    texts = {row.question_id: row.text for system in found.systems for row in system.rows}
    if gate.worse:
        output.line(f"{output.count(len(gate.worse), 'questions')} got worse, the worst first:")
    for question in gate.worse[:_SHOWN]:
        output.line(f"  {question}  {texts.get(question, '')[:90]}")
    if len(gate.worse) > _SHOWN:
        output.line(f"  … and {len(gate.worse) - _SHOWN} more; --json lists them all")


def _show_tuning(found: Tuning, given: Given) -> None:
    chosen, holdout_count = found.questions
    output.line(
        f"{found.recipe} on {found.dataset}: {output.count(len(found.trials), 'settings')}, "
        f"{found.metric} on {output.count(chosen, 'questions')}, {holdout_count} held out",
        bold=True,
    )
    output.line()
    ranked = sorted(found.trials, key=lambda trial: -trial.search)
    output.table([[f"{trial.search:.4f}", measure.space.words(trial.settings)] for trial in ranked[:_SHOWN]])
    if len(ranked) > _SHOWN:
        output.line(f"… and {len(ranked) - _SHOWN} more; --json lists them all")
    output.line()
    if len({trial.search for trial in found.trials}) == 1:
        output.line(f"None of these settings changes {found.metric} on these questions.", bold=True)
        return
    if not found.best.settings:
        output.line("The recipe as it stands is the best of these; nothing is to be changed.", bold=True)
        return
    output.line(f"Best: {measure.space.words(found.best.settings)}", bold=True)
    _show_side("where it was chosen", found.base.search, found.best.search, found.on_search)
    if found.base.holdout is None or found.best.holdout is None:
        output.line("No questions were held out: expect less than this elsewhere.", fg="yellow")
    else:
        _show_side("on questions held out", found.base.holdout, found.best.holdout, found.on_holdout)
    for name, leg in found.legs.items():
        holdout_score = "" if leg.holdout is None else f", {leg.holdout:.4f} on questions held out"
        output.line(f"  {name} alone: {leg.search:.4f} where it was chosen{holdout_score}")
    if found.chance and (given.request.save or found.on_holdout is not None):
        output.line(f"This may be chance: {found.chance}.", fg="yellow")
    if given.request.save and not found.saved:
        output.line("Nothing was written. Try: more questions, or --even-if-chance")
    elif found.saved:
        output.line(f"Wrote {found.saved}. Next: biblicus query TEXT --recipe {given.request.save}")
    else:
        output.line("--save NAME writes it as a recipe.")


def _show_side(where: str, base: float, best: float, difference: Difference | None) -> None:
    sure = f"  95 % interval {difference.low:+.4f} to {difference.high:+.4f}" if difference else ""
    output.line(f"  {where}: {base:.4f} -> {best:.4f} ({best - base:+.4f}){sure}")


def _import(done: Imported, given: Given) -> None:
    registration = "registered" if done.registered else "registered already"
    further = f" and {done.stated} for procedures" if done.stated else ""
    output.line(f"{done.name}: {output.count(done.questions, 'judged questions')}{further}, {registration}.", bold=True)
    if done.documents:
        output.line(
            f"{output.count(done.documents, 'documents')}: {done.added} added, {done.changed} changed, "
            f"{done.unchanged} unchanged ({done.ms / 1000:.1f} s)"
        )
    if done.other_ids:
        renamed_documents = output.count(done.other_ids, "documents")
        output.line(f"{renamed_documents} became an item of another id: theirs was taken, or is no item's.")
    if done.gone:
        output.line(f"Not in it any more, but kept: {output.count(done.gone, 'items')} of an earlier import.")
    output.notes("Failed", done.failed, fg="red")
    output.notes("Warnings", done.warnings, fg="yellow")
    if done.added or done.changed:
        output.line(f"Next: biblicus reindex, then: biblicus eval {done.name}")


def _words(entry: DatasetEntry) -> str:
    parts = [output.count(entry.questions, "questions"), output.count(entry.judgements, "judgements")]
    parts += [f"{entry.synthetic} synthetic"] if entry.synthetic else []
    if entry.musts or entry.rules:
        parts += [f"{entry.musts} that say what must be done", output.count(entry.rules, "rules")]
    parts += [f"{entry.missing} judged items are not in the corpus"] if entry.missing else []
    return ", ".join(parts)


_LIST = output.each(
    "datasets",
    lambda entry: f"{entry.name:24} {entry.problem or _words(entry)}",
    "No datasets yet. biblicus datasets import PATH registers one.",
)


def _show_dataset(entry: DatasetEntry, given: Given) -> None:
    rows = {
        "layout": entry.layout,
        "splits": ", ".join(entry.splits) or "one",
        "questions": entry.questions,
        "left out, without a relevant judgement": entry.unjudged,
        "judgements": entry.judgements,
        "of spans": entry.spans,
        "synthetic questions": entry.synthetic,
        "questions that say what must be done": entry.musts,
        "rules for procedures": entry.rules,
        "judged items that are not in the corpus": entry.missing,
        "digest": entry.digest,
    }
    output.line(entry.name, bold=True)
    output.table([(name, str(value)) for name, value in rows.items()])


def _synthesize(dataset: Synthesized, given: Given) -> None:
    output.line(
        f"{dataset.name}: {output.count(dataset.questions, 'synthetic questions')} from "
        f"{output.count(dataset.items, 'items')}",
        bold=True,
    )
    for kind, question_count in dataset.made.items():
        unclear = f", {dataset.unclear[kind]} left out with more than one answer" if dataset.unclear[kind] else ""
        output.line(f"  {kind:8} {question_count} of {dataset.possible[kind]} possible{unclear}")
    output.line(f"Wrote {dataset.path}. Next: biblicus eval {dataset.name}")


COMMANDS = (
    Command(
        "eval",
        EVALUATE,
        _show,
        help="Measure recipes on a dataset: quality, latency, size. Default: all recipes that have a run.",
        own=_Measuring,
        reply=_measured,
        document=_document,
        code=_code,
        watched=True,
    ),
    Command("tune", TUNE, _show_tuning, watched=True),
    Command("datasets import", IMPORT_DATASET, _import, watched=True),
    Command("datasets list", DATASETS, _LIST, lists="datasets"),
    Command("datasets show", DATASET, _show_dataset),
    Command("datasets synthesize", SYNTHESIZE, _synthesize, more="They are marked synthetic.", watched=True),
)
