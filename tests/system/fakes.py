"""Linux that refuses what Windows or macOS refuses: `install("windows")`, before `biblicus` is imported.

It stands in for real machines, which run `.github/workflows/systems.yml`. Each refusal names the
page of documentation that it is after, from memory: the words were not compared with the page.
`os.name` and `os.path` stay those of Linux, since `pathlib` makes no `WindowsPath` elsewhere. Workers that parse files
start isolated, so that no fake reaches them.
"""

from __future__ import annotations

import builtins
import errno
import importlib
import io
import os
import stat
import sys
import tempfile
import types
import unicodedata
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import wraps
from typing import Any

STANDARD = (
    "asyncio concurrent.futures.process concurrent.futures.thread ctypes getpass http.client http.server "
    "logging.handlers mimetypes multiprocessing.connection multiprocessing.popen_spawn_posix "
    "multiprocessing.resource_tracker multiprocessing.synchronize pathlib platform random selectors shutil signal "
    "socket socketserver sqlite3 ssl subprocess sysconfig tarfile tempfile urllib.request uuid zipfile"
)
THIRD = (
    "anyio charset_normalizer click httptools hypothesis mcp numpy pathspec psutil pydantic pypdf pypdfium2 pytest_bdd "
    "rich.console rich.progress rich.prompt rich.table selectolax.parser starlette tantivy tree_sitter typer uvicorn "
    "xdist yaml"
)
"""Modules that look at the system when they are imported, and have their own branches and tests for each."""
NO_MODULES = {
    "windows": ("fcntl", "grp", "posix", "pwd", "resource", "syslog", "termios", "tty"),
    "macos": (),
}
"""docs.python.org/3/library/unix.html: "available only on Unix"; `fcntl`, `resource`: "Availability: Unix"."""
NO_NAMES = {
    # docs.python.org/3/library/os.html: "Availability: Unix" at each of these.
    "windows": {
        "os": "O_CLOEXEC O_DIRECTORY O_NOFOLLOW O_NONBLOCK O_PATH O_SYNC WNOHANG chown environb fchdir fchmod fchown "
        "fdatasync fork forkpty getegid geteuid getgid getgroups getloadavg getpgid getsid getuid killpg lchown "
        "mkfifo mknod nice pipe2 posix_fadvise pread preadv pwrite pwritev register_at_fork sched_getaffinity "
        "sched_setaffinity sched_yield sendfile set_blocking setsid sysconf uname wait3 wait4",
        # docs.python.org/3/library/signal.html: "On Windows, signal() can only be called with SIGABRT, SIGFPE, …"
        "signal": "SIGALRM SIGCHLD SIGHUP SIGPIPE SIGSTOP SIGUSR1 SIGUSR2 SIGXCPU SIGXFSZ alarm setitimer getitimer",
        # docs.python.org/3/library/select.html: poll, epoll: "not supported on all operating systems"; Linux alone.
        "select": "poll epoll",
        # docs.python.org/3/library/socket.html: AF_UNIX "Availability: Unix".
        "socket": "AF_UNIX SO_PEERCRED SCM_RIGHTS",
    },
    "macos": {
        # docs.python.org/3/library/os.html: fdatasync "not available on macOS"; the others "Availability: Linux".
        "os": "O_PATH fdatasync memfd_create pipe2 posix_fadvise sched_getaffinity sched_setaffinity splice",
        "select": "epoll",
        "socket": "SO_PEERCRED",
        # docs.python.org/3/library/resource.html: prlimit "Availability: Linux"; fcntl.html: F_SETPIPE_SZ "Linux".
        "resource": "prlimit",
        "fcntl": "F_SETPIPE_SZ F_GETPIPE_SZ",
    },
}
_FORBIDDEN = frozenset('<>:"|?*')
_RESERVED = frozenset(("con", "prn", "aux", "nul", *(f"{kind}{n}" for kind in ("com", "lpt") for n in range(1, 10))))
"""learn.microsoft.com/windows/win32/fileio/naming-a-file: "Do not use the following reserved names"."""
_DENIED = (errno.EACCES, os.strerror(errno.EACCES))
_real: Any = types.SimpleNamespace()


def install(name: str) -> None:
    """Make this process one of `windows` or `macos`."""
    for module in STANDARD.split():
        importlib.import_module(module)
    for module in THIRD.split():
        with suppress(ImportError):
            importlib.import_module(module)
    for call in ("open", "stat", "lstat", "replace", "rename", "unlink", "remove", "link", "mkdir", "scandir", "read"):
        setattr(_real, call, getattr(os, call))
    _real.builtin_open = builtins.open
    tempfile._os = types.SimpleNamespace(**vars(os))  # type: ignore[attr-defined]  # files that go when they are closed
    {"windows": _windows, "macos": _macos}[name]()
    for module, names in NO_NAMES[name].items():
        for gone in names.split():
            with suppress(AttributeError):
                delattr(importlib.import_module(module), gone)
    for gone in NO_MODULES[name]:
        sys.modules[gone] = None  # type: ignore[assignment]  # whoever imports it gets an ImportError


# --- both: names that differ in case or form are the same ------------------------------------------------------------


def _alike(name: str) -> str:
    """learn.microsoft.com/windows/win32/fileio/naming-a-file: "Do not assume case sensitivity"; Apple File System
    Guide: APFS is "case-insensitive and normalization-insensitive" unless formatted otherwise."""
    return unicodedata.normalize("NFC", name).casefold()


def _there(path: Any) -> Any:
    """The path of a file that is there under a name that differs in case or form; else the path."""
    if not isinstance(path, str | os.PathLike) or not isinstance(text := os.fspath(path), str):
        return path
    try:
        _real.lstat(text)
    except FileNotFoundError:
        folder, name = os.path.split(text)
        if name and name.isprintable():
            with suppress(OSError), _real.scandir(folder or ".") as listing:
                for entry in listing:
                    if _alike(entry.name) == _alike(name):
                        return os.path.join(folder, entry.name)
    except (OSError, ValueError):
        pass
    return path


def _fold(also: Callable[..., None] | None = None, *, refuses_dir_fd: bool = False) -> None:
    for call in ("stat", "lstat", "open", "unlink", "remove", "mkdir"):
        real = getattr(_real, call)

        def wrapped(path: Any, *words: Any, real: Any = real, call: str = call, **options: Any) -> Any:
            if refuses_dir_fd and options.get("dir_fd") is not None:
                # docs.python.org/3/library/os.html, os.supports_dir_fd: "always raises NotImplementedError" on Windows.
                raise NotImplementedError("dir_fd unavailable on this platform")
            path = _there(path)
            if also is not None:
                also(call, path, words)
            return real(path, *words, **options)

        setattr(os, call, wraps(real)(wrapped))

    def opened(file: Any, *words: Any, **options: Any) -> Any:
        file = _there(file)
        mode = words[0] if words else options.get("mode", "r")
        if also is not None and "opener" not in options:
            also("open", file, (os.O_CREAT if set(mode) & set("wax") else 0,))
        return _real.builtin_open(file, *words, **options)

    builtins.open = opened
    io.open = opened


# --- Windows ---------------------------------------------------------------------------------------------------------


def _windows() -> None:
    import selectors
    import shutil
    import socket
    import subprocess

    sys.platform = "win32"
    os.environ.setdefault("USERNAME", "tester")  # learn.microsoft.com: Windows sets it for each user that logs on
    io._WindowsConsoleIO = type("_WindowsConsoleIO", (), {})  # type: ignore[attr-defined]  # pytest looks for it
    os.O_BINARY, os.O_NOINHERIT = 0, os.O_CLOEXEC  # type: ignore[attr-defined]
    for flag in ("CREATE_NEW_PROCESS_GROUP", "CREATE_NO_WINDOW", "DETACHED_PROCESS"):
        setattr(subprocess, flag, 0)
    import signal

    signal.SIGBREAK = 21  # type: ignore[attr-defined]
    shutil._USE_CP_SENDFILE = False  # type: ignore[attr-defined]
    shutil._use_fd_functions = False  # type: ignore[attr-defined]
    looking: Any = shutil
    looking.sys = types.SimpleNamespace(**{**vars(sys), "platform": "linux"})  # `which`: no program here ends in .exe
    sys.modules["msvcrt"] = _msvcrt()
    _fold(_refused, refuses_dir_fd=True)
    for call in ("replace", "rename"):
        setattr(os, call, _moving(getattr(_real, call), may_replace=call == "replace"))
    plain: Any = os
    plain.link, plain.symlink, plain.scandir = _linking, _unprivileged, _Listing
    os.read = _reading
    socket.socketpair = _socketpair
    choosing: Any = selectors
    choosing.DefaultSelector = selectors.SelectSelector
    import select

    select.select = _sockets_only(select.select)
    selectors.SelectSelector._select = staticmethod(select.select)  # type: ignore[attr-defined]


def _refused(call: str, path: Any, words: tuple[Any, ...]) -> None:
    """What cannot be opened, made or deleted."""
    if not isinstance(path, str | os.PathLike):
        return
    text = os.fspath(path)
    name = os.path.basename(os.fsdecode(text))
    makes = call == "mkdir" or (call == "open" and words and words[0] & os.O_CREAT)
    if makes and (_FORBIDDEN & set(name) or name[-1:] in (".", " ")):
        # naming-a-file: "The following reserved characters"; "Do not end a file or directory name with a space or a
        # period"
        raise OSError(errno.EINVAL, "The filename, directory name, or volume label syntax is incorrect", text)
    if makes and name.partition(".")[0].lower() in _RESERVED:
        raise OSError(*_DENIED, text)
    if call == "open" and os.path.isdir(text):
        # learn.microsoft.com/cpp/c-runtime-library/reference/open-wopen: EACCES "the given path is a directory"
        raise OSError(*_DENIED, text)
    if call in ("unlink", "remove"):
        # docs.python.org/3/library/os.html#os.remove: "attempting to remove a file that is in use causes an exception"
        if _is_used(text):
            raise OSError(*_DENIED, text)
        # learn.microsoft.com/windows/win32/api/fileapi/nf-fileapi-deletefilew: "read-only … ERROR_ACCESS_DENIED"
        with suppress(FileNotFoundError):
            found = _real.lstat(text)
            if stat.S_ISREG(found.st_mode) and not found.st_mode & stat.S_IWRITE:
                raise OSError(*_DENIED, text)


def _is_used(path: str) -> bool:
    """Whether this process has a file open or mapped, or one below a folder.

    nf-fileapi-createfilew: without FILE_SHARE_DELETE, which C's `open` does not give, no other may delete or rename it;
    nf-memoryapi-createfilemapping: a mapped file cannot be deleted before all views are unmapped.
    """
    try:
        wanted = _real.lstat(path)
    except OSError:
        return False
    full = os.path.realpath(path)
    is_folder = stat.S_ISDIR(wanted.st_mode)
    for number in os.listdir("/proc/self/fd"):
        with suppress(OSError):
            found = os.fstat(int(number))
            target = os.readlink(f"/proc/self/fd/{number}")
            if (found.st_dev, found.st_ino) == (wanted.st_dev, wanted.st_ino) and not is_folder:
                return True
            if is_folder and stat.S_ISREG(found.st_mode) and target.startswith(f"{full}/"):
                return True
    with _real.builtin_open("/proc/self/maps") as maps:
        for line in maps:
            mapped = line.rstrip("\n").split(maxsplit=5)[5:]
            if mapped and (mapped[0] == full or (is_folder and mapped[0].startswith(f"{full}/"))):
                return True
    return False


def _moving(real: Any, *, may_replace: bool) -> Any:
    """docs.python.org/3/library/os.html#os.rename: "On Windows, if dst exists a FileExistsError is always raised";
    nf-winbase-movefileexw: a folder is not replaced, and no file that is open."""

    def move(source: Any, target: Any) -> None:
        source, target = os.fspath(source), os.fspath(target)
        if os.path.lexists(target) and not may_replace:
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), target)
        _refused("mkdir", target, ())
        if _is_used(source) or _is_used(target) or os.path.isdir(target):
            raise OSError(*_DENIED, target)
        with suppress(FileNotFoundError):
            if stat.S_ISREG((found := _real.lstat(target)).st_mode) and not found.st_mode & stat.S_IWRITE:
                raise OSError(*_DENIED, target)
        real(source, target)

    return move


def _linking(source: Any, target: Any, *, follow_symlinks: bool = True, **options: Any) -> None:
    """docs.python.org/3/library/os.html#os.supports_follow_symlinks: not `link` on Windows."""
    if not follow_symlinks:
        raise NotImplementedError("link: follow_symlinks unavailable on this platform")
    _real.link(source, target)


def _unprivileged(source: Any, target: Any, *words: Any, **options: Any) -> None:
    """docs.python.org/3/library/os.html#os.symlink: "On newer versions of Windows 10, unprivileged accounts can create
    symlinks if Developer Mode is enabled"."""
    raise OSError(errno.EPERM, "A required privilege is not held by the client", target)


_TIMES = [f"st_{which}time{unit}" for which in "amc" for unit in ("", "_ns")]


class _Entry:
    """docs.python.org/3/library/os.html#os.DirEntry.stat: "On Windows, the st_ino, st_dev and st_nlink attributes of
    the stat_result are always set to zero"."""

    def __init__(self, real: os.DirEntry[str]) -> None:
        self._real, self.name, self.path = real, real.name, real.path
        self.is_dir, self.is_file, self.is_symlink = real.is_dir, real.is_file, real.is_symlink

    def __fspath__(self) -> str:
        return self.path

    def inode(self) -> int:
        return self._real.inode()

    def stat(self, *, follow_symlinks: bool = True) -> os.stat_result:
        found = self._real.stat(follow_symlinks=follow_symlinks)
        mode, *rest = found
        numbers = [mode, 0, 0, 0, *rest[3:]]
        return os.stat_result(numbers, {name: getattr(found, name) for name in _TIMES})


class _Listing:
    def __init__(self, path: Any = ".") -> None:
        if isinstance(path, int):
            raise NotImplementedError("scandir: path should be string, bytes or os.PathLike, not int")
        self._real = _real.scandir(path)

    def __enter__(self) -> _Listing:
        return self

    def __exit__(self, *trace: object) -> None:
        self.close()

    def __iter__(self) -> Iterator[_Entry]:
        return self

    def __next__(self) -> _Entry:
        return _Entry(next(self._real))

    def close(self) -> None:
        self._real.close()


_locked: dict[tuple[int, int], int] = {}


def _msvcrt() -> types.ModuleType:
    """docs.python.org/3/library/msvcrt.html: `locking`, "based on file descriptor"; `LK_NBLCK`: "If the bytes cannot be
    locked, OSError is raised". learn.microsoft.com …/locking: "EACCES: Locking violation"; such locks bind all."""
    import fcntl

    module = types.ModuleType("msvcrt")
    unlock, lock, try_lock = 0, 1, 2

    def locking(descriptor: int, mode: int, count: int) -> None:
        found = os.fstat(descriptor)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB if mode else fcntl.LOCK_UN)
        except BlockingIOError:
            raise OSError(*_DENIED) from None
        _locked[found.st_dev, found.st_ino] = descriptor

    module.locking, module.LK_UNLCK, module.LK_LOCK, module.LK_NBLCK = locking, unlock, lock, try_lock  # type: ignore[attr-defined]
    return module


def _reading(descriptor: int, count: int) -> bytes:
    if _locked and _is_locked(descriptor):
        raise OSError(*_DENIED)
    data: bytes = _real.read(descriptor, count)
    return data


def _is_locked(descriptor: int) -> bool:
    """Whether another descriptor, which is still open, has a lock on this file."""
    try:
        found = os.fstat(descriptor)
        holder = _locked.get((found.st_dev, found.st_ino), descriptor)
        return holder != descriptor and os.path.samestat(os.fstat(holder), found)
    except OSError:
        return False


def _sockets_only(real: Any) -> Any:
    """docs.python.org/3/library/select.html: "File objects on Windows are not acceptable, but sockets are"."""

    def chosen(reading: Any, writing: Any, failing: Any, *timeout: Any) -> Any:
        for each in (*reading, *writing, *failing):
            number = each if isinstance(each, int) else each.fileno()
            if not stat.S_ISSOCK(os.fstat(number).st_mode):
                raise OSError(10038, "An operation was attempted on something that is not a socket")
        return real(reading, writing, failing, *timeout)

    return chosen


def _socketpair(*words: Any, **options: Any) -> Any:
    """As `socket.py` itself does it where the system has none: over the loopback address."""
    import socket

    with socket.create_server(("127.0.0.1", 0), backlog=1) as server:
        near = socket.create_connection(server.getsockname())
        far, _ = server.accept()
    return near, far


# --- macOS -----------------------------------------------------------------------------------------------------------


def _macos() -> None:
    import fcntl
    import resource

    sys.platform = "darwin"
    _fold(_no_proc)
    fcntl.F_FULLFSYNC = 51  # type: ignore[attr-defined]
    control, set_limit = fcntl.fcntl, resource.setrlimit

    def controlled(descriptor: int, command: int, *words: Any) -> Any:
        """developer.apple.com, fsync(2): "F_FULLFSYNC … asks the drive to flush all buffered data"."""
        return os.fsync(descriptor) if command == 51 else control(descriptor, command, *words)

    def limited(kind: int, values: tuple[int, int]) -> None:
        """Not proven on a real macOS: `setrlimit(RLIMIT_AS)` refused with EINVAL, the stricter of its behaviours."""
        if kind == resource.RLIMIT_AS:
            raise ValueError("current limit exceeds maximum limit")
        set_limit(kind, values)

    both: tuple[Any, Any] = fcntl, resource
    both[0].fcntl, both[1].setrlimit = controlled, limited


def _no_proc(call: str, path: Any, words: tuple[Any, ...]) -> None:
    """There is no file system of processes."""
    if isinstance(path, str | os.PathLike) and os.fsdecode(path).startswith("/proc/"):
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), path)
