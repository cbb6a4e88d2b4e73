"""Recent durations of tool calls."""

from __future__ import annotations

import math
import threading
from collections import Counter, deque
from typing import Any

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
    """Return the nearest-rank percentile."""
    return round(times[max(0, math.ceil(len(times) * percent / 100) - 1)], 1)
