"""Check: verifies every file of the corpus; with `repair`, rebuilds damaged ones from the raw files."""

from __future__ import annotations

import contextlib
import os
from collections import deque
from functools import partial

from biblicus import upkeep
from biblicus.answers import persona_files
from biblicus.answers.personas import persona_entry
from biblicus.contracts import Call
from biblicus.corpus import catalog as catalogs
from biblicus.corpus import recipes, weights
from biblicus.corpus import registries as sources_on_disk
from biblicus.corpus.catalog import Catalog, catalog_of
from biblicus.corpus.changes import file_stats
from biblicus.corpus.changes.synced import IMPORTS, registered
from biblicus.corpus.described import contexts, readers
from biblicus.corpus.described.describe import read_sidecar
from biblicus.corpus.editorial import notes
from biblicus.corpus.events import alerts
from biblicus.corpus.events import log as events
from biblicus.corpus.extracted.contents import Contents
from biblicus.corpus.folder import CorpusFolder, is_local_ignored
from biblicus.disk import files, seals, system
from biblicus.errors import BiblicusError, ConfigInvalid, ExtraMissing, UnsafeInput, Untrusted
from biblicus.measure import datasets, golden
from biblicus.measure.evaluate import is_as_kept
from biblicus.models.recipe import BUILT_IN
from biblicus.models.requests.runs import CheckRequest
from biblicus.runs import manifests as runs
from biblicus.runs import vectors
from biblicus.runs.stats import unread
from biblicus.sources.folder import SIDECAR
from biblicus.stores.vectors import stores
from biblicus.text.paths import file_of
from biblicus.upkeep.check_editorial import check_editorial
from biblicus.upkeep.kinds import CheckReport as CheckReport
from biblicus.upkeep.kinds import kind_of, tables_fit_run
from biblicus.upkeep.repair import Repair


def check(corpus: CorpusFolder, request: CheckRequest, call: Call) -> CheckReport:
    """Check every kind of file, and repair it on request."""
    pruned = prune_cache(corpus, call) if request.prune_cache else None
    report = _checked(corpus, request, call)
    if request.repair:
        Repair(corpus, call, report).run()
        report, damaged = _checked(corpus, request, call), report
        report.repaired = damaged.repaired
    report.pruned = pruned
    if request.sandbox:
        report.sandbox = upkeep.sandbox.sandbox(corpus)
    if request.failed:
        report.unread = unread(corpus, catalog_of(corpus))
    return report


def _checked(corpus: CorpusFolder, request: CheckRequest, call: Call) -> CheckReport:
    report = _look(corpus, call, request.read_data)
    if request.sources:
        upkeep.check_sources.check_sources(corpus, report, call)
    return report


def prune_cache(corpus: CorpusFolder, call: Call, limit: int | None = None) -> tuple[int, int]:
    """Prune the caches; return the number of entries and bytes deleted.

    Texts go by last use, vectors if no run needs them."""
    max_bytes = corpus.settings.cache_bytes if limit is None else limit
    with corpus.writing(call):
        entries, entry_bytes = corpus.kept.trim(max_bytes)
        dropped, vector_bytes = vectors.prune(corpus, max_bytes) if corpus.vectors.exists() else (0, 0)
    return entries + dropped, entry_bytes + vector_bytes


# --- checking --------------------------------------------------------------------------------------------------------


def _look(corpus: CorpusFolder, call: Call, read_data: bool) -> CheckReport:
    report = CheckReport()
    report.guard(".biblicus/config.yml", lambda: corpus.config)
    catalog = report.guard(".biblicus/catalog.json", lambda: _whole_catalog(corpus))
    if catalog is not None:
        _catalog_fits(corpus, catalog, report)
        _sidecars(corpus, catalog, report)
        rules = readers.visibility(corpus, catalog)
        for item_path, group in rules.undefined(corpus.settings.groups) if rules else ():
            report.note(
                item_path, f'its readers name the group "{group}", which neither your settings nor access.yml define'
            )
        for name in sorted({file_of(item.path) for item in catalog.items.values()}):
            if problem := next(filter(None, map(system.name_problem, name.split("/"))), ""):
                report.note(name, problem)
    for path in corpus.leftovers():
        report.note(corpus.shown(path), "left by a writer that died; the next one removes it")
    _strangers(corpus, report)
    _registries(corpus, catalog, report)
    check_editorial(corpus, catalog, report, deep=read_data)
    run_ids = _runs(corpus, catalog, report)
    _materializations(corpus, run_ids, catalog, report, deep=read_data)
    _written_by_hand(corpus, catalog, report)
    _caches(corpus, report)
    _vectors(corpus, report, deep=read_data)
    for path in sorted(corpus.evaluations.glob("*.json")):
        if not is_as_kept(path):
            report.problem(corpus.shown(path), "it is not what was stored")
    if read_data and not events.is_sound(corpus):
        report.problem(".biblicus/local/events", "the event log is damaged; repair begins another")
    if catalog is not None and read_data:
        _raw_files(corpus, catalog, report, call)
    return report


def _strangers(corpus: CorpusFolder, report: CheckReport) -> None:
    """Report missing ignore rules, and files of no known kind."""
    if not is_local_ignored(corpus.home):
        report.problem(
            ".biblicus/.gitignore", "it does not leave out local/: git would commit what is this machine's own"
        )
    for parent, _, names in os.walk(corpus.home):
        below = system.below(parent, corpus.home)
        for name in names:
            path = name if below == os.curdir else f"{below}/{name}"
            if kind_of(path) is None and files.TEMPORARY not in path and ".tmp/" not in path:
                report.note(f".biblicus/{path}", "it is nothing that Biblicus writes or reads")


def _whole_catalog(corpus: CorpusFolder) -> Catalog | None:
    """Return the catalog with every item parsed, so that invalid ones are found."""
    catalog = catalogs.read(corpus)
    if catalog is not None:
        deque(catalog.items.values(), maxlen=0)
    return catalog


def _catalog_fits(corpus: CorpusFolder, catalog: Catalog, report: CheckReport) -> None:
    report.checked["items"] = len(catalog.items)
    with contextlib.suppress(ConfigInvalid):
        if catalog.header.corpus_id != corpus.config.corpus_id:
            report.problem(".biblicus/catalog.json", "its corpus_id is not that of config.yml")
    for name, entry in catalog.header.latest.items():
        if not (corpus.runs / f"{entry.run_id}.json").exists():
            where = f".biblicus/runs/{entry.run_id}.json"
            report.problem(where, f"it is gone, and was the latest run of {name}", "biblicus reindex")
    if not catalogs.is_as_written(corpus, catalog):
        report.problem(".biblicus/catalog.json", "it is not written as Biblicus writes it")


def _sidecars(corpus: CorpusFolder, catalog: Catalog, report: CheckReport) -> None:
    for path in catalog.entries:
        if os.path.lexists(corpus.absolute(path + SIDECAR)):
            for warning in read_sidecar(corpus, path).warnings:
                report.problem(path + SIDECAR, warning, f"edit {path}{SIDECAR}")


def _registries(corpus: CorpusFolder, catalog: Catalog | None, report: CheckReport) -> None:
    """Check the list of sources, and the registry of each."""
    names = registered(corpus)
    listed = report.guard(".biblicus/sources.yml", lambda: sources_on_disk.read_list(corpus))
    if names and not os.path.lexists(sources_on_disk.list_file(corpus)):
        report.problem(".biblicus/sources.yml", f"it is gone, though {', '.join(names)} was synced")
    for name in names:
        where = f".biblicus/sources/{name}.json"
        report.guard(where, partial(sources_on_disk.read_registry, corpus, name))
        seal = corpus.clones / f"{name}.seal"
        if seal.exists() and seals.read_sealed(seal) is None:
            report.problem(corpus.shown(seal), "it is damaged, or another machine's")
    for entry in listed.sources if listed else ():
        top = f"{IMPORTS}/{entry.name}/"
        if entry.name not in names and catalog and any(path.startswith(top) for path in catalog.entries):
            report.problem(f".biblicus/sources/{entry.name}.json", "it is gone, though what was synced is here")


def _runs(corpus: CorpusFolder, catalog: Catalog | None, report: CheckReport) -> set[str]:
    run_ids = set()
    for run_id in runs.ids(corpus):
        where = f".biblicus/runs/{run_id}.json"
        manifest = report.guard(where, partial(runs.read, corpus, run_id))
        if manifest is None:
            continue
        run_ids.add(run_id)
        if not runs.is_as_written(corpus, manifest):
            report.problem(where, "it is not what Biblicus wrote")
        elif catalog is not None and manifest.corpus_id != catalog.header.corpus_id:
            report.note(where, "it is of another corpus")
    report.checked["runs"] = len(run_ids)
    return run_ids


def _materializations(
    corpus: CorpusFolder, known: set[str], catalog: Catalog | None, report: CheckReport, *, deep: bool
) -> None:
    latest = {entry.run_id for entry in catalog.header.latest.values()} if catalog else set()
    in_place, own_runs = corpus.store.runs(), corpus.store.own()
    for run_id in in_place:
        where = corpus.store.place(run_id)
        hint = "" if run_id in latest else "biblicus check --repair"
        if run_id not in known and run_id not in own_runs:
            continue  # of another clone
        if run_id not in known:
            report.note(where, "it belongs to no run; the next reindex removes it")
            continue
        try:
            corpus.store.check(run_id, deep=deep)
            if deep and not tables_fit_run(corpus, run_id):
                report.problem(where, "its tables are not what its manifest says", hint)
        except Untrusted:
            report.problem(where, "it is damaged, or was not built on this machine", hint)
        except BiblicusError as error:
            report.problem(where, error.message, hint)
    report.checked["materializations"] = len(in_place)


def _written_by_hand(corpus: CorpusFolder, catalog: Catalog | None, report: CheckReport) -> None:
    """Check weights, recipes, personas, notes and datasets: only syntax and keys, since people write them."""
    report.guard(".biblicus/weights.yml", lambda: weights.read(corpus))
    report.guard(contexts.WHERE, lambda: contexts.read(corpus))
    if problem := readers.read_access(corpus).problem:
        report.problem(readers.WHERE, f"{problem} Until then only the owner sees items.")
    recipe_names = {path.stem for path in corpus.recipes.glob("*.yml")}
    for name in sorted(recipe_names):
        with contextlib.suppress(ExtraMissing):
            report.guard(f".biblicus/recipes/{name}.yml", partial(recipes.find, corpus, name))
    for name in catalog.header.latest if catalog else ():
        if name not in recipe_names and name not in BUILT_IN:
            report.note(f".biblicus/recipes/{name}.yml", "it is gone; its runs stay, and hold it")
    entries = [persona_entry(corpus, name) for name in persona_files.ids(corpus)]
    for entry in entries:
        if entry.problem:
            report.problem(f".biblicus/personas/{entry.id}.yml", entry.problem)
    if entries:
        report.checked["personas"] = len(entries)
    for name in alerts.names(corpus):
        report.guard(f".biblicus/alerts/{name}.json", partial(alerts.read, corpus, name))
    for note_id in notes.note_ids(corpus):
        report.guard(f".biblicus/notes/{note_id}.json", partial(notes.read, corpus, note_id))
    golden_file = corpus.datasets / golden.NAME
    if os.path.lexists(golden_file):
        report.guard(corpus.shown(golden_file), lambda: golden.read(golden_file, golden.NAME))
    for name in datasets.registered(corpus):
        report.guard(f".biblicus/datasets/{name}", partial(_read_dataset, corpus, name))


def _read_dataset(corpus: CorpusFolder, name: str) -> None:
    """Read every file of a dataset. Raises for an invalid one."""
    dataset = datasets.locate(corpus, name)
    for split in dataset.qrels or [""]:
        datasets.read(dataset, split or None, judged=False)


def _caches(corpus: CorpusFolder, report: CheckReport) -> None:
    """Check sealed single files. A truncated one costs only time, so it is a note."""
    count = 0
    for path in (*file_stats.kept(corpus), *sorted(corpus.cache.rglob("*.json"))):
        if os.path.lexists(path):
            count += 1
            where = corpus.shown(path)
            if seals.read_sealed(path) is not None:
                continue
            if seals.is_torn(path):
                report.note(where, "a crash cut it short; it is made anew when it is needed")
            elif not seals.is_ours(path.parent):
                report.note(where, "it is another user's; it is not used")
            else:
                report.problem(where, "it is damaged; it will not be used")
    report.checked["caches"] = count


def _vectors(corpus: CorpusFolder, report: CheckReport, *, deep: bool) -> None:
    vector_stores = stores(corpus.vectors)
    for store in vector_stores:
        if not (store.is_sound() if deep else store.is_sealed()):
            report.problem(corpus.shown(store.folder), "it is damaged, or was not made on this machine")
    if vector_stores:
        report.checked["vectors"] = sum(store.count() for store in vector_stores if store.is_sealed())


def _raw_files(corpus: CorpusFolder, catalog: Catalog, report: CheckReport, call: Call) -> None:
    contents = Contents(corpus, call)
    for done, item in enumerate(catalog.items.values()):
        call.check()
        call.progress("read", done, len(catalog.items))
        try:
            if contents.facts(item.path, item.sha256 if item.approval else "").sha256 != item.sha256:
                reason = "its bytes are not those of the catalog: edited, or damaged"
                report.problem(item.path, reason, "biblicus ingest")
        except UnsafeInput:
            report.problem(
                item.path, "it is, or lies behind, a link, a pipe or a device, which is not followed or read"
            )
        except (OSError, BiblicusError):
            report.problem(item.path, "it cannot be read: moved, deleted, or damaged", "biblicus ingest")
