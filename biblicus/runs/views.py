"""Runs over a part of the items: views of readers, and publications.

A view is the corpus as it would be without the items that some readers may not see. It has its own catalog, runs and
indexes under `.biblicus/local/views/`, made only from visible items. So nothing that a view answers, neither scores nor
counts nor suggestions, depends on a hidden item. Readers who may see the same items share a view. Texts and vectors
come from the corpus's caches, which are addressed by content.

A publication is sealed over approved items; a missing one is rebuilt from the kept bytes."""

from __future__ import annotations

import time
from array import array
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import replace

from biblicus.contracts import Call
from biblicus.corpus import catalog as catalogs
from biblicus.corpus import recipes
from biblicus.corpus.catalog import Catalog, Latest
from biblicus.corpus.changes import known_folder
from biblicus.corpus.changes.known_folder import KnownFolder
from biblicus.corpus.described.readers import visibility
from biblicus.corpus.editorial import publications
from biblicus.corpus.editorial.publications import Published
from biblicus.corpus.extracted.extractions import of_default_recipe
from biblicus.corpus.folder import CorpusFolder
from biblicus.corpus.lines import corpus_digest
from biblicus.corpus.refresh import Kept, Refreshed
from biblicus.corpus.report import Report
from biblicus.disk import files, system
from biblicus.disk.seals import read_object, write_cache
from biblicus.errors import BiblicusError, Cancelled, DeadlineExceeded, RunDamaged
from biblicus.models.digest import canonical, digest
from biblicus.models.manifest import Manifest
from biblicus.models.recipe import Recipe
from biblicus.runs import manifests as runs
from biblicus.runs.reindex import Indexing
from biblicus.runs.reports import RunReport

_STATE = {"names": [str], "source": str}
_UNUSED = 30 * 24 * 3600
"""Seconds after which a reindex deletes a view that nobody used."""


def view_of(corpus: CorpusFolder, names: frozenset[str]) -> CorpusFolder:
    """Return the folder of the view for readers with these names and groups."""
    return CorpusFolder(corpus.root, None, digest(sorted(names), 24))


def is_current(view: CorpusFolder, source: str) -> bool:
    """Return true if a view was made from this state of the corpus."""
    state = read_object(view.local / "view.json", _STATE)
    return state is not None and state["source"] == source


def is_safe(view: CorpusFolder, hidden: frozenset[str]) -> bool:
    """Return true if a view, although older than the corpus, holds nothing that is hidden now."""
    try:
        catalog = catalogs.read(view)
    except BiblicusError:
        return False
    return catalog is not None and hidden.isdisjoint(catalog.entries)


def source_of(corpus: CorpusFolder, catalog: Catalog, hidden: frozenset[str]) -> str:
    """Return a digest of everything that decides what a view holds."""
    latest = {name: run.run_id for name, run in catalog.header.latest.items()}
    return digest([catalog.header.corpus_digest, latest, sorted(hidden)], 24)


def bring_up(corpus: CorpusFolder, view: CorpusFolder, names: frozenset[str], call: Call) -> None:
    """Make or update a view from the present catalog and rules. Call under the writers' lock."""
    catalog = catalogs.catalog_of(corpus)
    rules = visibility(corpus, catalog)
    hidden = rules.hidden(names) if rules else frozenset()
    source = source_of(corpus, catalog, hidden)
    if is_current(view, source):
        return
    view.refuse_links()
    files.make_folder(view.local, 0o700)
    entries = {path: entry for path, entry in catalog.entries.items() if path not in hidden}
    lines = (entry.line for entry in entries.values())
    latest = _latest(view, catalog, entries)
    header = catalogs.Header(
        schema_version=catalog.header.schema_version,
        corpus_id=catalog.header.corpus_id,
        latest=latest,
        corpus_digest=corpus_digest(lines),
        folder_rules=catalog.header.folder_rules,
    )
    visible = Catalog(header, entries)
    catalogs.write(view, visible)
    _drop_runs(view, {run.run_id for run in latest.values()})
    _index(corpus, view, visible, catalog.header.latest, call)
    touch(view)
    state = {"names": sorted(names), "source": source}
    write_cache(view.local / "view.json", canonical(state), view.local)


def _latest(view: CorpusFolder, catalog: Catalog, entries: Mapping[str, object]) -> dict[str, Latest]:
    """Return the view's runs that may be built on: none if one of its items is hidden now, since an incremental run
    would remember the item in its statistics."""
    try:
        before = catalogs.read(view)
    except BiblicusError:
        before = None
    if before is None or any(path not in entries and path in catalog.entries for path in before.entries):
        return {}
    return {name: run for name, run in before.header.latest.items() if name in catalog.header.latest}


def _index(
    corpus: CorpusFolder, view: CorpusFolder, visible: Catalog, latest: Mapping[str, Latest], call: Call
) -> None:
    """Build the view's run of every recipe that has a run in the corpus."""
    extractions = of_default_recipe(view, call)
    nothing: frozenset[str] = frozenset()
    folder = known_folder.load(corpus) or KnownFolder("", "", [], [], array("q"), nothing, nothing)
    state = Kept({}, folder, None, True)
    refreshed = Refreshed(Report(), visible.header, visible, extractions, time.time_ns(), None, state)
    reports: list[RunReport] = []
    for entry in latest.values():
        manifest = runs.read(corpus, entry.run_id)
        recipe = recipes.resolve(manifest.recipe, f".biblicus/runs/{manifest.run_id}.json")
        current = [report.manifest for report in reports]
        reports.append(Indexing(view, recipe, refreshed, call, False, current).run(fresh=False))
    _drop_runs(view, {report.manifest.run_id for report in reports})


def _drop_runs(view: CorpusFolder, current: set[str]) -> None:
    """Delete all other runs of a view, and what a dead writer left: they may name items that are hidden now."""
    for path in view.leftovers():
        if path.is_dir():
            system.remove_tree(path, ignore_errors=True)
        else:
            files.remove(path)
    for run_id in {*runs.ids(view), *view.store.own()} - current:
        view.store.drop(run_id)
        with suppress(BiblicusError):
            runs.delete(view, run_id)


def forget(view: CorpusFolder) -> None:
    """Make a view anew for the next question, since its index cannot be opened."""
    files.remove(view.local / "view.json")
    files.remove(view.catalog)


def touch(view: CorpusFolder) -> None:
    """Record that a view is in use."""
    with suppress(OSError):
        (view.local / "used").touch()


def refresh_views(corpus: CorpusFolder, call: Call) -> None:
    """Update the views after a reindex, under its lock; delete those that nobody needs. A view that fails is deleted,
    and made again for the next question."""
    rules = visibility(corpus, catalogs.catalog_of(corpus))
    for view, names in _all(corpus):
        try:
            if rules is None or names is None or _is_unused(view, call):
                system.remove_tree(view.local, ignore_errors=True)
            else:
                bring_up(corpus, view, names, call)
        except (Cancelled, DeadlineExceeded):
            raise
        except BiblicusError as error:
            call.tell(f"A view for readers was left: {error.message}")
            system.remove_tree(view.local, ignore_errors=True)


def _all(corpus: CorpusFolder) -> Iterator[tuple[CorpusFolder, frozenset[str] | None]]:
    """Yield the views with their readers' names; None for one without a readable state."""
    for path in sorted(corpus.views.iterdir()) if corpus.views.is_dir() else ():
        view = CorpusFolder(corpus.root, None, path.name)
        state = read_object(view.local / "view.json", _STATE)
        yield view, frozenset(state["names"]) if state else None


def _is_unused(view: CorpusFolder, call: Call) -> bool:
    with suppress(OSError):
        return (view.local / "used").stat().st_mtime < call.clock() - _UNUSED
    return True


class Publishing(Indexing):
    """Builds a run over its own catalog, which no recipe points to."""

    def __init__(
        self, corpus: CorpusFolder, recipe: Recipe, refreshed: Refreshed, catalog: Catalog, call: Call
    ) -> None:
        header = replace(refreshed.header, corpus_digest=catalog.header.corpus_digest)
        super().__init__(corpus, recipe, replace(refreshed, header=header, catalog=catalog, helpers=None), call, False)
        self.own = catalog

    def seal(self) -> Manifest:
        """Build and seal the run. Call under the lock."""
        self._extract_all(self.own)
        return self._new(self.own, None, True, ()).manifest

    def again(self, manifest: Manifest) -> RunReport:
        """Rebuild its materialization. Raises `RunDamaged` if the result differs."""
        if not self.made_again(manifest, self.own):
            differs = self.differences(manifest)
            raise RunDamaged(manifest.run_id, f"it cannot be built again here: {', '.join(differs) or 'texts'} differ")
        return RunReport(manifest, self.recipe.recipe_id, "rematerialised")

    def is_here(self, manifest: Manifest) -> bool:
        """Return true if nothing needs to be built."""
        return not self.materializes or self.stands(manifest)

    def _point_to(self, run_id: str) -> None:
        """Do nothing: publications are requested by name."""

    def _point_to_new(self, run_id: str) -> None:
        """Do nothing, as above."""


def bring_back(corpus: CorpusFolder, refreshed: Refreshed, call: Call) -> list[RunReport]:
    """Build every publication that is missing here; failures are reported. Call under the lock."""
    built = []
    for name in publications.names(corpus):
        try:
            published: Published = publications.read(corpus, name)
            manifest = runs.read(corpus, published.publication.run_id)
            recipe = recipes.resolve(manifest.recipe, f".biblicus/runs/{manifest.run_id}.json")
            publishing = Publishing(corpus, recipe, refreshed, published.catalog, call)
            if not publishing.is_here(manifest):
                built.append(publishing.again(manifest))
        except BiblicusError as error:
            call.tell(f"The publication {name} is not here: {error.message}")
    return built
