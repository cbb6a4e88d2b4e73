"""Who is let in: so many at once, so many who wait, a deadline for each. Written once, for HTTP, MCP and the daemon.

Verbs are synchronous and run in threads. What is more than may wait is turned away before anything of it is read; what
nobody waits for any more is cancelled, and holds its place until its thread has noticed. One `Admission` bounds a whole
service, whatever is mounted on it.
"""

from __future__ import annotations

import asyncio
import os
import threading
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Collection, Coroutine, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from contextvars import copy_context
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from biblicus.contracts import Call, Hear, Progress, silent
from biblicus.errors import Busy, Cancelled, DeadlineExceeded
from biblicus.service.verbs import ANSWER, Verb

Value = TypeVar("Value")
Left = Callable[[], Coroutine[Any, Any, None]]
"""Returns when who asked has gone."""
_PATIENCE = 0.25
"""Seconds before anybody looks whether the asker is still there: most answers are given sooner, also under load."""
_GRACE = 1.0
"""Seconds that a verb has to notice its deadline by itself, and to say it in its own words."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What one service may hold, and how long anything may take. Sizes in bytes, times in seconds.

    `workers`: questions answered at once. `waiting`: questions that may wait for a worker; one more is turned away.
    `answerers`, `waiting_answers`: the same for answers, which a language model may take its time for. `writers`,
    `waiting_writers`: the same for documents (a corpus takes one at a time in any case). `followers`: clients that may
    listen to events at once.
    `seconds`: deadline of a request, waiting included. `answering_seconds`, `writing_seconds`: of one that answers, of
    one that ingests.
    `head`: largest head of a request. `body`: largest body. `document`: largest body of a document that is ingested.
    `body_seconds`: how long a body may take to come. `header_seconds`: how long a connection may take to send a
    request's head.
    `drain`: how long requests and jobs may end after SIGTERM.
    """

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
    """The lines of one service: for questions, for answers, for what is brought in."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.questions = Line("questions", limits.workers, limits.waiting, limits.seconds)
        self.answers = Line("answers", limits.answerers, limits.waiting_answers, limits.answering_seconds)
        self.documents = Line("documents", limits.writers, limits.waiting_writers, limits.writing_seconds)

    def line(self, verb: Verb[Any, Any]) -> Line:
        """The line that a verb waits in."""
        if verb.scope == "ingest":
            return self.documents
        return self.answers if verb is ANSWER else self.questions

    def close(self) -> None:
        """Cancel what runs and wait until it has ended: a writer leaves the previous state behind."""
        for line in (self.questions, self.answers, self.documents):
            line.close()


class Line:
    """`workers` at once, `waiting` behind them, each within `seconds`. Safe for several threads and event loops."""

    def __init__(self, name: str, workers: int, waiting: int, seconds: float) -> None:
        self.seconds = seconds
        self._most = workers + waiting
        self.turns = asyncio.Semaphore(workers)
        self._pool = ThreadPoolExecutor(workers, f"biblicus-{name}")
        self._lock = threading.Lock()
        self._calls: set[Call] = set()
        self._receiving: Counter[str] = Counter()
        self.inside = 0

    def enter(self) -> Ticket:
        """A place in the line. Raises `Busy` where all are taken."""
        with self._lock:
            if self.inside >= self._most:
                raise Busy
            self.inside += 1
        return Ticket(self)

    @contextmanager
    def admitted(self) -> Iterator[Ticket]:
        """A place in the line, for as long as it is held or its work goes on. Raises `Busy` where all are taken."""
        ticket = self.enter()
        try:
            yield ticket
        finally:
            ticket.give_back()

    @contextmanager
    def receiving(self, names: Collection[str]) -> Iterator[None]:
        """While what is asked still comes: of whoever has one of these names, to no more than half of the places.
        Raises `Busy` beyond."""
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
        """Cancel what runs, drop what waits, and wait until all has ended."""
        with self._lock:
            calls = list(self._calls)
        for call in calls:
            call.cancel.set()
        self._pool.shutdown(wait=True, cancel_futures=True)

    def _submit(self, ticket: Ticket, work: Callable[[Call], Value], call: Call) -> Future[Value]:
        def checked() -> Value:
            call.check()  # it may have waited too long already, or for nobody
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
    """A place in a line: taken until who came has left and its thread is free again, whichever is later."""

    def __init__(self, line: Line) -> None:
        self._line, self._holders, self._lock = line, 1, threading.Lock()

    def submit(self, work: Callable[[Call], Value], call: Call) -> Future[Value]:
        """Run `work` in a thread of the line."""
        return self._line._submit(self, work, call)

    async def run(
        self,
        work: Callable[[Call], Value],
        *,
        arriving: Callable[[Call], Awaitable[Value]] | None = None,
        left: Left | None = None,
        seconds: float | None = None,
        progress: Progress | None = None,
        guest: bool = False,
        layers: tuple[str, ...] = (),
        hear: Hear = silent,
        through: tuple[str, ...] = (),
    ) -> Value:
        """The value, within `seconds` or the line's. Raises what `work` raises, `DeadlineExceeded`, and `Cancelled`
        where the asker left. `arriving`: works in the place of `work`, without a thread."""
        seconds = self._line.seconds if seconds is None else seconds
        call = Call(deadline=time.monotonic() + seconds, guest=guest, layers=layers, hear=hear, through=through)
        if progress is not None:
            call = replace(call, progress=progress)
        future: asyncio.Future[Value]
        if arriving is not None:
            future = asyncio.ensure_future(self._arriving(arriving, call))
        else:
            future = asyncio.wrap_future(self.submit(work, call))
        try:
            done, _ = await asyncio.wait({future}, timeout=_PATIENCE)
            if not done:
                await _watched(future, left, seconds)
            return future.result()
        finally:
            call.cancel.set()
            future.add_done_callback(_seen)
            if arriving is not None:
                future.cancel()

    async def _arriving(self, work: Callable[[Call], Awaitable[Value]], call: Call) -> Value:
        """The value of work for which no thread waits; so many at once as there are threads."""
        self.hold()
        try:
            async with self._line.turns:
                call.check()
                return await work(call)
        finally:
            self.give_back()

    def hold(self) -> None:
        """One more holds the place."""
        with self._lock:
            self._holders += 1

    def give_back(self) -> None:
        """One of the holders lets go."""
        with self._lock:
            self._holders -= 1
            last = not self._holders
        if last:
            self._line._leave()


async def _watched(future: asyncio.Future[Any], left: Left | None, seconds: float) -> None:
    """Wait for the value, the asker's leaving or the deadline, whichever comes first."""
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
            gone.cancel()  # not awaited: a wait that ends just now may swallow it, and would then never end
            gone.add_done_callback(_seen)


def _seen(ended: asyncio.Future[Any]) -> None:
    """Take note of a failure that nobody waits for."""
    if not ended.cancelled():
        ended.exception()
