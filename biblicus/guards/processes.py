"""Facts of this process on each operating system: cores, forks, memory, the user's folders. See also `disk.system`.

Each branch tests `sys.platform` directly, so that a type checker checks the branches of each system. Child
processes and sockets are in `children`, which takes longer to import.
"""

from __future__ import annotations

import json
import os
import re
import sys
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import Any

from biblicus.errors import UsageError

_FOLDERS = {
    "linux": {"cache": ".cache", "config": ".config", "state": ".local/state", "data": ".local/share"},
    "darwin": {"cache": "Library/Caches", "config": ".config", "state": ".local/state", "data": ".local/share"},
    "win32": dict.fromkeys(("cache", "config", "state", "data"), "AppData/Local"),
}
"""Folders of programs' files in a home folder, by system and kind."""

_most: int | None = None
"""Maximum number of cores that this process may use, if limited."""


def cores() -> int:
    """Return the number of cores that this process may use."""
    count = os.cpu_count() or 1
    if sys.platform == "linux":
        count = len(os.sched_getaffinity(0))
    return count if _most is None else min(count, _most)


def use_at_most(count: int) -> None:
    """Limit `cores` to `count`, for a process that shares the machine with others."""
    global _most
    _most = count


def may_fork() -> bool:
    """Return true if forking is cheap and safe: on Linux, in a process with one thread."""
    return sys.platform == "linux" and threading.active_count() == 1


class Ahead:
    """Work started in a child process before its result is needed. Call `result` or `close` once."""

    def __init__(self, reading: int, pid: int) -> None:
        self._reading, self._pid = reading, pid

    def result(self) -> Any:
        """Wait for the value and return it, or None if the process failed."""
        parts = []
        while part := os.read(self._reading, 1 << 16):
            parts.append(part)
        self.close()
        try:
            return json.loads(b"".join(parts))
        except ValueError:
            return None

    def close(self) -> None:
        """Discard the result and wait for the process, which ends when its work does or its pipe closes."""
        if self._pid:
            os.close(self._reading)
            with suppress(ChildProcessError):
                os.waitpid(self._pid, 0)
            self._pid = 0


def begun(work: Callable[[], Any]) -> Ahead | None:
    """Start work in a forked copy of this process; its return value must be JSON, its side effects are lost.
    Return None if a fork is unsafe, useless (one core) or fails."""
    if sys.platform == "win32" or cores() < 2 or not may_fork():
        return None
    reading, writing = os.pipe()
    try:
        pid = os.fork()
    except OSError:  # no more processes for this user
        os.close(reading)
        os.close(writing)
        return None
    if pid:
        os.close(writing)
        return Ahead(reading, pid)
    try:
        os.close(reading)
        with open(writing, "wb") as pipe:
            pipe.write(json.dumps(work()).encode())
    finally:
        os._exit(0)  # exit handlers belong to the parent


def folder_in_home(kind: str) -> str:
    """Return this system's folder for a program's `cache`, `config`, `state` or `data`, relative to the home folder."""
    return _FOLDERS.get(sys.platform, _FOLDERS["linux"])[kind]


def user_id() -> int:
    """Return the id of this user; 0 if users have none."""
    if sys.platform == "win32":
        return 0
    return os.getuid()


def runtime_folder(environment: Mapping[str, str]) -> Path:
    """Return the folder of this user's sockets, which others may have made."""
    if sys.platform == "win32":
        return Path(environment.get("LOCALAPPDATA") or os.path.expanduser("~")) / "Temp" / "biblicus"
    return Path(environment.get("TMPDIR") or "/tmp") / f"biblicus-{user_id()}"


def memory() -> int | None:
    """Return the resident memory of this process in bytes, or None if the system does not say."""
    if sys.platform == "linux":
        with suppress(OSError, ValueError):
            return int(Path("/proc/self/statm").read_text("ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE")
    return None


def reset_peak() -> None:
    """Restart the measurement of `peak` (Linux); elsewhere it counts from the start of the process."""
    with suppress(OSError):
        Path("/proc/self/clear_refs").write_text("5", encoding="ascii")


def peak() -> int:
    """Return the most memory that this process had, in bytes; 0 if the system does not say."""
    if sys.platform == "win32":
        return 0
    if sys.platform != "linux":
        import resource  # lazy: only where there is no /proc

        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss  # bytes on macOS
    status = Path("/proc/self/status").read_text(encoding="utf-8")
    return int(status.partition("VmHWM:")[2].split(maxsplit=1)[0]) * 1024


def give_memory_back() -> None:
    """Return freed memory to the system, if the C library can."""
    if sys.platform == "linux":
        import ctypes  # lazy: a process that has little to do frees little

        with suppress(AttributeError, OSError):
            ctypes.CDLL(None).malloc_trim(0)


def user_folder(kind: str) -> Path:
    """Return Biblicus's folder of this user by the XDG base directory specification: `cache`, `config`, `state` or
    `data`.

    `BIBLICUS_CACHE_HOME`, `BIBLICUS_CONFIG_HOME`, `BIBLICUS_STATE_HOME` and `BIBLICUS_DATA_HOME` override it. Raises
    `UsageError` if there is no home folder."""
    biblicus_home, base = (os.environ.get(f"{prefix}_{kind.upper()}_HOME") for prefix in ("BIBLICUS", "XDG"))
    return _user_folder(kind, biblicus_home, base, os.path.expanduser("~"))


@lru_cache(maxsize=16)
def _user_folder(kind: str, own: str | None, base: str | None, home: str) -> Path:
    """Cached, because every query needs it several times."""
    if own:
        return Path(own)
    if not base and not os.path.isabs(home):  # `~`: no home folder is known
        problem = f"This user has no home folder: HOME is not set. BIBLICUS_{kind.upper()}_HOME does, too."
        raise UsageError(problem, "export HOME=/a/folder/of/yours")
    return (Path(base) if base else Path(home) / folder_in_home(kind)) / "biblicus"


def settings_file() -> Path:
    """Return the path of the user's settings (`config.Settings`)."""
    return _settings_file(user_folder("config"))


@lru_cache(maxsize=16)
def _settings_file(folder: Path) -> Path:
    return folder / "config.yml"


def without_folders(text: str) -> str:
    """Remove folders from paths in a sentence for remote users: `/home/ada/notes/a.md` becomes `a.md`; URLs stay."""
    return re.sub(r"(?<![\w:/.*])/(?:[^\s/:;,\"'()]+/)+(?=[^\s/:;,\"'()])", "", text)
