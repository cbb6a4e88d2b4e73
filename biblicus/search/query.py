"""Query: evidence for a question. Hands the local searcher the recipes and the live files that it needs."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from biblicus import plugins
from biblicus.contracts import Call
from biblicus.corpus import catalog as catalogs
from biblicus.corpus import recipes
from biblicus.corpus.folder import CorpusFolder
from biblicus.errors import BiblicusError
from biblicus.models.evidence import Result
from biblicus.models.manifest import Manifest
from biblicus.models.question import Query
from biblicus.models.recipe import BUILT_IN, Recipe
from biblicus.runs import manifests as runs
from biblicus.runs.legs import Legs
from biblicus.search.opened_run import OpenRun, shares
from biblicus.search.rerankers import Rerankers
from biblicus.search.searcher import LocalSearcher


def searcher(
    place: CorpusFolder, resolve: Callable[[str | None], Recipe] | None = None, *, hold: bool = False
) -> LocalSearcher:
    """A searcher that may be kept and asked many times. `resolve`: recipes by name, where not those of the corpus.

    `hold`: read live files once, not for every question: for who ranks many and answers none.
    """
    held: dict[str, OpenRun] = {}

    def live(manifest: Manifest, call: Call) -> OpenRun:
        if manifest.run_id not in held:
            opened = _live(place, manifest, call)
            if not hold:
                return opened
            held[manifest.run_id] = opened
        return held[manifest.run_id]

    return LocalSearcher(
        place,
        resolve or _Recipes(place.root),
        Legs(place),
        Rerankers(place),
        live,
    )


class _Recipes:
    """Recipes by name, as they are now: resolved again where a file that decides them changed."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._known: dict[str | None, tuple[object, Recipe]] = {}
        self._config = CorpusFolder(root).config_file
        self._own = CorpusFolder(root).recipes

    def __call__(self, name: str | None) -> Recipe:
        known = self._known.get(name)
        if known is not None and known[0] == self._stamps(known[1]):
            return known[1]
        recipe = self._as_built(name) or recipes.find(CorpusFolder(self._root), name)
        if not (name and recipes.is_file_name(name)):
            self._known[name] = self._stamps(recipe), recipe
        return recipe

    def _as_built(self, name: str | None) -> Recipe | None:
        """A built-in recipe, its build section taken from its latest run: resolving it would load every chunker."""
        place = CorpusFolder(self._root)
        wanted = name or place.default_recipe
        if wanted not in BUILT_IN or os.path.lexists(f"{self._own}/{wanted}.yml"):
            return None
        header = catalogs.read_header(place)
        if header is None or wanted not in header.latest:
            return None
        try:
            built = runs.read(place, header.latest[wanted].run_id).recipe["build"]
            recipe = Recipe.model_validate({**BUILT_IN[wanted], "build": built})
        except (BiblicusError, KeyError, ValueError):
            return None
        return recipe if recipe.build_id == header.latest[wanted].build_id else None

    def _stamps(self, recipe: Recipe) -> object:
        """Of the configuration, which names the default recipe, and of the file that is or would be this one's."""
        return _stamp(self._config), _stamp(f"{self._own}/{recipe.name}.yml")


def _stamp(path: str | Path) -> object:
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_mtime_ns, found.st_ctime_ns, found.st_size, found.st_ino


def query(place: CorpusFolder, request: Query, call: Call) -> Result:
    """Ask once."""
    asked = searcher(place)
    try:
        return asked.search(request, call)
    finally:
        asked.close()


def is_current(place: CorpusFolder, result: Result) -> bool:
    """Whether the catalog still says what the result's run was built from."""
    header = catalogs.read_header(place)
    return header is None or header.corpus_digest == runs.read(place, result.run_id).corpus_digest


def _live(place: CorpusFolder, manifest: Manifest, call: Call) -> OpenRun:
    """A run without materialization, over the files as they are now."""
    # Lazy: a query against an index needs neither extraction nor chunking.
    from biblicus.corpus.extractions import Extractions
    from biblicus.runs.build import Cutter, parts, ranked
    from biblicus.search.live import LiveTables

    recipe = recipes.resolve(manifest.recipe, f".biblicus/runs/{manifest.run_id}.json")
    built = parts(place, recipe)
    extractions = Extractions(place, call, dict(recipe.build.extraction))
    tables = LiveTables(place, Cutter(built.chunkers, extractions), extractions, call)
    ((leg, choice),) = recipe.build.legs.items()
    module = plugins.find("retrieval", choice["engine"])
    options = module.Options(**{key: value for key, value in choice.items() if key != "engine"})
    chunks = [ranked(tables.item(chunk.item), chunk) for chunk in tables.all_chunks()]
    return OpenRun(manifest, tables, {leg: lambda: module.reader(chunks, options)}, shares(manifest.languages))
