"""Manage the user's daemon process: start, stop, status, log."""

from __future__ import annotations

import os
import subprocess
import time
from typing import Any

from biblicus.contracts import Call
from biblicus.disk import system
from biblicus.errors import BiblicusError, PlaceDown
from biblicus.guards import children
from biblicus.service.askers.daemon import NAME, Address, address, exchange, make_folder

STARTING = 15.0
"""Seconds in which a started daemon must reply."""
STOPPING = 15.0
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
        exchange(where, {"verb": "stop"}, call)
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
        state: dict[str, Any] = exchange(where, {"verb": "status"}, Call(deadline=time.monotonic() + 5))
    except BiblicusError:
        return {"running": False, "socket": os.fspath(where.socket)}
    return state


def log(lines: int) -> list[str]:
    """Return the last lines of the daemon's log, oldest first."""
    try:
        with address().log.open("rb") as stream:
            stream.seek(max(0, os.fstat(stream.fileno()).st_size - _LOG_LIMIT))
            return stream.read().decode("utf-8", "replace").splitlines()[-lines:]
    except FileNotFoundError:
        return []
