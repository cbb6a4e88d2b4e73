"""How the corpus stands against the run that answers: what a reindex would bring in.

Where one question is asked, the folder's stats are held against what the last refresh saw, beside all that leads to
the evidence. A process that goes on asking observes the folder, where the system can, and looks again only where
something happened.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

from biblicus.corpus import catalog as catalogs
from biblicus.corpus.folder import CorpusFolder
from biblicus.disk import files
from biblicus.errors import RunDamaged, RunNotFound, Untrusted
from biblicus.guards.forking import Ahead, begun
from biblicus.models.evidence import NOT_WALKED, Pending
from biblicus.models.item import NO_DIFFERENCES, Differences
from biblicus.models.manifest import Manifest
from biblicus.runs import manifests as runs
from biblicus.text.paths import to_os

if TYPE_CHECKING:
    from biblicus.corpus.catalog import Catalog
    from biblicus.corpus.seen.known_folder import KnownFolder
    from biblicus.corpus.seen.pending import IsOver, Look
    from biblicus.disk.observing import Observer

PATIENCE = 0.05
"""Seconds after which a look is given up."""


_SPARED = 256
"""Questions at most that go without a look after several in a row were given up."""


def patience() -> IsOver:
    """Gives a look up after a while."""
    until = time.monotonic() + PATIENCE
    return lambda: time.monotonic() > until


Records = Callable[[], Mapping[str, str] | None]
"""What a run's tables keep of its items; None where it reads the catalog itself."""


class Standing:
    """Says how a corpus stands. `observed`: its folder is, from the second question on. Safe for several threads."""

    def __init__(
        self, corpus: CorpusFolder, *, observed: bool = False, patience: Callable[[], IsOver] = patience
    ) -> None:
        self._corpus, self._observed, self._patience = corpus, observed, patience
        self._lock = threading.Lock()
        self._known: tuple[object, KnownFolder | None] = (None, None)
        self.too_large: frozenset[str] = frozenset()
        """Paths of files that were too large to be items (`max_file_bytes`), as the last look knows them."""
        self._last: Differences | None = None
        self._last_behind: tuple[tuple[str, str], Differences] | None = None
        self._observer: Observer | None = None
        self._followed: KnownFolder | None = None
        self._ahead: Ahead | None = None
        self._asked = self._given_up = self._spared = 0
        self._is_new = self._is_stuck = False

    @cached_property
    def _look(self) -> Look:
        from biblicus.corpus.seen.pending import Look  # lazy, as below: a look is had in another process

        return Look(self._corpus)

    def begin(self) -> None:
        """Begin the first look beside what comes before it: for a process that asks one question."""
        with self._lock:
            self._ahead = self._ahead or begun(self._looked)

    def _looked(self) -> tuple[str, list[list[str]] | None, list[str]] | None:
        """Return the catalog's digest, the paths that differ from the folder, and too large files, as JSON."""
        from biblicus.corpus.seen.known_folder import load

        if (known := load(self._corpus)) is None:
            return None
        present = self._look.differences(known, self._patience())
        differences = None if present is None else [sorted(paths) for paths in present]
        return known.corpus_digest, differences, sorted(known.too_large)

    def close(self) -> None:
        """Observe no more."""
        with self._lock:
            if self._ahead is not None:
                self._ahead.close()
            self._last = None
            self._give_up_observing()

    def pending(self, manifest: Manifest, records: Records, corpus_digest: str) -> Pending:
        """How the folder stands against a run. `corpus_digest`: of the catalog as it is now.
        Where a look is given up, what differs between the run and the catalog is known all the same.

        Where so much lies in the folder that looks are given up, twice as many questions go without one each time: not
        every one of them waits for what tells nothing.
        """
        differences = self.differences(manifest, records, corpus_digest, spares=self._observed)
        if differences is None and manifest.corpus_digest != corpus_digest:
            with self._lock:
                known = self._behind(manifest, records, corpus_digest)
            return replace(counted(known), walked=False) if any(known) else NOT_WALKED
        return counted(differences)

    def differences(
        self, manifest: Manifest, records: Records, corpus_digest: str, *, spares: bool = False
    ) -> Differences | None:
        """The paths themselves; None where the look was given up, or nothing is known of the catalog's folder.
        `spares`: a question that looks were just given up for goes without."""
        with self._lock:
            ahead, self._ahead = self._ahead, None
            if ahead is not None and (looked := ahead.result()) and looked[0] == corpus_digest:
                self.too_large = frozenset(looked[2])
                present = None if looked[1] is None else Differences(*map(frozenset, looked[1]))
                return self._with_the_run(manifest, records, corpus_digest, present)
            from biblicus.corpus.seen.known_folder import load
            from biblicus.corpus.seen.stamps import KNOWN_FOLDER

            stamp = files.stamp(str(self._corpus.local / KNOWN_FOLDER))
            if stamp is None or stamp != self._known[0]:
                self._last = None
                self._given_up = self._spared = 0
                self._known = stamp, load(self._corpus)
            known = self._known[1]
            self.too_large = known.too_large if known else frozenset()
            if known is None or known.corpus_digest != corpus_digest:
                return None
            return self._with_the_run(manifest, records, corpus_digest, self._present(known, spares))

    def _with_the_run(
        self, manifest: Manifest, records: Records, corpus_digest: str, present: Differences | None
    ) -> Differences | None:
        """What differs between a run and the folder, which differs so from the catalog."""
        return None if present is None else _together(self._behind(manifest, records, corpus_digest), present)

    def _present(self, known: KnownFolder, spares: bool) -> Differences | None:
        """What differs from the catalog: as it was, where nothing happened since."""
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
        """Whether anything may have happened since the last look, whole or not."""
        if not self._observed or self._asked < 2:
            return True
        try:
            if self._observer is None:
                from biblicus.disk.observing import Observer  # lazy: who asks once observes nothing

                self._observer = Observer(self._corpus.root)
            if self._followed is not known:  # a look that is given up goes on only in folders that were observed
                self._followed = known
                self._observer.observe([*self._look.folders, *map(to_os, known.folders)])
                return True
            return self._observer.heard()
        except OSError:
            self._give_up_observing()
            return True

    def _is_observed_all(self) -> bool:
        """Whether every folder that was looked at is observed since before. Those that were not are from now on."""
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
        """What differs between a run and the catalog."""
        if manifest.corpus_digest == corpus_digest:
            return NO_DIFFERENCES
        key = manifest.run_id, corpus_digest
        if self._last_behind is None or self._last_behind[0] != key:
            self._last_behind = key, _between(records(), catalogs.read(self._corpus))
        return self._last_behind[1]


def counted(differences: Differences | None) -> Pending:
    """Differences as a result tells them."""
    if differences is None:
        return NOT_WALKED
    return Pending(len(differences.new), len(differences.changed), len(differences.removed))


def _between(records: Mapping[str, str] | None, catalog: Catalog | None) -> Differences:
    """What differs between a run's items and the catalog's."""
    if records is None or catalog is None:
        return NO_DIFFERENCES
    entries = catalog.entries
    return Differences(
        frozenset(entries.keys() - records.keys()),
        frozenset(path for path in entries.keys() & records.keys() if entries[path].line != records[path].encode()),
        frozenset(records.keys() - entries.keys()),
    )


def _together(run: Differences, folder: Differences) -> Differences:
    """What differs between a run and the folder, by way of the catalog."""
    came_back = folder.new & run.removed
    return Differences(
        (run.new - folder.removed) | (folder.new - run.removed),
        ((run.changed | folder.changed) - run.new - folder.removed) | came_back,
        (run.removed - folder.new) | (folder.removed - run.new),
    )


def against_default(corpus: CorpusFolder) -> Differences | None:
    """What differs between the default recipe's latest run and the folder; None where that is not known, or where there
    is no run. Raises `CatalogUnreadable`."""
    header = catalogs.read_header(corpus)
    entry = header.latest.get(corpus.default_recipe) if header else None
    if header is None or entry is None:
        return None

    def records() -> Mapping[str, str] | None:
        tables = corpus.store.open(runs.read(corpus, entry.run_id))
        try:
            return tables.records()
        finally:
            tables.close()

    try:
        return standing(corpus).differences(runs.read(corpus, entry.run_id), records, header.corpus_digest)
    except (Untrusted, RunNotFound, RunDamaged):
        return None


def standing(corpus: CorpusFolder) -> Standing:
    """What says how a corpus stands; a process that goes on asking keeps it."""
    if corpus.host is None:
        return Standing(corpus)
    return corpus.host.kept("standing", lambda: Standing(CorpusFolder(corpus.root), observed=True))
