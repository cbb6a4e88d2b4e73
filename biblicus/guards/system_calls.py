"""Allow-list of the system calls that a parser needs, compiled to a seccomp BPF filter.

The list was made from traces of every parser, of OCR and of the program that OCR starts. A call outside the list
returns EPERM, or ENOSYS for newer calls that libraries can do without."""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping, Sequence

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
