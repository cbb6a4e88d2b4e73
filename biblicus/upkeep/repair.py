"""Repair: rebuilds damaged files from the raw files, and sets aside those that cannot be rebuilt."""

from __future__ import annotations

import contextlib
import os
import secrets

from biblicus import upkeep
from biblicus.contracts import Call
from biblicus.corpus import catalog as catalogs
from biblicus.corpus import recipes
from biblicus.corpus import registries as sources_on_disk
from biblicus.corpus.changes import file_stats
from biblicus.corpus.changes.synced import registered, registry_file
from biblicus.corpus.events import log as events
from biblicus.corpus.folder import CorpusFolder
from biblicus.corpus.founding import write_config
from biblicus.corpus.refresh import refresh
from biblicus.disk import files, seals
from biblicus.errors import BiblicusError, ConfigInvalid, NewerSchema
from biblicus.measure.evaluate import is_as_kept
from biblicus.models.item import Item
from biblicus.models.requests.runs import ReindexRequest
from biblicus.runs import manifests as runs
from biblicus.runs import salvage
from biblicus.runs.reindex import reindex
from biblicus.stores.vectors import stores
from biblicus.upkeep.check_editorial import bring_back_manifests, mend_editorial
from biblicus.upkeep.kinds import CheckReport, tables_fit_run

_ANEW = {
    ".biblicus/.gitignore": ".biblicus/.gitignore was written anew",
    ".biblicus/catalog.json": "the catalog was rebuilt from the raw files",
}
"""Files always rewritten, by path, with a message if they were damaged."""


class Repair:
    """Rebuilds from the raw files, sidecars, front matter, the newest item table and the readable manifests."""

    def __init__(self, corpus: CorpusFolder, call: Call, report: CheckReport) -> None:
        self.corpus, self.call, self.report = corpus, call, report

    def run(self) -> None:
        salvaged = salvage.items(self.corpus)
        with self.corpus.writing(self.call):
            catalogs.refuse_newer(self.corpus)
            self._config()
            self.report.repaired += mend_editorial(self.corpus)
            lost = self._manifests()
            self.report.repaired += bring_back_manifests(self.corpus)
            latest = salvage.restore(self.corpus, salvaged)
            self._registries(salvaged)
            self._evaluations()
            self._derived()
            dropped = self._indexes()
            gone = [run.run_id for run in latest.values() if not self.corpus.store.holds(run.run_id)]
        names = [name for name in sorted({*latest, *lost}) if self._is_known(name)]
        if names:
            reindex(self.corpus, ReindexRequest(tuple(names)), self.call)
        else:
            with self.corpus.writing(self.call):
                refresh(self.corpus, self.call)
        for path, done in _ANEW.items():
            if any(problem["path"] == path for problem in self.report.problems):
                self.report.repaired.append(done)
        run_ids = runs.ids(self.corpus)
        for run_id in sorted({*gone, *dropped}):
            reason = "was damaged" if run_id in run_ids else "belonged to no run"
            done = "was built anew" if self.corpus.store.holds(run_id) else f"{reason} and is deleted"
            self.report.repaired.append(f"the index of the run {run_id} {done}")

    def _registries(self, salvaged: dict[str, Item]) -> None:
        """Set unreadable registries aside, and rebuild them from the catalog."""
        for name in registered(self.corpus):
            try:
                sources_on_disk.read_registry(self.corpus, name)
            except NewerSchema:
                continue
            except BiblicusError:
                salvage.keep_aside(self.corpus, registry_file(self.corpus, name))
                if registry := upkeep.check_sources.rebuilt(name, salvaged.values()):
                    sources_on_disk.write_registry(self.corpus, registry)
                else:
                    sources_on_disk.delete_registry(self.corpus, name)
                self.report.repaired.append(f"what was synced from {name} was rebuilt from the catalog")

    def _evaluations(self) -> None:
        """Set damaged evaluations aside: measurements cannot be rebuilt."""
        for path in sorted(self.corpus.evaluations.glob("*.json")):
            if not is_as_kept(path):
                salvage.keep_aside(self.corpus, path)
                files.remove(path)
                self.report.repaired.append(f"the evaluation {path.name} was damaged and is put aside")

    def _is_known(self, name: str) -> bool:
        try:
            recipes.find(self.corpus, name)
        except BiblicusError:
            return False
        return True

    def _config(self) -> None:
        try:
            _ = self.corpus.config
        except ConfigInvalid:
            corpus_id = ""
            with contextlib.suppress(BiblicusError):
                header = catalogs.read_header(self.corpus)
                corpus_id = header.corpus_id if header else ""
            for run_id in reversed(runs.ids(self.corpus)):
                with contextlib.suppress(BiblicusError):
                    corpus_id = corpus_id or runs.read(self.corpus, run_id).corpus_id
            corpus_id = corpus_id or secrets.token_hex(16)
            salvage.keep_aside(self.corpus, self.corpus.config_file)
            write_config(self.corpus, self.corpus.root.name or "corpus", corpus_id, replace=True)
            self.report.repaired.append("config.yml was written anew; its name and rules are the defaults")

    def _manifests(self) -> list[str]:
        """Set damaged manifests aside; return the recipes of their runs."""
        lost = []
        for run_id in runs.ids(self.corpus):
            try:
                if runs.is_as_written(self.corpus, runs.read(self.corpus, run_id)):
                    continue
            except NewerSchema:
                continue
            except BiblicusError:
                pass
            salvage.keep_aside(self.corpus, self.corpus.runs / f"{run_id}.json")
            files.remove(self.corpus.runs / f"{run_id}.json")
            self.corpus.store.drop(run_id)
            self.report.repaired.append(f"the run {run_id} was damaged and is put aside")
            lost.append(runs.recipe_of(run_id))
        return lost

    def _derived(self) -> None:
        """Delete stamps and bad caches, vectors and events, so that they are recreated."""
        stamp_files = file_stats.kept(self.corpus)
        if any(os.path.lexists(path) and seals.read_sealed(path) is None for path in stamp_files):
            self.report.repaired.append("what was known of the files was damaged, and all were read again")
        for path in stamp_files:
            files.remove(path)
        cached = [path for path in self.corpus.cache.rglob("*.json") if seals.read_sealed(path) is None]
        for path in cached:
            files.remove(path)
        if cached:
            noun = "file of the cache was" if len(cached) == 1 else "files of the cache were"
            self.report.repaired.append(f"{len(cached)} damaged {noun} deleted")
        for store in stores(self.corpus.vectors):
            if not store.is_sound():
                store.delete()
                self.report.repaired.append(f"the vectors in {store.folder.name} were damaged and are deleted")
        if not events.is_sound(self.corpus):
            events.forget(self.corpus)
            self.report.repaired.append("the event log was damaged, and another was begun")

    def _indexes(self) -> list[str]:
        """Delete bad materializations; return their runs."""
        dropped = []
        for run_id in self.corpus.store.own():
            try:
                self.corpus.store.check(run_id, deep=True)
                if tables_fit_run(self.corpus, run_id):
                    continue
            except BiblicusError:
                pass
            self.corpus.store.drop(run_id)
            dropped.append(run_id)
        return dropped
