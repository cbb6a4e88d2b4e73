"""File operations of each operating system: all differences between Linux, macOS and Windows are in this module.

`guards.processes` does the same for processes, terminals and sockets. Each branch tests `sys.platform` directly, so
that a type checker checks the branches of each system. `docs/trust.md` lists the branches tested on the real system.
"""

from __future__ import annotations

import errno
import os
import stat
import sys
import time
from collections.abc import Iterable
from operator import attrgetter
from typing import NamedTuple

if sys.platform == "win32":
    import gc
    import msvcrt

    _SAFE = os.O_BINARY | os.O_NOINHERIT
    _NO_WAIT = 0
    _FULL_SYNC: int | None = None
else:
    import fcntl

    _SAFE = os.O_CLOEXEC | os.O_NOFOLLOW
    _NO_WAIT = os.O_NONBLOCK
    _FULL_SYNC = getattr(fcntl, "F_FULLFSYNC", None)

READ = os.O_RDONLY | _SAFE | _NO_WAIT
"""Flags of `open_file`: read a file; a FIFO is not waited for."""
WRITE = os.O_WRONLY | _SAFE
UPDATE = os.O_RDWR | _SAFE
"""Flags: read and write an existing file."""
CREATE = WRITE | os.O_CREAT | os.O_EXCL
"""Flags: write a new file."""
APPEND = os.O_RDWR | os.O_APPEND | _SAFE | _NO_WAIT
LOCK = UPDATE | os.O_CREAT
"""Flags: a lock file."""
MAKE = os.O_CREAT
"""Flag added to `APPEND`: create the file if missing."""

_NO_FULL_SYNC = (errno.ENOTSUP, errno.ENOTTY, errno.EINVAL)
"""Error numbers of file systems without full sync, such as network ones."""
_NUMBERS = attrgetter("st_size", "st_mtime_ns", "st_ctime_ns", "st_ino")
_IN_USE = 1.0
"""Seconds for which another process may keep a file open that is to be replaced (Windows)."""
_PAUSE = 0.02
_CLOUD_WINDOWS = 0x1000 | 0x40000 | 0x400000
"""File attributes of a file whose bytes are elsewhere: offline, recall on open, recall on data access."""
_CLOUD_MACOS = 0x40000000
"""Flag of a file without data (SF_DATALESS)."""
_LONGEST = 240
"""Maximum characters of a path for every Windows call; longer ones need a prefix."""
_DEVICES = frozenset(("con", "prn", "aux", "nul", "conin$", "conout$")) | {
    f"{kind}{n}" for kind in ("com", "lpt") for n in "123456789¹²³"
}
_NOT_IN_NAMES = frozenset('<>:"|?*\\')


# --- opening ---------------------------------------------------------------------------------------------------------


def open_file(path: str | os.PathLike[str], flags: int, mode: int = 0o666) -> int:
    """Open a file, not through a link, in no child process. Raises `OSError`, ELOOP for a link."""
    if sys.platform == "win32":  # no O_NOFOLLOW: a link that is swapped in between is noticed afterwards
        try:
            before = os.lstat(path)
        except FileNotFoundError:
            before = None
        if before is not None and not stat.S_ISREG(before.st_mode) and not stat.S_ISDIR(before.st_mode):
            raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), os.fspath(path))
        descriptor = os.open(path, flags, mode)
        if before is not None and not os.path.samestat(before, os.fstat(descriptor)):
            os.close(descriptor)
            raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), os.fspath(path))
        return descriptor
    return os.open(path, flags, mode)


def is_no_file(error: OSError) -> bool:
    """Return true if a file was not opened because it is a link, a pipe without a reader or a device."""
    return error.errno in (errno.ELOOP, errno.ENXIO)


def read_at(descriptor: int, size: int, offset: int) -> bytes:
    """Read up to `size` bytes from an offset."""
    if sys.platform == "win32":
        os.lseek(descriptor, offset, os.SEEK_SET)
        return os.read(descriptor, size)
    return os.pread(descriptor, size, offset)


def write_at(descriptor: int, data: bytes | memoryview, offset: int) -> int:
    """Write from an offset; return the number of bytes written."""
    if sys.platform == "win32":
        os.lseek(descriptor, offset, os.SEEK_SET)
        return os.write(descriptor, data)
    return os.pwrite(descriptor, data, offset)


def set_mode(descriptor: int, path: str | os.PathLike[str], mode: int) -> None:
    """Set the permissions of an open file. Windows only has the read-only flag."""
    if sys.platform == "win32":
        os.chmod(path, mode)
    else:
        os.fchmod(descriptor, mode)


def set_mode_of(path: str | os.PathLike[str], mode: int) -> None:
    """Set the permissions of a file or folder."""
    os.chmod(path, mode)


def owns(path: str | os.PathLike[str]) -> bool:
    """Return true if this user owns a file or folder and may write to it. Raises `OSError`."""
    status = os.stat(path)
    return _is_mine(status) and os.access(path, os.W_OK)


def _is_mine(status: os.stat_result) -> bool:
    return sys.platform == "win32" or status.st_uid == os.geteuid()  # on Windows the access list alone decides


def make_private(folder: str | os.PathLike[str]) -> bool:
    """Close a folder to other users; return false if it is not this user's, or no folder."""
    status = os.lstat(folder)
    if not stat.S_ISDIR(status.st_mode) or not _is_mine(status):
        return False
    if sys.platform != "win32" and status.st_mode & 0o077:
        os.chmod(folder, 0o700)
    return True


def is_open_to_others(status: os.stat_result) -> bool:
    """Return true if others may write to a file. On Windows its mode does not show this."""
    return sys.platform != "win32" and bool(status.st_mode & 0o022)


# --- durability ------------------------------------------------------------------------------------------------------


def sync(descriptor: int) -> None:
    """Make a file or folder durable, through the drive's own cache too: on macOS `fsync` does not. Raises `OSError`."""
    if sys.platform != "win32" and _FULL_SYNC is not None:
        try:
            fcntl.fcntl(descriptor, _FULL_SYNC)
            return
        except OSError as error:
            if error.errno not in _NO_FULL_SYNC:
                raise
    os.fsync(descriptor)  # on Windows this is FlushFileBuffers


def sync_data(descriptor: int) -> None:
    """Make a file's bytes and size durable; its other metadata becomes durable with its folder."""
    if sys.platform == "linux":
        os.fdatasync(descriptor)
    else:
        sync(descriptor)


def sync_folder(folder: str | os.PathLike[str]) -> None:
    """Make the names in a folder durable. On Windows only the file system's journal does this."""
    if sys.platform == "win32":
        return
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        sync(descriptor)
    finally:
        os.close(descriptor)


def lock(descriptor: int) -> bool:
    """Lock an open file for this process alone, without waiting; return false if another has it. The system frees it
    when the file is closed or the process dies."""
    try:
        if sys.platform == "win32":
            os.lseek(descriptor, 0, os.SEEK_SET)
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        else:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError):
        return False
    return True


# --- names in folders ------------------------------------------------------------------------------------------------


def replace(source: str | os.PathLike[str], target: str | os.PathLike[str]) -> None:
    """Give a file or folder another name, in place of a file of that name. Raises `OSError`.

    Windows refuses while a process has either of them open, and if the target is read-only: wait a little.
    """
    if sys.platform == "win32":
        until = time.monotonic() + _IN_USE
        while True:
            try:
                os.replace(source, target)
                return
            except PermissionError:
                gc.collect()  # closes files of readers that nobody uses any more
                _make_writable(target)
                if time.monotonic() > until:
                    raise
                time.sleep(_PAUSE)
    os.replace(source, target)


def unlink(path: str | os.PathLike[str]) -> None:
    """Delete one file. Raises `OSError`. On Windows an open or mapped file stays in its folder until it is closed."""
    if sys.platform == "win32":
        try:
            os.unlink(path)
        except PermissionError:
            _make_writable(path)
            os.unlink(path)
        return
    os.unlink(path)


def _make_writable(path: str | os.PathLike[str]) -> None:
    """Remove the read-only attribute of an existing file."""
    try:
        if not os.path.isdir(path) and not os.lstat(path).st_mode & stat.S_IWRITE:
            os.chmod(path, stat.S_IWRITE | stat.S_IREAD)
    except OSError:
        return


def link(source: str | os.PathLike[str], target: str | os.PathLike[str]) -> None:
    """Create a hard link. Raises `OSError`, also if the file system has none."""
    os.link(source, target, follow_symlinks=False) if sys.platform != "win32" else os.link(source, target)


def remove_tree(folder: str | os.PathLike[str], *, ignore_errors: bool = False) -> None:
    """Delete a folder and all in it. `ignore_errors`: leave what cannot be deleted."""
    import shutil  # lazy: a question removes nothing

    if sys.platform == "win32":  # git writes read-only files
        for parent, _, names in os.walk(folder):
            for name in names:
                _make_writable(os.path.join(parent, name))
    shutil.rmtree(folder, ignore_errors)


def extended(path: str) -> str:
    """Return a path in the form that Windows accepts at any length; unchanged on other systems."""
    if sys.platform == "win32" and len(path) > _LONGEST and not path.startswith("\\\\?\\"):
        full = os.path.abspath(path)
        return f"\\\\?\\UNC{full[1:]}" if full.startswith("\\\\") else f"\\\\?\\{full}"
    return path


def name_problem(name: str) -> str:
    """Return why Windows cannot have a file of this name, or the empty string."""
    if name.partition(".")[0].rstrip(" ").lower() in _DEVICES:
        return "it is a device's name on Windows"
    if name[-1:] in (".", " "):
        return "it ends with a dot or space, which Windows takes away"
    if bad := _NOT_IN_NAMES.intersection(name):
        return f"it has {min(bad)}, which no name on Windows has"
    return "it has a control character, which no name on Windows has" if any(char < " " for char in name) else ""


# --- what the system says of files -----------------------------------------------------------------------------------


class Stamp(NamedTuple):
    """Size, times and inode of a file. Equal stamps mean equal bytes, unless the file changed while it was read."""

    size: int
    mtime_ns: int
    ctime_ns: int
    inode: int

    def __str__(self) -> str:
        return f"{self.size}:{self.mtime_ns}:{self.ctime_ns}:{self.inode}"


def stamp_of(found: os.stat_result) -> Stamp:
    return Stamp(found.st_size, found.st_mtime_ns, found.st_ctime_ns, found.st_ino)


def status_of(entry: os.DirEntry[str]) -> os.stat_result:
    """Return the status of an entry of a folder, not of what a link leads to. The listing of Windows lacks the inode,
    and is late."""
    if sys.platform == "win32":
        return os.lstat(entry.path)
    return entry.stat(follow_symlinks=False)


def is_elsewhere(status: os.stat_result) -> bool:
    """Return true if a file's bytes are only in a cloud service: reading would download them."""
    if sys.platform == "win32":
        return bool(getattr(status, "st_file_attributes", 0) & _CLOUD_WINDOWS)
    if sys.platform == "darwin":
        return bool(getattr(status, "st_flags", 0) & _CLOUD_MACOS)
    return False


class Folder:
    """An open folder, for checking its files by name. `status`: its own. Raises `OSError`, for a link too."""

    def __init__(self, path: str) -> None:
        if sys.platform == "win32":
            self._path = path
            self.status = os.lstat(path)
            if not stat.S_ISDIR(self.status.st_mode):
                raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), path)
        else:
            flags = getattr(os, "O_PATH", 0) | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
            self._open = os.open(path, flags)
            self.status = os.fstat(self._open)

    def stat(self, name: str) -> os.stat_result:
        """Return the status of a file in it."""
        if sys.platform == "win32":
            return os.lstat(f"{self._path}/{name}")
        return os.lstat(name, dir_fd=self._open)

    def numbers(self, names: Iterable[str]) -> list[int]:
        """Return the numbers of the stamps of files in it, one after the other: thousands are compared as fast as the
        system gives them."""
        if sys.platform == "win32":
            return [number for name in names for number in _NUMBERS(os.lstat(f"{self._path}/{name}"))]
        lstat, folder = os.lstat, self._open
        return [number for name in names for number in _NUMBERS(lstat(name, dir_fd=folder))]

    def close(self) -> None:
        if sys.platform != "win32":
            os.close(self._open)


# --- the environment -------------------------------------------------------------------------------------------------


def variables(prefix: str) -> list[str]:
    """Return the names of environment variables with a prefix. The others are not decoded: every question asks."""
    if sys.platform == "win32":
        return [name for name in os.environ if name.startswith(prefix)]
    encoded = prefix.encode()
    return [os.fsdecode(name) for name in os.environb if name.startswith(encoded)]


def fill_streams() -> None:
    """Open the null device for standard streams closed by a shell (`>&-`): otherwise another file would get such a
    stream's number, or `sys.stdout` would be `None`."""
    while (number := os.open(os.devnull, os.O_RDWR)) < 3:
        os.set_inheritable(number, True)
    os.close(number)
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(number, "w" if number else "r", encoding="utf-8", closefd=False))  # noqa: SIM115 - it stays open


def drop_output() -> None:
    """Redirect standard output to the null device: its reader has left."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)


def claim_streams() -> list[int]:
    """Return private copies of the descriptors of standard input and output. From then on standard input is empty, and
    printed text goes to standard error."""
    copies = [os.dup(number) for number in (0, 1)]
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    return copies


def is_pipe(descriptor: int) -> bool:
    """Return true if an event loop can wait for a stream: a pipe or socket. On Windows it can wait for neither."""
    mode = os.fstat(descriptor).st_mode
    return sys.platform != "win32" and (stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode))


def give_streams_back(kept: Iterable[int]) -> None:
    """Undo `claim_streams`."""
    for number, descriptor in enumerate(kept):
        os.dup2(descriptor, number)
        os.close(descriptor)


def below(path: str | os.PathLike[str], folder: str | os.PathLike[str]) -> str:
    """Return a path relative to a folder, with slashes, as paths are stored; `.` for the folder itself."""
    way = os.path.relpath(path, folder)
    return way.replace("\\", "/") if sys.platform == "win32" else way
