"""The call that this thread is busy with, for what waits for others far below where calls are handed on."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from biblicus.contracts import Call

_SHARE = 0.5
"""How much of the time that is left a part of the work may take that can be done without."""
_present: ContextVar[Call | None] = ContextVar("call", default=None)


@contextmanager
def during(call: Call) -> Iterator[None]:
    """Whoever waits within keeps this call's deadline, and ends when it is cancelled."""
    before = _present.set(call)
    try:
        yield
    finally:
        _present.reset(before)


def check() -> None:
    """Raise `Cancelled` or `DeadlineExceeded` where it is time to stop."""
    call = _present.get()
    if call is not None:
        call.check()


def within(seconds: float) -> float:
    """So many seconds, or what is left until the deadline; never none at all."""
    call = _present.get()
    if call is None or call.deadline is None:
        return seconds
    return min(seconds, max(call.deadline - time.monotonic(), 0.001))


def bounded(call: Call, seconds: float) -> Call:
    """The call of a part of the work that can be done without: at most so many seconds, and half of what is left."""
    now = time.monotonic()
    left = seconds if call.deadline is None else min(seconds, _SHARE * (call.deadline - now))
    return replace(call, deadline=now + left)
