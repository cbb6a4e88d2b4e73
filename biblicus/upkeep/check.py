"""Check: is everything in the folder what it says it is; with `repair`, rebuild from the raw files what is not."""

from __future__ import annotations

import contextlib
import os
import secrets
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TypeVar

from biblicus.answers import persona_files
from biblicus.answers.personas import persona_entry
from biblicus.contracts import Call
from biblicus.corpus import catalog as catalogs
from biblicus.corpus import event_log as events
from biblicus.corpus import recipes
from biblicus.corpus import registries as sources_on_disk
from biblicus.corpus.catalog import Catalog, Header, Latest
from biblicus.corpus.folder import CorpusFolder, write_config
from biblicus.corpus.refresh import refresh
from biblicus.disk import files, seals
from biblicus.errors import BiblicusError, ConfigInvalid, NewerSchema, UnsafeInput, Untrusted
from biblicus.models.item import Item
from biblicus.models.plain import LEFT_OUT
from biblicus.models.requests.runs import CheckRequest, ReindexRequest
from biblicus.runs import manifests as runs
from biblicus.runs import vectors
from biblicus.runs.build import tables_fit
from biblicus.runs.reindex import reindex
from biblicus.stores.tables import TableReader
from biblicus.stores.vectors import stores

Found = TypeVar("Found")


@dataclass
class CheckReport:
    """`problems`: what is wrong. `notes`: what is merely worth knowing. `repaired`: what repair did about it.
    `pruned`: cached entries that were deleted, and their bytes."""

    problems: list[dict[str, str]] = field(default_factory=list)
    notes: list[dict[str, str]] = field(default_factory=list)
    repaired: list[str] = field(default_factory=list)
    checked: dict[str, int] = field(default_factory=dict)
    pruned: tuple[int, int] | None = field(default=None, metadata=LEFT_OUT)

    def problem(self, path: str, reason: str) -> None:
        self.problems.append({"path": path, "reason": reason})

    def note(self, path: str, reason: str) -> None:
        self.notes.append({"path": path, "reason": reason})


def check(corpus: CorpusFolder, request: CheckRequest, call: Call) -> CheckReport:
    """Look at every kind of file, and repair it where that was asked for."""
    pruned = prune_cache(corpus, call) if request.prune_cache else None
    report = _checked(corpus, request, call)
    if request.repair:
        _Repair(corpus, call, report).run()
        report, damaged = _checked(corpus, request, call), report
        report.repaired = damaged.repaired
    report.pruned = pruned
    return report


def _checked(corpus: CorpusFolder, request: CheckRequest, call: Call) -> CheckReport:
    report = _look(corpus, call, request.read_data)
    if request.sources:
        _sources(corpus, report, call)
    return report


def _sources(corpus: CorpusFolder, report: CheckReport, call: Call) -> None:
    from biblicus.upkeep.check_sources import check_sources  # lazy: only where it is asked for

    problems, notes, checked = check_sources(corpus, call)
    for path, reason in problems:
        report.problem(path, reason)
    for path, reason in notes:
        report.note(path, reason)
    report.checked |= checked


def prune_cache(corpus: CorpusFolder, call: Call, limit: int | None = None) -> tuple[int, int]:
    """Bound the caches: (entries, bytes) deleted. Of texts and replies those longest unused go first, of vectors those
    no run needs."""
    bound = corpus.settings.cache_bytes if limit is None else limit
    with corpus.writing(call):
        entries, entry_bytes = corpus.kept.trim(bound)
        dropped, vector_bytes = vectors.prune(corpus, bound) if corpus.vectors.exists() else (0, 0)
    return entries + dropped, entry_bytes + vector_bytes


# --- looking ---------------------------------------------------------------------------------------------------------


def _look(corpus: CorpusFolder, call: Call, read_data: bool) -> CheckReport:
    report = CheckReport()
    _guard(report, ".biblicus/config.yml", lambda: corpus.config)
    catalog = _guard(report, ".biblicus/catalog.json", lambda: _whole_catalog(corpus))
    if catalog is not None:
        _catalog_fits(corpus, catalog, report)
    for path in corpus.leftovers():
        report.note(str(path.relative_to(corpus.root)), "left by a writer that died; the next one removes it")
    _registries(corpus, report)
    known = _runs(corpus, catalog, report)
    _materializations(corpus, known, report, deep=read_data)
    _personas(corpus, report)
    _caches(corpus, report)
    _vectors(corpus, report, deep=read_data)
    if read_data and not events.is_sound(corpus):
        report.problem(".biblicus/local/events", "the event log is damaged; repair begins another")
    if catalog is not None and read_data:
        _raw_files(corpus, catalog, report, call)
    return report


def _whole_catalog(corpus: CorpusFolder) -> Catalog | None:
    """The catalog with every item parsed, so that one which is not an item shows."""
    catalog = catalogs.read(corpus)
    if catalog is not None:
        deque(catalog.items.values(), maxlen=0)
    return catalog


def _guard(report: CheckReport, path: str, read: Callable[[], Found]) -> Found | None:
    try:
        return read()
    except BiblicusError as error:
        report.problem(path, error.message)
        return None


def _catalog_fits(corpus: CorpusFolder, catalog: Catalog, report: CheckReport) -> None:
    report.checked["items"] = len(catalog.items)
    with contextlib.suppress(ConfigInvalid):
        if catalog.header.corpus_id != corpus.config.corpus_id:
            report.problem(".biblicus/catalog.json", "its corpus_id is not that of config.yml")
    for name, entry in catalog.header.latest.items():
        if not (corpus.runs / f"{entry.run_id}.json").exists():
            report.problem(".biblicus/catalog.json", f"the latest run of {name}, {entry.run_id}, has no manifest")
    if files.read(corpus.catalog) != b"".join(catalogs.encode(catalog.header, catalog.lines())):
        report.problem(".biblicus/catalog.json", "it is not written as Biblicus writes it")


def _registries(corpus: CorpusFolder, report: CheckReport) -> None:
    """The list of sources, which is its user's, and what was synced from each, which repair can rebuild."""
    try:
        sources_on_disk.read_list(corpus)
    except BiblicusError as error:
        report.note(".biblicus/sources.yml", error.message)
    for name in sources_on_disk.names(corpus):
        where = f".biblicus/sources/{name}.json"
        _guard(report, where, partial(sources_on_disk.read_registry, corpus, name))


def _runs(corpus: CorpusFolder, catalog: Catalog | None, report: CheckReport) -> set[str]:
    known = set()
    for run_id in runs.ids(corpus):
        where = f".biblicus/runs/{run_id}.json"
        manifest = _guard(report, where, partial(runs.read, corpus, run_id))
        if manifest is None:
            continue
        known.add(run_id)
        if not runs.is_as_written(corpus, manifest):
            report.problem(where, "it is not what Biblicus wrote")
        elif catalog is not None and manifest.corpus_id != catalog.header.corpus_id:
            report.note(where, "it is of another corpus")
    report.checked["runs"] = len(known)
    return known


def _materializations(corpus: CorpusFolder, known: set[str], report: CheckReport, *, deep: bool) -> None:
    for run_id in runs.materialized(corpus):
        where = f".biblicus/local/index/{run_id}"
        if run_id not in known:
            report.note(where, "it belongs to no run; the next reindex removes it")
            continue
        try:
            seals.check_folder(runs.folder(corpus, run_id), deep=deep)
            if deep and not _tables_fit(corpus, run_id):
                report.problem(where, "its tables are not what its manifest says")
        except Untrusted:
            report.problem(where, "it is damaged, or was not built on this machine (reindex rebuilds it)")
        except BiblicusError as error:
            report.problem(where, error.message)
    report.checked["materializations"] = len(runs.materialized(corpus))


def _tables_fit(corpus: CorpusFolder, run_id: str) -> bool:
    reader = TableReader(runs.folder(corpus, run_id))
    try:
        return tables_fit(reader, runs.read(corpus, run_id))
    finally:
        reader.close()


def _personas(corpus: CorpusFolder, report: CheckReport) -> None:
    """A persona's file is its author's: one that does not validate is a note, and nothing that repair could write."""
    entries = [persona_entry(corpus, name) for name in persona_files.ids(corpus)]
    for entry in entries:
        if entry.problem:
            report.note(f".biblicus/personas/{entry.id}.yml", f"{entry.problem} (biblicus personas check {entry.id})")
    if entries:
        report.checked["personas"] = len(entries)


def _caches(corpus: CorpusFolder, report: CheckReport) -> None:
    """Sealed single files. One that a crash cut short costs time only: a note."""
    count = 0
    for path in (corpus.local / "scan.json", corpus.local / "stamps.json", *sorted(corpus.cache.rglob("*.json"))):
        if os.path.lexists(path):
            count += 1
            where = str(path.relative_to(corpus.root))
            if seals.read_sealed(path) is not None:
                continue
            if seals.is_torn(path):
                report.note(where, "a crash cut it short; it is made anew when it is needed")
            else:
                report.problem(where, "it is damaged; it will not be used")
    report.checked["caches"] = count


def _vectors(corpus: CorpusFolder, report: CheckReport, *, deep: bool) -> None:
    kept = stores(corpus.vectors)
    for store in kept:
        if not (store.is_sound() if deep else store.is_sealed()):
            where = str(store.folder.relative_to(corpus.root))
            report.problem(where, "it is damaged, or was not made on this machine (reindex makes it anew)")
    if kept:
        report.checked["vectors"] = sum(store.count() for store in kept if store.is_sealed())


def _raw_files(corpus: CorpusFolder, catalog: Catalog, report: CheckReport, call: Call) -> None:
    for done, item in enumerate(catalog.items.values()):
        call.check()
        call.progress("read", done, len(catalog.items))
        try:
            if files.sha256(corpus.inside(item.path)) != item.sha256:
                report.problem(item.path, "its bytes are not those of the catalog: edited (biblicus ingest) or damaged")
        except UnsafeInput:
            report.problem(
                item.path, "it is, or lies behind, a link, a pipe or a device, which is not followed or read"
            )
        except (OSError, BiblicusError):
            report.problem(item.path, "it cannot be read: moved, deleted (biblicus ingest) or damaged")


# --- repairing -------------------------------------------------------------------------------------------------------


class _Repair:
    """Rebuilds from the raw files, sidecars, front matter, the newest item table and the readable manifests."""

    def __init__(self, corpus: CorpusFolder, call: Call, report: CheckReport) -> None:
        self.corpus, self.call, self.report = corpus, call, report

    def run(self) -> None:
        salvaged = self._salvage_items()
        with self.corpus.writing(self.call):
            catalogs.refuse_newer(self.corpus)
            events.settle(self.corpus)
            corpus_id = self._config()
            lost = self._manifests()
            latest = self._latest(corpus_id)
            self._catalog(corpus_id, latest, salvaged)
            self._registries(salvaged)
            self._derived()
        names = [name for name in sorted({*latest, *lost}) if self._is_known(name)]
        if names:
            reindex(self.corpus, ReindexRequest(tuple(names)), self.call)
        else:
            self._refresh()
        self.report.repaired.append("the catalog was rebuilt from the raw files")

    def _registries(self, salvaged: dict[str, Item]) -> None:
        """Registries that cannot be read are put aside, and made of what the catalog has from their sources."""
        for name in sources_on_disk.names(self.corpus):
            try:
                sources_on_disk.read_registry(self.corpus, name)
            except NewerSchema:
                continue
            except BiblicusError:
                from biblicus.upkeep.check_sources import rebuilt  # lazy: few registries break

                self._keep_aside(sources_on_disk.registry_file(self.corpus, name))
                if registry := rebuilt(name, salvaged.values()):
                    sources_on_disk.write_registry(self.corpus, registry)
                self.report.repaired.append(f"what was synced from {name} was rebuilt from the catalog")

    def _is_known(self, name: str) -> bool:
        try:
            recipes.find(self.corpus, name)
        except BiblicusError:
            return False
        return True

    def _refresh(self) -> None:
        with self.corpus.writing(self.call):
            refresh(self.corpus, self.call)

    def _keep_aside(self, path: Path) -> None:
        files.make_folder(self.corpus.damaged)
        with contextlib.suppress(OSError):
            path.rename(self.corpus.damaged / f"{path.name}.{secrets.token_hex(4)}")

    def _config(self) -> str:
        try:
            return self.corpus.config.corpus_id
        except ConfigInvalid:
            known = [self._corpus_id_of(run_id) for run_id in reversed(runs.ids(self.corpus))]
            header = None
            with contextlib.suppress(BiblicusError):
                header = catalogs.read_header(self.corpus)
            corpus_id = header.corpus_id if header else next(filter(None, known), secrets.token_hex(16))
            if os.path.lexists(self.corpus.config_file):
                self._keep_aside(self.corpus.config_file)
            write_config(self.corpus, self.corpus.root.name or "corpus", corpus_id)
            self.report.repaired.append("config.yml was written anew; its name and rules are the defaults")
            return corpus_id

    def _corpus_id_of(self, run_id: str) -> str | None:
        try:
            return runs.read(self.corpus, run_id).corpus_id
        except BiblicusError:
            return None

    def _manifests(self) -> list[str]:
        """Put damaged manifests aside; returns the recipes whose runs they were."""
        lost = []
        for run_id in runs.ids(self.corpus):
            try:
                if runs.is_as_written(self.corpus, runs.read(self.corpus, run_id)):
                    continue
            except NewerSchema:
                continue
            except BiblicusError:
                pass
            self._keep_aside(self.corpus.runs / f"{run_id}.json")
            runs.forget(self.corpus, run_id)
            self.report.repaired.append(f"the run {run_id} was damaged and is put aside")
            lost.append(runs.recipe_of(run_id))
        return lost

    def _latest(self, corpus_id: str) -> dict[str, Latest]:
        """What the header says, where it can be read and holds; else the newest run of each recipe."""
        latest: dict[str, Latest] = {}
        for run_id in runs.ids(self.corpus):
            with contextlib.suppress(BiblicusError):
                manifest = runs.read(self.corpus, run_id)
                if manifest.corpus_id == corpus_id:
                    latest[manifest.recipe["name"]] = Latest(run_id=run_id, build_id=manifest.build_id)
        with contextlib.suppress(BiblicusError):
            header = catalogs.read_header(self.corpus)
            stated = header.latest.items() if header else ()
            latest.update((name, run) for name, run in stated if (self.corpus.runs / f"{run.run_id}.json").exists())
        return dict(sorted(latest.items()))

    def _salvage_items(self) -> dict[str, Item]:
        """Ids by path, from the catalog where it is whole, else from the newest sound item table and its lines."""
        with contextlib.suppress(BiblicusError):
            if catalog := catalogs.read(self.corpus):
                return dict(catalog.items.items())
        items: dict[str, Item] = {}
        for run_id in reversed(runs.materialized(self.corpus)):
            try:
                seals.check_folder(runs.folder(self.corpus, run_id), deep=True)
                reader = TableReader(runs.folder(self.corpus, run_id))
                items = {row.path: row.item for row in reader.all_items()}
                reader.close()
                break
            except BiblicusError:
                continue
        for item in self._readable_lines():
            items.setdefault(item.path, item)
        return items

    def _readable_lines(self) -> list[Item]:
        items = []
        with contextlib.suppress(OSError, UnsafeInput):
            for line in files.read(self.corpus.catalog, limit=files.LARGE).split(b"\n")[1:]:
                with contextlib.suppress(BiblicusError):
                    items.append(catalogs.parse_line(line.removesuffix(b",")))
        return items

    def _catalog(self, corpus_id: str, latest: dict[str, Latest], salvaged: dict[str, Item]) -> None:
        """A catalog to refresh from: it keeps ids; everything else is described anew."""
        by_id = {item.item_id: path for path, item in sorted(salvaged.items(), reverse=True)}
        unique = {path: item for path, item in sorted(salvaged.items()) if by_id[item.item_id] == path}
        entries = {path: catalogs.entry_of(item) for path, item in unique.items()}
        header = Header(
            schema_version=1,
            corpus_id=corpus_id,
            latest=latest,
            corpus_digest=catalogs.corpus_digest(entry.line for entry in entries.values()),
        )
        if os.path.lexists(self.corpus.catalog):
            with contextlib.suppress(BiblicusError):
                if _whole_catalog(self.corpus) is not None:
                    catalogs.write_header(self.corpus, header)
                    return
            self._keep_aside(self.corpus.catalog)
        catalogs.write(self.corpus, Catalog(header, entries))

    def _derived(self) -> None:
        """Drop stamps, bad caches and bad materializations, so that they are made anew."""
        for path in (self.corpus.local / "scan.json", self.corpus.local / "stamps.json"):
            files.remove(path)
        for path in self.corpus.cache.rglob("*.json"):
            if seals.read_sealed(path) is None:
                files.remove(path)
        for run_id in runs.materialized(self.corpus):
            try:
                seals.check_folder(runs.folder(self.corpus, run_id), deep=True)
                if _tables_fit(self.corpus, run_id):
                    continue
            except BiblicusError:
                pass
            runs.forget(self.corpus, run_id)
        for store in stores(self.corpus.vectors):
            if not store.is_sound():
                store.delete()
        if not events.is_sound(self.corpus):
            events.forget(self.corpus)
