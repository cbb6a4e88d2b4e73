"""Shared state of the endpoints: corpora, queues, jobs, and the service's state."""

from __future__ import annotations

import asyncio
import threading
import time
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from biblicus.service.admission import Admission, Limits
from biblicus.service.corpora import Corpora
from biblicus.service.jobs import Jobs
from biblicus.service.offers import Offer

MEDIA_TYPE = "text/plain; version=0.0.4; charset=utf-8"
BOUNDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)
"""Upper bounds of the latency histogram's buckets, in seconds."""


class Metrics:
    """Statistics of requests. Thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._requests: Counter[tuple[str, str, int]] = Counter()
        self._buckets: dict[str, list[int]] = {}
        self._seconds: defaultdict[str, float] = defaultdict(float)
        self._judged: Counter[tuple[str, str]] = Counter()

    def seen(self, route: str, method: str, status: int, seconds: float) -> None:
        """Count one request; status 0: the client left before the reply."""
        with self._lock:
            self._requests[route, method, status] += 1
            buckets = self._buckets.setdefault(route, [0] * (len(BOUNDS) + 1))
            buckets[bisect_left(BOUNDS, seconds)] += 1
            self._seconds[route] += seconds

    def judged(self, corpus: str, rank: int | None) -> int | None:
        """Count a query with a known answer by success, and return the rank."""
        with self._lock:
            self._judged[corpus, "false" if rank is None else "true"] += 1
        return rank

    def text(self, gauges: Mapping[str, tuple[str, float]]) -> str:
        """Return the metrics page. `gauges`: name to description and current value."""
        with self._lock:
            requests, seconds = sorted(self._requests.items()), dict(self._seconds)
            judged = sorted(self._judged.items())
            buckets = {route: list(counts) for route, counts in self._buckets.items()}
        name = "biblicus_http_requests_total"
        lines = [f"# HELP {name} Requests answered.", f"# TYPE {name} counter"]
        for (route, method, status), count in requests:
            labels = f'route="{route}",method="{_word(method)}",status="{status}"'
            lines.append(f"{name}{{{labels}}} {count}")
        name = "biblicus_http_request_duration_seconds"
        lines += [f"# HELP {name} From the request's head to the end of its answer.", f"# TYPE {name} histogram"]
        for route, counts in sorted(buckets.items()):
            total = 0
            for upper_bound, count in zip((*BOUNDS, "+Inf"), counts, strict=True):
                total += count
                lines.append(f'{name}_bucket{{route="{route}",le="{upper_bound}"}} {total}')
            lines += [f'{name}_sum{{route="{route}"}} {seconds[route]:.6f}', f'{name}_count{{route="{route}"}} {total}']
        if judged:
            name = "biblicus_judged_questions_total"
            lines += [f"# HELP {name} Questions with eval=true, by whether gold was found.", f"# TYPE {name} counter"]
            lines += [
                f'{name}{{corpus="{corpus}",found="{was_found}"}} {count}' for (corpus, was_found), count in judged
            ]
        for gauge, (meaning, value) in gauges.items():
            lines += [f"# HELP {gauge} {meaning}", f"# TYPE {gauge} gauge", f"{gauge} {value:g}"]
        return "\n".join(lines) + "\n"


_METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT"})


def _word(method: str) -> str:
    """Return the method as a label; unknown ones, which clients can invent, share one label."""
    return method if method in _METHODS else "other"


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
