"""A lane: so many workers, so many who may wait, and a deadline. What is more is turned away before its body is read.

Operations are synchronous; a lane runs them in its threads, stops them where the client leaves, and gives up on them
where the deadline passes.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from contextvars import copy_context
from typing import Any, TypeVar

from biblicus.contracts import Call
from biblicus.errors import Busy, Cancelled, DeadlineExceeded

Answer = TypeVar("Answer")
Left = Callable[[], Coroutine[Any, Any, None]]
"""Returns when the client has gone."""
_PATIENCE = 0.05
"""Seconds before a lane looks whether the client is still there: most answers are given sooner."""
_GRACE = 1.0
"""Seconds that an operation has to notice its deadline by itself, and to say it in its own words."""


class Lane:
    """`workers` at once, `waiting` behind them. For one event loop."""

    def __init__(self, name: str, workers: int, waiting: int, seconds: float) -> None:
        self._most, self._seconds = workers + waiting, seconds
        self._pool = ThreadPoolExecutor(workers, f"biblicus-{name}")
        self.inside = 0

    @contextmanager
    def admitted(self) -> Iterator[Place]:
        """A place in the lane. Raises `Busy` where all are taken."""
        if self.inside >= self._most:
            raise Busy
        self.inside += 1
        place = Place(self)
        try:
            yield place
        finally:
            place.give_back()

    def close(self) -> None:
        """Let go of the threads; what they still do was cancelled."""
        self._pool.shutdown(wait=False, cancel_futures=True)

    def submit(self, place: Place, work: Callable[[Call], Answer], left: Left) -> Coroutine[Any, Any, Answer]:
        return _run(self._pool, self._seconds, place, work, left)


class Place:
    """A place in a lane: taken until the request has ended and its thread is free again, whichever is later."""

    def __init__(self, lane: Lane) -> None:
        self._lane, self._holders = lane, 1

    async def run(self, work: Callable[[Call], Answer], left: Left) -> Answer:
        """Run `work` in a thread. Raises what it raises, `DeadlineExceeded`, and `Cancelled` where the client left."""
        self._holders += 1
        return await self._lane.submit(self, work, left)

    def give_back(self) -> None:
        """One of the holders lets go."""
        self._holders -= 1
        if not self._holders:
            self._lane.inside -= 1


async def _run(
    pool: ThreadPoolExecutor, seconds: float, place: Place, work: Callable[[Call], Answer], left: Left
) -> Answer:
    call = Call(deadline=time.monotonic() + seconds)

    def checked() -> Answer:
        call.check()  # it may have waited too long already, or for nobody
        return work(call)

    future = asyncio.get_running_loop().run_in_executor(pool, copy_context().run, checked)

    def freed(done: asyncio.Future[Answer]) -> None:
        place.give_back()
        if not done.cancelled():
            done.exception()  # seen: whoever asked may be gone

    future.add_done_callback(freed)
    try:
        done, _ = await asyncio.wait({future}, timeout=_PATIENCE)
        if not done:
            await _watched(future, left, seconds)
        return future.result()
    finally:
        call.cancel.set()


async def _watched(future: asyncio.Future[Answer], left: Left, seconds: float) -> None:
    """Wait for the answer, the client's leaving or the deadline, whichever comes first."""
    gone: asyncio.Future[Any] = asyncio.ensure_future(left())
    waited: set[asyncio.Future[Any]] = {future, gone}
    try:
        done, _ = await asyncio.wait(waited, timeout=seconds + _GRACE, return_when=asyncio.FIRST_COMPLETED)
        if future not in done:
            raise Cancelled if gone in done else DeadlineExceeded
    finally:
        gone.cancel()  # not awaited: a wait that ends just now may swallow it, and would then never end
        gone.add_done_callback(_seen)


def _seen(gone: asyncio.Future[Any]) -> None:
    if not gone.cancelled():
        gone.exception()
