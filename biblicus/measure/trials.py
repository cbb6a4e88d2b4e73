"""Trials of `tune`: a recipe with other settings, and a run for each build among them."""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from biblicus.config import nearest
from biblicus.contracts import Call
from biblicus.corpus import catalog as catalogs
from biblicus.corpus import recipes
from biblicus.corpus.folder import CorpusFolder
from biblicus.errors import ConfigInvalid, UsageError
from biblicus.evaluation.space import Settings
from biblicus.models.recipe import QuerySection, Recipe
from biblicus.models.requests.runs import ReindexRequest
from biblicus.runs import manifests as runs
from biblicus.runs.reindex import reindex

_NO_RANKING = ("query.budget", "query.threshold")
"""Sections that affect only the size of a result or its sufficiency, never the ranking."""
_PLUGIN_KEYS = ("by", "engine")


@dataclass(frozen=True)
class Trial:
    """A recipe to measure. `settings`: the changes by full key; empty for the original recipe."""

    name: str
    settings: Settings
    recipe: Recipe


def full_key(key: str) -> str:
    """Return a key with its section, `query` by default. Raises `UsageError`."""
    first = key.partition(".")[0]
    if first not in ("build", "query"):
        known = [entry.name for entry in fields(QuerySection)]
        if first not in known:
            raise UsageError(
                f'A recipe has no "{key}"{nearest(first, ["build", "query", *known])}',
                "biblicus recipes show NAME",
            )
        key = f"query.{key}"
    if any(key == section or key.startswith(f"{section}.") for section in _NO_RANKING):
        raise UsageError(f'"{key}" changes no ranking, so there is nothing to measure.', "biblicus recipes show NAME")
    return key


def changed(base: Recipe, settings: Settings, name: str) -> Recipe:
    """Return the recipe with these settings, validated. Raises `UsageError` with the nearest key."""
    data = copy.deepcopy(base.model_dump(mode="json"))
    # A plug-in's name goes first, as it removes the options of the former plug-in.
    for key in sorted(settings, key=lambda key: key.rpartition(".")[2] not in _PLUGIN_KEYS):
        _set(data, key.split("."), settings[key], key)
    try:
        return recipes.resolve({**data, "name": name, "description": ""}, "--over")
    except ConfigInvalid as error:
        raise UsageError(error.message, f"biblicus recipes show {base.name}") from error


def _set(data: dict[str, Any], path: Sequence[str], value: Any, key: str) -> None:
    *above, last = path
    here = data
    for part in above:
        if here.get(part) is None:
            here[part] = {}
        here = here[part]
        if not isinstance(here, dict):
            raise UsageError(f'"{key}" leads nowhere: "{part}" is a value.', "biblicus recipes show NAME")
    plugin = path[:2] in (["build", "chunking"], ["build", "legs"]) or path[:2] == ["query", "rerank"]
    if plugin and last in _PLUGIN_KEYS and here.get(last) != value:
        here.clear()
    here[last] = value


@dataclass
class Runs:
    """A run for each build of the trials; temporary runs are deleted afterwards."""

    corpus: CorpusFolder
    base: Recipe
    by_build: dict[str, str] = field(default_factory=dict)
    _names: set[str] = field(default_factory=set)
    _made: set[str] = field(default_factory=set)

    def build(self, trials: Sequence[Trial], call: Call) -> None:
        """Update the run of the recipe, and build one for each further build."""
        report = reindex(self.corpus, ReindexRequest((self.base.name,)), call)
        self.by_build[self.base.build_id] = report.runs[0].manifest.run_id
        builds = {trial.recipe.build_id: trial.recipe for trial in trials}
        for build_id, recipe in builds.items():
            if build_id not in self.by_build:
                self.by_build[build_id] = self._built(recipe, call)

    def _built(self, recipe: Recipe, call: Call) -> str:
        name = f"tune-{recipe.build_id}"
        self._names.add(name)
        with TemporaryDirectory() as folder:
            file = Path(folder) / f"{name}.yml"
            file.write_text(recipes.as_text(replace(recipe, name=name)), "utf-8")
            report = reindex(self.corpus, ReindexRequest((str(file),)), call).runs[0]
        if report.built in ("fresh", "incremental"):
            self._made.add(report.manifest.run_id)
        return report.manifest.run_id

    def latest(self) -> Mapping[str, str]:
        """Return the run of the original recipe by build id, without building."""
        header = catalogs.read_header(self.corpus)
        for entry in (header.latest if header else {}).values():
            if entry.build_id == self.base.build_id:
                self.by_build[entry.build_id] = entry.run_id
        return self.by_build

    def tidy(self, call: Call) -> None:
        """Remove the trials' names from the catalog, and delete the runs that no recipe needs."""
        if not self._names:
            return
        with self.corpus.writing(call):
            header = catalogs.read_header(self.corpus)
            if header is None:
                return
            latest = {name: entry for name, entry in header.latest.items() if name not in self._names}
            catalogs.write_header(self.corpus, replace(header, latest=latest))
            for run_id in sorted(self._made - {entry.run_id for entry in latest.values()}):
                runs.delete(self.corpus, run_id)
