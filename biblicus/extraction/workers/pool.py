"""Pool of warm, sandboxed worker processes that extract files on all cores within limits.

A crash, hang, decompression bomb or oversized reply fails only that file; its worker is replaced and the waiting files
go to others. A file whose worker ended is retried once in a fresh worker, unless it timed out, since earlier files may
have caused the end.
"""

from __future__ import annotations

import os
import stat
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path

from biblicus import plugins
from biblicus.contracts import MediaHint
from biblicus.disk import system
from biblicus.errors import BadData, Unavailable, UnsafeInput
from biblicus.extraction.workers import wire
from biblicus.guards.process import End, Limits, Worker, wait
from biblicus.models.extraction import Extraction, NoExtraction

Outcome = Extraction | NoExtraction
Source = str | Path | bytes | Callable[[], bytes]

_AHEAD = 3
"""Tasks queued at a worker, so that it never waits for a busy parent."""

_MOST_UNSENT = 8 << 20
"""Maximum bytes queued for a busy worker."""

_MOST_FALSE_STARTS = 3
_MOST_SIGNS = 2_000
"""Maximum keep-alive replies of an OCR task; a book has fewer pages."""


@dataclass(frozen=True, eq=False)
class Job:
    """A file to extract.

    `source`: path, bytes, or a function that reads them when needed. `sha256`: expected hash; other bytes are refused.
    `ocr`: engine and options for scans. `passwords`: passwords to try. `limit`: maximum bytes of the file.
    """

    source: Source
    hint: MediaHint
    extractor: str
    options: Mapping[str, object] = field(default_factory=dict)
    sha256: str | None = None
    ocr: Mapping[str, object] | None = None
    passwords: tuple[str, ...] = field(default=(), repr=False)
    limit: int | None = None


class WorkersUnavailable(Unavailable):
    """Raised when extraction workers cannot start."""

    code = "workers"

    def __init__(self, cause: str) -> None:
        super().__init__(
            f"Extraction workers cannot be started: {cause}.", "check the memory limit and the installation"
        )


def module_of(extractor: str) -> str:
    """Return the module of an extractor plug-in. Names come from recipes and code, never as paths from a corpus."""
    return plugins.find("extraction", extractor).__name__


class _Slot:
    """A worker with its queued jobs in order."""

    def __init__(self, limits: Limits) -> None:
        self.worker = Worker("biblicus.extraction.workers.worker", limits)
        self.missing: Mapping[str, str] = {}
        self.jobs: deque[Job] = deque()
        self.ready = False
        self.done = 0
        self.signs = 0

    def take(self, job: Job, module: str) -> None:
        body, unread = _read(job.source, job.limit)
        header = {
            "module": module,
            "options": dict(job.options),
            "hint": {"path": job.hint.path, "media_type": job.hint.media_type},
            "unread": unread,
            "sha256": job.sha256,
            "ocr": job.ocr and dict(job.ocr),
            "passwords": job.passwords,
        }
        if not self.jobs:
            self.worker.touch()
        self.jobs.append(job)
        self.worker.post(header, body)


def _read(source: Source, limit: int | None) -> tuple[bytes, str]:
    """Return a regular file's bytes, or why it cannot be read; links are not followed and FIFOs not read. The worker
    itself opens no user files."""
    if isinstance(source, bytes):
        return source, ""
    try:
        if callable(source):
            return source(), ""
        descriptor = system.open_file(source, system.READ)
        with os.fdopen(descriptor, "rb") as file:
            status = os.fstat(descriptor)
            if not stat.S_ISREG(status.st_mode):
                return b"", "could not be read: it is not a regular file"
            if limit is not None and status.st_size > limit:
                return b"", f"could not be read: it is larger than {limit:,} bytes"
            return file.read(status.st_size), ""  # bytes appended meanwhile would change the hash
    except OSError as error:
        return b"", f"could not be read: {(error.strerror or str(error)).lower()}"
    except UnsafeInput as error:
        return b"", f"could not be read: {error.message}"


class ExtractionPool(AbstractContextManager["ExtractionPool"]):
    """Workers that start on demand and stay warm until `close`. One `extract` call at a time. `workers`: maximum
    number; None or 0 for one per core. `module_of`: maps an extractor's name to its module."""

    def __init__(
        self, workers: int | None = None, limits: Limits | None = None, module_of: Callable[[str], str] = module_of
    ) -> None:
        self._most = workers or os.cpu_count() or 1
        self._limits = limits or Limits()
        self._module_of = module_of
        self._slots: list[_Slot] = []
        self._false_starts = 0

    def extract(self, jobs: Iterable[Job]) -> Generator[tuple[Job, Outcome], None, None]:
        """Yield each job with its outcome in order of completion. `jobs` is read as workers become free."""
        source = iter(jobs)
        waiting: deque[Job] = deque()
        try:
            while True:
                self._hand_out(source, waiting)
                busy = [slot for slot in self._slots if slot.jobs]
                if not busy:
                    return
                wait([slot.worker for slot in busy], self._limits.seconds)
                for slot in busy:
                    yield from self._collect(slot, waiting)
        finally:
            for slot in [slot for slot in self._slots if slot.jobs]:  # the caller stopped early
                self._slots.remove(slot)
                slot.worker.kill()

    def missing(self) -> Mapping[str, str]:
        """Return the sandbox layers that are missing in the started workers, with reasons."""
        return {wall: reason for slot in self._slots for wall, reason in slot.missing.items()}

    def close(self) -> None:
        """End the workers."""
        while self._slots:
            self._slots.pop().worker.kill()

    def __exit__(self, *_: object) -> None:
        self.close()

    def _hand_out(self, source: Iterator[Job], waiting: deque[Job]) -> None:
        """Give jobs to the least busy workers; start another worker if all are busy."""
        while True:
            slot = min(self._slots, key=lambda slot: len(slot.jobs), default=None)
            may_start = len(self._slots) < self._most
            has_enough = slot is not None and (len(slot.jobs) >= _AHEAD or slot.worker.unsent > _MOST_UNSENT)
            if has_enough and not may_start:
                return
            job = waiting.popleft() if waiting else next(source, None)
            if job is None:
                return
            if slot is None or (slot.jobs and may_start):
                slot = self._start()
            slot.take(job, self._module_of(job.extractor))

    def _start(self) -> _Slot:
        try:
            slot = _Slot(self._limits)
        except OSError as error:
            raise WorkersUnavailable((error.strerror or str(error)).lower()) from error
        self._slots.append(slot)
        return slot

    def _collect(self, slot: _Slot, waiting: deque[Job]) -> Iterator[tuple[Job, Outcome]]:
        """Yield the outcomes that a worker has returned, and handle its end."""
        alive = slot.worker.pump()
        overdue = slot.worker.overdue()  # evaluated before the caller resumes, which may take long
        try:
            while (frame := slot.worker.answer()) is not None:
                if not slot.ready:
                    slot.ready, self._false_starts = True, 0
                    slot.missing = frame[0].get("missing", {})
                    continue
                if frame[0] == wire.ALIVE and slot.signs < _MOST_SIGNS and slot.jobs and slot.jobs[0].ocr:
                    slot.signs += 1
                    continue
                slot.signs = 0
                outcome = wire.unpack(*frame)
                slot.done += 1
                yield slot.jobs.popleft(), outcome
        except (BadData, IndexError):  # IndexError: a reply without a job
            yield from self._bury(slot, End("the parser's answer is not what was agreed", False), waiting)
            return
        if overdue or not alive:
            yield from self._bury(slot, slot.worker.stop(), waiting)

    def _bury(self, slot: _Slot, end: End, waiting: deque[Job]) -> Iterator[tuple[Job, Outcome]]:
        """Handle a worker's end: fail or retry its first job, and queue its other jobs again."""
        self._slots.remove(slot)
        slot.worker.kill()
        if not slot.ready:
            self._false_starts += 1
            if self._false_starts >= _MOST_FALSE_STARTS:
                raise WorkersUnavailable(end.cause)
        elif slot.jobs:
            first = slot.jobs.popleft()
            if slot.done and not end.timed_out:
                self._start().take(first, self._module_of(first.extractor))
            else:
                yield first, NoExtraction("crashed", end.cause)
        waiting.extendleft(reversed(slot.jobs))
