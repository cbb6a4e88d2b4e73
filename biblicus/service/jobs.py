"""Background jobs, one at a time, with progress and a result to fetch later.

They are kept in memory: a stopping service cancels them, and the corpus keeps its previous state."""

from __future__ import annotations

import secrets
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from biblicus.contracts import Call
from biblicus.errors import BiblicusError, Busy, JobNotFound
from biblicus.models.plain import LEFT_OUT

State = Literal["queued", "running", "done", "failed", "cancelled"]
ENDED: frozenset[State] = frozenset({"done", "failed", "cancelled"})


@dataclass(frozen=True, slots=True)
class Step:
    """Progress of a job. `total` is 0 if unknown."""

    step: str
    done: int
    total: int


@dataclass(frozen=True)
class Job:
    """State of a job. `result` if it is done, `error` if it failed. Times: UTC, ISO 8601."""

    job_id: str
    verb: str
    corpus: str
    state: State = "queued"
    created_at: str = ""
    progress: Step | None = field(default=None, metadata=LEFT_OUT)
    result: Any = field(default=None, metadata=LEFT_OUT)
    error: dict[str, str] | None = field(default=None, metadata=LEFT_OUT)
    ended_at: str | None = field(default=None, metadata=LEFT_OUT)


@dataclass
class _Held:
    job: Job
    cancel: threading.Event = field(default_factory=threading.Event)


class Jobs:
    """One worker, at most `waiting` queued jobs; the last `kept` are remembered. Thread-safe."""

    def __init__(self, waiting: int = 8, kept: int = 100, clock: Callable[[], float] = time.time) -> None:
        self._waiting, self._kept, self._clock = waiting, kept, clock
        self._lock = threading.RLock()
        self._held: dict[str, _Held] = {}
        self._pool = ThreadPoolExecutor(1, "biblicus-job")

    def start(self, verb: str, corpus: str, work: Callable[[Call], Any]) -> Job:
        """Queue a job. Raises `Busy` if too many wait."""
        with self._lock:
            active = [entry for entry in self._held.values() if entry.job.state not in ENDED]
            if len(active) > self._waiting:
                raise Busy
            for job_id in [name for name, entry in self._held.items() if entry.job.state in ENDED][: -self._kept]:
                del self._held[job_id]
            entry = _Held(Job(secrets.token_hex(6), verb, corpus, created_at=self._now()))
            self._held[entry.job.job_id] = entry
        self._pool.submit(self._run, entry, work)
        return entry.job

    def get(self, job_id: str) -> Job:
        """Return a job's state. Raises `JobNotFound`."""
        return self._of(job_id).job

    def running(self, corpus: str) -> Job | None:
        """Return the job that changes a corpus now."""
        held = list(self._held.values())
        return next((entry.job for entry in held if entry.job.corpus == corpus and entry.job.state == "running"), None)

    def cancel(self, job_id: str) -> Job:
        """Request cancellation; an ended job is unchanged. Raises `JobNotFound`."""
        entry = self._of(job_id)
        entry.cancel.set()
        with self._lock:
            if entry.job.state == "queued":
                self._end(entry, "cancelled")
        return entry.job

    def active(self) -> int:
        """Return the number of waiting and running jobs."""
        with self._lock:
            return sum(entry.job.state not in ENDED for entry in self._held.values())

    def close(self, seconds: float) -> None:
        """Cancel waiting jobs, wait `seconds` for running ones, then cancel them."""
        for entry in list(self._held.values()):
            if entry.job.state == "queued":
                self.cancel(entry.job.job_id)
        until = time.monotonic() + seconds
        while self.active() and time.monotonic() < until:
            time.sleep(0.05)
        for job_id in list(self._held):
            self.cancel(job_id)
        self._pool.shutdown(wait=True, cancel_futures=True)

    def _now(self) -> str:
        return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(self._clock()))

    def _of(self, job_id: str) -> _Held:
        entry = self._held.get(job_id)
        if entry is None:
            raise JobNotFound(job_id)
        return entry

    def _run(self, held: _Held, work: Callable[[Call], Any]) -> None:
        with self._lock:
            if held.job.state != "queued":
                return
            held.job = replace(held.job, state="running")

        def progress(step: str, done: int, total: int) -> None:
            held.job = replace(held.job, progress=Step(step, done, total))

        try:
            result = work(Call(cancel=held.cancel, progress=progress))
        except BiblicusError as error:
            self._end(held, "cancelled" if held.cancel.is_set() else "failed", error=error.as_object())
        except Exception as error:  # report every outcome of a job
            unknown = BiblicusError(f"Something unexpected: {type(error).__name__}.")
            self._end(held, "failed", error=unknown.as_object())
            raise
        else:
            self._end(held, "done", result=result)

    def _end(self, held: _Held, state: State, **outcome: Any) -> None:
        with self._lock:
            held.job = replace(held.job, state=state, ended_at=self._now(), **outcome)
