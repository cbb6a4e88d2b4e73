"""Progress from a thread to the client: the latest step, at a limited rate, as an increasing number."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from itertools import count

from biblicus.contracts import Progress

Report = Callable[[float, str], Awaitable[None]]
"""Callback for progress: an increasing number, and a sentence."""
_PACE = 0.1
"""Seconds between two reports."""


@asynccontextmanager
async def paced(report: Report) -> AsyncIterator[Progress]:
    """Yield a progress callback for an operation in another thread. The last step is sent before exit."""
    loop, news, numbers = asyncio.get_running_loop(), asyncio.Event(), count(1)
    latest: deque[tuple[str, int, int]] = deque(maxlen=1)

    def told(step: str, done: int, total: int) -> None:
        latest.append((step, done, total))
        with suppress(RuntimeError):  # the loop has ended: nobody listens
            loop.call_soon_threadsafe(news.set)

    async def send() -> None:
        news.clear()
        if latest:
            step, done, total = latest.pop()
            await report(float(next(numbers)), f"{step} {done} of {total}" if total else f"{step} {done}")

    async def send_all() -> None:
        while True:
            await news.wait()
            await send()
            await asyncio.sleep(_PACE)

    sending = asyncio.create_task(send_all())
    try:
        yield told
        await send()
    finally:
        sending.cancel()
        with suppress(asyncio.CancelledError):
            await sending
