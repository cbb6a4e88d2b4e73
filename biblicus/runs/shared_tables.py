"""Runs of several recipes over the same chunks share tables and common legs by hard link."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from biblicus.models.manifest import Manifest
from biblicus.models.recipe import Recipe
from biblicus.stores.local import LocalStore

if TYPE_CHECKING:
    from biblicus.runs.build import Tally, Work
    from biblicus.stores.contract import RunStore


def found(store: RunStore, recipe: Recipe, current: Sequence[Manifest]) -> Manifest | None:
    """Return the run of another recipe over the same chunks with the most legs in common, or None."""
    if not isinstance(store, LocalStore):
        return None
    mine = recipe.build.model_dump()
    same = [run for run in current if {**run.recipe["build"], "legs": None} == {**mine, "legs": None}]
    held = (run for run in same if store.holds(run.run_id))
    return max(held, key=lambda run: len(_legs(recipe, run)), default=None)


def built(store: LocalStore, recipe: Recipe, run_id: str, other: Manifest, work: Work) -> Tally:
    """Build the legs that another run lacks; its tables and the common legs are linked."""
    from biblicus.runs.build import build_beside  # lazy: builds load the engines

    legs = _legs(recipe, other)
    counts = {name: count for name, count in other.counts.items() if name.partition(".")[0] in legs}
    folder = store.begin_beside(run_id, other.run_id, legs)
    return build_beside(folder, store.tables(other.run_id), counts, work)


def _legs(recipe: Recipe, run: Manifest) -> list[str]:
    """Return the legs that a run of another recipe has in common with a recipe."""
    mine = recipe.build.legs
    return [name for name, choice in run.recipe["build"]["legs"].items() if mine.get(name) == choice]
