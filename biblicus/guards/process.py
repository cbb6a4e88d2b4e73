"""Worker processes for parsing hostile input: limited inside, plain frames between, answers checked.

A frame is two lengths (4 bytes each, big-endian), a JSON object and raw bytes. Nothing is pickled in either direction,
so an answer is always data. A worker ends with its parent: at the end of its input, or by its own alarm during a task.

A parser that an attacker took over still runs as the user. It is bounded by resource limits, by the kernel (`walls`:
no network, only installed software, no other processes), by an environment without secrets and by checks of answers."""

from __future__ import annotations

import fcntl
import json as plain_json
import math
import os
import resource
import select
import signal
import struct
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from importlib import import_module
from io import BytesIO
from pathlib import Path
from typing import IO, Any, ClassVar, NamedTuple

from biblicus.errors import BadData
from biblicus.guards import json
from biblicus.guards.walls import WALLS, raise_walls, software_of

_LENGTHS = struct.Struct("!II")
_BLOCK = 1 << 16
_ROOM = 1 << 20
_LARGEST_HEADER = 16 << 20
_GRACE = 5.0
"""Seconds after its own alarm until a worker is killed."""

OUT_OF_MEMORY = 77
"""Exit code of a worker whose interpreter ran out of memory and must not be used further."""

MEMORY = "memory"
"""Name of the memory limit in the result of `bound`; some systems refuse it."""

_ENVIRONMENT = ("PATH", "LD_LIBRARY_PATH", "LANG", "LC_ALL", "LC_CTYPE", "TZ")
"""Environment variables that a worker inherits: no keys, no tokens."""

_BOOT = (
    "import sys; sys.path[:] = sys.argv[3:]; import importlib; importlib.import_module(sys.argv[1]).main(sys.argv[2])"
)


@dataclass(frozen=True)
class Limits:
    """Limits of one task.

    `memory`: address space of the worker in bytes. `seconds`: of wall clock and of processor time. `output`: bytes of
    text. `program`: the only program it may start. `preload`: modules to import before the walls are raised.
    `software`: folders of importable code; by default those of this process. `walls`: raise the walls."""

    memory: int = 1 << 30
    seconds: float = 30.0
    output: int = 64 << 20
    program: str = ""
    preload: tuple[str, ...] = ()
    software: tuple[str, ...] = ()
    walls: bool = True


class End(NamedTuple):
    """How a worker ended, as the end of a sentence that begins with the file's name, and if it timed out."""

    cause: str
    timed_out: bool


def pack(header: Mapping[str, Any], body: bytes) -> tuple[bytes, bytes]:
    """Return a frame in two parts, so that a large body is not copied."""
    head = plain_json.dumps(header, ensure_ascii=False, separators=(",", ":")).encode()
    return _LENGTHS.pack(len(head), len(body)) + head, body


# --- inside the worker -----------------------------------------------------------------------------------------------


def confine(limits: Limits) -> dict[str, str]:
    """Limit this process for good: memory, core dumps, writing files, and everything that `walls` closes.
    Return the missing limits with their reasons."""
    missing = bound(limits)
    folders = [str(Path(file).parent) for name in limits.preload if (file := import_module(name).__file__)]
    if not limits.walls:
        return missing | dict.fromkeys(WALLS, "turned off in your settings")
    return missing | raise_walls([*limits.software, *folders], limits.program)


def bound(limits: Limits, set_limit: Callable[[int, tuple[int, int]], None] = resource.setrlimit) -> dict[str, str]:
    """Limit memory, core dumps and file writes of this process for good.
    Return the limits that the system refused, with reasons; macOS cannot limit the address space."""
    missing = {}
    for name, kind, most in (
        (MEMORY, resource.RLIMIT_AS, limits.memory),
        ("core dumps", resource.RLIMIT_CORE, 0),
        ("writing", resource.RLIMIT_FSIZE, 0),
    ):
        try:
            set_limit(kind, (most, most))
        except (OSError, ValueError) as error:
            missing[name] = f"this system does not bound it ({error})"
    return missing


def begin_task(limits: Limits) -> None:
    """Start the alarm: the system ends this process if the task takes too long."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    resource.setrlimit(
        resource.RLIMIT_CPU, (math.ceil(used.ru_utime + used.ru_stime + limits.seconds) + 1, resource.RLIM_INFINITY)
    )
    signal.setitimer(signal.ITIMER_REAL, limits.seconds)


def end_task() -> None:
    """Turn off the alarm."""
    signal.setitimer(signal.ITIMER_REAL, 0)


def receive(descriptor: int) -> tuple[dict[str, Any], bytes] | None:
    """Read the next frame from the parent, or None at the end."""
    lengths = _exactly(descriptor, _LENGTHS.size)
    if lengths is None:
        return None
    head_length, body_length = _LENGTHS.unpack(lengths)
    head, body = _exactly(descriptor, head_length), _exactly(descriptor, body_length)
    return None if head is None or body is None else (plain_json.loads(head), body)


def send(descriptor: int, header: Mapping[str, Any], body: bytes) -> None:
    """Send a complete frame to the parent."""
    for part in pack(header, body):
        rest = memoryview(part)
        while rest:
            rest = rest[os.write(descriptor, rest) :]


def _exactly(descriptor: int, length: int) -> bytes | None:
    with open(descriptor, "rb", buffering=0, closefd=False) as pipe:
        data = BytesIO()
        while (lacking := length - data.tell()) and (part := pipe.read(min(lacking, _BLOCK))):
            data.write(part)
        return data.getvalue() if data.tell() == length else None  # shared with the buffer, not copied


# --- inside the parent -----------------------------------------------------------------------------------------------


class FrameRefused(BadData):
    """A worker sent an invalid frame, or one larger than allowed."""

    code = "frame_refused"


def _passed_on(stream: IO[bytes]) -> None:
    """Copy a worker's standard error to ours."""
    for line in iter(stream.readline, b""):
        os.write(2, line)


class Worker:
    """One worker process, started at once and ready later. `module`: name of a module with `main(limits as JSON)`.

    No method here blocks: `pump` moves available data between the pipes and the buffers."""

    shows_errors: ClassVar[bool] = False
    """Show the standard error of workers (`--debug`)."""

    def __init__(self, module: str, limits: Limits) -> None:
        self.limits = limits
        self._outgoing: deque[memoryview] = deque()
        self._incoming = bytearray()
        search = [*filter(os.path.isabs, sys.path), str(Path(__file__).resolve().parents[2])]
        limits = replace(limits, software=tuple(software_of(search)))
        self._process = subprocess.Popen(
            [sys.executable, "-I", "-B", "-X", "utf8", "-c", _BOOT, module, plain_json.dumps(vars(limits)), *search],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE if self.shows_errors else subprocess.DEVNULL,
            cwd="/",  # relative names mean nothing to a parser
            env={name: os.environ[name] for name in _ENVIRONMENT if name in os.environ},
            bufsize=0,
        )
        if self._process.stderr is not None:  # a worker cannot write to files itself
            threading.Thread(target=_passed_on, args=(self._process.stderr,), daemon=True).start()
        assert self._process.stdin is not None  # for the type checker: it is a pipe
        assert self._process.stdout is not None
        self.input, self.output = self._process.stdin.fileno(), self._process.stdout.fileno()
        for descriptor in (self.input, self.output):
            os.set_blocking(descriptor, False)
            # buffers for whole files and answers; Linux only, and limited there
            with suppress(OSError, AttributeError):
                fcntl.fcntl(descriptor, fcntl.F_SETPIPE_SZ, _ROOM)
        self.touch()

    def post(self, header: Mapping[str, Any], body: bytes) -> None:
        """Queue a task; `pump` sends it."""
        self._outgoing += [memoryview(part) for part in pack(header, body) if part]
        self._flush()

    def pump(self) -> bool:
        """Send and receive available data. Return false if the worker has closed its output."""
        self._flush()
        with suppress(BlockingIOError):
            block = os.read(self.output, _BLOCK)
            self._incoming += block
            self.touch()
            return bool(block)
        return True

    def touch(self) -> None:
        """Restart the worker's time limit for showing activity."""
        self._last_sign = time.monotonic()

    def answer(self) -> tuple[dict[str, Any], bytes] | None:
        """Return the next complete frame, or None. Raises `BadData` for an invalid one."""
        if len(self._incoming) < _LENGTHS.size:
            return None
        head_length, body_length = _LENGTHS.unpack_from(self._incoming)
        if head_length > _LARGEST_HEADER or body_length > self.limits.output:
            raise FrameRefused("The parser's answer is larger than agreed.")
        body_start = _LENGTHS.size + head_length
        end = body_start + body_length
        if len(self._incoming) < end:
            return None
        header = json.read(bytes(self._incoming[_LENGTHS.size : body_start]), max_bytes=_LARGEST_HEADER)
        body = bytes(self._incoming[body_start:end])
        del self._incoming[:end]
        if not isinstance(header, dict):
            raise FrameRefused("The parser's answer is no object.")
        return header, body

    @property
    def unsent(self) -> int:
        """Return the number of bytes not yet sent."""
        return sum(map(len, self._outgoing))

    def overdue(self) -> bool:
        """Return true if the worker has been silent for longer than its own alarm allows."""
        return time.monotonic() - self._last_sign > self.limits.seconds + _GRACE

    def stop(self) -> End:
        """End the process and return how it ended."""
        overdue = self.overdue()
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(0 if overdue else 1)  # it has closed its output and is about to exit
        self.kill()
        return self._end(self._process.returncode, overdue)

    def kill(self) -> None:
        """End the process at once."""
        self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                pipe.close()

    def _flush(self) -> None:
        with suppress(BlockingIOError, BrokenPipeError):  # a broken pipe shows as end of output
            while self._outgoing:
                part = self._outgoing[0]
                if rest := part[os.write(self.input, part[:_BLOCK]) :]:
                    self._outgoing[0] = rest
                else:
                    self._outgoing.popleft()
                self.touch()

    def _end(self, code: int, overdue: bool) -> End:
        """Return how a process ended."""
        if overdue or code == -signal.SIGALRM:
            return End(f"it took longer than {self.limits.seconds:g} s", True)
        if code == -signal.SIGXCPU:
            return End(f"it used more than {self.limits.seconds:g} s of processor time", True)
        if code == OUT_OF_MEMORY:
            return End(f"it needed more than {self.limits.memory >> 20} MiB of memory", False)
        if code < 0:
            return End(f"the parser crashed ({signal.Signals(-code).name})", False)
        return End(f"the parser ended (exit code {code})", False)


def wait(workers: list[Worker], seconds: float) -> None:
    """Sleep until a worker has output, can take input, or the time is over."""
    poll = select.poll()
    for worker in workers:
        poll.register(worker.output, select.POLLIN)
        if worker.unsent:
            poll.register(worker.input, select.POLLOUT)
    poll.poll(seconds * 1000)
