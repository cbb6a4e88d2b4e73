"""The daemon's server loop: accept connections, check the user, answer in threads from warm corpora, exit when idle.

It only reads. Commands that write run in their own process, except what the settings let the daemon index: changes
before a query (`refresh: auto`), and watched folders (`watch: true`). New runs are noticed, deleted corpora closed."""

from __future__ import annotations

import logging
import os
import signal
import socket
import threading
import time
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import replace
from logging.handlers import RotatingFileHandler
from pathlib import Path
from typing import TYPE_CHECKING, Any

from biblicus.config import load_settings
from biblicus.contracts import Call
from biblicus.corpus.folder import find
from biblicus.disk import system
from biblicus.errors import BiblicusError, Busy, NotFound, PlaceDown, UsageError
from biblicus.guards import children
from biblicus.guards.processes import memory
from biblicus.service.admission import Line
from biblicus.service.askers.daemon import NAME, Address, FrameBroken, address, make_folder, receive, send
from biblicus.service.askers.here import Here
from biblicus.service.askers.processes import Beside, Processes
from biblicus.service.telemetry import observe
from biblicus.service.verbs import VERBS, Verb

if TYPE_CHECKING:
    from biblicus.service.watching import Watcher

THREADS = 8
WAITING = 256
"""Maximum running and waiting requests; further ones are refused."""
KEPT = 16
"""Number of warm corpora; the least recently used is closed."""
PATIENCE = 10.0
"""Seconds for a client to send its request or to receive the reply."""
DRAIN = 10.0
"""Seconds for running requests to finish after a stop request."""
_TICK = 0.5
_LOOK = 0.02
"""Seconds between two checks if a client is still connected."""

log = logging.getLogger("biblicus.daemon")


class Server:
    """One daemon. `run` returns when it is stopped, or after `idle` seconds without a request."""

    def __init__(self, where: Address, idle: float, *, watch: bool = False, workers: int = 1) -> None:
        self._where, self._idle, self._watch = where, idle, watch
        self._watchers: dict[Path, Watcher] = {}
        self._askers: OrderedDict[Path, Here] = OrderedDict()
        self._processes = Processes(workers) if workers > 1 else None
        self._lock = threading.Lock()
        self._stop = threading.Event()
        self._began, self._last = time.time(), time.monotonic()
        self._line = Line("answer", THREADS, WAITING, PATIENCE)
        self._refusals = Line("refusal", 1, WAITING, PATIENCE)
        self._answered = self._failed = 0

    def stop(self) -> None:
        """Accept no more requests; running ones are completed."""
        self._stop.set()

    def run(self) -> None:
        """Listen and answer. The caller holds the lock, so an existing socket is stale."""
        listening = children.listen(self._where.socket)
        listening.settimeout(_TICK)
        log.info("listening, pid %d", os.getpid())
        try:
            self._accept(listening)
        finally:
            self._where.socket.unlink(missing_ok=True)
            listening.close()
            self._drain()
            self._line.close()
            self._refusals.close()
            for root, asker in self._askers.items():
                self._close(root, asker)
            if self._processes is not None:
                self._processes.close()
            log.info("stopped after %d answers", self._answered)

    def _accept(self, listening: socket.socket) -> None:
        while not self._stop.is_set():
            try:
                connection, _ = listening.accept()
            except TimeoutError:
                if not self._inside and time.monotonic() - self._last > self._idle:
                    log.info("idle for %.0f s", self._idle)
                    return
                continue
            self._last = time.monotonic()
            self._admit(connection)

    def _admit(self, connection: socket.socket) -> None:
        """Answer or refuse a request in a thread."""
        try:
            ticket, full = self._line.enter(), False
        except Busy:
            try:
                ticket, full = self._refusals.enter(), True
            except Busy:  # even the refusal is dropped
                connection.close()
                return
        answered = ticket.submit(lambda call: self._serve(connection, call, full), Call(cancel=Departure(connection)))
        answered.add_done_callback(lambda _: connection.close())
        ticket.give_back()

    @property
    def _inside(self) -> int:
        return self._line.inside + self._refusals.inside

    def _drain(self) -> None:
        until = time.monotonic() + DRAIN
        while self._inside and time.monotonic() < until:
            time.sleep(0.01)

    # --- one question ---

    def _serve(self, connection: socket.socket, call: Call, full: bool) -> None:
        began = time.perf_counter()
        verb = "?"
        try:
            with connection:
                connection.settimeout(PATIENCE)
                if not children.is_same_user(connection, self._where.socket, accepted=True):
                    self._note(verb, "another user", began)
                    return
                message = receive(connection)
                verb = str(message.get("verb")) if isinstance(message, dict) else "?"
                answer = self._answer(message, call, full)
                self._note(verb, answer["error"]["code"] if "error" in answer else "ok", began)
                send(connection, answer)
        except (OSError, FrameBroken) as error:
            self._note(verb, f"connection: {error}", began)

    def _note(self, verb: str, outcome: str, began: float) -> None:
        """Count and log a request before its reply is sent, so that the client finds it counted."""
        with self._lock:
            self._answered += outcome == "ok"
            self._failed += outcome != "ok"
            self._last = time.monotonic()
        log.info("%s %s %.1f ms", verb, outcome, (time.perf_counter() - began) * 1000)

    def _answer(self, asked: Any, call: Call, full: bool) -> dict[str, Any]:
        try:
            if full:
                raise PlaceDown(NAME, "it has too many questions", "the same again in a moment")
            return {"value": self._value(asked, call)}
        except BiblicusError as error:
            return {"error": error.as_object(), "category": error.category}
        except Exception as error:  # the boundary: every request needs a reply
            log.exception("unexpected")
            internal_error = BiblicusError(
                f"Something unexpected: {type(error).__name__}: {error}", "biblicus daemon logs"
            )
            return {"error": internal_error.as_object(), "category": internal_error.category}

    def _value(self, asked: Any, call: Call) -> Any:
        if not isinstance(asked, dict) or not isinstance(asked.get("request", {}), dict):
            raise UsageError("The daemon was sent what is no question.")
        match asked.get("verb"):
            case "status":
                return self._status()
            case "stop":
                self.stop()
                return {"pid": os.getpid()}
            case str(name) if name in VERBS and VERBS[name].scope == "read":
                return self._ask(VERBS[name], asked, call)
            case name:
                raise UsageError(f"The daemon does not answer {name!r}.")

    def _ask(self, verb: Verb[Any, Any], asked: Mapping[str, Any], call: Call) -> Any:
        timeout = asked.get("timeout")
        deadline = time.monotonic() + timeout if isinstance(timeout, int | float) else None
        request = verb.read(asked.get("request", {}))
        try:
            asker = self._asker(find(Path(str(asked.get("path")))).root)
            return asker.ask(verb, request, replace(call, deadline=deadline))
        except NotFound:
            self._let_go_of_deleted()
            raise

    def _asker(self, root: Path) -> Here:
        with self._lock:
            if root not in self._askers:
                self._askers[root] = Beside(find(root), self._processes) if self._processes else Here(find(root))
                self._follow(root)
            self._askers.move_to_end(root)
            gone = self._askers.popitem(last=False) if len(self._askers) > KEPT else None
            asker = self._askers[root]
        if gone is not None:
            self._close(*gone)
        return asker

    def _follow(self, root: Path) -> None:
        """Watch a corpus from its first request on, if the user's settings say so."""
        if not self._watch:
            return
        try:
            from biblicus.service.watching import Watcher  # lazy: of the extra [watch]
        except ModuleNotFoundError:
            log.warning("watch: needs the extra [watch]")
            self._watch = False
            return
        self._watchers[root] = Watcher(self._askers[root])
        self._watchers[root].start()

    def _close(self, root: Path, asker: Here) -> None:
        if (watcher := self._watchers.pop(root, None)) is not None:
            watcher.stop()
        asker.close()

    def _let_go_of_deleted(self) -> None:
        with self._lock:
            gone = [(root, self._askers.pop(root)) for root in list(self._askers) if not root.exists()]
        for root, asker in gone:
            self._close(root, asker)

    def _status(self) -> dict[str, Any]:
        with self._lock:
            return {
                "running": True,
                "pid": os.getpid(),
                "since": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(self._began)),
                "answered": self._answered,
                "failed": self._failed,
                "idle_seconds": self._idle,
                "memory_bytes": memory(),
                "corpora": sorted(os.fspath(root) for root in self._askers),
                "socket": os.fspath(self._where.socket),
            }


class Departure(threading.Event):
    """Event that is set when the client closes its connection, so that work can be cancelled."""

    def __init__(self, connection: socket.socket) -> None:
        super().__init__()
        self._connection = connection
        self._next = 0.0

    def is_set(self) -> bool:
        if not super().is_set() and (now := time.monotonic()) >= self._next:
            self._next = now + _LOOK
            if children.has_left(self._connection):
                self.set()
        return super().is_set()


def run() -> int:
    """Serve this environment's address until stopped. Raises `UsageError` if another daemon serves it."""
    where = address()
    make_folder(where.folder)
    handler = RotatingFileHandler(where.log, maxBytes=1 << 20, backupCount=1, encoding="utf-8")
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(message)s"))
    log.addHandler(handler)
    log.setLevel(logging.INFO)
    if not system.lock(system.open_file(where.lock, system.LOCK, 0o600)):
        raise UsageError("The daemon is already running.", "biblicus daemon status")
    observe()
    settings = load_settings()
    server = Server(where, settings.daemon_idle, watch=settings.watch, workers=settings.daemon_workers)
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: server.stop())
    server.run()
    return 0
