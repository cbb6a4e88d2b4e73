"""Runs of several recipes over the same chunks share tables and common legs by hard link."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from biblicus.errors import BiblicusError
from biblicus.models.manifest import Manifest
from biblicus.models.recipe import Recipe
from biblicus.runs import manifests
from biblicus.stores.local import LocalStore

if TYPE_CHECKING:
    from biblicus.runs.build import Tally, Work
    from biblicus.runs.reindex import Indexing


def found(indexing: Indexing, *, fresh: bool) -> Manifest | None:
    """Return the run of another recipe over the same chunks with the most legs in common, or None.

    Runs of the same reindex come into question and, unless `fresh`, the latest ones of recipes that it does not build.
    """
    store, recipe = indexing.store, indexing.recipe
    if not isinstance(store, LocalStore):
        return None
    alike = [run for run in indexing.current if _is_alike(recipe, run)]
    if not fresh:
        latest = {entry.run_id for name, entry in indexing.refreshed.header.latest.items() if name != recipe.name}
        for run_id in sorted(latest - {run.run_id for run in indexing.current}):
            with suppress(BiblicusError):
                if _is_shareable(indexing, run := manifests.read(indexing.corpus, run_id)):
                    alike.append(run)
    available = (run for run in alike if store.holds(run.run_id))
    return max(available, key=lambda run: len(common_legs(recipe, run)), default=None)


def _is_alike(recipe: Recipe, run: Manifest) -> bool:
    """Return true if a run's build differs from a recipe's in legs alone."""
    return {**run.recipe["build"], "legs": None} == {**recipe.build.model_dump(), "legs": None}


def _is_shareable(indexing: Indexing, run: Manifest) -> bool:
    """Return true if an older run differs from what would be built now only in legs that are not in common."""
    recipe = indexing.recipe
    if not _is_alike(recipe, run):
        return False
    apart = {*run.recipe["build"]["legs"], *recipe.build.legs} - set(common_legs(recipe, run))
    differences = {name.partition(".")[0] for name in indexing.differences(run)}
    return differences <= {"recipe", *apart} and indexing.stands(run)


def built(store: LocalStore, recipe: Recipe, run_id: str, other: Manifest, work: Work) -> Tally:
    """Build the legs that another run lacks; its tables and the common legs are linked."""
    from biblicus.runs.build import build_beside  # lazy: builds load the engines

    legs = common_legs(recipe, other)
    counts = {name: count for name, count in other.counts.items() if name.partition(".")[0] in legs}
    folder = store.begin_beside(run_id, other.run_id, legs)
    return build_beside(folder, store.tables(other.run_id), counts, work)


def common_legs(recipe: Recipe, run: Manifest) -> list[str]:
    """Return the legs that a run of another recipe has in common with a recipe."""
    mine = recipe.build.legs
    return [name for name, choice in run.recipe["build"]["legs"].items() if mine.get(name) == choice]
