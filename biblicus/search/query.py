"""Query: returns evidence for a question, with recipes and live files supplied to the local searcher."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from functools import cache

from biblicus import search, sources
from biblicus.contracts import Call, JudgingReranker, LiveLeg, Reranker
from biblicus.corpus import catalog as catalogs
from biblicus.corpus import changes, extracted, recipes
from biblicus.corpus.extracted.transcripts import paired
from biblicus.corpus.folder import CorpusFolder
from biblicus.disk import files
from biblicus.errors import BiblicusError, Cancelled, DeadlineExceeded, RunDamaged
from biblicus.models.evidence import Result
from biblicus.models.manifest import Manifest
from biblicus.models.recipe import AUTO, BUILT_IN, Choice, Recipe
from biblicus.models.requests.query import QueryRequest
from biblicus.runs import manifests as runs
from biblicus.runs.freshness import Freshness, against_default, freshness
from biblicus.runs.parts import Legs
from biblicus.search.opened_run import OpenRun, shares
from biblicus.search.searcher import LocalSearcher
from biblicus.text.paths import file_of

QUICK_FILES = 50
"""Maximum new, changed and removed files that are indexed before a question is answered."""
QUICK_BYTES = 4 << 20
"""Maximum bytes of new and changed files that are indexed before a question; fewer if texts are embedded."""
_EMBEDDING = 16
_SHORT = 1 << 20
"""Maximum bytes of a catalog whose files are all examined before a question (some thousands)."""


def searcher(
    corpus: CorpusFolder,
    resolve: Callable[[str | None], Recipe] | None = None,
    *,
    hold: bool = False,
    freshness: Freshness | None = None,
) -> LocalSearcher:
    """Return a reusable searcher. `resolve`: returns recipes by name, instead of those of the corpus. `hold`: read live
    files only once, for callers that rank many questions. `freshness`: adds the corpus's state to each result."""
    live_runs: dict[str, OpenRun] = {}

    def live(manifest: Manifest, call: Call) -> OpenRun:
        if manifest.run_id not in live_runs:
            opened = _live(corpus, manifest, call)
            if not hold:
                return opened
            live_runs[manifest.run_id] = opened
        return live_runs[manifest.run_id]

    return LocalSearcher(
        corpus,
        resolve or _Recipes(CorpusFolder(corpus.root, None, corpus.view)),
        Legs(corpus),
        _rerankers(corpus),
        live,
        freshness,
    )


def _rerankers(corpus: CorpusFolder) -> Callable[[Choice], Reranker | JudgingReranker]:
    """Return a function that creates a searcher's rerankers."""

    @cache
    def rerankers() -> Callable[[Choice], Reranker | JudgingReranker]:
        return search.rerankers.Rerankers(corpus)

    return lambda choice: rerankers()(choice)


class _Recipes:
    """Recipes by name, resolved again when a file that defines them changes."""

    def __init__(self, corpus: CorpusFolder) -> None:
        self._root, self._view = corpus.root, corpus.view
        self._known: dict[str | None, tuple[object, Recipe]] = {}
        self._config, self._own, self._catalog = corpus.config_file, corpus.recipes, str(corpus.catalog)

    def __call__(self, name: str | None) -> Recipe:
        cached = self._known.get(name)
        if cached is not None and cached[0] == self._stamps(cached[1], name):
            return cached[1]
        recipe = self._as_built(name) or recipes.find(self._corpus, name)
        if not (name and recipes.is_file_name(name)):
            self._known[name] = self._stamps(recipe, name), recipe
        return recipe

    @property
    def _corpus(self) -> CorpusFolder:
        """Return the corpus with its present settings."""
        return CorpusFolder(self._root, None, self._view)

    def _as_built(self, name: str | None) -> Recipe | None:
        """Return a built-in recipe with the build section of its latest run; resolving it would load every chunker."""
        corpus = self._corpus
        recipe_name = name or corpus.default_recipe
        if recipe_name not in BUILT_IN or os.path.lexists(f"{self._own}/{recipe_name}.yml"):
            return None
        header = catalogs.read_header(corpus)
        if header is None or recipe_name not in header.latest:
            return None
        try:
            built = runs.read(corpus, header.latest[recipe_name].run_id).recipe["build"]
            recipe = Recipe.model_validate({**BUILT_IN[recipe_name], "build": built})
        except (BiblicusError, KeyError, ValueError):
            return None
        return recipe if recipe.build_id == header.latest[recipe_name].build_id else None

    def _stamps(self, recipe: Recipe, name: str | None) -> object:
        """Return the stamps of the corpus configuration, of the recipe's file, and for `auto` of the catalog."""
        runs_of = None if name and name != AUTO else files.stamp(self._catalog)
        return files.stamp(self._config), files.stamp(f"{self._own}/{recipe.name}.yml"), runs_of


def query(corpus: CorpusFolder, request: QueryRequest, call: Call) -> Result:
    """Answer a query, through the host if runs are kept open. With `refresh: auto`, changed files are indexed first."""
    if corpus.settings.refresh == "auto" and not corpus.view and request.run is None and request.publication is None:
        return refreshed(corpus, call, lambda: _asked(corpus, request, call))
    return _asked(corpus, request, call)


def refreshed(corpus: CorpusFolder, call: Call, ask: Callable[[], Result]) -> Result:
    """Return the result of `ask` after indexing changed files; if that would take long, with a note instead."""
    note = _index_first(corpus, call)
    result = ask()
    return replace(result, notes=(note, *result.notes)) if note else result


def _asked(corpus: CorpusFolder, request: QueryRequest, call: Call) -> Result:
    if corpus.host is not None:
        return corpus.host.search(request, call)
    asker = searcher(corpus, freshness=None if corpus.view else freshness(corpus))
    try:
        return asker.search(request, call)
    finally:
        asker.close()


def _index_first(corpus: CorpusFolder, call: Call) -> str:
    """Index changed files if that is quick; return the reason if not."""
    differences = against_default(corpus)
    try:
        if differences is None and _is_of_another_folder(corpus):
            from biblicus.corpus.refresh import refresh  # lazy: it describes items

            _open_latest(corpus)
            if note := _too_much(corpus, *_unlike_the_catalog(corpus)):
                return note
            with corpus.writing(call):
                refresh(corpus, call)
            differences = against_default(corpus)
    except (Cancelled, DeadlineExceeded):
        raise
    except BiblicusError as error:
        return f"What changed could not be looked for first: {error.message}"
    if differences is None:
        return "Not all files could be checked for changes, and nothing was indexed first: biblicus reindex"
    count = sum(map(len, differences))
    if not count:
        return ""
    sizes = [stamp.size for path in differences.new | differences.changed if (stamp := _stamp(corpus, path))]
    if note := _too_much(corpus, count, sum(sizes)):
        return note
    from biblicus.runs.reindex import index_changes  # lazy: a question indexes nothing by itself

    try:
        index_changes(corpus, call)
    except (Cancelled, DeadlineExceeded):
        raise
    except BiblicusError as error:
        return f"What changed could not be indexed first: {error.message}"
    return ""


def _too_much(corpus: CorpusFolder, count: int, size: int) -> str:
    """Return why so many files or bytes are not indexed before a question, or an empty string."""
    if count <= QUICK_FILES and size <= QUICK_BYTES // (_EMBEDDING if corpus.vectors.exists() else 1):
        return ""
    what = f"{count} files" if count > QUICK_FILES else f"{size / 1024:.0f} KiB"
    return f"{what} changed: more than are indexed before a question. Try: biblicus reindex"


def _unlike_the_catalog(corpus: CorpusFolder) -> tuple[int, int]:
    """Return the number and bytes of files missing in the catalog or with another size, without opening any."""

    entries = catalogs.catalog_of(corpus).entries
    paths = {file_of(path) for path in entries}
    most, takes_made = corpus.settings.max_file_bytes, corpus.config.machine_made
    present = sources.folder.walk(corpus.root, corpus.own_rules(), max_bytes=most, machine_made=takes_made).files
    transcripts = set(paired(present).values())
    sizes = [
        stamp.size
        for path, stamp in present.items()
        if path not in transcripts
        and (path not in paths or (path in entries and catalogs.size_and_language(entries[path].line)[0] != stamp.size))
    ]
    return len(sizes), sum(sizes)


def _open_latest(corpus: CorpusFolder) -> None:
    """Open the latest run to raise its errors before anything is indexed."""
    header = catalogs.read_header(corpus)
    entry = header.latest.get(corpus.default_recipe) if header else None
    if entry is None:
        return
    manifest, legs = runs.read(corpus, entry.run_id), Legs(corpus)
    try:
        choices = Recipe.model_validate(manifest.recipe).build.legs.values()
        is_live = not all(legs(choice).materializes for choice in choices)
    except (ValueError, KeyError) as error:
        raise RunDamaged(entry.run_id, "its manifest names nothing that can be searched here") from error
    if not is_live:
        corpus.store.open(manifest).close()


def _is_of_another_folder(corpus: CorpusFolder) -> bool:
    """Return True if a short catalog was changed by another program, such as git, since the last folder scan."""
    header = catalogs.read_header(corpus)
    if header is None or (stamp := files.stamp(corpus.catalog)) is None or stamp.size > _SHORT:
        return False

    state = changes.known_folder.load(corpus)
    return state is None or state.corpus_digest != header.corpus_digest


def _stamp(corpus: CorpusFolder, path: str) -> files.Stamp | None:
    return files.stamp(corpus.absolute(path), follow=False)


def _live(corpus: CorpusFolder, manifest: Manifest, call: Call) -> OpenRun:
    """Return a run without index files over the present files."""
    # Imported late: a query against an index needs neither extraction nor chunking.
    from biblicus.runs.cutting import Cutter, ranked
    from biblicus.runs.parts import parts

    recipe = recipes.resolve(manifest.recipe, f".biblicus/runs/{manifest.run_id}.json")
    built = parts(corpus, recipe)
    extractions = extracted.extractions.Extractions(corpus, call, dict(recipe.build.extraction))
    tables = search.live.LiveTables(corpus, Cutter(built.chunkers, extractions), extractions, call)
    ((name, leg),) = built.legs.items()
    if not isinstance(leg, LiveLeg):
        raise AssertionError(f"{name} has a materialization to be opened")
    chunks = list(ranked(tables.all_chunks(), tables.item, built.contexts or {}))
    return OpenRun(manifest, tables, {name: lambda: leg.over(chunks)}, shares(manifest.languages))
