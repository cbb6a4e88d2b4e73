"""Run read-only requests in worker processes, so that one service uses several cores.

Authorisation, limits, ingestion and metrics stay in this process, so there is one of each. A process that ends is
replaced, and its requests are repeated. The processes exchange pickled values over an unnamed socket; only processes
started here take part."""

from __future__ import annotations

import logging
import os
import socket
import subprocess
import threading
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import replace
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, cast

from biblicus import telemetry
from biblicus.contracts import Call
from biblicus.corpus.folder import CorpusFolder
from biblicus.errors import BiblicusError, from_object
from biblicus.guards import children
from biblicus.service.askers.here import Here
from biblicus.service.askers.sent import Sent, sent
from biblicus.service.verbs import Q, R, Verb

Arriving = Callable[[Call], Awaitable[Sent]]
_LOOK = 0.05
"""Seconds between two checks if a reply is still wanted."""
_TRIES = 2
"""Number of processes that a request may crash before it is refused."""
_FAILED = 3
"""Number of processes that may end before they are ready until no more are started."""
KEPT = 16
"""Number of corpora that a process keeps warm; the least recently used is closed."""
CROSSING = ("guest", "layers", "patient", "reader", "through")
"""Fields of a call that are sent to the process, in addition to deadline and cancellation."""
BOUND = ("progress", "clock", "tell", "passwords", "hear")
"""Fields that cannot be sent: a call that sets one runs in this process."""
_PLAIN = Call()
_LEAVING = 5.0
"""Seconds for all processes together to exit."""
_AGAIN = 10.0
"""Seconds until another start is tried after the system refused one."""
_HUNG = 10.0
"""Seconds for a process to stop cancelled work; then it is killed and its other requests are repeated."""
log = logging.getLogger("biblicus.service")


class _NoProcess(Exception):
    """No process is ready."""


class _Ended(Exception):
    """The process ended before it replied."""


class _Unforeseen(Exception):
    """An unexpected error, with the traceback from the process, for the log."""


class Beside(Here):
    """A local corpus whose requests run in worker processes, if these are ready."""

    def __init__(self, corpus: CorpusFolder, processes: Processes) -> None:
        super().__init__(corpus)
        self._processes = processes
        processes.open_early(corpus.root)

    def ask(self, verb: Verb[Q, R], request: Q, call: Call) -> R:
        """Run the verb in a process if it only reads and the call can be sent. Raises the verb's errors."""
        return cast("R", self._answer(verb, request, call, is_sent=False))

    def sent(self, verb: Verb[Q, R], request: Q, call: Call) -> Sent:
        """Like `ask`, returning the encoded reply."""
        return cast(Sent, self._answer(verb, request, call, is_sent=True))

    def _answer(self, verb: Verb[Q, R], request: Q, call: Call, *, is_sent: bool) -> R | Sent:
        call = self._named(call)
        is_reading = _crosses(verb, call)
        with self._processes.asked() if is_reading else nullcontext() as is_for_them:
            if is_for_them:
                with suppress(_NoProcess):
                    return cast("R | Sent", self._processes.ask(self.root, verb, request, call, is_sent))
            reply = super().ask(verb, request, call)
            return sent(reply) if is_sent else reply

    def arriving(self, verb: Verb[Q, R], request: Q) -> Arriving | None:
        """Return a function that gets the reply from a process without a waiting thread; None if computed here."""

        async def arrive(call: Call) -> Sent:
            import asyncio  # lazy: of a service alone; the daemon and who answers need none

            call = self._named(call)
            if _crosses(verb, call):
                with suppress(_NoProcess):
                    return await self._processes.arrive(self.root, verb, request, call)
            return await asyncio.to_thread(self.sent, verb, request, call)

        return arrive if self._processes.is_busy else None

    def _named(self, call: Call) -> Call:
        """Return the call with its reader, which a process does not know otherwise."""
        return call if call.reader is not None or self.reader is None else replace(call, reader=self.reader)


def _crosses(verb: Verb[Any, Any], call: Call) -> bool:
    return verb.scope == "read" and all(getattr(call, name) == getattr(_PLAIN, name) for name in BOUND)


class Processes:
    """Up to `count` processes that answer requests about local corpora. Thread-safe.

    After `start` they answer all requests. Otherwise they are started by concurrent requests and answer only those; a
    single request runs here, without the transfer."""

    def __init__(self, count: int, roots: Sequence[Path] = ()) -> None:
        self.count = count
        self._roots = [os.fspath(root) for root in roots]
        self._lock = threading.Lock()
        self._all: list[_Process] = []
        self._asked = self._failed = 0
        self._is_closed = self._take_all = False
        self._starts_again = 0.0

    def open_early(self, root: Path) -> None:
        """Make later processes open this corpus before they are ready."""
        with self._lock:
            name = os.fspath(root)
            self._roots = [name, *(path for path in self._roots if path != name)][:KEPT]

    def start(self) -> None:
        """Start missing processes, which answer all requests from now on."""
        self._take_all = True
        self._start()

    def _start(self) -> None:
        with self._lock:
            while len(self._all) < self.count and not self._is_closed and time.monotonic() >= self._starts_again:
                self._add()

    def _add(self) -> None:
        """Start one process; if the system refuses, use the existing ones for a while."""
        try:
            self._all.append(_Process(self._roots, self._replace))
        except (OSError, RuntimeError) as error:  # RuntimeError: no thread is available
            log.warning("no process can be started: %s", error)
            self._starts_again = time.monotonic() + _AGAIN

    def wait(self) -> None:
        """Wait until each started process is ready or was given up."""
        while True:
            with self._lock:
                unready = [process for process in self._all if not process.is_ready]
            if not unready:
                return
            for process in unready:
                process.ready.wait()

    @property
    def ready(self) -> int:
        """Return the number of ready processes."""
        return sum(process.is_ready for process in self._all)

    @property
    def is_busy(self) -> bool:
        """Check if a process is ready for another concurrent request."""
        return bool(self.ready and (self._take_all or self._asked))

    @contextmanager
    def asked(self) -> Iterator[bool]:
        """Count one request; yield true if it should run in a process. The second concurrent request starts them."""
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

    def ask(self, root: Path, verb: Verb[Any, Any], request: Any, call: Call, is_sent: bool = False) -> Any:
        """Return the reply, encoded if it `is_sent`. Raises the verb's errors, `_NoProcess`, and `BiblicusError` if the
        request crashed several."""
        processes = self._each(call)
        while True:
            with suppress(_Ended):
                return next(processes).ask((os.fspath(root), verb.name, request, is_sent), call)

    async def arrive(self, root: Path, verb: Verb[Any, Any], request: Any, call: Call) -> Sent:
        """Return the encoded reply without a waiting thread."""
        with self.asked():
            processes = self._each(call)
            while True:
                with suppress(_Ended):
                    return cast(Sent, await next(processes).arrive((os.fspath(root), verb.name, request, True), call))

    def _each(self, call: Call) -> Iterator[_Process]:
        """Yield the least busy process, then the next one if that ends."""
        for _ in range(_TRIES):
            call.check()
            process = min((one for one in self._all if one.is_ready), key=lambda one: one.load, default=None)
            if process is None:
                raise _NoProcess
            yield process
        raise BiblicusError(f"The question was given up: {_TRIES} processes ended while they answered it.")

    def close(self) -> None:
        """End all processes; outstanding replies are dropped."""
        with self._lock:
            self._is_closed = True
            processes, self._all = self._all, []
        for process in processes:
            process.leave()
        until = time.monotonic() + _LEAVING
        for process in processes:
            process.end(max(until - time.monotonic(), 0.0))

    def _replace(self, ended: _Process) -> None:
        """Replace an ended process, unless several in a row never became ready."""
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
    """A request sent to a process. Its result: the value or the raised error; None if the process ended."""

    def __init__(self, process: _Process, number: int) -> None:
        super().__init__()
        self._process, self.number = process, number
        self._given_up: float | None = None

    def look(self, call: Call) -> None:
        """Cancel the request if nobody waits for it any more, and end a process that does not stop."""
        if call.cancel.is_set() and self._given_up is None:
            self._given_up = time.monotonic()
            self._process.send((self.number, None))
        elif self._given_up is not None and time.monotonic() - self._given_up > _HUNG:
            self._process.kill()

    def value(self) -> Any:
        """Return the value. Raises the returned error, and `_Ended`."""
        if (outcome := self.result()) is None:
            raise _Ended
        value, refusal = outcome
        if isinstance(refusal, str):
            raise _Unforeseen(refusal)
        if refusal is not None:
            raise from_object(*refusal)
        return value


class _Process:
    """One process and its outstanding requests. `on_end`: called when it has ended."""

    def __init__(self, roots: Sequence[str], on_end: Callable[[_Process], None]) -> None:
        self._socket, child_end = socket.socketpair()
        with child_end:
            self._process = _launched(child_end.fileno(), roots)
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
        """Return the number of outstanding requests."""
        return len(self._waiting)

    def ask(self, question: tuple[str, str, Any, bool], call: Call) -> Any:
        """Send a request and return its value. Raises the returned error, and `_Ended`.
        `question`: folder of the corpus, verb name, request, and true for an encoded reply."""
        ticket = self._begin(question, call)
        while True:
            try:
                ticket.result(_LOOK)
            except TimeoutError:
                ticket.look(call)
            else:
                return ticket.value()

    async def arrive(self, question: tuple[str, str, Any, bool], call: Call) -> Any:
        """Like `ask`, without a waiting thread. Cancellation waits until the process has noticed."""
        import asyncio  # lazy, as above

        ticket = self._begin(question, call)
        arrived = asyncio.wrap_future(ticket)
        try:
            await asyncio.wait({arrived})
        except asyncio.CancelledError:
            call.cancel.set()
            ticket.look(call)
            if not (await asyncio.wait({arrived}, timeout=_HUNG))[0]:
                self.kill()
            raise
        return ticket.value()

    def _begin(self, question: tuple[str, str, Any, bool], call: Call) -> _Asked:
        with self._lock:
            if self._has_ended:
                raise _Ended
            self._number += 1
            ticket = self._waiting[self._number] = _Asked(self, self._number)
        left = None if call.deadline is None else call.deadline - time.monotonic()
        who = {name: getattr(call, name) for name in CROSSING}
        self.send((ticket.number, question, left, who, telemetry.traceparent()))
        return ticket

    def kill(self) -> None:
        """Kill the process."""
        self._process.kill()

    def send(self, message: Any) -> None:
        with self._sending, suppress(OSError):  # the listening thread notices the end
            self._connection.send(message)

    def _listen(self) -> None:
        """Pass each reply to its waiting caller until the process ends."""
        with suppress(OSError, EOFError):
            while True:
                number, *outcome = self._connection.recv()
                if number == 0:
                    self.was_ready = True
                    self.ready.set()
                    continue
                with self._lock:
                    ticket = self._waiting.pop(number, None)
                if ticket is not None:
                    ticket.set_result(outcome)
        with self._lock:
            self._has_ended = True
            waiting, self._waiting = self._waiting, {}
        for ticket in waiting.values():
            ticket.set_result(None)
        self._on_end(self)
        self.ready.set()
        self.gone.set()

    def leave(self) -> None:
        """Close the connection, so that the process exits."""
        with suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)

    def end(self, seconds: float = _LEAVING) -> int:
        """Wait up to `seconds` for the process to exit, else kill it. Return its exit status."""
        self.leave()
        try:
            return self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            self._process.kill()
            return self._process.wait()
        finally:
            self._socket.close()


def _launched(descriptor: int, roots: Sequence[str]) -> subprocess.Popen[bytes]:
    """Start a process that answers over this descriptor."""
    words = "biblicus.service.askers.process", str(descriptor), *roots
    return children.module(*words, stdout=subprocess.DEVNULL, **children.handing_over(descriptor))
