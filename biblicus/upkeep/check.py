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

from biblicus.answers.personas import list_personas
from biblicus.contracts import Call
from biblicus.corpus import catalog as catalogs
from biblicus.corpus import event_log as events
from biblicus.corpus import extraction_cache as cache
from biblicus.corpus import recipes
from biblicus.corpus import registries as sources_on_disk
from biblicus.corpus.catalog import Catalog, Header, Latest
from biblicus.corpus.folder import CorpusFolder, write_config
from biblicus.corpus.refresh import refresh
from biblicus.disk import files, seals
from biblicus.errors import BiblicusError, ConfigInvalid, NewerSchema, UnsafeInput, Untrusted
from biblicus.models.item import Item
from biblicus.runs import manifests as runs
from biblicus.runs import vectors
from biblicus.runs.build import tables_fit
from biblicus.runs.reindex import reindex
from biblicus.stores.tables import TableReader
from biblicus.stores.vectors import stores

Found = TypeVar("Found")


@dataclass
class CheckReport:
    """`problems`: what is wrong. `notes`: what is merely worth knowing. `repaired`: what repair did about it."""

    problems: list[dict[str, str]] = field(default_factory=list)
    notes: list[dict[str, str]] = field(default_factory=list)
    repaired: list[str] = field(default_factory=list)
    checked: dict[str, int] = field(default_factory=dict)

    def problem(self, path: str, reason: str) -> None:
        self.problems.append({"path": path, "reason": reason})

    def note(self, path: str, reason: str) -> None:
        self.notes.append({"path": path, "reason": reason})


def check(
    place: CorpusFolder, call: Call, *, read_data: bool = False, repair: bool = False, sources: bool = False
) -> CheckReport:
    """Look at every kind of file. `read_data` reads raw files and indexes to the last byte, to find bit rot.

    `sources`: also hold the copies against what was synced, and ask repositories for their branches.
    """
    report = _look(place, call, read_data)
    if sources:
        _sources(place, report, call)
    if not repair:
        return report
    damaged = report
    _Repair(place, call, damaged).run()
    after = _look(place, call, read_data)
    if sources:
        _sources(place, after, call)
    after.repaired = damaged.repaired
    return after


def _sources(place: CorpusFolder, report: CheckReport, call: Call) -> None:
    from biblicus.upkeep.check_sources import check_sources  # lazy: only where it is asked for

    problems, notes, checked = check_sources(place, call)
    for path, reason in problems:
        report.problem(path, reason)
    for path, reason in notes:
        report.note(path, reason)
    report.checked |= checked


def prune_cache(place: CorpusFolder, call: Call, limit: int | None = None) -> tuple[int, int]:
    """Bound the caches: (entries, bytes) deleted. Of extractions the oldest go first, of vectors those no run needs."""
    bound = place.settings.cache_bytes if limit is None else limit
    with place.writing(call):
        texts, text_bytes = cache.prune(place, bound)
        dropped, vector_bytes = vectors.prune(place, bound) if place.vectors.exists() else (0, 0)
    return texts + dropped, text_bytes + vector_bytes


# --- looking ---------------------------------------------------------------------------------------------------------


def _look(place: CorpusFolder, call: Call, read_data: bool) -> CheckReport:
    report = CheckReport()
    _guard(report, ".biblicus/config.yml", lambda: place.config)
    catalog = _guard(report, ".biblicus/catalog.json", lambda: _whole_catalog(place))
    if catalog is not None:
        _catalog_fits(place, catalog, report)
    for path in place.leftovers():
        report.note(str(path.relative_to(place.root)), "left by a writer that died; the next one removes it")
    _registries(place, report)
    known = _runs(place, catalog, report)
    _materializations(place, known, report, deep=read_data)
    _personas(place, report)
    _caches(place, report)
    _vectors(place, report, deep=read_data)
    if read_data and not events.is_sound(place):
        report.problem(".biblicus/local/events", "the event log is damaged; repair begins another")
    if catalog is not None and read_data:
        _raw_files(place, catalog, report, call)
    return report


def _whole_catalog(place: CorpusFolder) -> Catalog | None:
    """The catalog with every item parsed, so that one which is not an item shows."""
    catalog = catalogs.read(place)
    if catalog is not None:
        deque(catalog.items.values(), maxlen=0)
    return catalog


def _guard(report: CheckReport, path: str, read: Callable[[], Found]) -> Found | None:
    try:
        return read()
    except BiblicusError as error:
        report.problem(path, error.message)
        return None


def _catalog_fits(place: CorpusFolder, catalog: Catalog, report: CheckReport) -> None:
    report.checked["items"] = len(catalog.items)
    with contextlib.suppress(ConfigInvalid):
        if catalog.header.corpus_id != place.config.corpus_id:
            report.problem(".biblicus/catalog.json", "its corpus_id is not that of config.yml")
    for name, entry in catalog.header.latest.items():
        if not (place.runs / f"{entry.run_id}.json").exists():
            report.problem(".biblicus/catalog.json", f"the latest run of {name}, {entry.run_id}, has no manifest")
    if files.read(place.catalog) != b"".join(catalogs.encode(catalog.header, catalog.lines())):
        report.problem(".biblicus/catalog.json", "it is not written as Biblicus writes it")


def _registries(place: CorpusFolder, report: CheckReport) -> None:
    """The list of sources, which is its user's, and what was synced from each, which repair can rebuild."""
    try:
        sources_on_disk.read_list(place)
    except BiblicusError as error:
        report.note(".biblicus/sources.yml", error.message)
    for name in sources_on_disk.names(place):
        where = f".biblicus/sources/{name}.json"
        _guard(report, where, partial(sources_on_disk.read_registry, place, name))


def _runs(place: CorpusFolder, catalog: Catalog | None, report: CheckReport) -> set[str]:
    known = set()
    for run_id in runs.ids(place):
        where = f".biblicus/runs/{run_id}.json"
        manifest = _guard(report, where, partial(runs.read, place, run_id))
        if manifest is None:
            continue
        known.add(run_id)
        if not runs.is_as_written(place, manifest):
            report.problem(where, "it is not what Biblicus wrote")
        elif catalog is not None and manifest.corpus_id != catalog.header.corpus_id:
            report.note(where, "it is of another corpus")
    report.checked["runs"] = len(known)
    return known


def _materializations(place: CorpusFolder, known: set[str], report: CheckReport, *, deep: bool) -> None:
    for run_id in runs.materialized(place):
        where = f".biblicus/local/index/{run_id}"
        if run_id not in known:
            report.note(where, "it belongs to no run; the next reindex removes it")
            continue
        try:
            seals.check_folder(runs.folder(place, run_id), deep=deep)
            if deep and not _tables_fit(place, run_id):
                report.problem(where, "its tables are not what its manifest says")
        except Untrusted:
            report.problem(where, "it is damaged, or was not built on this machine (reindex rebuilds it)")
        except BiblicusError as error:
            report.problem(where, error.message)
    report.checked["materializations"] = len(runs.materialized(place))


def _tables_fit(place: CorpusFolder, run_id: str) -> bool:
    reader = TableReader(runs.folder(place, run_id))
    try:
        return tables_fit(reader, runs.read(place, run_id))
    finally:
        reader.close()


def _personas(place: CorpusFolder, report: CheckReport) -> None:
    """A persona's file is its author's: one that does not validate is a note, and nothing that repair could write."""
    found = list_personas(place)
    for entry in found:
        if entry.problem:
            report.note(f".biblicus/personas/{entry.id}.yml", f"{entry.problem} (biblicus personas check {entry.id})")
    if found:
        report.checked["personas"] = len(found)


def _caches(place: CorpusFolder, report: CheckReport) -> None:
    """Sealed single files. One that a crash cut short costs time only: a note."""
    count = 0
    for path in (place.local / "scan.json", place.local / "stamps.json", *sorted(place.cache.rglob("*.json"))):
        if os.path.lexists(path):
            count += 1
            where = str(path.relative_to(place.root))
            if seals.read_sealed(path) is not None:
                continue
            if seals.is_torn(path):
                report.note(where, "a crash cut it short; it is made anew when it is needed")
            else:
                report.problem(where, "it is damaged; it will not be used")
    report.checked["caches"] = count


def _vectors(place: CorpusFolder, report: CheckReport, *, deep: bool) -> None:
    found = stores(place.vectors)
    for store in found:
        if not (store.is_sound() if deep else store.is_sealed()):
            where = str(store.folder.relative_to(place.root))
            report.problem(where, "it is damaged, or was not made on this machine (reindex makes it anew)")
    if found:
        report.checked["vectors"] = sum(store.count() for store in found if store.is_sealed())


def _raw_files(place: CorpusFolder, catalog: Catalog, report: CheckReport, call: Call) -> None:
    for done, item in enumerate(catalog.items.values()):
        call.check()
        call.progress("read", done, len(catalog.items))
        try:
            if files.sha256(place.inside(item.path)) != item.sha256:
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

    def __init__(self, place: CorpusFolder, call: Call, report: CheckReport) -> None:
        self.place, self.call, self.report = place, call, report

    def run(self) -> None:
        salvaged = self._salvage_items()
        with self.place.writing(self.call):
            catalogs.refuse_newer(self.place)
            events.settle(self.place)
            corpus_id = self._config()
            lost = self._manifests()
            latest = self._latest(corpus_id)
            self._catalog(corpus_id, latest, salvaged)
            self._registries(salvaged)
            self._derived()
        names = [name for name in sorted({*latest, *lost}) if self._is_known(name)]
        if names:
            reindex(self.place, names, self.call)
        else:
            self._refresh()
        self.report.repaired.append("the catalog was rebuilt from the raw files")

    def _registries(self, salvaged: dict[str, Item]) -> None:
        """Registries that cannot be read are put aside, and made of what the catalog has from their sources."""
        for name in sources_on_disk.names(self.place):
            try:
                sources_on_disk.read_registry(self.place, name)
            except NewerSchema:
                continue
            except BiblicusError:
                from biblicus.upkeep.check_sources import rebuilt  # lazy: few registries break

                self._keep_aside(sources_on_disk.registry_file(self.place, name))
                if registry := rebuilt(name, salvaged.values()):
                    sources_on_disk.write_registry(self.place, registry)
                self.report.repaired.append(f"what was synced from {name} was rebuilt from the catalog")

    def _is_known(self, name: str) -> bool:
        try:
            recipes.find(self.place, name)
        except BiblicusError:
            return False
        return True

    def _refresh(self) -> None:
        with self.place.writing(self.call):
            refresh(self.place, self.call)

    def _keep_aside(self, path: Path) -> None:
        files.make_folder(self.place.damaged)
        with contextlib.suppress(OSError):
            path.rename(self.place.damaged / f"{path.name}.{secrets.token_hex(4)}")

    def _config(self) -> str:
        try:
            return self.place.config.corpus_id
        except ConfigInvalid:
            known = [self._corpus_id_of(run_id) for run_id in reversed(runs.ids(self.place))]
            header = None
            with contextlib.suppress(BiblicusError):
                header = catalogs.read_header(self.place)
            corpus_id = header.corpus_id if header else next(filter(None, known), secrets.token_hex(16))
            if os.path.lexists(self.place.config_file):
                self._keep_aside(self.place.config_file)
            write_config(self.place, self.place.root.name or "corpus", corpus_id)
            self.report.repaired.append("config.yml was written anew; its name and rules are the defaults")
            return corpus_id

    def _corpus_id_of(self, run_id: str) -> str | None:
        try:
            return runs.read(self.place, run_id).corpus_id
        except BiblicusError:
            return None

    def _manifests(self) -> list[str]:
        """Put damaged manifests aside; returns the recipes whose runs they were."""
        lost = []
        for run_id in runs.ids(self.place):
            try:
                if runs.is_as_written(self.place, runs.read(self.place, run_id)):
                    continue
            except NewerSchema:
                continue
            except BiblicusError:
                pass
            self._keep_aside(self.place.runs / f"{run_id}.json")
            runs.forget(self.place, run_id)
            self.report.repaired.append(f"the run {run_id} was damaged and is put aside")
            lost.append(runs.recipe_of(run_id))
        return lost

    def _latest(self, corpus_id: str) -> dict[str, Latest]:
        """What the header says, where it can be read and holds; else the newest run of each recipe."""
        latest: dict[str, Latest] = {}
        for run_id in runs.ids(self.place):
            with contextlib.suppress(BiblicusError):
                manifest = runs.read(self.place, run_id)
                if manifest.corpus_id == corpus_id:
                    latest[manifest.recipe["name"]] = Latest(run_id=run_id, build_id=manifest.build_id)
        with contextlib.suppress(BiblicusError):
            header = catalogs.read_header(self.place)
            stated = header.latest.items() if header else ()
            latest.update((name, run) for name, run in stated if (self.place.runs / f"{run.run_id}.json").exists())
        return dict(sorted(latest.items()))

    def _salvage_items(self) -> dict[str, Item]:
        """Ids by path, from the catalog where it is whole, else from the newest sound item table and its lines."""
        with contextlib.suppress(BiblicusError):
            if catalog := catalogs.read(self.place):
                return dict(catalog.items.items())
        found: dict[str, Item] = {}
        for run_id in reversed(runs.materialized(self.place)):
            try:
                seals.check_folder(runs.folder(self.place, run_id), deep=True)
                reader = TableReader(runs.folder(self.place, run_id))
                found = {row.path: row.item for row in reader.all_items()}
                reader.close()
                break
            except BiblicusError:
                continue
        for item in self._readable_lines():
            found.setdefault(item.path, item)
        return found

    def _readable_lines(self) -> list[Item]:
        items = []
        with contextlib.suppress(OSError, UnsafeInput):
            for line in files.read(self.place.catalog, limit=files.LARGE).split(b"\n")[1:]:
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
        if os.path.lexists(self.place.catalog):
            with contextlib.suppress(BiblicusError):
                if _whole_catalog(self.place) is not None:
                    catalogs.write_header(self.place, header)
                    return
            self._keep_aside(self.place.catalog)
        catalogs.write(self.place, Catalog(header, entries))

    def _derived(self) -> None:
        """Drop stamps, bad caches and bad materializations, so that they are made anew."""
        for path in (self.place.local / "scan.json", self.place.local / "stamps.json"):
            files.remove(path)
        for path in self.place.cache.rglob("*.json"):
            if seals.read_sealed(path) is None:
                files.remove(path)
        for run_id in runs.materialized(self.place):
            try:
                seals.check_folder(runs.folder(self.place, run_id), deep=True)
                if _tables_fit(self.place, run_id):
                    continue
            except BiblicusError:
                pass
            runs.forget(self.place, run_id)
        for store in stores(self.place.vectors):
            if not store.is_sound():
                store.delete()
        if not events.is_sound(self.place):
            events.forget(self.place)
