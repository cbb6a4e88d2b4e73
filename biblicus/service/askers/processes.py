"""Run read-only requests in worker processes, so that one service uses several cores.

Authorisation, limits, ingestion and metrics stay in this process, so there is one of each. A process that ends is
replaced, and its requests are repeated. A process gets one end of an unnamed stream for each request (`wire`); only
processes started here take part."""

from __future__ import annotations

import logging
import os
import socket
import subprocess
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from biblicus.contracts import Call
from biblicus.corpus.folder import CorpusFolder
from biblicus.errors import BiblicusError
from biblicus.guards import children
from biblicus.guards.frames import FrameBroken
from biblicus.service.askers.answering import KEPT, sent
from biblicus.service.askers.here import Here
from biblicus.service.askers.wire import Sent, exchange, received, request_frame
from biblicus.service.verbs import Q, R, Verb

_TRIES = 2
"""Number of processes that a request may crash before it is refused."""
_FAILED = 3
"""Number of processes that may end before they are ready until no more are started."""
BOUND = ("progress", "clock", "tell", "passwords", "hear")
"""Fields that cannot be sent: a call that sets one runs in this process."""
_PLAIN = Call()
_LEAVING = 5.0
"""Seconds for all processes together to exit."""
_AGAIN = 10.0
"""Seconds until another start is tried after the system refused one."""
_HUNG = 10.0
"""Seconds for a process to stop cancelled work; then it is killed and its other requests are repeated."""
_LONGEST = (1 << 32) - 1
"""Maximum bytes of a reply: of any that a frame can announce."""
log = logging.getLogger("biblicus.service")


class _NoProcess(Exception):
    """No process is ready."""


class _Ended(Exception):
    """The process ended before it replied."""


class Beside(Here):
    """A local corpus whose requests run in worker processes, if these are ready."""

    def __init__(self, corpus: CorpusFolder, processes: Processes) -> None:
        super().__init__(corpus)
        self._processes = processes
        processes.open_early(corpus.root)

    def ask(self, verb: Verb[Q, R], request: Q, call: Call) -> R:
        """Run the verb in a process if it only reads and the call can be sent. Raises the verb's errors."""
        reply = self._answer(verb, request, call)
        return reply.read(verb) if isinstance(reply, Sent) else reply

    def sent(self, verb: Verb[Q, R], request: Q, call: Call) -> Sent:
        """Like `ask`, returning the encoded reply."""
        reply = self._answer(verb, request, call)
        return reply if isinstance(reply, Sent) else sent(reply)

    def _answer(self, verb: Verb[Q, R], request: Q, call: Call) -> R | Sent:
        call = self._named(call)
        with self._processes.asked() if _crosses(verb, call) else nullcontext() as is_for_them:
            if is_for_them:
                with suppress(_NoProcess):
                    return self._processes.ask(self.root, verb, request, call)
            return super().ask(verb, request, call)

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

    def ask(self, root: Path, verb: Verb[Q, R], request: Q, call: Call) -> Sent:
        """Return the reply. Raises the verb's errors, `_NoProcess`, and `BiblicusError` if the request crashed
        several."""
        processes = self._each(call)
        while True:
            with suppress(_Ended):
                return next(processes).ask(request_frame(verb, root, request, call), call)

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


class _Process:
    """One process and its streams. `on_end`: called when it has ended."""

    def __init__(self, roots: Sequence[str], on_end: Callable[[_Process], None]) -> None:
        self._socket, child_end = socket.socketpair()
        with child_end:
            self._process = _launched(child_end.fileno(), roots)
        self._on_end = on_end
        self._lock = threading.Lock()
        self._has_ended = False
        self.load = 0
        """Number of outstanding requests."""
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

    def ask(self, frame: bytes, call: Call) -> Sent:
        """Send a request and return the reply. Raises the returned error, and `_Ended`, also for a process that has to
        be killed."""
        with self._stream() as stream:
            reply = exchange(stream, frame, call, patience=_HUNG, most=_LONGEST)
        return received(*reply)

    @contextmanager
    def _stream(self) -> Iterator[socket.socket]:
        """Open a stream to the process. One that breaks ends the process."""
        try:
            ours, theirs = socket.socketpair()
        except OSError as error:  # too many open files
            raise _NoProcess from error
        with self._lock:
            self.load += 1
        try:
            with ours:
                with theirs:
                    socket.send_fds(self._socket, [b"."], [theirs.fileno()])
                yield ours
        except (OSError, FrameBroken) as error:
            self.kill()
            raise _Ended from error
        finally:
            with self._lock:
                self.load -= 1

    def kill(self) -> None:
        """Kill the process."""
        self._has_ended = True
        self._process.kill()

    def _listen(self) -> None:
        """Wait until the process is ready, then until it ends."""
        with suppress(OSError):
            self.was_ready = bool(self._socket.recv(1))
            self.ready.set()
            self._socket.recv(1)
        self._has_ended = True
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
