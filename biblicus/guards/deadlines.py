"""The current thread's `Call`, for code that waits on other systems without receiving the call as an argument."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from contextvars import ContextVar
from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from biblicus.contracts import Call

_SHARE = 0.5
"""Largest share of the remaining time for an optional part of the work."""
_present: ContextVar[Call | None] = ContextVar("call", default=None)


@contextmanager
def during(call: Call) -> Iterator[None]:
    """Make this call current: code within observes its deadline and its cancellation."""
    before = _present.set(call)
    try:
        yield
    finally:
        _present.reset(before)


def check() -> None:
    """Raise `Cancelled` or `DeadlineExceeded` if the current call must stop."""
    call = _present.get()
    if call is not None:
        call.check()


def within(seconds: float) -> float:
    """Return `seconds`, or the time left until the deadline if that is less; always more than 0."""
    call = _present.get()
    if call is None or call.deadline is None:
        return seconds
    return min(seconds, max(call.deadline - time.monotonic(), 0.001))


@contextmanager
def partly(seconds: float) -> Iterator[None]:
    """Bound an optional part of the current call, if there is one, as `bounded` does."""
    call = _present.get()
    with during(bounded(call, seconds)) if call is not None else nullcontext():
        yield


def bounded(call: Call, seconds: float = math.inf) -> Call:
    """Return a call for a part of the work: at most `seconds`, and half of the remaining time."""
    if call.deadline is None and seconds == math.inf:
        return call
    now = time.monotonic()
    left = seconds if call.deadline is None else min(seconds, _SHARE * (call.deadline - now))
    return replace(call, deadline=now + left)
