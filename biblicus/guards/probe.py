"""Test parser that tries to escape the sandbox through files, connections and processes, and reports the results.

`check --sandbox` runs it in a worker and in a child program of a worker, as OCR uses. It receives the path of a file
that it must not read. Successful attempts change nothing.
"""

from __future__ import annotations

import ctypes
import errno
import json
import os
import platform
import socket
import subprocess
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from biblicus.contracts import Extractor, Given, MediaHint
from biblicus.errors import ExtractionFailed
from biblicus.models.extraction import Extraction
from biblicus.models.frozen import dataclass
from biblicus.models.records import Record

CLOSED, OPEN = "closed", "open"
IN_A_PROGRAM = "program"
"""Path of the task that runs the attempts in a child program."""
_BOOT = """
import sys, types
path, other, package, *sys.path[:] = sys.argv[1:]
sys.modules["biblicus"] = types.ModuleType("biblicus")  # its parent folder may hold anything, and cannot be listed
sys.modules["biblicus"].__path__ = [package]
from biblicus.guards.probe import report
print(report(path, int(other), is_program=True))
"""
_NUMBERS: Mapping[str, tuple[int, int]] = {
    "utimensat": (280, 88), "setxattr": (188, 5), "prlimit64": (302, 261), "getpriority": (140, 141),
    "setpriority": (141, 140), "sched_setaffinity": (203, 122), "ioprio_get": (252, 31), "ioprio_set": (251, 30),
    "shmget": (29, 194), "shmctl": (31, 195), "msgget": (68, 186), "msgctl": (71, 187), "semget": (64, 190),
    "semctl": (66, 191), "mq_open": (240, 180), "mq_unlink": (241, 181), "inotify_init1": (294, 26),
    "fanotify_init": (300, 262), "process_madvise": (440, 440), "process_vm_readv": (310, 270), "ptrace": (101, 117),
    "pidfd_open": (434, 434), "fsopen": (430, 430), "mount": (165, 40), "sethostname": (170, 161),
    "unshare": (272, 97), "setns": (308, 268), "clone": (56, 220), "bpf": (321, 280), "perf_event_open": (298, 241),
    "userfaultfd": (323, 282), "io_uring_setup": (425, 425), "keyctl": (250, 219), "tgkill": (234, 131),
}  # fmt: skip
"""System call numbers on x86-64 and on ARM 64."""
_PACKAGE = str(Path(__file__).parents[1])
_NEW_USER_NAMESPACE = 0x10000000 | 17
_CREATE = 0o1600
Attempts = Mapping[str, Callable[[], object]]


@dataclass(frozen=True, kw_only=True)
class Options(Record):
    """No options."""


class Probe:
    """Extractor whose text has a line for each sandbox layer with its result; `metadata` has the same data."""

    guarded = True
    fingerprint = "probe/2"

    def extract(self, raw: bytes, hint: MediaHint) -> Extraction:
        path, parent = os.fsdecode(raw), str(os.getppid())
        if hint.path == IN_A_PROGRAM:
            command = [os.path.realpath(sys.executable), "-I", "-B", "-c", _BOOT, path, parent, _PACKAGE, *sys.path]
            done = subprocess.run(command, capture_output=True, check=False)
            if done.returncode:
                raise ExtractionFailed(done.stderr.decode("utf-8", "replace")[-200:])
            text = done.stdout.decode()
        else:
            text = report(path, int(parent))
        return Extraction(text, metadata=json.loads(text))


def report(path: str, other: int, *, is_program: bool = False) -> str:
    """Return the result for each layer as JSON. `other`: a process that the worker must not reach."""
    walls = {wall: _found(attempts) for wall, attempts in _tries(Path(path), other, is_program).items()}
    return json.dumps(walls)


def _tries(path: Path, other: int, is_program: bool) -> dict[str, Attempts]:
    """Return the attempts by layer. A program may start processes as its worker may, but no other program."""
    tries: dict[str, Attempts] = {
        "files": {"": path.read_bytes},
        "folders": {"": lambda: os.listdir(path.parent)},
        "writing": {"": lambda: _write(path.with_name(f"{path.name}.probe"))},
        "network": {"": lambda: socket.socket().connect(("127.0.0.1", 9))},
        "sockets": {"": lambda: socket.socketpair()[0].close()},
        "processes": {"": _fork},
        "programs": {"": lambda: subprocess.run(["/bin/sh", "-c", ""], check=True)},
        "signals": {
            "kill": lambda: os.kill(other, 0),
            "tgkill": lambda: _call("tgkill", other, other, 0),
            "fcntl": lambda: _fcntl(os.pipe()[0], 8, other),  # F_SETOWN: the process that receives I/O signals
        },
        "attributes": {
            "chmod": lambda: os.chmod(path, os.stat(path).st_mode & 0o7777),
            "chown": lambda: os.chown(path, -1, -1),
            "utimensat": lambda: _call(
                "utimensat", -100, os.fsencode(path), (ctypes.c_long * 4)(0, _OMIT, 0, _OMIT), 0
            ),
            "setxattr": lambda: _call("setxattr", os.fsencode(path), b"user.biblicus", b"", 0, 2),
        },
        "others": {
            "prlimit64": lambda: _call("prlimit64", other, 4, None, (ctypes.c_ulong * 2)()),
            "setpriority": lambda: _call("setpriority", 0, other, 20 - _call("getpriority", 0, other)),
            "sched_setaffinity": lambda: os.sched_setaffinity(other, os.sched_getaffinity(other)),
            "ioprio_set": lambda: _call("ioprio_set", 1, other, _call("ioprio_get", 1, other)),
        },
        "memory of others": {
            "process_vm_readv": lambda: _call("process_vm_readv", other, None, 0, None, 0, 0),
            "process_madvise": lambda: _call("process_madvise", -1, None, 0, 0, 0),
            "ptrace": lambda: _call("ptrace", 7, other, None, None),
            "pidfd_open": lambda: os.close(_call("pidfd_open", other, 0)),
        },
        "queues": {
            "shmget": lambda: _call("shmctl", _call("shmget", 0, 4096, _CREATE), 0, None),
            "msgget": lambda: _call("msgctl", _call("msgget", 0, _CREATE), 0, None),
            "semget": lambda: _call("semctl", _call("semget", 0, 1, _CREATE), 0, 0),
            "mq_open": _queue,
        },
        "watching": {
            "inotify_init1": lambda: os.close(_call("inotify_init1", 0)),
            "fanotify_init": lambda: os.close(_call("fanotify_init", 0x200, 0)),
        },
        "system": {
            "fsopen": lambda: os.close(_call("fsopen", b"tmpfs", 0)),
            "mount": lambda: _call("mount", None, None, None, 0, None),
            "sethostname": lambda: _call("sethostname", os.uname().nodename.encode(), len(os.uname().nodename)),
            "unshare": lambda: _call("unshare", 0),
            "setns": lambda: _call("setns", -1, 0),
            "clone": _namespace,
        },
        "kernel": {
            "bpf": lambda: _call("bpf", -1, None, 0),
            "perf_event_open": lambda: _call("perf_event_open", None, 0, -1, -1, 0),
            "userfaultfd": lambda: os.close(_call("userfaultfd", 1)),
            "io_uring_setup": lambda: _call("io_uring_setup", 0, None),
            "keyctl": lambda: _call("keyctl", 0, -3, 0),
        },
    }
    if is_program:
        del tries["processes"]
    return tries


_OMIT = (1 << 30) - 2


def _found(attempts: Attempts) -> str:
    """Return `CLOSED` if all attempts at a layer failed, else how it was passed."""
    passed = {name: how for name, attempt in attempts.items() if (how := _tried(attempt)) != CLOSED}
    if not passed:
        return CLOSED
    if "" in passed:
        return passed[""]
    return f"{OPEN} ({', '.join(passed)})"


def _tried(attempt: Callable[[], object]) -> str:
    try:
        attempt()
    except ConnectionRefusedError:  # the connection left the sandbox, but nothing listens
        return OPEN
    except PermissionError:
        return CLOSED
    except OSError as error:
        if error.errno == errno.ENOSYS:
            return CLOSED
        return f"{OPEN} ({(error.strerror or str(error)).lower()})"
    return OPEN


def _call(name: str, *arguments: Any) -> int:
    """Make a system call by name. Raises `OSError`."""
    libc = ctypes.CDLL(None, use_errno=True)
    libc.syscall.restype = ctypes.c_long
    number = _NUMBERS[name][platform.machine() == "aarch64"]
    c_arguments = [ctypes.c_long(value) if isinstance(value, int) else value for value in arguments]
    result: int = libc.syscall(ctypes.c_long(number), *c_arguments)
    if result == -1:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return result


def _fcntl(descriptor: int, command: int, value: int) -> None:
    import fcntl  # lazy: not on every system

    fcntl.fcntl(descriptor, command, value)


def _write(path: Path) -> None:
    try:
        path.write_bytes(b"x")
    finally:
        with suppress(OSError):
            path.unlink(missing_ok=True)


def _fork() -> None:
    child = os.fork()
    if not child:
        os._exit(0)
    os.waitpid(child, 0)


def _namespace() -> None:
    """Start a process in new namespaces."""
    child = _call("clone", _NEW_USER_NAMESPACE, 0, 0, 0, 0)
    if not child:
        os._exit(0)
    os.waitpid(child, 0)


def _queue() -> None:
    os.close(_call("mq_open", b"biblicus-probe", os.O_CREAT | os.O_RDWR, 0o600, None))
    _call("mq_unlink", b"biblicus-probe")


def build(options: Options, given: Given) -> Extractor:
    return Probe()
