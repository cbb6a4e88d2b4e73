"""Sandbox for a process that parses untrusted bytes: no network, only installed software, no other process.

Landlock restricts the file system and seccomp the system calls, for good and for child processes. Neither needs
privileges. Restrictions that the kernel does not support are returned with a reason; the limits of `process` still
apply."""

from __future__ import annotations

import ctypes
import os
import platform
import struct
import sys
import sysconfig
from collections.abc import Iterable
from pathlib import Path

from biblicus.guards.children import bound_open_files
from biblicus.guards.system_calls import ARCHES, filter_of

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
