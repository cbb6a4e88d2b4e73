"""Child processes, their pipes and limits, and local sockets, on each operating system.

See also `disk.system`. On Windows pipes cannot be selected: there a thread copies their data to a socket. A process
cannot limit itself there: such limits are returned as missing. Python has no sockets in folders there: a file contains
a port of the loopback address instead, and a token that a client sends first.
"""

from __future__ import annotations

import math
import os
import select
import signal
import socket
import struct
import sys
import threading
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

if sys.platform != "win32":
    import fcntl
    import resource

if TYPE_CHECKING:
    import subprocess

VARIABLES = ("PATH", "LD_LIBRARY_PATH", "TZ", "SYSTEMROOT")
"""Environment variables that a program needs to start, on one system or another."""
MEMORY = "memory"
"""Name of the limit that a system may refuse."""
_BLOCK = 1 << 16
_ROOM = 1 << 20
"""Capacity of a pipe in bytes, if the system allows to set it."""
_TOKEN = 32
_LONGEST = 100
"""Bytes of a socket's path; the system takes 103 or 107."""


# --- limits of this process ------------------------------------------------------------------------------------------


def bound(memory: int) -> dict[str, str]:
    """Limit memory, core dumps and file writes of this process for good. Return the limits that the system refused,
    with reasons; macOS cannot limit the address space."""
    missing = {}
    if sys.platform == "win32":
        missing = dict.fromkeys((MEMORY, "core dumps", "writing"), "this system has no such limit")
    else:
        for name, kind, most in (
            (MEMORY, resource.RLIMIT_AS, memory),
            ("core dumps", resource.RLIMIT_CORE, 0),
            ("writing", resource.RLIMIT_FSIZE, 0),
        ):
            try:
                resource.setrlimit(kind, (most, most))
            except (OSError, ValueError) as error:
                missing[name] = f"this system does not bound it ({error})"
    return missing


def bound_open_files(most: int) -> None:
    """Limit the number of files that this process may have open."""
    if sys.platform != "win32":
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def set_alarm(seconds: float) -> None:
    """Let the system end this process after this clock or CPU time. On Windows the parent process does it."""
    if sys.platform != "win32":
        used = resource.getrusage(resource.RUSAGE_SELF)
        most = math.ceil(used.ru_utime + used.ru_stime + seconds) + 1
        resource.setrlimit(resource.RLIMIT_CPU, (most, resource.RLIM_INFINITY))
        signal.setitimer(signal.ITIMER_REAL, seconds)


def clear_alarm() -> None:
    """Turn off the alarm."""
    if sys.platform != "win32":
        signal.setitimer(signal.ITIMER_REAL, 0)


# --- child processes -------------------------------------------------------------------------------------------------


def bound_child(process: subprocess.Popen[bytes], *, file_bytes: int, seconds: float, memory: int) -> None:
    """Limit a process and its children from outside, if the system supports it (Linux)."""
    if sys.platform == "linux":
        limits = {
            resource.RLIMIT_CORE: 0,
            resource.RLIMIT_FSIZE: file_bytes,
            resource.RLIMIT_CPU: int(seconds) + 1,
            resource.RLIMIT_AS: memory,
        }
        for kind, most in limits.items():
            with suppress(OSError, ValueError):
                hard = resource.prlimit(process.pid, kind)[1]
                most = most if hard == resource.RLIM_INFINITY else min(most, hard)
                resource.prlimit(process.pid, kind, (most, most))


def module(name: str, *arguments: str, without: tuple[str, ...] = (), **options: Any) -> subprocess.Popen[bytes]:
    """Start a module of this package in a Python of its own, which imports nothing from the current folder.
    `without`: environment variables that it does not get. `options`: of `Popen`."""
    import subprocess  # lazy, as below: a question to the daemon starts nothing

    paths = [os.fspath(Path(__file__).parents[2]), *filter(None, [os.environ.get("PYTHONPATH")])]
    environment = {key: value for key, value in os.environ.items() if key not in without}
    return subprocess.Popen(
        [sys.executable, "-P", "-m", name, *arguments],
        stdin=subprocess.DEVNULL,
        env={**environment, "PYTHONPATH": os.pathsep.join(paths)},
        **options,
    )


def apart() -> dict[str, Any]:
    """Return arguments of `Popen` for a process in a group of its own, without this terminal."""
    if sys.platform == "win32":
        import subprocess  # lazy, as below: a question to the daemon starts nothing

        return {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP | subprocess.CREATE_NO_WINDOW}
    return {"start_new_session": True}


def handing_over(descriptor: int) -> dict[str, Any]:
    """Return arguments of `Popen` for a process that gets a socket. Raises `OSError` if unsupported."""
    if sys.platform == "win32":
        raise OSError("this system hands no socket to a process")
    return {"pass_fds": (descriptor,)}


def end_group(process: subprocess.Popen[bytes]) -> None:
    """End a process started `apart`, and all that it started, also in the background; close its pipes."""
    if sys.platform == "win32":
        import subprocess

        words = ["taskkill", "/T", "/F", "/PID", str(process.pid)]
        with suppress(OSError):
            subprocess.run(words, check=False, capture_output=True)
        process.kill()
    else:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    for pipe in (process.stdin, process.stdout, process.stderr):
        if pipe is not None:
            with suppress(OSError):
                pipe.close()


def signal_name(code: int) -> str:
    """Return the name of the signal that ended a process, from its negative exit code."""
    return signal.Signals(-code).name


def is_late(code: int) -> bool:
    """Return true if its own alarm ended a process."""
    return sys.platform != "win32" and code == -signal.SIGALRM


def is_busy_too_long(code: int) -> bool:
    """Return true if a process was ended because it used up its CPU time."""
    return sys.platform != "win32" and code == -signal.SIGXCPU


class Stream:
    """One end of a pipe to a child process, read or written without waiting. A selector takes it."""

    def __init__(self, pipe: IO[bytes], *, is_wide: bool = False) -> None:
        self._pipe = pipe
        if sys.platform == "win32":
            self._socket, peer = socket.socketpair()
            self._socket.setblocking(False)
            carry = _carry_out if pipe.readable() else _carry_in
            threading.Thread(target=carry, args=(pipe, peer), daemon=True).start()
        else:
            self._number = pipe.fileno()
            os.set_blocking(self._number, False)
            if is_wide and sys.platform == "linux":
                with suppress(OSError):  # bounded for each user
                    fcntl.fcntl(self._number, fcntl.F_SETPIPE_SZ, _ROOM)

    def fileno(self) -> int:
        if sys.platform == "win32":
            return self._socket.fileno()
        return self._number

    def read(self, size: int = _BLOCK) -> bytes:
        """Return available bytes, empty at the end. Raises `BlockingIOError` if there are none yet."""
        if sys.platform == "win32":
            return self._socket.recv(size)
        return os.read(self._number, size)

    def write(self, data: memoryview) -> int:
        """Write as many bytes as fit. Raises `BlockingIOError`, and `ConnectionError` if nobody reads."""
        if sys.platform == "win32":
            return self._socket.send(data)
        return os.write(self._number, data)

    def close(self) -> None:
        if sys.platform == "win32":
            self._socket.close()
        else:
            self._pipe.close()


def _carry_out(pipe: IO[bytes], far: socket.socket) -> None:
    with suppress(OSError, ValueError), far:
        while block := os.read(pipe.fileno(), _BLOCK):
            far.sendall(block)


def _carry_in(pipe: IO[bytes], far: socket.socket) -> None:
    with suppress(OSError, ValueError), far, pipe:
        while block := far.recv(_BLOCK):
            pipe.write(block)
            pipe.flush()


def wait(reading: Iterable[Stream], writing: Iterable[Stream], seconds: float) -> None:
    """Sleep until one can be read or written, or the time is over."""
    if sys.platform == "win32":
        select.select(list(reading), list(writing), [], seconds)
        return
    poll = select.poll()
    for streams, event in ((reading, select.POLLIN), (writing, select.POLLOUT)):
        for stream in streams:
            poll.register(stream.fileno(), event)
    poll.poll(seconds * 1000)


def has_input(descriptor: int, seconds: float | None) -> bool:
    """Wait until a pipe has data or is closed; return false after the time. Windows cannot detect this: there a read
    waits until the writer ends."""
    return sys.platform == "win32" or bool(select.select([descriptor], [], [], seconds)[0])


# --- sockets of one machine ------------------------------------------------------------------------------------------


def listen(path: Path) -> socket.socket:
    """Listen at a path of a private folder, for this user only from the start."""
    early = path.with_suffix(".new")
    early.unlink(missing_ok=True)
    if sys.platform == "win32":
        import secrets

        listening = socket.create_server(("127.0.0.1", 0))
        early.write_text(f"{listening.getsockname()[1]} {secrets.token_hex(_TOKEN)}", "ascii")
    else:
        listening = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        before = os.umask(0o177)
        try:
            listening.bind(os.fspath(early))
        finally:
            os.umask(before)
    listening.listen(128)
    os.replace(early, path)  # whoever sees it is answered
    return listening


def connected(path: Path, seconds: float) -> socket.socket:
    """Connect to this user's listener at a path. Raises `OSError`, `ConnectionRefusedError` for another
    user's."""
    if sys.platform == "win32":
        port, token = path.read_text("ascii").split()
        connection = socket.create_connection(("127.0.0.1", int(port)), seconds)
        connection.sendall(token.encode())
        return connection
    connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        connection.settimeout(seconds)
        connection.connect(os.fspath(path))
    except BaseException:
        connection.close()
        raise
    return connection


def is_same_user(connection: socket.socket, path: Path, *, accepted: bool) -> bool:
    """Check if the process at the other end belongs to this user, as far as the system reports it. `accepted`: it
    connected to us, and sends a token if sockets have no user."""
    if sys.platform == "win32":
        import hmac

        if not accepted:
            return True
        token = path.read_text("ascii").split()[1].encode()
        response = b""
        while len(response) < len(token) and (part := connection.recv(len(token) - len(response))):
            response += part
        return hmac.compare_digest(response, token)
    if sys.platform != "linux":
        return True
    data = connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, struct.calcsize("3i"))
    return bool(struct.unpack("3i", data)[1] == os.getuid())


def is_too_long(folder: Path, name: str) -> bool:
    """Return true if the path of a socket would be too long for the system."""
    return sys.platform != "win32" and len(os.fsencode(folder / name)) > _LONGEST


def has_left(connection: socket.socket) -> bool:
    """Return true if the other end of a connection has finished sending or is closed."""
    if connection.fileno() < 0:
        return True
    if sys.platform == "win32":
        is_readable = bool(select.select([connection], [], [], 0)[0])
    else:
        poll = select.poll()
        poll.register(connection, select.POLLIN)
        is_readable = bool(poll.poll(0))
    return is_readable and not connection.recv(1, socket.MSG_PEEK)


def claim_output() -> int:
    """Return a private copy of standard output; printed text goes to standard error from then on."""
    copy = os.dup(1)
    os.dup2(2, 1)
    return copy
