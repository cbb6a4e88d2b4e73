"""Asks processes of our own beside this one, so that one service answers on as many cores as the machine has.

What only reads is answered there. Who may ask, how many at once, what is brought in and what is measured stay in this
process, so that there is one of each however many answer. A process that ends is replaced, and its questions are asked
again. What crosses are pickled values between a process and those that it started itself, over a socket without a name.
"""

from __future__ import annotations

import logging
import os
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from biblicus import telemetry
from biblicus.contracts import Call
from biblicus.corpus.folder import CorpusFolder
from biblicus.errors import BiblicusError, from_object
from biblicus.service.askers.here import Here
from biblicus.service.askers.sent import Sent, sent
from biblicus.service.verbs import Q, R, Verb

Arriving = Callable[[Call], Awaitable[Sent]]
_LOOK = 0.05
"""Seconds between two looks at whether an answer is still wanted."""
_TRIES = 2
"""Processes that a question may end before it is refused."""
_FAILED = 3
"""Processes in a row that end before they are ready, and no more is started."""
KEPT = 16
"""Corpora that a process keeps warm; the one asked longest ago is let go."""
CROSSING = ("guest", "layers", "patient", "through")
"""Fields of a call that are sent along. Its deadline is, too, and that it is cancelled."""
BOUND = ("progress", "clock", "tell", "passwords", "hear")
"""Those that stay: a call with one of them is answered here."""
_PLAIN = Call()
_LEAVING = 5.0
"""Seconds that processes have to leave, all together."""
_AGAIN = 10.0
"""Seconds until another is started, where the system had none to give."""
_HUNG = 10.0
"""Seconds that a process has to give up what nobody waits for; then it is ended, and the rest it had is asked again."""
log = logging.getLogger("biblicus.service")


class _NoProcess(Exception):
    """None is ready."""


class _Ended(Exception):
    """The process ended before it had answered."""


class _Unforeseen(Exception):
    """What nobody foresaw, with the traceback that the process wrote: for the log of whoever asked."""


class Beside(Here):
    """One corpus on this machine that processes beside this one answer for, where they are ready."""

    def __init__(self, corpus: CorpusFolder, processes: Processes) -> None:
        super().__init__(corpus)
        self._processes = processes
        processes.open_early(corpus.root)

    def ask(self, verb: Verb[Q, R], request: Q, call: Call) -> R:
        """Run the verb: there where it only reads and nothing of the call is bound to this process. Raises what it
        raises."""
        with self._asked(verb, call) as processes:
            if processes is not None:
                with suppress(_NoProcess):
                    return processes.ask(self.root, verb, request, call)
            return super().ask(verb, request, call)

    def sent(self, verb: Verb[Q, R], request: Q, call: Call) -> Sent:
        """The same, as it is sent."""
        with self._asked(verb, call) as processes:
            if processes is not None:
                with suppress(_NoProcess):
                    return processes.sent(self.root, verb, request, call)
            return sent(super().ask(verb, request, call))

    def arriving(self, verb: Verb[Q, R], request: Q) -> Arriving | None:
        """Return how a process sends the reply, without a thread that waits for it. None where it is made here."""

        async def arrive(call: Call) -> Sent:
            import asyncio  # lazy: of a service alone; the daemon and who answers need none

            if _crosses(verb, call):
                with suppress(_NoProcess):
                    return await self._processes.arrive(self.root, verb, request, call)
            return await asyncio.to_thread(super(Beside, self).sent, verb, request, call)

        return arrive if self._processes.is_busy else None

    @contextmanager
    def _asked(self, verb: Verb[Q, R], call: Call) -> Iterator[Processes | None]:
        """While one question is answered: who answers it there, where it is for them."""
        if not _crosses(verb, call):
            yield None
            return
        with self._processes.asked() as is_for_them:
            yield self._processes if is_for_them else None


def _crosses(verb: Verb[Any, Any], call: Call) -> bool:
    return verb.scope == "read" and all(getattr(call, name) == getattr(_PLAIN, name) for name in BOUND)


class Processes:
    """Up to `count` processes that answer questions about corpora on this machine. Safe for several threads.

    They are started by `start`, and answer all from then on; or where questions come side by side, and answer those:
    what comes alone is answered here, where it need not cross.
    """

    def __init__(self, count: int, roots: Sequence[Path] = ()) -> None:
        self.count = count
        self._roots = [os.fspath(root) for root in roots]
        self._lock = threading.Lock()
        self._all: list[_Process] = []
        self._asked = self._failed = 0
        self._is_closed = self._take_all = False
        self._starts_again = 0.0

    def open_early(self, root: Path) -> None:
        """Have those that are started from now on open this corpus before they are ready."""
        with self._lock:
            name = os.fspath(root)
            self._roots = [name, *(other for other in self._roots if other != name)][:KEPT]

    def start(self) -> None:
        """Start what does not run yet; they answer all from now on."""
        self._take_all = True
        self._start()

    def _start(self) -> None:
        with self._lock:
            while len(self._all) < self.count and not self._is_closed and time.monotonic() >= self._starts_again:
                self._add()

    def _add(self) -> None:
        """One more; where the system has none to give, what there is has to do for a while."""
        try:
            self._all.append(_Process(self._roots, self._replace))
        except (OSError, RuntimeError) as error:  # the latter where it has no thread to give
            log.warning("no process can be started: %s", error)
            self._starts_again = time.monotonic() + _AGAIN

    def wait(self) -> None:
        """Until each that was started is ready, or was given up."""
        while True:
            with self._lock:
                unready = [process for process in self._all if not process.is_ready]
            if not unready:
                return
            for process in unready:
                process.ready.wait()

    @property
    def ready(self) -> int:
        """How many answer."""
        return sum(process.is_ready for process in self._all)

    @property
    def is_busy(self) -> bool:
        """Whether one is ready for a question that comes now, beside others."""
        return bool(self.ready and (self._take_all or self._asked))

    @contextmanager
    def asked(self) -> Iterator[bool]:
        """While one question is answered: whether there. The second at a time starts the processes."""
        with self._lock:
            self._asked += 1
            is_first = self._asked == 1
        try:
            if not is_first and len(self._all) < self.count:
                self._start()
            yield self._take_all or not is_first
        finally:
            with self._lock:
                self._asked -= 1

    def ask(self, root: Path, verb: Verb[Q, R], request: Q, call: Call) -> R:
        """The reply. Raises what the verb raises, `_NoProcess`, and `BiblicusError` where the question has ended
        several."""
        value: R = self._answer((os.fspath(root), verb.name, request, False), call)
        return value

    def sent(self, root: Path, verb: Verb[Q, R], request: Q, call: Call) -> Sent:
        """The same, as it is sent."""
        value: Sent = self._answer((os.fspath(root), verb.name, request, True), call)
        return value

    async def arrive(self, root: Path, verb: Verb[Q, R], request: Q, call: Call) -> Sent:
        """The same without a thread that waits for it."""
        with self.asked():
            processes = self._each(call)
            while True:
                with suppress(_Ended):
                    value: Sent = await next(processes).arrive((os.fspath(root), verb.name, request, True), call)
                    return value

    def _answer(self, question: tuple[str, str, Any, bool], call: Call) -> Any:
        processes = self._each(call)
        while True:
            with suppress(_Ended):
                return next(processes).ask(question, call)

    def _each(self, call: Call) -> Iterator[_Process]:
        """The one that has least to do, then the next where that ends."""
        for _ in range(_TRIES):
            call.check()
            process = min((one for one in self._all if one.is_ready), key=lambda one: one.load, default=None)
            if process is None:
                raise _NoProcess
            yield process
        raise BiblicusError(f"The question was given up: {_TRIES} processes ended while they answered it.")

    def close(self) -> None:
        """End all. What they still answer is for nobody."""
        with self._lock:
            self._is_closed = True
            processes, self._all = self._all, []
        for process in processes:
            process.leave()
        until = time.monotonic() + _LEAVING
        for process in processes:
            process.end(max(until - time.monotonic(), 0.0))

    def _replace(self, ended: _Process) -> None:
        """Another in the place of one that ended; none where several in a row never got ready."""
        with self._lock:
            if self._is_closed:
                return
            self._all.remove(ended)
            log.warning("process %d ended with %d", ended.pid, ended.end())
            self._failed = 0 if ended.was_ready else self._failed + 1
            if self._failed < _FAILED:
                self._add()
            else:
                self.count = len(self._all)


class _Asked(Future[Any]):
    """A question that a process has. Its result: the value and, in its place, what was raised; None where the process
    ended."""

    def __init__(self, process: _Process, number: int) -> None:
        super().__init__()
        self._process, self.number = process, number
        self._given_up: float | None = None

    def look(self, call: Call) -> None:
        """Have it given up where nobody waits for it any more, and end a process that does not."""
        if call.cancel.is_set() and self._given_up is None:
            self._given_up = time.monotonic()
            self._process.send((self.number, None))
        elif self._given_up is not None and time.monotonic() - self._given_up > _HUNG:
            self._process.kill()

    def value(self) -> Any:
        """Raises what came back, and `_Ended`."""
        if (outcome := self.result()) is None:
            raise _Ended
        value, refusal = outcome
        if isinstance(refusal, str):
            raise _Unforeseen(refusal)
        if refusal is not None:
            raise from_object(*refusal)
        return value


class _Process:
    """One process, and the questions that it has not answered. `on_end`: called when it has ended."""

    def __init__(self, roots: Sequence[str], on_end: Callable[[_Process], None]) -> None:
        self._socket, far = socket.socketpair()
        with far:
            self._process = _launched(far.fileno(), roots)
        self._connection = Connection(os.dup(self._socket.fileno()))
        self._on_end = on_end
        self._sending, self._lock = threading.Lock(), threading.Lock()
        self._waiting: dict[int, _Asked] = {}
        self._number = 0
        self._has_ended = False
        self.ready, self.gone = threading.Event(), threading.Event()
        self.was_ready = False
        self.pid = self._process.pid
        try:
            threading.Thread(target=self._listen, name="biblicus-process", daemon=True).start()
        except RuntimeError:
            self._process.kill()
            self.end()
            raise

    @property
    def is_ready(self) -> bool:
        return self.was_ready and not self._has_ended

    @property
    def load(self) -> int:
        """How many questions it has."""
        return len(self._waiting)

    def ask(self, question: tuple[str, str, Any, bool], call: Call) -> Any:
        """The value of a question: the corpus's folder, the verb's name, the request, and whether it is wanted as it is
        sent. Raises what came back, and `_Ended`."""
        asked = self._begin(question, call)
        while True:
            try:
                asked.result(_LOOK)
            except TimeoutError:
                asked.look(call)
            else:
                return asked.value()

    async def arrive(self, question: tuple[str, str, Any, bool], call: Call) -> Any:
        """The same without a thread that waits for it. Who cancels it waits until the process has noticed."""
        import asyncio  # lazy, as above

        asked = self._begin(question, call)
        arrived = asyncio.wrap_future(asked)
        try:
            await asyncio.wait({arrived})
        except asyncio.CancelledError:
            call.cancel.set()
            asked.look(call)
            if not (await asyncio.wait({arrived}, timeout=_HUNG))[0]:
                self.kill()
            raise
        return asked.value()

    def _begin(self, question: tuple[str, str, Any, bool], call: Call) -> _Asked:
        with self._lock:
            if self._has_ended:
                raise _Ended
            self._number += 1
            asked = self._waiting[self._number] = _Asked(self, self._number)
        left = None if call.deadline is None else call.deadline - time.monotonic()
        who = {name: getattr(call, name) for name in CROSSING}
        self.send((asked.number, question, left, who, telemetry.traceparent()))
        return asked

    def kill(self) -> None:
        """End it at once."""
        self._process.kill()

    def send(self, message: Any) -> None:
        with self._sending, suppress(OSError):  # who listens notices that it has ended
            self._connection.send(message)

    def _listen(self) -> None:
        """Hand every answer to who waits for it, until the process ends."""
        with suppress(OSError, EOFError):
            while True:
                number, *outcome = self._connection.recv()
                if number == 0:
                    self.was_ready = True
                    self.ready.set()
                    continue
                with self._lock:
                    asked = self._waiting.pop(number, None)
                if asked is not None:
                    asked.set_result(outcome)
        with self._lock:
            self._has_ended = True
            waiting, self._waiting = self._waiting, {}
        for asked in waiting.values():
            asked.set_result(None)
        self._on_end(self)
        self.ready.set()
        self.gone.set()

    def leave(self) -> None:
        """Tell it that nobody asks any more."""
        with suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)

    def end(self, seconds: float = _LEAVING) -> int:
        """Its exit status, once it has left, for which it has so long, or was ended."""
        self.leave()
        try:
            return self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            self._process.kill()
            return self._process.wait()
        finally:
            self._socket.close()


def _launched(descriptor: int, roots: Sequence[str]) -> subprocess.Popen[bytes]:
    """A process that answers over this descriptor."""
    package = Path(__file__).parents[3]
    paths = os.pathsep.join([os.fspath(package), *filter(None, [os.environ.get("PYTHONPATH")])])
    return subprocess.Popen(
        [
            sys.executable,
            "-P",  # nothing of the folder that this runs in is imported
            "-m",
            "biblicus.service.askers.process",
            str(descriptor),
            *roots,
        ],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        pass_fds=(descriptor,),
        env={**os.environ, "PYTHONPATH": paths},
    )
