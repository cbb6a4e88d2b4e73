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
from contextlib import suppress
from logging.handlers import RotatingFileHandler
from pathlib import Path
from typing import TYPE_CHECKING, Any

from biblicus.config import load_settings
from biblicus.contracts import Call
from biblicus.corpus.folder import find
from biblicus.disk import system
from biblicus.errors import BiblicusError, Busy, PlaceDown, UsageError
from biblicus.guards import children
from biblicus.guards.processes import memory
from biblicus.models.plain import encoded
from biblicus.service.admission import Line
from biblicus.service.askers.answering import THREADS, Answering, Departure
from biblicus.service.askers.daemon import NAME, Address, address, make_folder
from biblicus.service.askers.here import Here
from biblicus.service.askers.processes import Beside, Processes
from biblicus.service.askers.wire import Sent
from biblicus.service.telemetry import observe

if TYPE_CHECKING:
    from biblicus.service.watching import Watcher

WAITING = 256
"""Maximum running and waiting requests; further ones are refused."""
PATIENCE = 10.0
"""Seconds for a client to send its request or to receive the reply."""
DRAIN = 10.0
"""Seconds for running requests to finish after a stop request."""
_TICK = 0.5

log = logging.getLogger("biblicus.daemon")


class Server(Answering):
    """One daemon. `run` returns when it is stopped, or after `idle` seconds without a request."""

    def __init__(self, where: Address, idle: float, *, watch: bool = False, workers: int = 1) -> None:
        super().__init__(PATIENCE)
        self._where, self._idle, self._watch = where, idle, watch
        self._watchers: dict[Path, Watcher] = {}
        self._processes = Processes(workers) if workers > 1 else None
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
                self.close(root, asker)
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
        refusal = None
        try:
            ticket = self._line.enter()
        except Busy:
            refusal = PlaceDown(NAME, "it has too many questions", "the same again in a moment")
            try:
                ticket = self._refusals.enter()
            except Busy:  # even the refusal is dropped
                connection.close()
                return
        call = Call(cancel=Departure(connection))
        answered = ticket.submit(lambda call: self.serve(connection, call, refusal), call)
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

    def serve(self, stream: socket.socket, call: Call, refusal: BiblicusError | None = None) -> None:
        """Answer this user only."""
        stream.settimeout(PATIENCE)
        with suppress(OSError):
            if children.is_same_user(stream, self._where.socket, accepted=True):
                super().serve(stream, call, refusal)
            else:
                self.note("?", "another user", time.perf_counter())

    def note(self, name: str, outcome: str, began: float) -> None:
        """Count and log a request before its reply is sent, so that the client finds it counted."""
        with self._lock:
            self._answered += outcome == "ok"
            self._failed += outcome != "ok"
            self._last = time.monotonic()
        log.info("%s %s %.1f ms", name, outcome, (time.perf_counter() - began) * 1000)

    def answer(self, name: str, head: dict[str, Any], call: Call) -> Sent:
        """Return the reply to a verb, or to a request about the daemon itself."""
        if name == "stop":
            self.stop()
            return Sent(encoded({"pid": os.getpid()}))
        return Sent(encoded(self._status())) if name == "status" else super().answer(name, head, call)

    def opened(self, root: Path) -> Here:
        """Return a new asker; watch its corpus from now on, if the user's settings say so."""
        asker = Beside(find(root), self._processes) if self._processes else Here(find(root))
        if self._watch:
            try:
                from biblicus.service.watching import Watcher  # lazy: of the extra [watch]
            except ModuleNotFoundError:
                log.warning("watch: needs the extra [watch]")
                self._watch = False
            else:
                self._watchers[root] = Watcher(asker)
                self._watchers[root].start()
        return asker

    def close(self, root: Path, asker: Here) -> None:
        """Close an asker and stop its watcher."""
        if (watcher := self._watchers.pop(root, None)) is not None:
            watcher.stop()
        super().close(root, asker)

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
