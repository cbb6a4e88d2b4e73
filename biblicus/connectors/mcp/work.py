"""Operations are synchronous: they run in threads, so many at once, so many waiting, and stop where nobody asks.

What writes runs alone; leaving it cancels it, and it ends at its next look, with the previous state in place.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from contextvars import copy_context
from typing import TypeVar

from biblicus.contracts import Call
from biblicus.errors import Busy, DeadlineExceeded

Value = TypeVar("Value")
Report = Callable[[float, str], Awaitable[None]]
"""Sends progress: a number that grows, and a sentence."""
_PACE = 0.1
"""Seconds between two reports."""
_GRACE = 1.0
"""Seconds that an operation has to notice its deadline by itself."""


class Work:
    """`readers` questions at once and one writer; `waiting` behind them. Times in seconds. For one event loop."""

    def __init__(
        self, readers: int = 4, waiting: int = 64, seconds: float = 30.0, writing_seconds: float = 3600.0
    ) -> None:
        self._seconds, self._writing_seconds = seconds, writing_seconds
        self._most = {False: readers + waiting, True: 1 + min(waiting, 8)}
        self._inside = {False: 0, True: 0}
        self._pools = {
            False: ThreadPoolExecutor(readers, "biblicus-mcp-read"),
            True: ThreadPoolExecutor(1, "biblicus-mcp-write"),
        }
        self._calls: set[Call] = set()

    async def run(
        self,
        work: Callable[[Call], Value],
        *,
        writes: bool,
        report: Report | None = None,
        seconds: float | None = None,
    ) -> Value:
        """The value, within `seconds` or the usual. Raises what `work` raises, `Busy` and `DeadlineExceeded`."""
        if self._inside[writes] >= self._most[writes]:
            raise Busy
        if seconds is None:
            seconds = self._writing_seconds if writes else self._seconds
        steps = _Steps(asyncio.get_running_loop())
        call = Call(deadline=time.monotonic() + seconds, progress=steps.told)
        within = copy_context().run
        future = asyncio.get_running_loop().run_in_executor(self._pools[writes], within, _checked, work, call)
        self._enter(writes, call, future)
        reporting = asyncio.create_task(steps.reported(report)) if report else None
        try:
            done, _ = await asyncio.wait({future}, timeout=seconds + _GRACE)
            if not done:
                raise DeadlineExceeded
            if reporting is not None:
                await steps.flushed(report)
            return future.result()
        finally:
            call.cancel.set()
            if reporting is not None:
                reporting.cancel()
                with suppress(asyncio.CancelledError):
                    await reporting

    def _enter(self, writes: bool, call: Call, future: asyncio.Future[Value]) -> None:
        self._inside[writes] += 1
        self._calls.add(call)

        def left(done: asyncio.Future[Value]) -> None:
            self._inside[writes] -= 1
            self._calls.discard(call)
            if not done.cancelled():
                done.exception()  # seen: whoever asked may be gone

        future.add_done_callback(left)

    def close(self) -> None:
        """Cancel what runs and wait until it has ended: a writer leaves the previous state behind."""
        for call in list(self._calls):
            call.cancel.set()
        for pool in self._pools.values():
            pool.shutdown(wait=True, cancel_futures=True)


def _checked(work: Callable[[Call], Value], call: Call) -> Value:
    call.check()  # it may have waited too long already, or for nobody
    return work(call)


class _Steps:
    """Progress on its way from a thread to the client: the latest step, at a bounded pace, as a number that grows."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop, self._news = loop, asyncio.Event()
        self._latest: tuple[str, int, int] | None = None
        self._sent = 0

    def told(self, step: str, done: int, total: int) -> None:
        """Called from the operation's thread."""
        self._latest = (step, done, total)
        with suppress(RuntimeError):  # the loop has ended: nobody listens
            self._loop.call_soon_threadsafe(self._news.set)

    async def reported(self, report: Report) -> None:
        while True:
            await self._news.wait()
            await self.flushed(report)
            await asyncio.sleep(_PACE)

    async def flushed(self, report: Report | None) -> None:
        """Send the latest step, unless it was sent."""
        latest, self._latest = self._latest, None
        self._news.clear()
        if latest is None or report is None:
            return
        step, done, total = latest
        self._sent += 1
        await report(float(self._sent), f"{step} {done} of {total}" if total else f"{step} {done}")
