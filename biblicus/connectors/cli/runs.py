"""Commands that build and look after runs: reindex, runs, recipes."""

from __future__ import annotations

from typing import Annotated

import typer

from biblicus.connectors.cli import output
from biblicus.connectors.cli.options import At, Corpus, Json, Strict, place_of, reader_of


def add(app: typer.Typer) -> None:
    """Register the commands and groups."""
    app.command()(reindex)
    runs = typer.Typer(help="List, show, compare, verify and delete runs.")
    runs.command("list")(list_runs)
    runs.command("show")(show_run)
    runs.command("diff")(diff)
    runs.command("verify")(verify)
    runs.command("prune")(prune)
    app.add_typer(runs, name="runs")
    recipes = typer.Typer(help="List, show and write recipes.")
    recipes.command("list")(list_recipes)
    recipes.command("show")(show_recipe)
    recipes.command("new")(new_recipe)
    app.add_typer(recipes, name="recipes")


def reindex(
    recipe: Annotated[
        list[str] | None, typer.Option("--recipe", metavar="NAME|FILE", help="A recipe (repeat for more).")
    ] = None,
    fresh: Annotated[bool, typer.Option("--fresh", help="Build anew even where nothing changed.")] = False,
    strict: Strict = False,
    as_json: Json = False,
    corpus: Corpus = None,
) -> None:
    """Refresh the catalog and build a run: extract, chunk, index, seal. Nothing is overwritten."""
    from biblicus.runs.reindex import reindex as operation

    with output.watched() as call:
        report = operation(place_of(corpus), recipe or [], call, fresh=fresh, strict=strict)
    if as_json:
        output.document(
            {"refresh": report.refresh, "runs": report.runs, "unavailable": report.unavailable, "ms": report.ms}
        )
        return
    output.changes(report.refresh)
    for run in report.runs:
        counts = run.manifest.counts
        causes = [name for name in run.differs if name != "items"]
        extra = f"; built anew because of {', '.join(causes)}" if causes and run.built == "fresh" else ""
        output.line(
            f"{run.manifest.recipe['name']}: {run.built}, {counts['items']} items, {counts['chunks']} chunks, "
            f"{run.manifest.run_id}{extra}",
            bold=True,
        )
        if run.unembedded:
            output.line(f"  {run.unembedded} chunks have no vector; the next reindex tries them again.", fg="yellow")
        if run.built != "unchanged" and (cut := run.truncated):
            output.line(f"  {cut} chunks are longer than the model reads; their ends are ranked by their words alone.")
    for missing in report.unavailable:
        output.line(f"{missing['recipe']}: not built. {missing['message']} {missing['hint']}", fg="yellow")


def list_runs(at: At = None, as_json: Json = False, corpus: Corpus = None) -> None:
    """List the runs, oldest first."""
    from biblicus.contracts import Call

    found = reader_of(corpus, at).told("runs", {}, Call())
    if as_json:
        output.document(found)
        return
    for entry in found["runs"]:
        marks = [f"latest of {', '.join(entry['latest_of'])}"] if entry["latest_of"] else []
        marks += ["not materialized here"] if entry["indexed"] and not entry["materialized"] else []
        output.line(
            f"{entry['run_id']}  {entry['built']}  {entry['counts']['chunks']} chunks  {'; '.join(marks)}".rstrip()
        )
    if not found["runs"]:
        output.line("No runs yet. biblicus reindex builds one.")


_RUN = "A run id, an unambiguous part of it, or a recipe's name: its latest run."


def show_run(
    run: Annotated[str, typer.Argument(metavar="RUN", help=_RUN)],
    at: At = None,
    as_json: Json = False,
    corpus: Corpus = None,
) -> None:
    """Show a run's manifest."""
    from biblicus.contracts import Call

    manifest = reader_of(corpus, at).told("run", {"run": run}, Call())
    if as_json:
        output.document(manifest)
        return
    for key, value in manifest.items():
        if isinstance(value, dict):
            output.line(key)
            for name, part in value.items():
                output.line(f"  {name:24} {part}")
        elif isinstance(value, list):
            output.notes(key, value)
        else:
            output.line(f"{key:26} {value}")


def diff(
    first: Annotated[str, typer.Argument(metavar="RUN", help=_RUN)],
    second: Annotated[str, typer.Argument(metavar="RUN", help=_RUN)],
    as_json: Json = False,
    corpus: Corpus = None,
) -> None:
    """Say which settings, components and items differ between two runs."""
    from biblicus.runs.history import diff as operation

    found = operation(place_of(corpus), first, second)
    if as_json:
        output.document(found)
        return
    for title in ("settings", "components", "counts"):
        for key, (a, b) in found[title].items():
            output.line(f"{title}: {key}: {a} -> {b}")
    if found["items"] is None:
        output.line("items: not comparable, an item table is gone")
    for kind, paths in (found["items"] or {}).items():
        output.notes(f"items {kind}", [{"path": path, "reason": kind} for path in paths])
    if found["same_corpus"] and found["same_chunks"]:
        output.line("The same corpus and the same chunks.")


def verify(
    run: Annotated[str, typer.Argument(metavar="RUN", help=_RUN)], as_json: Json = False, corpus: Corpus = None
) -> None:
    """Rebuild the current state in memory and compare its digests with the run's. Exit code 4 where they differ."""
    from biblicus.runs.history import verify as operation

    with output.watched() as call:
        found = operation(place_of(corpus), run, call)
    if as_json:
        output.document(found)
    elif found["ok"]:
        output.line(f"{found['run_id']} is what the corpus gives now: {found['chunks']} chunks.")
    else:
        output.line(f"{found['run_id']} differs in: {', '.join(found['differs'])}.")
    if not found["ok"]:
        raise typer.Exit(4)


def prune(
    names: Annotated[list[str] | None, typer.Argument(metavar="RUN", help="Runs to delete.")] = None,
    keep: Annotated[
        int | None, typer.Option("--keep", min=0, metavar="N", help="Keep the newest N of each build.")
    ] = None,
    latest: Annotated[bool, typer.Option("--latest", help="Delete even the latest run of a recipe.")] = False,
    as_json: Json = False,
    corpus: Corpus = None,
) -> None:
    """Delete runs: their manifests and materializations."""
    from biblicus.contracts import Call
    from biblicus.runs.history import prune as operation

    found = operation(place_of(corpus), keep, names or [], Call(), latest=latest)
    if as_json:
        output.document(found)
        return
    for run_id in found["deleted"]:
        output.line(f"- {run_id}")
    output.line(f"{len(found['deleted'])} runs deleted, {output.size(found['bytes'])} freed.")


def list_recipes(at: At = None, as_json: Json = False, corpus: Corpus = None) -> None:
    """List the recipes that can be named here."""
    from biblicus.contracts import Call

    found = reader_of(corpus, at).told("recipes", {}, Call())
    if as_json:
        output.document(found)
        return
    for entry in found["recipes"]:
        mark = "*" if entry["name"] == found["default"] else " "
        output.line(f"{mark} {entry['name']:16} {entry['description']} ({entry['origin']})")


def show_recipe(
    name: Annotated[str, typer.Argument(metavar="NAME|FILE", help="A recipe's name or file.")],
    as_json: Json = False,
    corpus: Corpus = None,
) -> None:
    """Show a recipe with every option spelled out."""
    from biblicus.corpus.recipes import as_text, find

    recipe = find(place_of(corpus), name)
    if as_json:
        output.document({**recipe.model_dump(mode="json"), "build_id": recipe.build_id, "recipe_id": recipe.recipe_id})
    else:
        output.raw(as_text(recipe))


def new_recipe(
    name: Annotated[str, typer.Argument(metavar="NAME", help="The new recipe's name.")],
    base: Annotated[str, typer.Option("--from", metavar="NAME|FILE", help="The recipe to start from.")] = "lexical",
    as_json: Json = False,
    corpus: Corpus = None,
) -> None:
    """Write a recipe of your own to .biblicus/recipes/, to be edited."""
    from biblicus.corpus.recipes import new as operation

    place = place_of(corpus)
    path = operation(place, name, base).relative_to(place.root)
    if as_json:
        output.document({"name": name, "path": str(path)})
    else:
        output.line(f"Edit {path}, then: biblicus reindex --recipe {name}")
