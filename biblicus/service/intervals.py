"""Sources that are synced by who follows a corpus: each that says how often, and when it is due."""

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
    """When the sources of one corpus are due: at first, and from then on each time its interval has gone by."""

    def __init__(self, asker: Here) -> None:
        self._asker = asker
        self._list = CorpusFolder(asker.root).home / "sources.yml"
        self._stamp: object = None
        self._every: dict[str, int] = {}
        self._synced: dict[str, float] = {}

    def due(self, now: float) -> list[str]:
        """Names of the sources that are due at this time, in seconds. The list is read again where it changed."""
        stamp = files.stamp(self._list)
        if stamp != self._stamp:
            self._stamp, self._every = stamp, self._read()
        return [name for name, every in self._every.items() if now - self._synced.get(name, float("-inf")) >= every]

    def sync_due(self, now: float, call: Call) -> Report | None:
        """Sync what is due, and say what became of the catalog. What goes wrong is told in the log, and tried again
        when it is due again."""
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
