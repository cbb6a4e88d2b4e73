"""Sandbox for a process that parses untrusted bytes: no network, only installed software, no other process.

Landlock restricts the file system and seccomp the system calls, for good and for child processes. Neither needs
privileges. Restrictions that the kernel does not support are returned with a reason; the limits of `process` still
apply.

The allow-list of system calls that a parser needs is compiled to a seccomp BPF filter. It was made from traces of every
parser, of OCR and of the program that OCR starts. A call outside the list returns EPERM, or ENOSYS for newer calls that
libraries can do without."""

from __future__ import annotations

import ctypes
import os
import platform
import struct
import sys
import sysconfig
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from biblicus.guards.children import bound_open_files

OPEN_FILES = 128
WALLS = ("files", "network", "processes")
"""The restrictions; `files` uses Landlock, the other two seccomp."""

_PR_SET_NO_NEW_PRIVS, _PR_SET_SECCOMP, _SECCOMP_MODE_FILTER = 38, 22, 2
_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
_EXECUTE, _WRITE_FILE, _READ_FILE, _READ_DIR = 1, 2, 4, 8
_ALL_RIGHTS = {1: (1 << 13) - 1, 2: (1 << 14) - 1, 3: (1 << 15) - 1, 4: (1 << 15) - 1, 5: (1 << 16) - 1}
"""All file-system rights by version of Landlock; later versions use those of 5."""
_TCP, _TCP_SINCE = 0b11, 4
_SCOPES, _SCOPES_SINCE = 0b11, 6
"""Landlock scopes that confine abstract sockets and signals."""
_SYSTEM = (
    "/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/local/lib", "/nix/store", "/usr/share/zoneinfo",
    "/usr/share/tesseract-ocr", "/etc/ld.so.cache", "/etc/localtime", "/dev/null", "/dev/zero",
    "/dev/urandom", "/proc/cpuinfo", "/proc/meminfo", "/sys/devices/system/cpu",
)  # fmt: skip
"""System files that libraries read when they are loaded."""
ARCHES: Mapping[str, int] = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
"""The kernel's code of each processor. x86-64 is tested by `check --sandbox`; ARM 64 follows its tables."""

_X86, _ARM = 0, 1
NUMBERS: Mapping[str, tuple[int | None, int | None]] = {
    # data of files and pipes
    "read": (0, 63), "write": (1, 64), "readv": (19, 65), "writev": (20, 66), "pread64": (17, 67), "pwrite64": (18, 68),
    "lseek": (8, 62), "close": (3, 57), "close_range": (436, 436), "dup": (32, 23), "dup2": (33, None),
    "dup3": (292, 24), "pipe": (22, None), "pipe2": (293, 59), "fadvise64": (221, 223),
    "poll": (7, None), "ppoll": (271, 73), "select": (23, None), "pselect6": (270, 72),
    # files: Landlock decides which may be opened; names and sizes can be seen
    "open": (2, None), "openat": (257, 56), "stat": (4, None), "lstat": (6, None), "fstat": (5, 80),
    "newfstatat": (262, 79), "statx": (332, 291), "statfs": (137, 43), "fstatfs": (138, 44), "access": (21, None),
    "faccessat": (269, 48), "faccessat2": (439, 439), "getdents": (78, None), "getdents64": (217, 61),
    "readlink": (89, None), "readlinkat": (267, 78), "getcwd": (79, 17),
    # memory
    "brk": (12, 214), "mmap": (9, 222), "munmap": (11, 215), "mremap": (25, 216), "mprotect": (10, 226),
    "madvise": (28, 233), "mincore": (27, 232), "msync": (26, 227), "membarrier": (324, 283), "mbind": (237, 235),
    # time and signals of its own
    "time": (201, None), "gettimeofday": (96, 169), "clock_gettime": (228, 113), "clock_getres": (229, 114),
    "nanosleep": (35, 101), "clock_nanosleep": (230, 115), "alarm": (37, None), "getitimer": (36, 102),
    "setitimer": (38, 103), "pause": (34, None), "restart_syscall": (219, 128), "times": (100, 153),
    "rt_sigaction": (13, 134), "rt_sigprocmask": (14, 135), "rt_sigreturn": (15, 139), "sigaltstack": (131, 132),
    # threads
    "futex": (202, 98), "set_robust_list": (273, 99), "get_robust_list": (274, 100), "set_tid_address": (218, 96),
    "rseq": (334, 293), "sched_yield": (24, 124), "sched_getaffinity": (204, 123), "sched_getparam": (143, 121),
    "sched_getscheduler": (145, 120), "arch_prctl": (158, None), "exit": (60, 93), "exit_group": (231, 94),
    # information about itself and the machine
    "getpid": (39, 172), "getppid": (110, 173), "gettid": (186, 178), "getuid": (102, 174), "geteuid": (107, 175),
    "getgid": (104, 176), "getegid": (108, 177), "getresuid": (118, 148), "getresgid": (120, 150),
    "getgroups": (115, 158), "getpgrp": (111, None), "getpgid": (121, 155), "getsid": (124, 156),
    "uname": (63, 160), "sysinfo": (99, 179), "getcpu": (309, 168), "getrandom": (318, 278),
    "getrlimit": (97, 163), "getrusage": (98, 165),
}  # fmt: skip
"""Calls allowed with any arguments: name to number on x86-64 and on ARM 64."""

_STARTING: Mapping[str, tuple[int | None, int | None]] = {
    "fork": (57, None), "vfork": (58, None), "execve": (59, 221), "wait4": (61, 260), "waitid": (247, 95),
}  # fmt: skip
"""Also allowed if a program may be started; Landlock limits which one."""

_CLONE, _FCNTL, _IOCTL, _PRCTL = (56, 220), (72, 25), (16, 29), (157, 167)
_KILL, _TGKILL, _PRLIMIT64, _SET_CORES = (62, 129), (234, 131), (302, 261), (203, 122)
_FILE_COMMANDS = (*range(8), 1030, 1031, 1032)
"""Allowed commands of fcntl: descriptors, flags, locks, pipe sizes; none that sends signals."""
_DEVICE_COMMANDS = (0x5401, 0x5413, 0x541B, 0x5421, 0x5450, 0x5451)
"""Allowed commands of ioctl: terminal check and size, readable bytes, descriptor flags."""
_PROCESS_OPTIONS = (15, 16, 23, 0x53564D41)
"""Allowed options of prctl: names of threads and memory; reading capabilities."""
_THREAD, _NAMESPACES = 0x00010000, 0x7E020000
_NEWER = 424
"""From this number on, calls are numbered alike on all processors; libraries fall back if one is missing."""

_LOAD, _EQUAL, _AT_LEAST, _HAS_BITS, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_ALLOW, _ERROR = 0x7FFF0000, 0x00050000
_EPERM, _ENOTTY, _ENOSYS = 1, 25, 38
_NUMBER, _ARCH, _ARGUMENTS = 0, 4, 16


def raise_walls(software: Iterable[str], program: str = "") -> dict[str, str]:
    """Restrict this process for good. Return the missing restrictions with their reasons.

    `software`: folders of importable code. `program`: the only program it may start."""
    bound_open_files(OPEN_FILES)
    if sys.platform != "linux":
        return dict.fromkeys(WALLS, "only Linux has them")
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0):
        return dict.fromkeys(WALLS, f"no_new_privs: {_why()}")
    missing = {}
    if reason := _close_files(libc, [*software, *_SYSTEM], program):
        missing["files"] = reason
    if reason := _close_calls(libc, may_start=bool(program)):
        missing |= {"network": reason, "processes": reason}
    return missing


def software_of(search: Iterable[str]) -> list[str]:
    """Return the folders of Python and its packages from a search path, without the current folder, which may be
    hostile."""
    package = Path(__file__).resolve().parents[1]
    here = os.getcwd()
    named = [entry for entry in search if not _is_within(here, entry) and not _is_within(str(package), entry)]
    python = [sysconfig.get_path(name) for name in ("stdlib", "platstdlib", "purelib", "platlib")]
    libraries = [f"{prefix}/lib" for prefix in (sys.prefix, sys.base_prefix)]
    set_by_hand = filter(os.path.isabs, os.environ.get("LD_LIBRARY_PATH", "").split(os.pathsep))
    return [*named, str(package), *python, *libraries, *set_by_hand]


def _is_within(path: str, folder: str) -> bool:
    return path == folder or path.startswith(folder.rstrip("/") + "/")


# --- files: Landlock ---


def _close_files(libc: ctypes.CDLL, readable: Iterable[str], program: str) -> str:
    version = libc.syscall(_CREATE_RULESET, None, ctypes.c_size_t(0), 1)
    if version < 1:
        return f"the kernel has no Landlock ({_why()})"
    handled = _ALL_RIGHTS[min(version, 5)]
    attributes = struct.pack(
        "=QQQ", handled, _TCP if version >= _TCP_SINCE else 0, _SCOPES if version >= _SCOPES_SINCE else 0
    )
    length = 24 if version >= _SCOPES_SINCE else 16 if version >= _TCP_SINCE else 8
    ruleset = libc.syscall(_CREATE_RULESET, attributes, ctypes.c_size_t(length), 0)
    if ruleset < 0:
        return f"Landlock: {_why()}"
    try:
        started = _EXECUTE if program else 0
        for path, rights in [(path, _READ_FILE | _READ_DIR | started) for path in readable] + _of_program(program):
            _allow(libc, ruleset, path, rights)
        return "" if libc.syscall(_RESTRICT_SELF, ruleset, 0) == 0 else f"Landlock: {_why()}"
    finally:
        os.close(ruleset)


def _of_program(program: str) -> list[tuple[str, int]]:
    """Return the rights of the allowed program: run itself, use `/dev/null`."""
    if not program:
        return []
    return [(os.path.realpath(program), _READ_FILE | _EXECUTE), (os.devnull, _READ_FILE | _WRITE_FILE)]


def _allow(libc: ctypes.CDLL, ruleset: int, path: str, rights: int) -> None:
    """Add a rule for a file or folder if it exists."""
    try:
        descriptor = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:
        return
    try:
        if not os.path.isdir(path):
            rights &= ~_READ_DIR
        libc.syscall(_ADD_RULE, ruleset, 1, struct.pack("=Qi", rights, descriptor), 0)
    finally:
        os.close(descriptor)


# --- system calls: seccomp ---


def _close_calls(libc: ctypes.CDLL, *, may_start: bool) -> str:
    machine = platform.machine()
    if machine not in ARCHES:
        return f"no list of system calls for {machine}"
    program = filter_of(machine, os.getpid(), may_start=may_start)
    buffer = ctypes.create_string_buffer(program, len(program))
    header = struct.pack("@HP", len(program) // 8, ctypes.addressof(buffer))
    if libc.prctl(_PR_SET_SECCOMP, _SECCOMP_MODE_FILTER, header, 0, 0):
        return f"seccomp: {_why()}"
    return ""


def _why() -> str:
    return os.strerror(ctypes.get_errno()).lower()


def filter_of(machine: str, pid: int, *, may_start: bool) -> bytes:
    """Return the filter for a process. Raises `KeyError` for a processor without a list.

    `pid`: the process itself, the only one that it may signal. `may_start`: it may start programs."""
    return b"".join(_steps(machine, pid, may_start=may_start))


def _steps(machine: str, pid: int, *, may_start: bool) -> Iterator[bytes]:
    column = _ARM if machine == "aarch64" else _X86
    yield _step(_LOAD, _ARCH)  # another architecture has other numbers
    yield _step(_EQUAL, ARCHES[machine], 1, 0)
    yield _give(_ENOSYS)
    yield _step(_LOAD, _NUMBER)
    if machine == "x86_64":  # x32 has the same calls with other numbers
        yield _step(_AT_LEAST, 0x40000000, 0, 1)
        yield _give(_ENOSYS)
    allowed = {**NUMBERS, **(_STARTING if may_start else {})}
    for numbers in allowed.values():
        if (number := numbers[column]) is not None:
            yield _step(_EQUAL, number, 0, 1)
            yield _step(_RETURN, _ALLOW)
    for numbers, body in (
        (_FCNTL, _one_of(1, _FILE_COMMANDS, _EPERM)),
        (_IOCTL, _one_of(1, _DEVICE_COMMANDS, _ENOTTY)),
        (_PRCTL, _one_of(0, _PROCESS_OPTIONS, _EPERM)),
        (_KILL, _one_of(0, [pid], _EPERM)),
        (_TGKILL, _one_of(0, [pid], _EPERM)),
        (_SET_CORES, _one_of(0, [0], _EPERM)),
        (_PRLIMIT64, _limits()),
        (_CLONE, _copies(may_start)),
    ):
        yield _step(_EQUAL, numbers[column], 0, len(body))
        yield from body
    yield _step(_AT_LEAST, _NEWER, 0, 1)  # includes clone3, whose arguments are in memory and cannot be checked
    yield _give(_ENOSYS)
    yield _give(_EPERM)


def _one_of(argument: int, values: Sequence[int], error: int) -> list[bytes]:
    """Allow a call if its argument is one of these."""
    body = [_step(_LOAD, _ARGUMENTS + 8 * argument)]
    for value in values:
        body += [_step(_EQUAL, value, 0, 1), _step(_RETURN, _ALLOW)]
    return [*body, _give(error)]


def _limits() -> list[bytes]:
    """Allow a process to read its own limits and to set its processor time."""
    pid, resource, new = (_ARGUMENTS + 8 * argument for argument in (0, 1, 2))
    return [
        *(_step(_LOAD, pid), _step(_EQUAL, 0, 1, 0), _give(_EPERM)),
        *(_step(_LOAD, resource), _step(_EQUAL, 0, 0, 1), _step(_RETURN, _ALLOW)),
        *(_step(_LOAD, new), _step(_EQUAL, 0, 1, 0), _give(_EPERM)),
        *(_step(_LOAD, new + 4), _step(_EQUAL, 0, 1, 0), _give(_EPERM)),
        _step(_RETURN, _ALLOW),
    ]


def _copies(may_start: bool) -> list[bytes]:
    """Allow new threads and, if programs may be started, processes; never new namespaces."""
    body = [_step(_LOAD, _ARGUMENTS), _step(_HAS_BITS, _NAMESPACES, 0, 1), _give(_EPERM)]
    if not may_start:
        body += [_step(_HAS_BITS, _THREAD, 1, 0), _give(_EPERM)]
    return [*body, _step(_RETURN, _ALLOW)]


def _step(code: int, value: int, if_so: int = 0, if_not: int = 0) -> bytes:
    return struct.pack("=HBBI", code, if_so, if_not, value)


def _give(error: int) -> bytes:
    return _step(_RETURN, _ERROR | error)
