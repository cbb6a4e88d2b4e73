"""A command of the user's own: what it is told on standard input, what it says, and how long and how much it may."""

from __future__ import annotations

import os
import selectors
import signal
import subprocess
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass

_BLOCK = 1 << 16
_LISTENING = 0.05
"""Seconds between two looks at whether the caller still waits."""
_COMPLAINT = 1 << 12
"""Bytes of standard error that are kept: its end says why."""


@dataclass(frozen=True)
class Ended:
    """How a command ended. `output`: of its standard output. `problem`: why that is not to be used; else empty."""

    output: bytes
    problem: str = ""


def say(
    command: Sequence[str], told: bytes, *, seconds: float, output_bytes: int, check: Callable[[], None] = lambda: None
) -> Ended:
    """Start a command, without a shell, in a process group of its own, which is ended with whatever it started.

    `check` is called while it runs, and raises where nobody waits any more. Raises `OSError` where it does not start.
    """
    process = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True
    )
    exchange = _Exchange(process, told, output_bytes)
    try:
        problem = exchange.run(time.monotonic() + seconds, check) or ""
        if problem == _LATE:
            return Ended(b"", f"it took longer than {seconds:g} s")
        if problem:
            return Ended(b"", problem)
        return Ended(bytes(exchange.output), _ended(process.returncode, bytes(exchange.complaint)))
    finally:
        end_group(process)


_LATE = "late"


class _Exchange:
    """What goes in and comes out of a running process."""

    def __init__(self, process: subprocess.Popen[bytes], told: bytes, output_bytes: int) -> None:
        assert process.stdin is not None  # for the type checker: these are pipes
        assert process.stdout is not None
        assert process.stderr is not None
        self._process, self._rest, self._most = process, memoryview(told), output_bytes
        self._input = process.stdin
        self.output, self.complaint = bytearray(), bytearray()
        self._selector = selectors.DefaultSelector()
        for pipe, event, move in (
            (process.stdin, selectors.EVENT_WRITE, self._write),
            (process.stdout, selectors.EVENT_READ, self._read_output),
            (process.stderr, selectors.EVENT_READ, self._read_complaint),
        ):
            os.set_blocking(pipe.fileno(), False)
            self._selector.register(pipe, event, move)

    def run(self, until: float, check: Callable[[], None]) -> str | None:
        """Until the process has said everything and left. What went wrong, where something did."""
        try:
            while self._selector.get_map():
                check()
                if time.monotonic() > until:
                    return _LATE
                moved = self._selector.select(_LISTENING)
                if not moved and self._process.poll() is not None:
                    break  # it has left; something that it started still holds its output
                for key, _ in moved:
                    goes_on: bool = key.data()
                    if not goes_on:
                        self._selector.unregister(key.fileobj)
                        key.fileobj.close()  # type: ignore[union-attr]  # a pipe
                if len(self.output) > self._most:
                    return f"it said more than {self._most:,} bytes"
            return self._left(until, check)
        finally:
            self._selector.close()

    def _left(self, until: float, check: Callable[[], None]) -> str | None:
        while True:
            check()
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(_LISTENING)
                return None
            if time.monotonic() > until:
                return _LATE

    def _write(self) -> bool:
        """Whether there is more to be told."""
        try:
            self._rest = self._rest[os.write(self._input.fileno(), self._rest[:_BLOCK]) :]
        except BlockingIOError:
            return True
        except BrokenPipeError:
            self._rest = self._rest[:0]  # it does not want to know; what it says may be right all the same
        return bool(self._rest)

    def _read_output(self) -> bool:
        assert self._process.stdout is not None
        return self._read(self._process.stdout.fileno(), self.output)

    def _read_complaint(self) -> bool:
        assert self._process.stderr is not None
        goes_on = self._read(self._process.stderr.fileno(), self.complaint)
        del self.complaint[:-_COMPLAINT]
        return goes_on

    @staticmethod
    def _read(descriptor: int, buffer: bytearray) -> bool:
        try:
            block = os.read(descriptor, _BLOCK)
        except BlockingIOError:
            return True
        buffer += block
        return bool(block)


def _ended(code: int, complaint: bytes) -> str:
    """Why what it said is not to be used: it left with a code, or was ended by a signal."""
    if not code:
        return ""
    how = f"it was ended by {signal.Signals(-code).name}" if code < 0 else f"it left with exit code {code}"
    lines = complaint.decode("utf-8", "replace").strip().splitlines()
    return f"{how}: {lines[-1].strip()[:300]}" if lines else how


def end_group(process: subprocess.Popen[bytes]) -> None:
    """End all processes of its group, also what the command started in the background, and close the pipes."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    for pipe in (process.stdin, process.stdout, process.stderr):
        if pipe is not None:
            with suppress(OSError):
                pipe.close()
