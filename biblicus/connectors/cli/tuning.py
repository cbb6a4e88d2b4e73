"""Commands that look for better settings and make questions: tune, datasets synthesize."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

import typer

from biblicus.connectors.cli import output
from biblicus.connectors.cli.options import Corpus, Json, place_of

if TYPE_CHECKING:
    from biblicus.measure.tune import Tuning
    from biblicus.models.evaluation import Difference

_SHOWN = 10


def add(app: typer.Typer) -> None:
    """Register the command."""
    app.command()(tune)


def tune(
    dataset: Annotated[str, typer.Argument(metavar="DATASET", help="A registered name, or the path of a dataset.")],
    over: Annotated[
        list[str],
        typer.Option(
            "--over",
            metavar="KEY=VALUES",
            help="retrieve.candidates=20,50,100 or KEY=LOW..HIGH:STEP; a key of the recipe (repeat for more).",
        ),
    ],
    recipe: Annotated[
        str | None, typer.Option("--recipe", metavar="NAME|FILE", help="The recipe to start from.")
    ] = None,
    metric: Annotated[str, typer.Option("--metric", metavar="NAME", help="What to improve.")] = "ndcg@10",
    search: Annotated[
        Literal["grid", "random"] | None,
        typer.Option("--search", help="Every combination, or some by chance (default: a grid where it is small)."),
    ] = None,
    trials: Annotated[int | None, typer.Option("--trials", min=1, metavar="N", help="At most this many.")] = None,
    seed: Annotated[int, typer.Option("--seed", metavar="N", help="Of the split and of random search.")] = 0,
    holdout: Annotated[
        float, typer.Option("--holdout", metavar="SHARE", help="Share of the questions kept for the check.")
    ] = 0.5,
    split: Annotated[
        str | None, typer.Option("--split", metavar="NAME", help="Which judgements (default: test).")
    ] = None,
    save: Annotated[
        str | None, typer.Option("--save", metavar="NAME", help="Write the best as this recipe, which must be new.")
    ] = None,
    as_json: Json = False,
    corpus: Corpus = None,
) -> None:
    """Look for better settings of a recipe on one part of a dataset, and check the best on the other."""
    from biblicus.measure.tune import TuneRequest
    from biblicus.measure.tune import tune as operation

    request = TuneRequest(dataset, recipe, tuple(over), trials, search, seed, metric, holdout, split, save)
    with output.watched() as call:
        found = operation(place_of(corpus), request, call)
    if as_json:
        output.document(found)
    else:
        _show(found, save)


def _show(found: Tuning, save: str | None) -> None:
    from biblicus.evaluation.space import words

    chosen, held = found.questions
    output.line(
        f"{found.recipe} on {found.dataset}: {len(found.trials)} settings ({found.search}), "
        f"{found.metric} on {chosen} questions, {held} held out",
        bold=True,
    )
    output.line()
    ranked = sorted(found.trials, key=lambda trial: -trial.search)
    output.table([[f"{trial.search:.4f}", words(trial.settings)] for trial in ranked[:_SHOWN]])
    if len(ranked) > _SHOWN:
        output.line(f"… and {len(ranked) - _SHOWN} more; --json lists them all")
    output.line()
    if len({trial.search for trial in found.trials}) == 1:
        output.line(f"None of these settings changes {found.metric} on these questions.", bold=True)
        return
    if not found.best.settings:
        output.line("The recipe as it stands is the best of these; nothing is to be changed.", bold=True)
        return
    output.line(f"Best: {words(found.best.settings)}", bold=True)
    _show_side("where it was chosen", found.base.search, found.best.search, found.on_search)
    if found.base.holdout is None or found.best.holdout is None:
        output.line("No questions were held out: expect less than this elsewhere.", fg="yellow")
    else:
        _show_side("on questions held out", found.base.holdout, found.best.holdout, found.on_holdout)
    if found.on_holdout is not None and found.on_holdout.difference <= 0:
        output.line("On the questions held out it is no better: the choice was chance.", fg="yellow")
    elif found.on_holdout is not None and found.on_holdout.low <= 0:
        output.line("On the questions held out this may be chance.", fg="yellow")
    if found.saved:
        output.line(f"Wrote {found.saved}. Next: biblicus query TEXT --recipe {save}")
    else:
        output.line("--save NAME writes it as a recipe.")


def _show_side(where: str, base: float, best: float, difference: Difference | None) -> None:
    sure = f"  95 % interval {difference.low:+.4f} to {difference.high:+.4f}" if difference else ""
    output.line(f"  {where}: {base:.4f} -> {best:.4f} ({best - base:+.4f}){sure}")


def synthesize(
    name: Annotated[
        str | None, typer.Option("--name", metavar="NAME", help="The dataset's name (default: synthetic).")
    ] = None,
    count: Annotated[int, typer.Option("-n", "--count", min=1, metavar="N", help="At most this many questions.")] = 100,
    by: Annotated[
        list[str] | None, typer.Option("--by", metavar="KIND", help="title, heading or cloze (repeat; default: all).")
    ] = None,
    seed: Annotated[int, typer.Option("--seed", metavar="N", help="Another seed makes other questions.")] = 0,
    as_json: Json = False,
    corpus: Corpus = None,
) -> None:
    """Make questions from the items' titles, headings and sentences, without a model; they are marked synthetic."""
    from biblicus.measure.synthesize import make as operation

    with output.watched() as call:
        found = operation(place_of(corpus), call, name=name, count=count, kinds=by or (), seed=seed)
    if as_json:
        output.document(found)
        return
    output.line(f"{found.name}: {found.questions} synthetic questions from {found.items} items", bold=True)
    for kind, made in found.made.items():
        unclear = f", {found.unclear[kind]} left out with more than one answer" if found.unclear[kind] else ""
        output.line(f"  {kind:8} {made} of {found.possible[kind]} possible{unclear}")
    output.line(f"Wrote {found.path}. Next: biblicus eval {found.name}")
