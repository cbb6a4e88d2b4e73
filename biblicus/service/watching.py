"""Watch the folder of a corpus and index changes until stopped.

Changes that occur together are indexed together; later ones follow at once. After every change the folder is checked
again when it is quiet, in case events were lost in a large burst. Network mounts, which give no events, are polled.
Sources with an interval are synced, and runs of `meaning` are built in another thread while lexical runs answer."""

from __future__ import annotations

import logging
import os
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path, PurePath

from watchfiles import Change, watch

from biblicus.contracts import Call
from biblicus.corpus import auto
from biblicus.corpus.folder import FOLDER, CorpusFolder
from biblicus.corpus.registries import read_list
from biblicus.corpus.report import Report, joined
from biblicus.disk import changes, files
from biblicus.disk.observing import is_own
from biblicus.errors import BiblicusError, Cancelled
from biblicus.models.recipe import MEANING
from biblicus.models.requests.bring import SyncRequest
from biblicus.models.sources.entries import seconds_of
from biblicus.runs.reindex import index_changes
from biblicus.runs.reports import ReindexReport
from biblicus.runs.vectors import embed_words
from biblicus.service.askers.here import Here
from biblicus.service.verbs import SYNC

TOGETHER = 800
"""Maximum milliseconds for which changes are collected."""
QUIET = 1_000
"""Milliseconds without a change until the folder counts as quiet."""
POLLED = 2_000
"""Polling interval in milliseconds for file systems without events."""
_NEVER = frozenset({FOLDER, ".git"})
log = logging.getLogger("biblicus.watch")

Told = Callable[[ReindexReport], None]


class Watcher:
    """Watches one corpus.

    `told`: called with the first report and with every report of a change. `call`: receives progress; it is cancelled
    at the end."""

    def __init__(self, asker: Here, told: Told = lambda report: None, call: Call | None = None) -> None:
        self._asker, self._told = asker, told
        self._stop = threading.Event()
        call = call or Call()
        self._tell = call.progress
        self._call = replace(call, progress=self._advance)
        self._thread: threading.Thread | None = None
        self._root = os.fspath(asker.root)
        self._intervals = Intervals(asker)
        self._meaning = Meaning(asker, self._embedded, self._call)

    def start(self) -> None:
        """Watch in a new thread."""
        self._thread = threading.Thread(target=self.run, name="biblicus-watch", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Stop; indexing in progress is cancelled, and the previous state remains."""
        self._stop.set()
        self._call.cancel.set()
        if self._thread is not None:
            self._thread.join()

    def run(self) -> None:
        """Watch until `stop`. Failures are logged and tried again when the folder is quiet.
        Words are indexed here, meaning in another thread."""
        self._asker.embeds_later = True
        self._meaning.start()
        try:
            self._follow()
        finally:
            self._asker.embeds_later = False
            self._meaning.close()

    def _advance(self, step: str, done: int, total: int) -> None:
        self._asker.progress = step, done, total
        self._tell(step, done, total)

    def _embedded(self, report: ReindexReport) -> None:
        with suppress(BrokenPipeError):
            self._told(report)

    def _follow(self) -> None:
        is_due, is_first = True, True
        synced: Report | None = None
        for changed in watch(
            self._root,
            watch_filter=self._counts,
            debounce=TOGETHER,
            rust_timeout=QUIET,
            yield_on_timeout=True,
            stop_event=self._stop,
            raise_interrupt=False,
            ignore_permission_denied=True,
            force_polling=_is_to_be_polled(self._asker.root),
            poll_delay_ms=POLLED,
        ):
            try:
                refreshed = self._intervals.sync_due(time.monotonic(), self._call)
            except Cancelled:
                return
            if refreshed and _has_changed(refreshed):
                synced = joined(synced, refreshed) if synced else refreshed
            if not (changed or is_due or synced):
                continue
            is_due = bool(changed)  # check changes once more when quiet
            try:
                with changes.told(self._asker.root):
                    report = index_changes(self._asker.corpus, self._call)
            except Cancelled:
                return
            except BiblicusError as error:
                is_due = True
                log.warning("%s: %s", error.code, error.message)
                continue
            except Exception:  # keep watching after a failure
                is_due = True
                log.exception("what changed could not be indexed")
                continue
            finally:
                self._asker.progress = None
            if synced:
                report.refresh, synced = joined(synced, report.refresh), None
            if is_first or _says_something(report):
                is_first = False
                with suppress(BrokenPipeError):
                    self._told(report)

    def _counts(self, change: Change, path: str) -> bool:
        """Return true if a change may concern the corpus, not its own folder or git's."""
        return not _NEVER & set(PurePath(path[len(self._root) :]).parts)


def _is_to_be_polled(root: Path) -> bool | None:
    """Return true if the file system gives no events, as on network mounts; None: `watchfiles` decides."""
    try:
        return None if is_own(root) else True
    except OSError:  # the system does not report mounts
        return None


def _says_something(report: ReindexReport) -> bool:
    return _has_changed(report.refresh) or any(run.built != "unchanged" for run in report.runs)


def _has_changed(refresh: Report) -> bool:
    return any((refresh.added, refresh.changed, refresh.renamed, refresh.removed))


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
            finally:
                self._asker.progress = None
        return report

    def _read(self) -> dict[str, int]:
        try:
            entries = read_list(self._asker.corpus).sources
        except BiblicusError as error:
            log.warning("%s: %s", error.code, error.message)
            return {}
        return {entry.name: seconds_of(entry.every) for entry in entries if entry.every}


_LOOK = 1.0
"""Seconds between two checks if `meaning` is behind."""
_AFTER_FAILURE = 60.0
"""Seconds until a failure is tried again."""
_meaning_log = logging.getLogger("biblicus.meaning")


class Meaning:
    """Thread that embeds whenever the lexical run is newer. `done`: called with the report of each run."""

    def __init__(self, asker: Here, done: Told, call: Call) -> None:
        self._asker, self._done = asker, done
        self._call = Call(cancel=threading.Event(), progress=call.progress)
        self._thread = threading.Thread(target=self._run, name="biblicus-meaning", daemon=True)

    def start(self) -> None:
        """Start the thread."""
        self._thread.start()

    def close(self) -> None:
        """Stop; finished vectors are kept, and the next start continues from there."""
        self._call.cancel.set()
        if self._thread.is_alive():
            self._thread.join()

    def _run(self) -> None:
        wait = _LOOK
        while not self._call.cancel.wait(wait):
            wait = _LOOK
            try:
                if auto.is_behind(self._asker.corpus):
                    self._embed(self._asker.corpus)
            except Cancelled:
                return
            except BiblicusError as error:
                wait = _AFTER_FAILURE
                _meaning_log.warning("%s: %s", error.code, error.message)
            except Exception:  # the thread survives every failure
                wait = _AFTER_FAILURE
                _meaning_log.exception("meaning could not be built")

    def _embed(self, corpus: CorpusFolder) -> None:
        try:
            if embed_words(corpus, self._call):
                self._done(index_changes(corpus, self._call, MEANING))
        finally:
            self._asker.progress = None
