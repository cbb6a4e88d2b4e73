"""Parallel helper processes for pure work on batches, which keep intermediate results for the next task.

Each batch goes to a numbered process, so that its earlier results can be reused. Send tuples of strings and numbers
between processes: objects cost ten times as much. If a process dies, its batches are processed in the caller."""

from __future__ import annotations

import gc
import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from itertools import count
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any, Protocol

from biblicus.guards.processes import give_memory_back, may_fork

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

_MANY_FILES = 1_000
_MANY_BYTES = 8 << 20
_AHEAD = 2
"""Batches queued at each process: it never waits for a busy caller, and memory stays bounded."""

_GIVES_BACK = 8
"""Number of batches after which a process returns freed memory to the system."""

_SAFE_PATH = "PYTHONSAFEPATH"

Work = Callable[[Any], Any]
"""Function that processes one batch."""


def is_much(files: int, size: int) -> bool:
    """Return true if this many files or bytes are worth starting further processes."""
    return files > _MANY_FILES or size > _MANY_BYTES


class Task(Protocol):
    """Work for helper processes. Must be picklable."""

    def begin(self, kept: dict[str, Any]) -> Work:
        """Return the function for the batches. `kept`: a process's store of results between tasks."""


class Executor(Protocol):
    """Runs the batches of a task.

    `count`: number of parallel processes, 0 if all runs in the caller. `is_far`: the processes share neither files nor
    memory with the caller, so batches must contain all data."""

    count: int
    is_far: bool

    def start(self) -> None:
        """Start missing processes, preferably before any thread."""

    def each(self, task: Task, dealt: Iterable[tuple[int, Any]]) -> Iterator[Any]:
        """Yield the result of each batch, in order. `dealt`: numbered batches; equal numbers go to one process, if
        near."""

    def close(self) -> None:
        """End the started processes."""


class Helpers:
    """Up to `count` local processes, started on demand; with 0 or 1 all work runs in the caller."""

    is_far = False

    def __init__(self, count: int) -> None:
        self.count = count if count > 1 else 0
        self._helpers: list[_Helper] = []
        self._kept: dict[str, Any] = {}

    def __enter__(self) -> Helpers:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def start(self) -> None:
        """Start missing processes, preferably before any thread."""
        import multiprocessing  # lazy: most commands have little work

        context = multiprocessing.get_context("fork" if may_fork() else "spawn")
        with _safe_path():
            while len(self._helpers) < self.count:
                self._helpers.append(_Helper(context))

    def close(self) -> None:
        """End the processes at once."""
        while self._helpers:
            self._helpers.pop().end()

    def each(self, task: Task, dealt: Iterable[tuple[int, Any]]) -> Iterator[Any]:
        """Yield the result of each batch, in order. `dealt`: (process number, batch) pairs, read a little ahead."""
        if not self.count:
            work = task.begin(self._kept)
            yield from (work(batch) for _, batch in dealt)
            return
        self.start()
        for helper in self._helpers:
            helper.begin(task)
        waiting: deque[_Helper] = deque()
        try:
            for number, batch in dealt:
                helper = self._helpers[number % self.count]
                while len(helper.batches) >= _AHEAD:
                    yield waiting.popleft().result()
                helper.take(batch)
                waiting.append(helper)
            while waiting:
                yield waiting.popleft().result()
        finally:
            if waiting:  # the caller stopped early: discard what they still send
                self.close()


@contextmanager
def _safe_path() -> Iterator[None]:
    """Prevent interpreters started meanwhile from importing from the current folder, which may be hostile."""
    before = os.environ.get(_SAFE_PATH)
    os.environ[_SAFE_PATH] = "1"
    try:
        yield
    finally:
        if before is None:
            del os.environ[_SAFE_PATH]
        else:
            os.environ[_SAFE_PATH] = before


class _Helper:
    """One process, its task, and its unanswered batches."""

    def __init__(self, context: Any) -> None:
        self._pipe, child_end = context.Pipe()
        self._process = context.Process(target=_serve, args=(child_end, self._pipe), daemon=True)
        self._process.start()
        child_end.close()
        self.batches: deque[Any] = deque()
        self._task: Task | None = None
        self._here: Work | None = None

    def begin(self, task: Task) -> None:
        self._task, self._here = task, None
        self._send(task)

    def take(self, batch: Any) -> None:
        self.batches.append(batch)
        self._send([batch])

    def result(self) -> Any:
        """Return the result of the first batch; compute it here if the process is gone."""
        batch = self.batches.popleft()
        try:
            result, error = self._pipe.recv()
        except (OSError, EOFError):
            if self._here is None:
                assert self._task is not None
                self._here = self._task.begin({})
            return self._here(batch)
        if error is not None:
            raise error
        return result

    def _send(self, message: Any) -> None:
        with suppress(OSError):  # a process that is gone answers nothing
            self._pipe.send(message)

    def end(self) -> None:
        self._pipe.close()
        self._process.kill()
        self._process.join()


def _serve(pipe: Connection, callers: Connection) -> None:
    """Main loop of a process: receives tasks, and batches as lists of one, until the caller ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the caller ends it
    with suppress(OSError):
        callers.close()
    gc.disable()  # short-lived, and nothing here makes cycles
    messages: SimpleQueue[Any] = SimpleQueue()
    threading.Thread(target=_listen, args=(pipe, messages), daemon=True).start()
    task_state: dict[str, Any] = {}
    task: Task | None = None
    work: Work | None = None
    for number in count(1):
        message = messages.get()
        if number % _GIVES_BACK == 0:
            give_memory_back()
        if not isinstance(message, list):
            task, work = message, None
            continue
        assert task is not None
        try:
            work = work or task.begin(task_state)
            result = work(message[0])
        except Exception as error:
            pipe.send((None, error))
        else:
            pipe.send((result, None))


def _listen(pipe: Connection, messages: SimpleQueue[Any]) -> None:
    """Read messages at once, so that the caller never waits; exit with the caller."""
    with suppress(OSError, EOFError):
        while True:
            messages.put(pipe.recv())
    os._exit(0)


class _Pauses:
    """Number of threads that pause the garbage collector, and its state before."""

    lock = threading.Lock()
    count = 0
    ran = False


@contextmanager
def no_collection() -> Iterator[None]:
    """Pause the garbage collector: a build makes millions of objects and no cycles.
    This saves 6 % of a build's processor time, a third when ingesting into 100,000 items. The last thread resumes it.
    """
    with _Pauses.lock:
        if _Pauses.count == 0:
            _Pauses.ran = gc.isenabled()
        _Pauses.count += 1
        gc.disable()
    try:
        yield
    finally:
        with _Pauses.lock:
            _Pauses.count -= 1
            if _Pauses.count == 0 and _Pauses.ran:
                gc.enable()
