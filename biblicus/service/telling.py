"""What a corpus tells of its runs, recipes and events, as the JSON of every surface."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from biblicus.corpus import events, recipes
from biblicus.corpus.folder import CorpusFolder
from biblicus.models.plain import plain
from biblicus.runs import history as runs

_OF_RUN = ("run_id", "recipe_id", "build_id", "index_version", "built", "counts", "parent_run_id")


def runs_of(place: CorpusFolder) -> dict[str, Any]:
    """`runs[]`, oldest first. `latest_of`: the recipes it is the latest run of; `materialized`: searchable here."""
    rows = [
        {
            **{key: getattr(entry.manifest, key) for key in _OF_RUN},
            "indexed": bool(entry.manifest.sizes),
            "latest_of": list(entry.latest_of),
            "materialized": entry.materialized,
        }
        for entry in runs.list_runs(place)
    ]
    return {"runs": rows}


def run_of(place: CorpusFolder, run: str) -> dict[str, Any]:
    """A run's manifest. Raises `RunNotFound`, `AmbiguousRun`."""
    return runs.show(place, run).model_dump(mode="json")


def recipes_of(place: CorpusFolder) -> dict[str, Any]:
    """`recipes[]` that can be named here, and the `default`."""
    rows = [
        {
            "name": entry.recipe.name,
            "description": entry.recipe.description,
            "origin": entry.origin,
            "build_id": entry.recipe.build_id,
            "recipe_id": entry.recipe.recipe_id,
        }
        for entry in recipes.known(place)
    ]
    return {"recipes": rows, "default": place.default_recipe}


def events_of(place: CorpusFolder, after: str | None = None, limit: int = events.PAGE) -> dict[str, Any]:
    """`events[]` after a cursor, the `cursor` to go on from, and whether there is `more`."""
    found: dict[str, Any] = plain(events.read(place, after, limit))
    return found


def told(place: CorpusFolder, verb: str, request: Mapping[str, Any]) -> dict[str, Any]:
    """Any of these by its verb: `runs`, `run` (`run`), `recipes`, `events` (`after`, `limit`)."""
    match verb:
        case "runs":
            return runs_of(place)
        case "run":
            return run_of(place, **request)
        case "recipes":
            return recipes_of(place)
    return events_of(place, **request)
