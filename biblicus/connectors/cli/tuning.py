"""The command that looks for better settings: tune."""

from __future__ import annotations

from typing import TYPE_CHECKING

from biblicus.connectors.cli import output
from biblicus.connectors.cli.commands import Command, Given
from biblicus.service.verbs import TUNE

if TYPE_CHECKING:
    from biblicus.measure.tune import Tuning
    from biblicus.models.evaluation import Difference

_SHOWN = 10


def _show(found: Tuning, given: Given) -> None:
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
        output.line(f"Wrote {found.saved}. Next: biblicus query TEXT --recipe {given.request.save}")
    else:
        output.line("--save NAME writes it as a recipe.")


def _show_side(where: str, base: float, best: float, difference: Difference | None) -> None:
    sure = f"  95 % interval {difference.low:+.4f} to {difference.high:+.4f}" if difference else ""
    output.line(f"  {where}: {base:.4f} -> {best:.4f} ({best - base:+.4f}){sure}")


COMMANDS = (Command("tune", TUNE, _show, watched=True),)
