"""Admission control for HTTP, MCP and the daemon: limits on running and waiting requests, and a deadline for each.

Verbs are synchronous and run in threads. A request beyond the limits is refused before any of it is read. A request
whose client has gone is cancelled, and keeps its place until its thread has noticed. One `Admission` bounds a whole
service, with everything mounted on it."""

from __future__ import annotations

import asyncio
import os
import threading
import time
from collections import Counter
from collections.abc import Callable, Collection, Coroutine, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from contextvars import copy_context
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from biblicus.contracts import Call
from biblicus.errors import Busy, Cancelled, DeadlineExceeded
from biblicus.service.verbs import ANSWER, Verb

Value = TypeVar("Value")
Left = Callable[[], Coroutine[Any, Any, None]]
"""Returns when the client has gone."""
_PATIENCE = 0.25
"""Seconds before the client's presence is checked: most replies are ready sooner, also under load."""
_GRACE = 1.0
"""Seconds for a verb to notice its deadline itself and raise its own error."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of one service. Sizes in bytes, times in seconds.

    `workers`: concurrent queries. `waiting`: queries that may wait for a worker; further ones are refused. `answerers`,
    `waiting_answers`: the same for answers, which a language model may take long for. `writers`, `waiting_writers`: the
    same for documents (a corpus accepts one at a time). `followers`: clients that may follow events. `seconds`:
    deadline of a request, waiting included. `answering_seconds`, `writing_seconds`: of an answer and of an ingested
    document. `head`: largest request head. `body`: largest request body. `document`: largest body of an ingested
    document. `body_seconds`: time to receive a body. `header_seconds`: time to receive a request head. `drain`: time
    for requests and jobs to finish after SIGTERM."""

    workers: int = max(2, min(8, os.cpu_count() or 2))
    waiting: int = 64
    answerers: int = 4
    waiting_answers: int = 16
    writers: int = 2
    waiting_writers: int = 8
    followers: int = 64
    seconds: float = 30.0
    answering_seconds: float = 120.0
    writing_seconds: float = 300.0
    head: int = 64 << 10
    body: int = 1 << 20
    document: int = 48 << 20
    body_seconds: float = 20.0
    header_seconds: float = 20.0
    drain: float = 20.0


class Admission:
    """The queues of one service: for queries, for answers, for documents."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.questions = Line("questions", limits.workers, limits.waiting, limits.seconds)
        self.answers = Line("answers", limits.answerers, limits.waiting_answers, limits.answering_seconds)
        self.documents = Line("documents", limits.writers, limits.waiting_writers, limits.writing_seconds)

    def line(self, verb: Verb[Any, Any]) -> Line:
        """Return the queue of a verb."""
        if verb.scope == "ingest":
            return self.documents
        return self.answers if verb is ANSWER else self.questions

    def close(self) -> None:
        """Cancel running work and wait until it has ended; writers leave the previous state."""
        for line in (self.questions, self.answers, self.documents):
            line.close()


class Line:
    """A queue with `workers` running and `waiting` queued requests, each within `seconds`.
    Safe for several threads and event loops."""

    def __init__(self, name: str, workers: int, waiting: int, seconds: float) -> None:
        self.seconds = seconds
        self._most = workers + waiting
        self._pool = ThreadPoolExecutor(workers, f"biblicus-{name}")
        self._lock = threading.Lock()
        self._calls: set[Call] = set()
        self._receiving: Counter[str] = Counter()
        self.inside = 0

    def enter(self) -> Ticket:
        """Take a place in the queue. Raises `Busy` if it is full."""
        with self._lock:
            if self.inside >= self._most:
                raise Busy
            self.inside += 1
        return Ticket(self)

    @contextmanager
    def admitted(self) -> Iterator[Ticket]:
        """Take a place in the queue until the context and its work end. Raises `Busy` if it is full."""
        ticket = self.enter()
        try:
            yield ticket
        finally:
            ticket.give_back()

    @contextmanager
    def receiving(self, names: Collection[str]) -> Iterator[None]:
        """Count requests being received; the clients with one of these names may use at most half of the places.
        Raises `Busy` beyond that."""
        with self._lock:
            if any(self._receiving[name] >= max(1, self._most // 2) for name in names):
                raise Busy
            self._receiving.update(names)
        try:
            yield
        finally:
            with self._lock:
                self._receiving.subtract(names)
                for name in names:
                    if not self._receiving[name]:
                        del self._receiving[name]

    def close(self) -> None:
        """Cancel running work, drop waiting work, and wait until all has ended."""
        with self._lock:
            calls = list(self._calls)
        for call in calls:
            call.cancel.set()
        self._pool.shutdown(wait=True, cancel_futures=True)

    def _submit(self, ticket: Ticket, work: Callable[[Call], Value], call: Call) -> Future[Value]:
        def checked() -> Value:
            call.check()  # it may have waited too long, or for nobody
            return work(call)

        ticket.hold()
        with self._lock:
            self._calls.add(call)
        try:
            future = self._pool.submit(copy_context().run, checked)
        except RuntimeError:  # closed meanwhile
            self._ended(ticket, call)
            raise Cancelled from None
        future.add_done_callback(lambda done: self._ended(ticket, call))
        return future

    def _ended(self, ticket: Ticket, call: Call) -> None:
        with self._lock:
            self._calls.discard(call)
        ticket.give_back()

    def _leave(self) -> None:
        with self._lock:
            self.inside -= 1


class Ticket:
    """A place in a queue, taken until the client has left and its thread is free, whichever is later."""

    def __init__(self, line: Line) -> None:
        self._line, self._holders, self._lock = line, 1, threading.Lock()

    def submit(self, work: Callable[[Call], Value], call: Call) -> Future[Value]:
        """Run `work` in a thread of the queue."""
        return self._line._submit(self, work, call)

    async def run(
        self,
        work: Callable[[Call], Value],
        *,
        left: Left | None = None,
        seconds: float | None = None,
        call: Call | None = None,
    ) -> Value:
        """Run `work` in a thread and return its value, within `seconds` or the queue's limit. `call`: who asks, without
        deadline. Raises its errors, `DeadlineExceeded`, `Cancelled` if the client left."""
        seconds = self._line.seconds if seconds is None else seconds
        until = time.monotonic() + seconds
        call = replace(call or Call(), deadline=until, cancel=threading.Event())
        future = asyncio.wrap_future(self.submit(work, call))
        try:
            done, _ = await asyncio.wait({future}, timeout=_PATIENCE)
            if not done:
                await _watched(future, left, seconds)
            return future.result()
        finally:
            call.cancel.set()
            future.add_done_callback(_seen)

    def hold(self) -> None:
        """Add a holder of the place."""
        with self._lock:
            self._holders += 1

    def give_back(self) -> None:
        """Remove a holder of the place."""
        with self._lock:
            self._holders -= 1
            last = not self._holders
        if last:
            self._line._leave()


async def _watched(future: asyncio.Future[Any], left: Left | None, seconds: float) -> None:
    """Wait for the value, the client's departure or the deadline, whichever comes first."""
    waited: set[asyncio.Future[Any]] = {future}
    gone = asyncio.ensure_future(left()) if left is not None else None
    if gone is not None:
        waited.add(gone)
    try:
        done, _ = await asyncio.wait(waited, timeout=seconds + _GRACE, return_when=asyncio.FIRST_COMPLETED)
        if future not in done:
            raise Cancelled if gone in done else DeadlineExceeded
    finally:
        if gone is not None:
            gone.cancel()  # not awaited: a wait ending now may swallow the cancellation and never end
            gone.add_done_callback(_seen)


def _seen(ended: asyncio.Future[Any]) -> None:
    """Retrieve the exception of an abandoned future, so that it is not reported as unhandled."""
    if not ended.cancelled():
        ended.exception()
