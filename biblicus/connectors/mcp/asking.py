"""One call of a tool or resource: its corpora, encoding of the replies, recent durations, and progress."""

from __future__ import annotations

import asyncio
import math
import threading
from collections import Counter, deque
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from itertools import count
from typing import TYPE_CHECKING, Any, NamedTuple

from biblicus.contracts import Call, Progress
from biblicus.guards.terminal import safe
from biblicus.models.plain import plain
from biblicus.service.verbs import Q, Verb

if TYPE_CHECKING:
    from biblicus.service.corpora import Corpora


Object = dict[str, Any]
PICTURES = "pictures"
"""Key of a reply's images (PNG in base64), which are sent besides its text."""


def marked(value: Any) -> Any:
    """Return the value with invisible and direction-changing characters in texts made visible."""
    if isinstance(value, str):
        return safe(value, keep_newlines=True)
    if isinstance(value, Mapping):
        return {name: marked(part) for name, part in value.items()}
    return [marked(part) for part in value] if isinstance(value, list | tuple) else value


class Asked(NamedTuple):
    """One call. `arguments`: as received; cursors are bound to them. `latency`: durations of the server's tools."""

    corpora: Corpora
    call: Call
    arguments: Mapping[str, Any]
    latency: Latency | None = None

    def one(self, verb: Verb[Q, Any], corpus: str | None, request: Q) -> Object:
        """Return the reply of one corpus as JSON values."""
        reply: Object = plain(self.corpora.ask(corpus, verb, request, self.call))
        return reply

    def names(self) -> list[str]:
        """Return the names of corpora that the client may see."""
        return self.corpora.names(guest=self.call.guest)

    def named(self, corpus: str | None) -> str | None:
        """Return the corpus's name for references; None if it is the only one."""
        return corpus if len(self.names()) > 1 else None


_LATE = 1_000
"""Number of calls of each tool used for percentiles."""


class Latency:
    """Durations in milliseconds by tool, in this process. Thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._calls: Counter[str] = Counter()
        self._late: dict[str, deque[float]] = {}

    def took(self, tool: str, seconds: float) -> None:
        """Record one call."""
        with self._lock:
            self._calls[tool] += 1
            self._late.setdefault(tool, deque(maxlen=_LATE)).append(seconds * 1000)

    def counted(self) -> dict[str, Any]:
        """Return by tool: `calls` in total, and `p50_ms` and `p99_ms` of the last thousand."""
        with self._lock:
            late = {tool: sorted(times) for tool, times in sorted(self._late.items())}
            calls = dict(self._calls)
        return {
            tool: {"calls": calls[tool], "p50_ms": _percentile(times, 50), "p99_ms": _percentile(times, 99)}
            for tool, times in late.items()
        }


def _percentile(times: list[float], percent: int) -> float:
    return round(times[max(0, math.ceil(len(times) * percent / 100) - 1)], 1)


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
