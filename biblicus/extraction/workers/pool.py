"""Guarded extraction: files parsed in warm worker processes, on all cores, each within its limits.

A crash, a hang, a bomb or an oversized answer costs that one file; its worker is replaced, and what waited behind it
is done by another. A file that a worker does not survive is tried once more in a fresh one, unless it took too long,
so that it never pays for what its forerunners left behind.
"""

from __future__ import annotations

import os
import stat
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType

from biblicus import plugins
from biblicus.contracts import MediaHint
from biblicus.errors import BadData, Unavailable, UnsafeInput
from biblicus.extraction.workers import wire
from biblicus.guards.process import End, Limits, Worker, wait
from biblicus.models.extraction import Extraction, NoExtraction

Outcome = Extraction | NoExtraction
Source = str | Path | bytes | Callable[[], bytes]

_AHEAD = 3
"""Tasks that a worker holds: one that it works on, the others so that it never waits for a busy parent."""

_MOST_UNSENT = 8 << 20
"""Bytes that may wait for a busy worker: enough that it never waits for a busy parent."""
_READ = os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK

_MOST_FALSE_STARTS = 3
_MOST_SIGNS = 2_000
"""How often a task of OCR may say that it goes on: a book has fewer pages."""


@dataclass(frozen=True, eq=False)
class Job:
    """One file to parse. `source`: its path, its bytes, or what reads them when it is its turn. `sha256`: refuse the
    file if its bytes are others. `ocr`: the engine that reads what is scanned, with its options. `passwords`: to be
    tried. `limit`: bytes beyond which the file is not read."""

    source: Source
    hint: MediaHint
    extractor: str
    options: Mapping[str, object] = field(default_factory=dict)
    sha256: str | None = None
    ocr: Mapping[str, object] | None = None
    passwords: tuple[str, ...] = field(default=(), repr=False)
    limit: int | None = None


class WorkersUnavailable(Unavailable):
    """Extraction workers do not even start."""

    code = "workers"

    def __init__(self, cause: str) -> None:
        super().__init__(
            f"Extraction workers cannot be started: {cause}.", "check the memory limit and the installation"
        )


def module_of(extractor: str) -> str:
    """The module of an extractor plug-in. Names come from recipes and code, never as paths from a corpus."""
    return plugins.find("extraction", extractor).__name__


class _Slot:
    """A worker and the jobs that it holds, first handed over first."""

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
    """A regular file's bytes, or why it cannot be read; no link is followed and no FIFO waited for. The worker opens no
    file of anybody's."""
    if isinstance(source, bytes):
        return source, ""
    try:
        if callable(source):
            return source(), ""
        descriptor = os.open(source, _READ)
        with os.fdopen(descriptor, "rb") as file:
            status = os.fstat(descriptor)
            if not stat.S_ISREG(status.st_mode):
                return b"", "could not be read: it is not a regular file"
            if limit is not None and status.st_size > limit:
                return b"", f"could not be read: it is larger than {limit:,} bytes"
            return file.read(status.st_size), ""  # what was added meanwhile is another file: its digest says so
    except OSError as error:
        return b"", f"could not be read: {(error.strerror or str(error)).lower()}"
    except UnsafeInput as error:
        return b"", f"could not be read: {error.message}"


class ExtractionPool(AbstractContextManager["ExtractionPool"]):
    """Workers, started when there is work and kept warm until `close`. One `extract` at a time.

    `workers`: how many at most; None or 0 for one per core. `module_of`: extractor name to module.
    """

    def __init__(
        self,
        workers: int | None = None,
        limits: Limits | None = None,
        module_of: Callable[[str], str] = module_of,
    ) -> None:
        self._most = workers or os.cpu_count() or 1
        self._limits = limits or Limits()
        self._module_of = module_of
        self._slots: list[_Slot] = []
        self._false_starts = 0

    def extract(self, jobs: Iterable[Job]) -> Generator[tuple[Job, Outcome], None, None]:
        """Each job with its outcome, in the order in which they are done. `jobs` is read as workers get free."""
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
        """The walls that do not stand around the workers that have started, with the reasons."""
        return {wall: reason for slot in self._slots for wall, reason in slot.missing.items()}

    def close(self) -> None:
        """Ends the workers."""
        while self._slots:
            self._slots.pop().worker.kill()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _hand_out(self, source: Iterator[Job], waiting: deque[Job]) -> None:
        """Gives jobs to the workers that hold the fewest; starts one where all have something to do."""
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
        """What a worker has answered; its end, if it has ended."""
        alive = slot.worker.pump()
        overdue = slot.worker.overdue()  # asked before the caller gets its turn, which may take long
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
        except (BadData, IndexError):  # an index error: an answer that nobody asked for
            yield from self._bury(slot, End("the parser's answer is not what was agreed", False), waiting)
            return
        if overdue or not alive:
            yield from self._bury(slot, slot.worker.stop(), waiting)

    def _bury(self, slot: _Slot, end: End, waiting: deque[Job]) -> Iterator[tuple[Job, Outcome]]:
        """A worker has ended: blames its first job or tries it once more, and lets the others wait again."""
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
