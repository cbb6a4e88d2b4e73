"""Commands on runs: list, show, diff, verify, prune."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import closing, suppress
from dataclasses import dataclass, replace
from typing import Any

from biblicus.contracts import Call
from biblicus.corpus import catalog as catalogs
from biblicus.corpus import recipes
from biblicus.corpus.catalog import catalog_of
from biblicus.corpus.editorial import publications
from biblicus.corpus.events import log as events
from biblicus.corpus.extracted.extractions import Extractions, raw_of
from biblicus.corpus.folder import CorpusFolder
from biblicus.errors import BiblicusError, UsageError
from biblicus.models.manifest import Manifest
from biblicus.models.plain import made_of
from biblicus.models.requests.runs import DiffRunsRequest, KeepRunsRequest, PruneRunsRequest, RunRequest, RunsRequest
from biblicus.runs import manifests
from biblicus.runs.build import Work, build_fresh
from biblicus.runs.parts import parts


@dataclass(frozen=True)
class ListedRun:
    """A run in a listing.

    `indexed`: it has an index. `latest_of`: recipes of which it is the latest run. `materialized`: it can be searched
    on this machine. `kept`: protected by a user."""

    run_id: str
    recipe_id: str
    build_id: str
    index_version: str
    built: str
    counts: Mapping[str, int]
    parent_run_id: str | None
    indexed: bool
    latest_of: tuple[str, ...]
    materialized: bool
    kept: bool


@dataclass(frozen=True)
class Runs:
    """The runs, oldest first."""

    runs: tuple[ListedRun, ...]


def list_runs(corpus: CorpusFolder) -> list[Manifest]:
    """Return every readable manifest, oldest first."""
    readable = []
    for run_id in manifests.ids(corpus):
        with suppress(BiblicusError):  # `check` reports it
            readable.append(manifests.read(corpus, run_id))
    return readable


def runs(corpus: CorpusFolder, request: RunsRequest, call: Call) -> Runs:
    """Return the list of runs."""
    header = catalogs.read_header(corpus)
    latest = header.latest if header else {}
    protected, materialized = manifests.kept(corpus), frozenset(corpus.store.runs())

    def listed(manifest: Manifest) -> ListedRun:
        run_id = manifest.run_id
        names = tuple(name for name, entry in latest.items() if entry.run_id == run_id)
        where = {"latest_of": names, "materialized": run_id in materialized, "kept": run_id in protected}
        return made_of(ListedRun, manifest, **where, indexed=bool(manifest.sizes))

    return Runs(tuple(map(listed, list_runs(corpus)[-request.limit if request.limit else 0 :])))


def run(corpus: CorpusFolder, request: RunRequest, call: Call) -> Manifest:
    """Return a run's manifest. Raises `RunNotFound`, `AmbiguousRun`."""
    return manifest_of(corpus, request.run)


def manifest_of(corpus: CorpusFolder, name: str) -> Manifest:
    """Return a run's manifest by its id, an unambiguous part of it, or a recipe's name (its latest run)."""
    header = catalogs.read_header(corpus)
    latest = header.latest.get(name) if header else None
    return manifests.read(corpus, latest.run_id if latest else manifests.resolve(corpus, name))


def diff(corpus: CorpusFolder, request: DiffRunsRequest, call: Call) -> dict[str, Any]:
    """Compare two runs: `settings`, `components`, `counts` as [first, second], and `items`.
    `items` is null if the contents of a run are no longer known; `pruned` names these runs."""
    a, b = manifest_of(corpus, request.first), manifest_of(corpus, request.second)
    items_by_run = {run.run_id: {} if a.corpus_digest == b.corpus_digest else _items(corpus, run) for run in (a, b)}
    first, second = items_by_run[a.run_id], items_by_run[b.run_id]
    return {
        "runs": [a.run_id, b.run_id],
        "same_corpus": a.corpus_digest == b.corpus_digest,
        "same_chunks": a.chunks_digest == b.chunks_digest,
        "settings": _differences(_flat(a.recipe), _flat(b.recipe)),
        "components": _differences(a.components, b.components),
        "counts": _differences(a.counts, b.counts),
        "items": None if first is None or second is None else _item_differences(first, second),
        "pruned": [run_id for run_id, items in items_by_run.items() if items is None],
    }


def _flat(value: Any, prefix: str = "") -> dict[str, Any]:
    if isinstance(value, dict) and value:
        return {key: leaf for name, part in value.items() for key, leaf in _flat(part, f"{prefix}{name}.").items()}
    return {prefix.rstrip("."): value}


def _differences(a: dict[str, Any], b: dict[str, Any]) -> dict[str, list[Any]]:
    return {key: [a.get(key), b.get(key)] for key in sorted({*a, *b}) if a.get(key) != b.get(key)}


def _items(corpus: CorpusFolder, manifest: Manifest) -> dict[str, tuple[str, str]] | None:
    """Return path and record by item id, or None if they are unknown.
    They come from the run's table, from another run over the same items, or from the unchanged catalog."""
    same = [run for run in list_runs(corpus) if run.corpus_digest == manifest.corpus_digest]
    for run in (manifest, *same):
        if corpus.store.holds(run.run_id):
            with closing(corpus.store.tables(run.run_id)) as reader:
                return {row.item_id: (row.path, row.record) for row in reader.all_items()}
    catalog = catalog_of(corpus)
    if catalog.header.corpus_digest != manifest.corpus_digest:
        return None
    return {entry.item_id: (path, entry.line.decode()) for path, entry in catalog.entries.items()}


def _item_differences(a: dict[str, tuple[str, str]], b: dict[str, tuple[str, str]]) -> dict[str, list[str]]:
    return {
        "added": sorted(b[key][0] for key in b.keys() - a.keys()),
        "removed": sorted(a[key][0] for key in a.keys() - b.keys()),
        "renamed": sorted(f"{a[key][0]} -> {b[key][0]}" for key in a.keys() & b.keys() if a[key][0] != b[key][0]),
        "changed": sorted(b[key][0] for key in a.keys() & b.keys() if a[key][0] == b[key][0] and a[key] != b[key]),
    }


def verify(corpus: CorpusFolder, request: RunRequest, call: Call) -> dict[str, Any]:
    """Rebuild the current state with the run's recipe in memory and compare digests. Return `ok` and the
    differences."""
    manifest = manifest_of(corpus, request.run)
    recipe = recipes.resolve(manifest.recipe, f".biblicus/runs/{manifest.run_id}.json")
    catalog = catalog_of(corpus)
    built = parts(corpus, recipe)
    extractions = Extractions(corpus, call, dict(recipe.build.extraction))
    guarded = [raw_of(item) for item in catalog.items.values() if extractions.is_guarded(item.path, item.media_type)]
    for raw, outcome in extractions.guarded(raw for raw in guarded if not extractions.is_cached(raw)):
        extractions.remember(raw, outcome)
    tally = build_fresh(None, Work(catalog, lambda path: None, built, extractions, call))
    names = [key[11:] for key in manifest.components if key.startswith("extraction.")]
    components = {**extractions.fingerprints(names), **built.fingerprints()}
    differs = []
    if manifest.corpus_digest != catalog.header.corpus_digest:
        differs.append("items")
    if manifest.chunks_digest != tally.chunks_digest():
        differs.append("chunks")
    differs += sorted(key for key in components if components[key] != manifest.components.get(key))
    return {"run_id": manifest.run_id, "ok": not differs, "differs": differs, "chunks": tally.chunks}


def prune(corpus: CorpusFolder, request: PruneRunsRequest, call: Call) -> dict[str, Any]:
    """Delete the named runs, or all but the newest `keep` of each build and those protected by a user.
    The latest runs are deleted only with `latest`."""
    keep, names, latest = request.keep, request.names, request.latest
    if (keep is None) == (not names):
        raise UsageError("Say how many runs to keep, or which to delete.", "biblicus runs prune --keep 5")
    with corpus.writing(call):
        events.settle(corpus)
        header = catalogs.read_header(corpus)
        needed = {entry.run_id for entry in header.latest.values()} if header else set()
        doomed = [manifests.resolve(corpus, name) for name in names] if names else _beyond(corpus, keep or 0)
        published = publications.runs_published(corpus)
        if names and (sealed := [run_id for run_id in doomed if run_id in published]):
            raise UsageError(f"{sealed[0]} is the publication {published[sealed[0]]}.", "biblicus publications")
        doomed = [run_id for run_id in doomed if run_id not in published]
        if names and not latest and (latest_runs := [run_id for run_id in doomed if run_id in needed]):
            raise UsageError(f"{latest_runs[0]} is the latest run of a recipe.", "biblicus runs prune RUN --latest")
        doomed = [run_id for run_id in doomed if latest or run_id not in needed]
        if header and needed & set(doomed):
            remaining = {name: entry for name, entry in header.latest.items() if entry.run_id not in doomed}
            catalogs.write_header(corpus, replace(header, latest=remaining))
        left = [run_id for run_id in manifests.orphans(corpus) if run_id not in doomed]  # left by an interrupted prune
        freed = sum(manifests.delete(corpus, run_id) for run_id in (*doomed, *left))
    return {"deleted": doomed, "bytes": freed}


def keep(corpus: CorpusFolder, request: KeepRunsRequest, call: Call) -> dict[str, Any]:
    """Protect runs from pruning, or end the protection. Raises `RunNotFound`, `AmbiguousRun`."""
    with corpus.writing(call):
        run_ids = [manifest_of(corpus, name).run_id for name in request.names]
        for run_id in run_ids:
            (manifests.release if request.release else manifests.keep)(corpus, run_id)
    return {"runs": run_ids, "kept": not request.release}


def _beyond(corpus: CorpusFolder, keep: int) -> list[str]:
    by_build: dict[str, list[str]] = {}
    protected = manifests.kept(corpus)
    for run in list_runs(corpus):
        if run.run_id not in protected:
            by_build.setdefault(run.build_id, []).append(run.run_id)
    return [run_id for ids in by_build.values() for run_id in ids[: max(0, len(ids) - keep)]]
