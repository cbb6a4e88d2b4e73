"""Processes of our own that do pure work on batches side by side, and keep what they made of them for the next task.

Each batch goes to a named process, so that what one has read and decoded it has at hand when it is asked again. What
crosses is best plain: objects cost ten times what tuples of texts and numbers do. A process that dies costs nothing
but time: its batches are done here.
"""

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
from types import TracebackType
from typing import TYPE_CHECKING, Any, Protocol

from biblicus.guards.forking import may_fork

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

_MANY_FILES = 1_000
_MANY_BYTES = 8 << 20
_AHEAD = 4
"""Batches that a process holds: it never waits for a busy caller, and what waits in memory is bounded."""

_GIVES_BACK = 8
"""Batches after which a process gives back what it has freed: else what it held at its highest stays with it."""

_SAFE_PATH = "PYTHONSAFEPATH"

Work = Callable[[Any], Any]
"""What is made of one batch."""


def is_much(files: int, size: int) -> bool:
    """Whether so many files, or bytes, are worth the start of further processes."""
    return files > _MANY_FILES or size > _MANY_BYTES


class Task(Protocol):
    """What helpers do. It can be pickled."""

    def begin(self, kept: dict[str, Any]) -> Work:
        """The work. `kept`: what stays with a process from one task to the next."""


class Executor(Protocol):
    """Who does the batches of a task. `count`: how many processes at a time, 0 where all is done by the caller's.
    `is_far`: they share neither files nor memory with it, so that batches must hold what they need."""

    count: int
    is_far: bool

    def start(self) -> None:
        """Start what does not run yet: best before threads are."""

    def each(self, task: Task, dealt: Iterable[tuple[int, Any]]) -> Iterator[Any]:
        """The result of each batch, in order. `dealt`: batches with numbers; equal ones go to one process, if near."""

    def close(self) -> None:
        """End what was started."""


class Helpers:
    """Up to `count` processes, started when there is work; with one or none all is done here."""

    is_far = False

    def __init__(self, count: int) -> None:
        self.count = count if count > 1 else 0
        self._helpers: list[_Helper] = []
        self._kept: dict[str, Any] = {}

    def __enter__(self) -> Helpers:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def start(self) -> None:
        """Start the processes that do not run yet: best before threads are."""
        import multiprocessing  # lazy: most commands have little to do

        context = multiprocessing.get_context("fork" if may_fork() else "spawn")
        with _safe_path():
            while len(self._helpers) < self.count:
                self._helpers.append(_Helper(context))

    def close(self) -> None:
        """End the processes, whatever they do."""
        while self._helpers:
            self._helpers.pop().end()

    def each(self, task: Task, dealt: Iterable[tuple[int, Any]]) -> Iterator[Any]:
        """The result of each batch, in order. `dealt`: a process's number with its batch, read a little ahead."""
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
            if waiting:  # the caller stopped early: what they still send is for nobody
                self.close()


@contextmanager
def _safe_path() -> Iterator[None]:
    """Keep interpreters that start meanwhile from importing out of the current folder: it may be a stranger's."""
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
    """One process, its task, and the batches that it has not answered."""

    def __init__(self, context: Any) -> None:
        self._pipe, far = context.Pipe()
        self._process = context.Process(target=_serve, args=(far, self._pipe), daemon=True)
        self._process.start()
        far.close()
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
        """Of the first batch; made here where the process is gone."""
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
    """A process's life: tasks, and batches as lists of one, until the caller is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the caller ends it
    with suppress(OSError):
        callers.close()
    gc.disable()  # short-lived, and nothing here makes cycles
    messages: SimpleQueue[Any] = SimpleQueue()
    threading.Thread(target=_listen, args=(pipe, messages), daemon=True).start()
    kept: dict[str, Any] = {}
    task: Task | None = None
    work: Work | None = None
    for number in count(1):
        message = messages.get()
        if number % _GIVES_BACK == 0:
            _give_back()
        if not isinstance(message, list):
            task, work = message, None
            continue
        assert task is not None
        try:
            work = work or task.begin(kept)
            result = work(message[0])
        except Exception as error:
            pipe.send((None, error))
        else:
            pipe.send((result, None))


def _give_back() -> None:
    """Give memory that was freed back to the system, where the C library can."""
    import ctypes  # lazy: what has little to do frees little

    with suppress(AttributeError, OSError):
        ctypes.CDLL(None).malloc_trim(0)


def _listen(pipe: Connection, messages: SimpleQueue[Any]) -> None:
    """Take what comes at once, so that the caller never waits; end with the caller."""
    with suppress(OSError, EOFError):
        while True:
            messages.put(pipe.recv())
    os._exit(0)


class _Pauses:
    """How many threads pause the cycle collector, and whether it ran before the first of them."""

    lock = threading.Lock()
    count = 0
    ran = False


@contextmanager
def no_collection() -> Iterator[None]:
    """Pause the cycle collector: a build or a refresh makes millions of objects and no cycles (6 % of a build's
    processor time, a third of an ingest's into 100,000 items). Of several threads the last to end lets it run again."""
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
