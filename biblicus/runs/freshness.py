"""Compare the folder with the run that answers queries: changes that a reindex would bring in.

For a single query, file stats are compared with the last refresh while the query runs. A long-running process watches
the folder if the system allows it, and compares again only after changes."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

from biblicus import disk
from biblicus.corpus import catalog as catalogs
from biblicus.corpus import changes
from biblicus.corpus.changes.file_stats import KNOWN_FOLDER
from biblicus.corpus.folder import CorpusFolder
from biblicus.disk import files
from biblicus.errors import RunDamaged, RunNotFound, Untrusted
from biblicus.guards.processes import Ahead, begun
from biblicus.models.evidence import NOT_WALKED, Pending
from biblicus.models.item import NO_DIFFERENCES, Differences
from biblicus.models.manifest import Manifest
from biblicus.runs import manifests as runs
from biblicus.text.paths import to_os

if TYPE_CHECKING:
    from biblicus.corpus.catalog import Catalog
    from biblicus.corpus.changes.folder_scan import IsOver
    from biblicus.corpus.changes.known_folder import KnownFolder
    from biblicus.corpus.changes.pending import Look
    from biblicus.disk.observing import Observer

PATIENCE = 0.05
"""Seconds after which a comparison is given up."""


_SPARED = 256
"""Maximum number of queries that skip the comparison after several were given up."""


def patience() -> IsOver:
    """Return a function that returns true once the time for a comparison is over."""
    until = time.monotonic() + PATIENCE
    return lambda: time.monotonic() > until


Records = Callable[[], Mapping[str, str] | None]
"""Return the records of a run's items by path; None if it reads the catalog itself."""


class Freshness:
    """Compares a corpus's folder with its run. `observed`: watch the folder from the second query on. Thread-safe."""

    def __init__(
        self, corpus: CorpusFolder, *, observed: bool = False, patience: Callable[[], IsOver] = patience
    ) -> None:
        self._corpus, self._observed, self._patience = corpus, observed, patience
        self._lock = threading.Lock()
        self._known: tuple[object, KnownFolder | None] = (None, None)
        self.too_large: frozenset[str] = frozenset()
        """Paths of files that were too large to be items (`max_file_bytes`) at the last comparison."""
        self._last: Differences | None = None
        self._last_behind: tuple[tuple[str, str], Differences] | None = None
        self._observer: Observer | None = None
        self._followed: KnownFolder | None = None
        self._ahead: Ahead | None = None
        self._asked = self._given_up = self._spared = 0
        self._is_new = self._is_stuck = False

    @cached_property
    def _look(self) -> Look:
        return changes.pending.Look(self._corpus)

    def begin(self) -> None:
        """Start the first comparison in parallel, for a process with one query."""
        with self._lock:
            self._ahead = self._ahead or begun(self._looked)

    def _looked(self) -> tuple[str, list[list[str]] | None, list[str]] | None:
        """Return the catalog's digest, the differing paths, and too large files, as JSON."""

        if (last_state := changes.known_folder.load(self._corpus)) is None:
            return None
        present = self._look.differences(last_state, self._patience())
        differences = None if present is None else [sorted(paths) for paths in present]
        return last_state.corpus_digest, differences, sorted(last_state.too_large)

    def close(self) -> None:
        """Stop watching."""
        with self._lock:
            if self._ahead is not None:
                self._ahead.close()
            self._last = None
            self._give_up_observing()

    def pending(self, manifest: Manifest, records: Records, corpus_digest: str) -> Pending:
        """Count the folder's differences from a run. `corpus_digest`: of the current catalog.

        If the comparison is given up, only the differences between run and catalog are counted. After repeated
        failures, the number of queries that skip the comparison doubles each time, so that not every query waits in
        vain."""
        differences = self.differences(manifest, records, corpus_digest, spares=self._observed)
        if differences is None and manifest.corpus_digest != corpus_digest:
            with self._lock:
                run_differences = self._behind(manifest, records, corpus_digest)
            return replace(counted(run_differences), walked=False) if any(run_differences) else NOT_WALKED
        return counted(differences)

    def differences(
        self, manifest: Manifest, records: Records, corpus_digest: str, *, spares: bool = False
    ) -> Differences | None:
        """Return the differing paths; None if the comparison was given up or the folder's last state is unknown.
        `spares`: the query may skip the comparison after recent failures."""
        with self._lock:
            ahead, self._ahead = self._ahead, None
            if ahead is not None and (looked := ahead.result()) and looked[0] == corpus_digest:
                self.too_large = frozenset(looked[2])
                present = None if looked[1] is None else Differences(*map(frozenset, looked[1]))
                return self._with_the_run(manifest, records, corpus_digest, present)

            stamp = files.stamp(str(self._corpus.local / KNOWN_FOLDER))
            if stamp is None or stamp != self._known[0]:
                self._last = None
                self._given_up = self._spared = 0
                self._known = stamp, changes.known_folder.load(self._corpus)
            last_state = self._known[1]
            self.too_large = last_state.too_large if last_state else frozenset()
            if last_state is None or last_state.corpus_digest != corpus_digest:
                return None
            return self._with_the_run(manifest, records, corpus_digest, self._present(last_state, spares))

    def _with_the_run(
        self, manifest: Manifest, records: Records, corpus_digest: str, present: Differences | None
    ) -> Differences | None:
        """Combine the differences between run and catalog with those between catalog and folder."""
        return None if present is None else _together(self._behind(manifest, records, corpus_digest), present)

    def _present(self, known: KnownFolder, spares: bool) -> Differences | None:
        """Return the folder's differences from the catalog; the last result if nothing happened since."""
        self._asked += 1
        self._is_new = self._happened(known) or self._is_new
        if self._last is not None and not self._is_new:
            return self._last
        self._last = None
        if spares and self._spared and (self._is_new or self._is_stuck):
            self._spared -= 1
            return None
        begins, self._is_new = self._is_new, False
        reached = (0, 0) if begins else self._look.reached
        present = self._look.differences(known, self._patience(), not begins)
        if present is None:
            self._is_stuck = self._look.reached <= reached
            if begins or self._is_stuck:
                self._given_up += 1
                self._spared = min(2**self._given_up - 1, _SPARED)
            return None
        self._given_up = self._spared = 0
        if self._is_observed_all():
            self._last = present
        return present

    def _happened(self, known: KnownFolder) -> bool:
        """Return true if anything may have happened since the last comparison."""
        if not self._observed or self._asked < 2:
            return True
        try:
            if self._observer is None:
                self._observer = disk.observing.Observer(self._corpus.root)
            if self._followed is not known:  # an unfinished comparison continues only in watched folders
                self._followed = known
                self._observer.observe([*self._look.folders, *map(to_os, known.folders)])
                return True
            return self._observer.heard()
        except OSError:
            self._give_up_observing()
            return True

    def _is_observed_all(self) -> bool:
        """Return true if every compared folder was already watched. The others are watched from now on."""
        if self._observer is None:
            return False
        try:
            return not self._observer.observe(self._look.folders)
        except OSError:
            self._give_up_observing()
            return False

    def _give_up_observing(self) -> None:
        if self._observer is not None:
            self._observer.close()
        self._observer, self._observed = None, False

    def _behind(self, manifest: Manifest, records: Records, corpus_digest: str) -> Differences:
        """Return the differences between a run and the catalog."""
        if manifest.corpus_digest == corpus_digest:
            return NO_DIFFERENCES
        key = manifest.run_id, corpus_digest
        if self._last_behind is None or self._last_behind[0] != key:
            self._last_behind = key, _between(records(), catalogs.read(self._corpus))
        return self._last_behind[1]


def counted(differences: Differences | None) -> Pending:
    """Count differences for a result."""
    if differences is None:
        return NOT_WALKED
    return Pending(len(differences.new), len(differences.changed), len(differences.removed))


def _between(records: Mapping[str, str] | None, catalog: Catalog | None) -> Differences:
    """Return the differences between a run's items and the catalog's."""
    if records is None or catalog is None:
        return NO_DIFFERENCES
    entries = catalog.entries
    return Differences(
        frozenset(entries.keys() - records.keys()),
        frozenset(path for path in entries.keys() & records.keys() if entries[path].line != records[path].encode()),
        frozenset(records.keys() - entries.keys()),
    )


def _together(run: Differences, folder: Differences) -> Differences:
    """Combine the differences of run to catalog and catalog to folder."""
    came_back = folder.new & run.removed
    return Differences(
        (run.new - folder.removed) | (folder.new - run.removed),
        ((run.changed | folder.changed) - run.new - folder.removed) | came_back,
        (run.removed - folder.new) | (folder.removed - run.new),
    )


def against_default(corpus: CorpusFolder) -> Differences | None:
    """Return the folder's differences from the default recipe's latest run; None if unknown or without a run.
    Raises `CatalogUnreadable`."""
    if corpus.view:  # what is new in the folder may be hidden
        return None
    header = catalogs.read_header(corpus)
    entry = header.latest.get(corpus.default_recipe) if header else None
    if header is None or entry is None:
        return None

    def records() -> Mapping[str, str] | None:
        with closing(corpus.store.open(runs.read(corpus, entry.run_id))) as tables:
            return tables.records()

    try:
        return freshness(corpus).differences(runs.read(corpus, entry.run_id), records, header.corpus_digest)
    except (Untrusted, RunNotFound, RunDamaged):
        return None


def freshness(corpus: CorpusFolder) -> Freshness:
    """Return the comparer of a corpus; a long-running process keeps it."""
    if corpus.host is None:
        return Freshness(corpus)
    return corpus.host.kept("standing", lambda: Freshness(CorpusFolder(corpus.root), observed=True))
