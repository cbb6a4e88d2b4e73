"""Shared state of the endpoints: corpora, queues, jobs, and the service's state."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from biblicus.connectors.http.metrics import Metrics
from biblicus.service.admission import Admission, Limits
from biblicus.service.corpora import Corpora
from biblicus.service.jobs import Jobs
from biblicus.service.offers import Offer


class Remembered:
    """A number that is computed at most once in some seconds, so that requests without a token stay cheap."""

    def __init__(self, seconds: float) -> None:
        self._seconds, self._until, self._value = seconds, 0.0, 0
        self._lock = asyncio.Lock()

    async def known(self, find_out: Callable[[], int]) -> int:
        """Return the number, computed in a thread."""
        async with self._lock:
            if time.monotonic() >= self._until:
                self._value = await asyncio.to_thread(find_out)
                self._until = time.monotonic() + self._seconds
            return self._value


@dataclass
class Service:
    """One service.

    `warm`: set when the indexes are open. `stopping`: set when it drains. `followers`: clients that follow events.
    `patience`: seconds for jobs when it closes; None: `limits.drain`. `offers`: a profile's operations."""

    corpora: Corpora
    admission: Admission
    metrics: Metrics = field(default_factory=Metrics)
    jobs: Jobs = field(default_factory=Jobs)
    warm: threading.Event = field(default_factory=threading.Event)
    stopping: asyncio.Event = field(default_factory=asyncio.Event)
    followers: int = 0
    patience: float | None = None
    offers: tuple[Offer, ...] = ()
    failing: Remembered = field(default_factory=lambda: Remembered(1.0))
    unread: Remembered = field(default_factory=lambda: Remembered(1.0))

    @property
    def limits(self) -> Limits:
        """Return its limits of concurrency, size and time."""
        return self.admission.limits

    def close(self) -> None:
        """End the jobs, then other work, then close the corpora."""
        self.jobs.close(self.limits.drain if self.patience is None else self.patience)
        self.admission.close()
        self.corpora.close()
