"""Copies of this process: where one may be made, and work that it does while this one goes on."""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Any

_most: int | None = None
"""How many cores this process was told to use at most."""


def cores() -> int:
    """How many of the machine's cores this process may use."""
    count = (len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()) or 1
    return count if _most is None else min(count, _most)


def use_at_most(count: int) -> None:
    """This process is one of several that share a machine: `cores` are no more than `count` from now on."""
    global _most
    _most = count


def may_fork() -> bool:
    """Forking is cheap and safe only where no other thread can hold a lock."""
    return os.uname().sysname == "Linux" and threading.active_count() == 1


class Ahead:
    """Work that was begun before its result is needed. The result is taken once, or given up."""

    def __init__(self, reading: int, pid: int) -> None:
        self._reading, self._pid = reading, pid

    def result(self) -> Any:
        """The value, when it is there; None where the process failed."""
        parts = []
        while part := os.read(self._reading, 1 << 16):
            parts.append(part)
        self.close()
        try:
            return json.loads(b"".join(parts))
        except ValueError:
            return None

    def close(self) -> None:
        """Wait for the end of what nobody wants any more: it ends with its work, or where nobody reads."""
        if self._pid:
            os.close(self._reading)
            with suppress(ChildProcessError):
                os.waitpid(self._pid, 0)
            self._pid = 0


def begun(work: Callable[[], Any]) -> Ahead | None:
    """Begin work in a copy of this process, while this one goes on. It makes a value as JSON takes it; nothing else of
    what it does is seen here. None where a copy is not safe, spares nothing, on one core, or is not to be had."""
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
        os._exit(0)  # what waits for this process's end is its parent's
