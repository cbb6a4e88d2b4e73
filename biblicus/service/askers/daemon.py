"""Client of the user's daemon: a background process that keeps corpora warm, on a Unix socket.

Each user and environment has one daemon: another configuration folder, installation or set of `BIBLICUS_` variables
means another daemon, so that it answers as this process would. `wire` describes what is sent."""

from __future__ import annotations

import hashlib
import json
import os
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from biblicus.contracts import Call
from biblicus.disk import system
from biblicus.errors import BiblicusError, DeadlineExceeded, PlaceDown, UnsafeInput
from biblicus.guards import children
from biblicus.guards.frames import FrameBroken
from biblicus.guards.processes import runtime_folder
from biblicus.service.askers.wire import Sent, Unforeseen, exchange, packed, received, request_frame
from biblicus.service.verbs import Q, R, Verb

if TYPE_CHECKING:
    import subprocess

_OURS = ("BIBLICUS_AT", "BIBLICUS_PLACES", "BIBLICUS_TOKEN", "BIBLICUS_RUNTIME_HOME")
"""Variables that select the place but do not affect the reply."""
_SHOWN = ("XDG_CONFIG_HOME", "XDG_STATE_HOME", "HOME")
PATIENCE = 120.0
"""Seconds to wait if the caller has no deadline: the first query may load a model."""
NAME = "The daemon"


@dataclass(frozen=True)
class Address:
    """Paths of the socket, lock and log of this user's daemon for this environment."""

    folder: Path
    name: str

    @property
    def socket(self) -> Path:
        return self.folder / f"{self.name}.sock"

    @property
    def lock(self) -> Path:
        return self.folder / f"{self.name}.lock"

    @property
    def log(self) -> Path:
        return self.folder / f"{self.name}.log"


def address(environment: Mapping[str, str] = os.environ) -> Address:
    """Return the address for this environment. Creates nothing."""
    runtime_home = environment.get("BIBLICUS_RUNTIME_HOME")
    base = environment.get("XDG_RUNTIME_DIR")
    folder = Path(runtime_home) if runtime_home else Path(base) / "biblicus" if base else runtime_folder(environment)
    package = Path(__file__).parents[2]
    deciding = sorted(
        f"{key}={value}"
        for key, value in environment.items()
        if key in _SHOWN or (key.startswith("BIBLICUS_") and key not in _OURS)
    )
    identity = "\0".join([sys.prefix, str(package), str(os.stat(package / "__init__.py").st_mtime_ns), *deciding])
    return Address(folder, f"daemon-{hashlib.sha256(os.fsencode(identity)).hexdigest()[:12]}")


def make_folder(folder: Path) -> None:
    """Create the runtime folder with mode 0700. Raises `UnsafeInput` if another user could have created it."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    if not system.make_private(folder):
        raise UnsafeInput(f"{folder} is not a folder of yours.", "set BIBLICUS_RUNTIME_HOME")
    if children.is_too_long(folder, "daemon-012345678901.sock"):
        raise UnsafeInput(f"{folder} is too long for a socket.", "set BIBLICUS_RUNTIME_HOME to a shorter one")


class Daemon:
    """Client for one corpus, by its folder. One connection a request; thread-safe."""

    def __init__(self, folder: Path, where: Address | None = None) -> None:
        self._folder = os.path.abspath(folder)
        self._where = where or address()

    def ask(self, verb: Verb[Q, R], request: Q, call: Call) -> R:
        """Return the reply. Raises the errors that this process would raise, and `PlaceDown`."""
        until = time.monotonic() + PATIENCE if call.deadline is None else call.deadline
        frame = request_frame(verb, self._folder, request, replace(call, deadline=until))
        return exchanged(self._where, frame, call, until).read(verb)


def exchanged(where: Address, frame: bytes, call: Call, until: float) -> Sent:
    """Send a request and return the reply, until a moment of `time.monotonic`. Raises the returned error, `PlaceDown`,
    `DeadlineExceeded`, `Cancelled`."""
    call.check()
    try:
        with children.connected(where.socket, max(until - time.monotonic(), 0.001)) as connection:
            if not children.is_same_user(connection, where.socket, accepted=False):
                raise PlaceDown(NAME, "another user answers in its place")
            return received(*exchange(connection, frame, call, until))
    except TimeoutError as error:
        call.check()
        if call.deadline is None:
            raise PlaceDown(NAME, f"nothing came for {PATIENCE:.0f} s", "biblicus daemon logs") from error
        raise DeadlineExceeded from error
    except FileNotFoundError as error:
        raise PlaceDown(NAME, "it is not running", "biblicus daemon start") from error
    except (OSError, FrameBroken) as error:
        cause = (error.strerror or str(error)).lower() if isinstance(error, OSError) else str(error)
        raise PlaceDown(NAME, cause, "biblicus daemon logs") from error
    except Unforeseen as error:
        summary = str(error).strip().rpartition("\n")[2]
        raise BiblicusError(f"Something unexpected: {summary}", "biblicus daemon logs") from error


STARTING = 15.0
"""Seconds in which a started daemon must reply."""
STOPPING = 15.0
_SOON = 5.0
"""Seconds for a reply about the daemon itself."""
_PAUSE = 0.02
_LOG_LIMIT = 1 << 20


def start(call: Call) -> dict[str, Any]:
    """Start the daemon, wait until it replies, and return its status; a running one is kept. Raises `PlaceDown`."""
    where = address()
    state = _status(where)
    if state["running"]:
        return state
    process = launch(where)
    until = time.monotonic() + STARTING
    while time.monotonic() < until:
        call.check()
        if (state := _status(where))["running"]:
            return state
        if process.poll() not in (None, 0) and not _status(where)["running"]:
            break
        time.sleep(_PAUSE)
    last = (log(1) or ["no reason is known"])[-1]
    raise PlaceDown(NAME, f"it did not start: {last}", "biblicus daemon logs")


def launch(where: Address | None = None) -> subprocess.Popen[bytes]:
    """Start the process, detached from this one and its folder, without waiting."""
    where = where or address()
    make_folder(where.folder)
    with open(where.log, "ab", opener=lambda path, flags: system.open_file(path, flags, 0o600)) as log_file:
        outputs: dict[str, Any] = {"stdout": log_file, "stderr": log_file}
        secrets = ("BIBLICUS_AT", "BIBLICUS_TOKEN")
        return children.module("biblicus.connectors.daemon", without=secrets, cwd="/", **outputs, **children.apart())


def stop(call: Call) -> dict[str, Any]:
    """Ask the daemon to stop after its running requests, and wait. `stopped`: one was running."""
    where = address()
    try:
        _said(where, "stop", call)
    except PlaceDown:
        _remove_stale(where)
        return {"stopped": False}
    until = time.monotonic() + STOPPING
    while where.socket.exists() and time.monotonic() < until:
        call.check()
        time.sleep(_PAUSE)
    return {"stopped": True}


def _remove_stale(where: Address) -> None:
    """Remove the socket of a killed daemon; that of a running but silent one is kept."""
    if may_start():
        where.socket.unlink(missing_ok=True)


def may_start() -> bool:
    """Return true if no daemon is running or starting, which would hold the lock."""
    try:
        lock_file = system.open_file(address().lock, system.UPDATE)
    except FileNotFoundError:
        return True
    try:
        return system.lock(lock_file)
    finally:
        os.close(lock_file)


def status() -> dict[str, Any]:
    """Return `running` and, if true, pid, uptime, number of replies, memory and warm corpora."""
    return _status(address())


def _status(where: Address) -> dict[str, Any]:
    try:
        state: dict[str, Any] = json.loads(_said(where, "status", Call()).body)
    except BiblicusError:
        return {"running": False, "socket": os.fspath(where.socket)}
    return state


def _said(where: Address, word: str, call: Call) -> Sent:
    """Send a request that is no verb, and return the reply."""
    return exchanged(where, packed({"verb": word}), call, time.monotonic() + _SOON)


def log(lines: int) -> list[str]:
    """Return the last lines of the daemon's log, oldest first."""
    try:
        with address().log.open("rb") as stream:
            stream.seek(max(0, os.fstat(stream.fileno()).st_size - _LOG_LIMIT))
            return stream.read().decode("utf-8", "replace").splitlines()[-lines:]
    except FileNotFoundError:
        return []
