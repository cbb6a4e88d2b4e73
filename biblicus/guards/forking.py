"""Fork this process for work that runs in parallel."""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Any

_most: int | None = None
"""Largest number of cores for this process, if it was limited."""


def cores() -> int:
    """Return the number of cores that this process may use."""
    count = (len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()) or 1
    return count if _most is None else min(count, _most)


def use_at_most(count: int) -> None:
    """Limit `cores` to `count`, for a process that shares the machine with others."""
    global _most
    _most = count


def may_fork() -> bool:
    """Return true if forking is cheap and safe: on Linux, in a process with one thread."""
    return os.uname().sysname == "Linux" and threading.active_count() == 1


class Ahead:
    """Work started in a child process before its result is needed. Call `result` or `close` once."""

    def __init__(self, reading: int, pid: int) -> None:
        self._reading, self._pid = reading, pid

    def result(self) -> Any:
        """Wait for the value and return it, or None if the process failed."""
        parts = []
        while part := os.read(self._reading, 1 << 16):
            parts.append(part)
        self.close()
        try:
            return json.loads(b"".join(parts))
        except ValueError:
            return None

    def close(self) -> None:
        """Discard the result and wait for the process, which ends when its work does or its pipe closes."""
        if self._pid:
            os.close(self._reading)
            with suppress(ChildProcessError):
                os.waitpid(self._pid, 0)
            self._pid = 0


def begun(work: Callable[[], Any]) -> Ahead | None:
    """Start work in a forked copy of this process; its return value must be JSON, its side effects are lost.
    Return None if a fork is unsafe, useless (one core) or fails."""
    if cores() < 2 or not may_fork():
        return None
    reading, writing = os.pipe()
    try:
        pid = os.fork()
    except OSError:  # no more processes for this user
        os.close(reading)
        os.close(writing)
        return None
    if pid:
        os.close(writing)
        return Ahead(reading, pid)
    try:
        os.close(reading)
        with open(writing, "wb") as pipe:
            pipe.write(json.dumps(work()).encode())
    finally:
        os._exit(0)  # exit handlers belong to the parent
