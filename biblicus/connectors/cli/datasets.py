"""Commands for datasets: import, list, show, synthesize."""

from __future__ import annotations

from typing import TYPE_CHECKING

from biblicus.connectors.cli import output
from biblicus.connectors.cli.front.commands import Command, Given
from biblicus.service.verbs import DATASET, DATASETS, IMPORT_DATASET, SYNTHESIZE

if TYPE_CHECKING:
    from biblicus.measure.datasets import DatasetEntry
    from biblicus.measure.documents import Imported
    from biblicus.measure.synthesize import Synthesized


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


def _show(entry: DatasetEntry, given: Given) -> None:
    rows = [
        ("layout", entry.layout),
        ("splits", ", ".join(entry.splits) or "one"),
        ("questions", str(entry.questions)),
        ("left out, without a relevant judgement", str(entry.unjudged)),
        ("judgements", str(entry.judgements)),
        ("of spans", str(entry.spans)),
        ("synthetic questions", str(entry.synthetic)),
        ("questions that say what must be done", str(entry.musts)),
        ("rules for procedures", str(entry.rules)),
        ("judged items that are not in the corpus", str(entry.missing)),
        ("digest", entry.digest),
    ]
    output.line(entry.name, bold=True)
    output.table(rows)


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
    Command("datasets import", IMPORT_DATASET, _import, watched=True),
    Command("datasets list", DATASETS, _LIST, lists="datasets"),
    Command("datasets show", DATASET, _show),
    Command("datasets synthesize", SYNTHESIZE, _synthesize, more="They are marked synthetic.", watched=True),
)
