"""The daemon's loop: accept, check who asks, answer from a desk in one of a few threads, end when idle.

It reads; whatever writes runs in the process of who asked for it. Runs that are built meanwhile are picked up, and a
corpus that was deleted is let go.
"""

from __future__ import annotations

import fcntl
import logging
import os
import select
import signal
import socket
import threading
import time
from collections import OrderedDict
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from logging.handlers import RotatingFileHandler
from pathlib import Path
from typing import Any

from biblicus.config import load_settings
from biblicus.contracts import Call
from biblicus.corpus.folder import find
from biblicus.errors import BiblicusError, NotFound, PlaceDown, UsageError
from biblicus.service.askers import frames
from biblicus.service.askers.daemon import NAME, Address, address, make_folder, peer
from biblicus.service.desk import VERBS, Desk
from biblicus.service.telemetry import observe

THREADS = 8
WAITING = 256
"""Questions that may be under way or wait; more are refused at once."""
KEPT = 16
"""Corpora kept warm; the one asked longest ago is let go."""
PATIENCE = 10.0
"""Seconds that a client may take to send its question or to take its answer."""
DRAIN = 10.0
"""Seconds that questions under way have once the daemon is told to stop."""
_TICK = 0.5
_LOOK = 0.02
"""Seconds between two looks at whether a client is still there."""

log = logging.getLogger("biblicus.daemon")


class Server:
    """One daemon. `run` returns when it is told to stop, or nobody asked anything for `idle` seconds."""

    def __init__(self, where: Address, idle: float) -> None:
        self._where, self._idle = where, idle
        self._desks: OrderedDict[Path, Desk] = OrderedDict()
        self._lock = threading.Lock()
        self._stop = threading.Event()
        self._began, self._last = time.time(), time.monotonic()
        self._waiting = self._answered = self._failed = 0

    def stop(self) -> None:
        """Take no more questions; those under way are answered."""
        self._stop.set()

    def run(self) -> None:
        """Listen and answer. The caller holds the lock, so a socket that lies there is nobody's."""
        early = self._where.socket.with_suffix(".new")
        early.unlink(missing_ok=True)
        listening = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        before = os.umask(0o177)  # 0600 from its first moment
        try:
            listening.bind(os.fspath(early))
        finally:
            os.umask(before)
        listening.listen(128)
        early.replace(self._where.socket)  # whoever sees the socket is heard
        listening.settimeout(_TICK)
        pool = ThreadPoolExecutor(THREADS, "answer")
        log.info("listening, pid %d", os.getpid())
        try:
            self._accept(listening, pool)
        finally:
            self._where.socket.unlink(missing_ok=True)
            listening.close()
            self._drain()
            pool.shutdown(wait=False, cancel_futures=True)
            for desk in self._desks.values():
                desk.close()
            log.info("stopped after %d answers", self._answered)

    def _accept(self, listening: socket.socket, pool: ThreadPoolExecutor) -> None:
        while not self._stop.is_set():
            try:
                connection, _ = listening.accept()
            except TimeoutError:
                if not self._waiting and time.monotonic() - self._last > self._idle:
                    log.info("idle for %.0f s", self._idle)
                    return
                continue
            self._last = time.monotonic()
            with self._lock:
                self._waiting += 1
                full = self._waiting > WAITING
            pool.submit(self._serve, connection, full)

    def _drain(self) -> None:
        until = time.monotonic() + DRAIN
        while self._waiting and time.monotonic() < until:
            time.sleep(0.01)

    # --- one question ---

    def _serve(self, connection: socket.socket, full: bool) -> None:
        began = time.perf_counter()
        verb, outcome = "?", "ok"
        try:
            with connection:
                connection.settimeout(PATIENCE)
                if peer(connection) not in (None, os.getuid()):
                    outcome = "another user"
                    return
                asked = frames.receive(connection)
                verb = str(asked.get("verb")) if isinstance(asked, dict) else "?"
                answer = self._answer(asked, full, Departure(connection))
                outcome = answer["error"]["code"] if "error" in answer else "ok"
                frames.send(connection, answer)
        except (OSError, frames.FrameBroken) as error:
            outcome = f"connection: {error}"
        finally:
            with self._lock:
                self._waiting -= 1
                self._answered += outcome == "ok"
                self._failed += outcome != "ok"
                self._last = time.monotonic()
            log.info("%s %s %.1f ms", verb, outcome, (time.perf_counter() - began) * 1000)

    def _answer(self, asked: Any, full: bool, left: threading.Event) -> dict[str, Any]:
        try:
            if full:
                raise PlaceDown(NAME, "it has too many questions", "the same in a moment")
            return {"value": self._value(asked, left)}
        except BiblicusError as error:
            return {"error": error.as_object(), "status": error.http_status}
        except Exception as error:  # the boundary: nothing may end a thread without an answer
            log.exception("unexpected")
            known = BiblicusError(f"Something unexpected: {type(error).__name__}: {error}", "biblicus daemon logs")
            return {"error": known.as_object(), "status": known.http_status}

    def _value(self, asked: Any, left: threading.Event) -> Any:
        if not isinstance(asked, dict) or not isinstance(asked.get("request", {}), dict):
            raise UsageError("The daemon was sent what is no question.")
        match asked.get("verb"):
            case "status":
                return self._status()
            case "stop":
                self.stop()
                return {"pid": os.getpid()}
            case str(name) if name in VERBS and VERBS[name].scope == "read":
                return self._ask(name, asked, left)
            case name:
                raise UsageError(f"The daemon does not answer {name!r}.")

    def _ask(self, name: str, asked: Mapping[str, Any], left: threading.Event) -> Any:
        timeout = asked.get("timeout")
        deadline = time.monotonic() + timeout if isinstance(timeout, int | float) else None
        call = Call(deadline=deadline, cancel=left)
        request = VERBS[name].read(asked.get("request", {}))
        try:
            return self._desk(find(Path(str(asked.get("path")))).root).ask(name, request, call)
        except NotFound:
            self._let_go_of_deleted()
            raise

    def _desk(self, root: Path) -> Desk:
        with self._lock:
            if root not in self._desks:
                self._desks[root] = Desk(find(root))
            self._desks.move_to_end(root)
            gone = self._desks.popitem(last=False)[1] if len(self._desks) > KEPT else None
            desk = self._desks[root]
        if gone is not None:
            gone.close()
        return desk

    def _let_go_of_deleted(self) -> None:
        with self._lock:
            gone = [self._desks.pop(root) for root in list(self._desks) if not root.exists()]
        for desk in gone:
            desk.close()

    def _status(self) -> dict[str, Any]:
        with self._lock:
            return {
                "running": True,
                "pid": os.getpid(),
                "since": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(self._began)),
                "answered": self._answered,
                "failed": self._failed,
                "idle_seconds": self._idle,
                "memory_bytes": _memory(),
                "corpora": sorted(os.fspath(root) for root in self._desks),
                "socket": os.fspath(self._where.socket),
            }


class Departure(threading.Event):
    """Set once the client has closed its end: whoever looks whether to go on need not, for nobody waits any more."""

    def __init__(self, connection: socket.socket) -> None:
        super().__init__()
        self._ends = select.poll()
        self._ends.register(connection, 0)  # tells of a hang-up alone
        self._next = 0.0

    def is_set(self) -> bool:
        if not super().is_set() and (now := time.monotonic()) >= self._next:
            self._next = now + _LOOK
            if self._ends.poll(0):
                self.set()
        return super().is_set()


def _memory() -> int | None:
    """Resident memory in bytes, where the system tells."""
    try:
        return int(Path("/proc/self/statm").read_text("ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError):
        return None


def run() -> int:
    """Serve this environment's address until told to stop. Raises `UsageError` where a daemon serves it already."""
    where = address()
    make_folder(where.folder)
    handler = RotatingFileHandler(where.log, maxBytes=1 << 20, backupCount=1, encoding="utf-8")
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(message)s"))
    log.addHandler(handler)
    log.setLevel(logging.INFO)
    held = os.open(where.lock, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise UsageError("The daemon is already running.", "biblicus daemon status") from None
    observe()
    server = Server(where, load_settings().daemon_idle)
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: server.stop())
    server.run()
    return 0
