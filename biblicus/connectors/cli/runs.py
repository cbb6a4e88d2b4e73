"""Commands to build and manage runs, recipes and models of meaning: reindex, runs, recipes, version, models."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from biblicus import corpus, model_files
from biblicus.connectors.cli import output
from biblicus.connectors.cli.front.commands import Asking, Command, Given, State
from biblicus.errors import CorpusNotFound, UnknownName
from biblicus.models.fields import doc
from biblicus.models.plain import plain
from biblicus.models.recipe import MULTILINGUAL, Recipe
from biblicus.service import verbs

if TYPE_CHECKING:
    from biblicus.corpus.recipes import Recipes
    from biblicus.model_files.table import ModelFile
    from biblicus.models.manifest import Manifest
    from biblicus.runs.history import ListedRun
    from biblicus.runs.reports import ReindexReport
    from biblicus.runs.stats import Version

_TOLD_FROM = 0.2
"""Minimum share of chunks in languages unknown to a model for suggesting another model."""


def held(report: ReindexReport) -> str:
    """Return the size of an index: `3,459 files, 71,356 passages`, with its recipes if there are several."""
    refresh = report.refresh
    files = refresh.unchanged + len(refresh.added) + len(refresh.changed) + len(refresh.renamed)
    parts = [output.count(files, "files")]
    if report.runs:
        passages = max(run.manifest.counts["chunks"] for run in report.runs)
        parts.append(output.count(passages, "passages"))
    names = [run.manifest.recipe["name"] for run in report.runs]
    recipes = f" ({', '.join(names)})" if len(names) > 1 else ""
    return f"{', '.join(parts)}{recipes}"


def _reindex(report: ReindexReport, given: Given) -> None:
    verbose = given.common.verbose
    head = f"{held(report)} in {output.seconds(time.monotonic() - given.began)}"
    output.changes(report.refresh, head, verbose=verbose)
    for run in report.runs:
        counts = run.manifest.counts
        causes = [name for name in run.differs if name != "items"]
        extra = f"; built anew because of {', '.join(causes)}" if causes and run.built == "fresh" else ""
        if verbose or extra:
            output.line(
                f"{run.manifest.recipe['name']}: {run.built}, {output.count(counts['items'], 'items')}, "
                f"{output.count(counts['chunks'], 'chunks')}, {run.manifest.run_id}{extra}"
            )
        if run.built != "unchanged":
            refresh_failures = {note["path"] for note in report.refresh.failed}
            run_failures = [
                {"path": note.path, "reason": note.reason}
                for note in run.manifest.failed
                if note.path not in refresh_failures
            ]
            output.notes("Failed", run_failures, fg="red")
        if numbers := sum(note.reason.startswith("columns of numbers") for note in run.manifest.skipped):
            output.line(f"Columns of numbers in {output.count(numbers, 'files')}: their first rows alone are searched.")
        if run.unembedded:
            lacking = output.count(run.unembedded, "chunks")
            output.line(f"  Without a vector: {lacking}; the next reindex tries again.", fg="yellow")
        if run.built != "unchanged" and run.truncated:
            cut = output.count(run.truncated, "chunks")
            output.line(f"  Longer than the model reads: {cut}; their ends are ranked by their words alone.")
        if run.built != "unchanged" and run.foreign > _TOLD_FROM * counts["chunks"]:
            output.line(
                f"  In languages that the model does not know: {output.count(run.foreign, 'chunks')}; "
                f"biblicus reindex --recipe {MULTILINGUAL} reads them.",
                fg="yellow",
            )
    for missing in report.unavailable:
        output.line(f"{missing['recipe']}: not built. {missing['message']} {missing['hint']}", fg="yellow")


def _built(given: Given) -> ReindexReport:
    given.heard()
    # so that failures are raised here
    request = replace(given.request, retry_failed=True) if State.debug else given.request
    report: ReindexReport = given.ask(request=request)
    return report


def _listed(run: ListedRun) -> str:
    marks = [f"latest of {', '.join(run.latest_of)}"] if run.latest_of else []
    marks += ["kept"] if run.kept else []
    marks += ["not materialized here"] if run.indexed and not run.materialized else []
    return f"{run.run_id}  {run.built}  {output.count(run.counts['chunks'], 'chunks')}  {'; '.join(marks)}".rstrip()


def _run(manifest: Manifest, given: Given) -> None:
    for key, value in plain(manifest).items():
        if isinstance(value, dict):
            output.line(key)
            for name, part in value.items():
                output.line(f"  {name:24} {part}")
        elif key == "folded":
            output.line(f"{key:26} {', '.join(value or ())}")
        elif isinstance(value, list):
            output.notes(key, value)
        else:
            output.line(f"{key:26} {value}")


def _diff(differences: Mapping[str, Any], given: Given) -> None:
    for title in ("settings", "components", "counts"):
        for key, (first, second) in differences[title].items():
            output.line(f"{title}: {key}: {first} -> {second}")
    if differences["items"] is None:
        gone = " and ".join(differences["pruned"])
        output.line(f"items: unknown, for those of {gone} were pruned; what is above is all that the manifests say")
    for kind, paths in (differences["items"] or {}).items():
        output.notes(f"items {kind}", [{"path": path, "reason": kind} for path in paths])
    if differences["same_corpus"] and differences["same_chunks"]:
        output.line("The same corpus and the same chunks.")


def _verified(outcome: Mapping[str, Any]) -> str:
    if outcome["ok"]:
        return f"{outcome['run_id']} is what the corpus gives now: {output.count(outcome['chunks'], 'chunks')}."
    return f"{outcome['run_id']} differs in: {', '.join(outcome['differs'])}."


def _keep(outcome: Mapping[str, Any], given: Given) -> None:
    for run_id in outcome["runs"]:
        output.line(f"{run_id}  {'kept' if outcome['kept'] else 'kept no longer'}")


def _prune(outcome: Mapping[str, Any], given: Given) -> None:
    for run_id in outcome["deleted"]:
        output.line(f"- {run_id}")
    output.line(f"{output.count(len(outcome['deleted']), 'runs')} deleted, {output.size(outcome['bytes'])} freed.")


def _listed_recipes(given: Given) -> Recipes:
    """Return the corpus's recipes; outside a corpus, the built-in ones."""
    try:
        listed: Recipes = given.ask()
        return listed
    except CorpusNotFound as error:
        if given.corpus is not None or given.common.at is not None:
            raise

        output.remark(f"{error.message} These are in every corpus.")
        return corpus.recipes.built_in()


def _recipes(listed: Recipes, given: Given) -> None:
    width = max(len(recipe.name) for recipe in listed.recipes)
    for recipe in listed.recipes:
        mark = "*" if recipe.name == listed.default else " "
        output.line(f"{mark} {recipe.name:{width}} {recipe.description} ({recipe.origin})")


def _recipe(recipe: Recipe, given: Given) -> None:
    output.raw(corpus.recipes.as_text(recipe))


def _version(version: Version, given: Given) -> None:
    for key, value in vars(version).items():
        output.line(f"{key:14} {str(value).lower() if isinstance(value, bool) else value}")


@dataclass(frozen=True, kw_only=True)
class _Models:
    name: tuple[str, ...] = field(
        default=(),
        kw_only=False,
        metadata=doc("Models, by their names in `models list`, or an extra such as `speech` (default: `meaning`)."),
    )


def _model_rows() -> list[dict[str, Any]]:
    rows = []
    for file in model_files.table.FILES.values():
        path = model_files.table.place_of(file)
        where = "" if path is None else "fetched" if path.parent == model_files.table.data_folder() else "package"
        package, size = file.package.requirement, file.package.wheel_mb * 1_000_000
        row = {"name": file.name, "here": where, "bytes": file.bytes, "package": package, "download_bytes": size}
        rows.append({**row, "licence": file.licence, "extra": file.extra, "purpose": file.purpose})
    return rows


def _list_models(rows: Sequence[dict[str, Any]], given: Given) -> None:
    cells = ((f"{row['bytes'] / 1e6:.0f} MB", row["here"] or "not here", row) for row in rows)
    output.table([(row["name"], here, size, row["licence"], row["purpose"]) for size, here, row in cells])
    if not all(row["here"] for row in rows if row["extra"] == "meaning"):
        output.remark('Get what is not here: biblicus models get, or pip install "biblicus-corpus[meaning]"')


def _fetched(given: Given) -> list[ModelFile]:
    table = model_files.table

    file_names: list[str] = []
    for name in given.own.name or ("meaning",):
        names = [file.name for file in table.FILES.values() if name in (file.name, file.extra)]
        if not names:
            raise UnknownName(
                "model file", name, sorted({*table.FILES, *(file.extra for file in table.FILES.values())})
            )
        file_names += names
    return model_files.fetching.fetch(file_names)


def _show_fetched(files: Sequence[ModelFile], given: Given) -> None:
    for file in files:
        output.line(f"+ {file.name}  {file.bytes / 1e6:.0f} MB")
    if not files:
        output.line("Every file is here.")


COMMANDS = (
    Command(
        "reindex",
        verbs.REINDEX,
        _reindex,
        own=Asking,
        reply=_built,
        more="Nothing is overwritten.",
        watched=True,
        stored=True,
        shared=True,
        founds=True,
        talks=True,
    ),
    Command("runs list", verbs.RUNS, output.each("runs", _listed, "No runs yet. biblicus reindex builds one.")),
    Command("runs show", verbs.RUN, _run),
    Command("runs diff", verbs.DIFF_RUNS, _diff),
    Command(
        "runs verify",
        verbs.VERIFY_RUN,
        output.says(_verified),
        more="Exit with code 4 if they differ.",
        code=lambda outcome: 0 if outcome["ok"] else 4,
        watched=True,
    ),
    Command("runs keep", verbs.KEEP_RUNS, _keep),
    Command("runs prune", verbs.PRUNE_RUNS, _prune),
    Command("recipes list", verbs.RECIPES, _recipes, reply=_listed_recipes, lists="recipes"),
    Command("recipes show", verbs.RECIPE, _recipe),
    Command(
        "recipes new",
        verbs.NEW_RECIPE,
        output.says(lambda made: f"Edit {made.path}, then: biblicus reindex --recipe {made.name}"),
    ),
    Command("version", verbs.VERSION, _version, more="What a bare query is answered from, and whether it is current."),
    Command(
        "models list",
        None,
        _list_models,
        help="List the available models: whether each is installed, its size and its licence.",
        reply=lambda given: _model_rows(),
        document=lambda rows, _: {"models": rows},
        lists="",
    ),
    Command(
        "models get",
        None,
        _show_fetched,
        help="Download models with pip into your data folder, without the dependencies of their packages.",
        own=_Models,
        reply=_fetched,
        document=lambda files, _: {"fetched": [file.name for file in files]},
    ),
)
