"""Worker processes for parsing hostile input: limited inside, plain frames between, answers checked.

Nothing is pickled in either direction (`frames`), so an answer is always data. A worker ends with its parent: at the
end of its input, or by its own alarm during a task.

A parser that an attacker took over still runs as the user. It is bounded by resource limits, by the kernel (`walls`:
no network, only installed software, no other processes), by an environment without secrets and by checks of answers."""

from __future__ import annotations

import json as plain_json
import os
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
from typing import IO, TYPE_CHECKING, Any, ClassVar, NamedTuple

from biblicus.errors import BadData
from biblicus.guards import children, json
from biblicus.guards.frames import LENGTHS, FrameBroken, Frames, pack
from biblicus.guards.walls import WALLS, raise_walls, software_of

if TYPE_CHECKING:
    from biblicus.contracts import Call

_BLOCK = 1 << 16
_LARGEST_HEADER = 16 << 20
_LOOK = 0.25
"""Seconds between checks for cancellation."""
_GRACE = 5.0
"""Seconds after its own alarm until a worker is killed."""

OUT_OF_MEMORY = 77
"""Exit code of a worker whose interpreter ran out of memory and must not be used further."""

_ENVIRONMENT = (*children.VARIABLES, "LANG", "LC_ALL", "LC_CTYPE")
"""Environment variables that a worker inherits: no keys, no tokens."""

_BOOT = (
    "import sys; sys.path[:] = sys.argv[3:]; import importlib; importlib.import_module(sys.argv[1]).main(sys.argv[2])"
)


Say = Callable[[Mapping[str, Any]], None]
"""Sends a frame before the answer, and starts the time limit anew."""
Answer = Callable[[Mapping[str, Any], bytes, Say], tuple[Mapping[str, Any], bytes]]


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
    """End of a worker: the cause, to follow the file's name in a sentence, and if it timed out."""

    cause: str
    timed_out: bool


def _packed(header: Mapping[str, Any], body: bytes) -> tuple[bytes, bytes]:
    return pack(plain_json.dumps(header, ensure_ascii=False, separators=(",", ":")).encode(), body)


# --- inside the worker -----------------------------------------------------------------------------------------------


def confine(limits: Limits) -> dict[str, str]:
    """Limit this process for good: memory, core dumps, writing files, and everything that `walls` closes.
    Return the missing limits with their reasons."""
    missing = children.bound(limits.memory)
    folders = [str(Path(file).parent) for name in limits.preload if (file := import_module(name).__file__)]
    if not limits.walls:
        return missing | dict.fromkeys(WALLS, "turned off in your settings")
    return missing | raise_walls([*limits.software, *folders], limits.program)


def begin_task(limits: Limits) -> None:
    """Start the alarm: the system ends this process if the task takes too long."""
    children.set_alarm(limits.seconds)


def end_task() -> None:
    """Turn off the alarm."""
    children.clear_alarm()


def serve(limits_json: str, answer: Answer, *, ready: bool = False) -> None:
    """Answer tasks inside the walls until the parent closes the pipe, or sends none for the seconds that the last task
    gave as `idle`. `ready`: first send a frame with the missing limits."""
    limits = Limits(**plain_json.loads(limits_json))
    answers = children.claim_output()  # output of a parser must not mix with the replies
    missing = confine(limits)

    def say(header: Mapping[str, Any]) -> None:
        begin_task(limits)
        send(answers, header, b"")

    if ready:
        send(answers, {"ready": True, "missing": missing}, b"")
    idle: float | None = None
    while children.has_input(0, idle) and (task := receive(0)) is not None:
        idle = task[0].get("idle")
        begin_task(limits)
        try:
            header, body = answer(*task, say)
        except MemoryError:
            os._exit(OUT_OF_MEMORY)
        end_task()
        del task
        send(answers, header, body)


def receive(descriptor: int) -> tuple[dict[str, Any], bytes] | None:
    """Read the next frame from the parent, or None at the end."""
    lengths = _exactly(descriptor, LENGTHS.size)
    if lengths is None:
        return None
    head_length, body_length = LENGTHS.unpack(lengths)
    head, body = _exactly(descriptor, head_length), _exactly(descriptor, body_length)
    return None if head is None or body is None else (plain_json.loads(head), body)


def send(descriptor: int, header: Mapping[str, Any], body: bytes) -> None:
    """Send a complete frame to the parent."""
    for part in _packed(header, body):
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
        self._incoming = Frames(_LARGEST_HEADER, limits.output)
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
        self.input = children.Stream(self._process.stdin, is_wide=True)  # with room for whole files and answers
        self.output = children.Stream(self._process.stdout, is_wide=True)
        self.touch()

    def post(self, header: Mapping[str, Any], body: bytes) -> None:
        """Queue a task; `pump` sends it."""
        self._outgoing += [memoryview(part) for part in _packed(header, body) if part]
        self._flush()

    def pump(self) -> bool:
        """Send and receive available data. Return false if the worker has closed its output."""
        self._flush()
        with suppress(BlockingIOError):
            if block := self.output.read(_BLOCK):
                self._incoming.feed(block)
            self.touch()
            return bool(block)
        return True

    def touch(self) -> None:
        """Restart the worker's time limit for showing activity."""
        self._last_sign = time.monotonic()

    def answer(self) -> tuple[dict[str, Any], bytes] | None:
        """Return the next complete frame, or None. Raises `BadData` for an invalid one."""
        try:
            frame = self._incoming.next()
        except FrameBroken as error:
            raise FrameRefused("The parser's answer is larger than agreed.") from error
        if frame is None:
            return None
        header = json.read(frame[0], max_bytes=_LARGEST_HEADER)
        if not isinstance(header, dict):
            raise FrameRefused("The parser's answer is no object.")
        return header, frame[1]

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
        self.input.close()
        self.output.close()

    def _flush(self) -> None:
        with suppress(BlockingIOError, ConnectionError):  # a broken pipe shows as end of output
            while self._outgoing:
                part = self._outgoing[0]
                if rest := part[self.input.write(part[:_BLOCK]) :]:
                    self._outgoing[0] = rest
                else:
                    self._outgoing.popleft()
                self.touch()

    def _end(self, code: int, overdue: bool) -> End:
        """Return how a process ended."""
        if overdue or children.is_late(code):
            return End(f"it took longer than {self.limits.seconds:g} s", True)
        if children.is_busy_too_long(code):
            return End(f"it used more than {self.limits.seconds:g} s of processor time", True)
        if code == OUT_OF_MEMORY:
            return End(f"it needed more than {self.limits.memory >> 20} MiB of memory", False)
        if code < 0:
            return End(f"the parser crashed ({children.signal_name(code)})", False)
        return End(f"the parser ended (exit code {code})", False)


def reply(worker: Worker, call: Call, *tasks: tuple[Mapping[str, Any], bytes]) -> tuple[dict[str, Any], bytes] | End:
    """Send tasks, wait for the next frame and return it, or how the worker ended. Raises `BadData` for an invalid
    frame, and when the call is cancelled."""
    worker.touch()
    for task in tasks:
        worker.post(*task)
    while True:
        wait([worker], _LOOK)
        call.check()
        alive = worker.pump()
        if (frame := worker.answer()) is not None:
            return frame
        if not alive or worker.overdue():
            return worker.stop()


def wait(workers: list[Worker], seconds: float) -> None:
    """Sleep until a worker has output, can take input, or the time is over."""
    children.wait([each.output for each in workers], [each.input for each in workers if each.unsent], seconds)
