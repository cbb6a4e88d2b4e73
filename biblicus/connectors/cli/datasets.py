"""Commands for datasets: import, list, show; `synthesize` is in `tuning`."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from biblicus.connectors.cli import output
from biblicus.connectors.cli.options import Corpus, Json, place_of
from biblicus.connectors.cli.tuning import synthesize


def add(app: typer.Typer) -> None:
    """Register the group."""
    datasets = typer.Typer(help="Questions with relevance judgements: import, list, show, synthesize.")
    datasets.command("import")(import_dataset)
    datasets.command("list")(list_datasets)
    datasets.command("show")(show_dataset)
    datasets.command("synthesize")(synthesize)
    app.add_typer(datasets, name="datasets")


def import_dataset(
    path: Annotated[str, typer.Argument(metavar="PATH", help="A BEIR or TREC folder, or questions as JSON lines.")],
    name: Annotated[
        str | None, typer.Option("--name", metavar="NAME", help="Its name here (default: the folder's or file's).")
    ] = None,
    as_json: Json = False,
    corpus: Corpus = None,
) -> None:
    """Register a dataset, and make items of its documents where it has some."""
    from biblicus.measure.datasets import bring as operation

    with output.watched() as call:
        done = operation(place_of(corpus), path, call, name=name)
    if as_json:
        output.document(done)
        return
    kept = "registered" if done.registered else "registered already"
    output.line(f"{done.name}: {done.questions} judged questions, {kept}.", bold=True)
    if done.documents:
        output.line(
            f"{done.documents} documents: {done.added} added, {done.changed} changed, {done.unchanged} unchanged "
            f"({done.ms / 1000:.1f} s)"
        )
    if done.other_ids:
        output.line(f"{done.other_ids} items have another id than their document: it was taken, or is no item's.")
    if done.gone:
        output.line(f"{done.gone} items of an earlier import are not in it any more; they stay.")
    output.notes("Failed", done.failed, fg="red")
    if done.added or done.changed:
        output.line(f"Next: biblicus reindex, then: biblicus eval {done.name}")


def list_datasets(as_json: Json = False, corpus: Corpus = None) -> None:
    """List the datasets registered here."""
    from biblicus.measure.datasets import list_datasets as operation

    found = operation(place_of(corpus))
    if as_json:
        output.document({"datasets": found})
        return
    for entry in found:
        output.line(f"{entry.name:24} {entry.problem or _words(entry)}")
    if not found:
        output.line("No datasets yet. biblicus datasets import PATH registers one.")


def _words(entry: Any) -> str:
    parts = [f"{entry.questions} questions", f"{entry.judgements} judgements"]
    parts += [f"{entry.synthetic} synthetic"] if entry.synthetic else []
    parts += [f"{entry.missing} judged items are not in the corpus"] if entry.missing else []
    return ", ".join(parts)


def show_dataset(
    name: Annotated[str, typer.Argument(metavar="DATASET", help="A registered name, or the path of a dataset.")],
    split: Annotated[
        str | None, typer.Option("--split", metavar="NAME", help="Which judgements (default: test).")
    ] = None,
    as_json: Json = False,
    corpus: Corpus = None,
) -> None:
    """Show what a dataset holds, and how much of what it judges is in the corpus."""
    from biblicus.measure.datasets import show as operation

    found = operation(place_of(corpus), name, split)
    if as_json:
        output.document(found)
        return
    rows = [
        ("layout", found.layout),
        ("splits", ", ".join(found.splits) or "one"),
        ("questions", str(found.questions)),
        ("left out, without a relevant judgement", str(found.unjudged)),
        ("judgements", str(found.judgements)),
        ("of spans", str(found.spans)),
        ("synthetic questions", str(found.synthetic)),
        ("judged items that are not in the corpus", str(found.missing)),
        ("digest", found.digest),
    ]
    output.line(found.name, bold=True)
    output.table(rows)
