"""Sync the sources of a corpus at their configured intervals."""

from __future__ import annotations

import logging

from biblicus.contracts import Call
from biblicus.corpus.folder import CorpusFolder
from biblicus.corpus.registries import read_list
from biblicus.corpus.report import Report, joined
from biblicus.disk import files
from biblicus.errors import BiblicusError, Cancelled
from biblicus.models.requests.bring import SyncRequest
from biblicus.models.sources.entries import seconds_of
from biblicus.service.askers.here import Here
from biblicus.service.verbs import SYNC

log = logging.getLogger("biblicus.watch")


class Intervals:
    """Tracks when the sources of one corpus are due: at once, then after each interval."""

    def __init__(self, asker: Here) -> None:
        self._asker = asker
        self._list = CorpusFolder(asker.root).home / "sources.yml"
        self._stamp: object = None
        self._every: dict[str, int] = {}
        self._synced: dict[str, float] = {}

    def due(self, now: float) -> list[str]:
        """Return the sources due at `now`, in seconds. The list is read again if it changed."""
        stamp = files.stamp(self._list)
        if stamp != self._stamp:
            self._stamp, self._every = stamp, self._read()
        return [name for name, every in self._every.items() if now - self._synced.get(name, float("-inf")) >= every]

    def sync_due(self, now: float, call: Call) -> Report | None:
        """Sync the due sources and return the combined report. Failures are logged and tried again after the
        interval."""
        report: Report | None = None
        for name in self.due(now):
            self._synced[name] = now
            try:
                refreshed = self._asker.ask(SYNC, SyncRequest((name,)), call).refresh
                report = joined(report, refreshed) if report and refreshed else refreshed or report
            except Cancelled:
                raise
            except BiblicusError as error:
                log.warning("source %s: %s: %s", name, error.code, error.message)
        return report

    def _read(self) -> dict[str, int]:
        try:
            entries = read_list(self._asker.corpus).sources
        except BiblicusError as error:
            log.warning("%s: %s", error.code, error.message)
            return {}
        return {entry.name: seconds_of(entry.every) for entry in entries if entry.every}
