"""Run one of the user's own commands with input, within limits of time and output."""

from __future__ import annotations

import selectors
import subprocess
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass

from biblicus.guards.children import Stream, apart, end_group, signal_name

_BLOCK = 1 << 16
_LISTENING = 0.05
"""Seconds between two checks for cancellation."""
_COMPLAINT = 1 << 12
"""Bytes of standard error that are kept: its end gives the reason of a failure."""


@dataclass(frozen=True)
class Ended:
    """Result of a command. `output`: its standard output. `problem`: why the output is unusable; empty on success."""

    output: bytes
    problem: str = ""


def say(
    command: Sequence[str], told: bytes, *, seconds: float, output_bytes: int, check: Callable[[], None] = lambda: None
) -> Ended:
    """Run a command without a shell, write `told` to its standard input and return its output.

    It runs in its own process group, which is killed at the end. `check` is called meanwhile and may raise to
    cancel. Raises `OSError` if the command does not start."""
    process = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **apart()
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
    """The input and output of a running process."""

    def __init__(self, process: subprocess.Popen[bytes], told: bytes, output_bytes: int) -> None:
        assert process.stdin is not None  # for the type checker: these are pipes
        assert process.stdout is not None
        assert process.stderr is not None
        self._process, self._rest, self._most = process, memoryview(told), output_bytes
        self._input, self._output, self._errors = map(Stream, (process.stdin, process.stdout, process.stderr))
        self.output, self.complaint = bytearray(), bytearray()
        self._selector = selectors.DefaultSelector()
        for stream, event, move in (
            (self._input, selectors.EVENT_WRITE, self._write),
            (self._output, selectors.EVENT_READ, self._read_output),
            (self._errors, selectors.EVENT_READ, self._read_complaint),
        ):
            self._selector.register(stream, event, (stream, move))

    def run(self, until: float, check: Callable[[], None]) -> str | None:
        """Exchange data until the process has closed its output and exited. Return the problem, or None."""
        try:
            while self._selector.get_map():
                check()
                if time.monotonic() > until:
                    return _LATE
                moved = self._selector.select(_LISTENING)
                if not moved and self._process.poll() is not None:
                    break  # it has exited, but a child process still holds its output
                for key, _ in moved:
                    stream, move = key.data
                    if not move():
                        self._selector.unregister(stream)
                        stream.close()
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
        """Write a block of input; return true if more remains."""
        try:
            self._rest = self._rest[self._input.write(self._rest[:_BLOCK]) :]
        except BlockingIOError:
            return True
        except ConnectionError:
            self._rest = self._rest[:0]  # it does not read its input; its output may still be valid
        return bool(self._rest)

    def _read_output(self) -> bool:
        return self._read(self._output, self.output)

    def _read_complaint(self) -> bool:
        goes_on = self._read(self._errors, self.complaint)
        del self.complaint[:-_COMPLAINT]
        return goes_on

    @staticmethod
    def _read(stream: Stream, buffer: bytearray) -> bool:
        try:
            block = stream.read(_BLOCK)
        except BlockingIOError:
            return True
        buffer += block
        return bool(block)


def _ended(code: int, complaint: bytes) -> str:
    """Return why the output is unusable: its exit code or the signal that ended it; empty on success."""
    if not code:
        return ""
    how = f"it was ended by {signal_name(code)}" if code < 0 else f"it left with exit code {code}"
    lines = complaint.decode("utf-8", "replace").strip().splitlines()
    return f"{how}: {lines[-1].strip()[:300]}" if lines else how
