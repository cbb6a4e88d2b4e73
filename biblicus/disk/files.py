"""Files that survive: guarded reads, atomic durable writes, streamed hashes, and the writers' lock.

Write order (promise 2): temporary file in the same folder (`O_EXCL`, mode kept) → write → fsync → rename → fsync of
the folder. A failed fsync is fatal for that file: no retry, the temporary file is discarded, the old state stands.
"""

from __future__ import annotations

import errno
import fcntl
import hashlib
import os
import stat
import time
from collections.abc import Callable, Container, Iterable, Iterator
from contextlib import contextmanager, suppress
from operator import attrgetter
from pathlib import Path
from typing import NamedTuple

from biblicus.contracts import Call
from biblicus.disk import changes
from biblicus.disk.changes import TEMPORARY as TEMPORARY
from biblicus.errors import LockTimeout, StorageFailed, UnsafeInput

_READ = os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK
_BLOCK = 1 << 20
_NOT_DURABLE = "could not be made durable"

SMALL = 1 << 20
"""Limit in bytes of a file that a person writes: a configuration, a recipe, a sidecar."""
LARGE = 1 << 30
"""Limit in bytes of a file that Biblicus writes: a catalog, a cache."""
_MANY = 256

_FULL_SYNC: int | None = getattr(fcntl, "F_FULLFSYNC", None)
_NO_FULL_SYNC = (errno.ENOTSUP, errno.ENOTTY, errno.EINVAL)
"""Error numbers of file systems that cannot do it, such as those of a network."""

_NUMBERS = attrgetter("st_size", "st_mtime_ns", "st_ctime_ns", "st_ino")
"""Of a stamp, in its order."""

Part = bytes | memoryview
"""Of what is written."""


def describe(error: OSError) -> str:
    """The system's own words for an error, without the path."""
    return (error.strerror or str(error)).lower()


class Stamp(NamedTuple):
    """What the system says of a file; equal stamps mean equal bytes, unless the file was changed while it was read."""

    size: int
    mtime_ns: int
    ctime_ns: int
    inode: int

    def __str__(self) -> str:
        return f"{self.size}:{self.mtime_ns}:{self.ctime_ns}:{self.inode}"


def stamp_of(found: os.stat_result) -> Stamp:
    return Stamp(found.st_size, found.st_mtime_ns, found.st_ctime_ns, found.st_ino)


def stamps_in(folder: int, names: Iterable[str]) -> list[int]:
    """The stamps of files in a folder that is open, as numbers one after the other: thousands are compared as fast as
    the system tells them. Raises `OSError` where one is gone."""
    lstat = os.lstat
    return [number for name in names for number in _NUMBERS(lstat(name, dir_fd=folder))]


def stamp(path: str | Path, *, follow: bool = True) -> Stamp | None:
    """The stamp of a file, or None where there is none. `follow`: of what a link leads to."""
    try:
        return stamp_of(os.stat(path, follow_symlinks=follow))
    except OSError:
        return None


@contextmanager
def opened(path: str | Path) -> Iterator[int]:
    """A descriptor of a regular file, opened without following a link or hanging on a FIFO."""
    descriptor, _ = _open(path)
    try:
        yield descriptor
    finally:
        os.close(descriptor)


def _open(path: str | Path) -> tuple[int, int]:
    """The same, for whoever closes it, and how many bytes the file has."""
    try:
        descriptor = os.open(path, _READ)
    except OSError as error:
        if error.errno in (errno.ELOOP, errno.ENXIO):
            raise UnsafeInput(f"{path} is not a regular file.") from error
        raise
    status = os.fstat(descriptor)
    if not stat.S_ISREG(status.st_mode):
        os.close(descriptor)
        raise UnsafeInput(f"{path} is not a regular file.")
    return descriptor, status.st_size


def read(path: str | Path, *, limit: int | None = None) -> bytes:
    """The bytes of a regular file. One of more than `limit` bytes is refused unread: `UnsafeInput`.

    Whatever a clone may bring has a limit: a sparse file of 100 GiB costs its maker nothing.
    """
    descriptor, size = _open(path)
    try:
        if limit is not None and size > limit:
            raise UnsafeInput(f"{path} is larger than {limit:,} bytes.")
        data = os.read(descriptor, size + 1)
        if len(data) == size:
            return data
        parts = [data]
        while block := os.read(descriptor, _BLOCK):
            parts.append(block)
        return b"".join(parts)
    finally:
        os.close(descriptor)


def blocks(path: str | Path) -> Iterator[bytes]:
    """The bytes of a regular file, a block at a time."""
    with opened(path) as descriptor:
        while block := os.read(descriptor, _BLOCK):
            yield block


def sha256(path: str | Path) -> str:
    """The digest of a regular file, read as a stream."""
    digest = hashlib.sha256()
    for block in blocks(path):
        digest.update(block)
    return digest.hexdigest()


def sync(descriptor: int, full: int | None = _FULL_SYNC, control: Callable[[int, int], object] = fcntl.fcntl) -> None:
    """Make a file or folder durable. Raises `OSError`. `full`: the command of `control` that flushes the drive's own
    cache too, where the system has one: on macOS `fsync` does not."""
    if full is not None:
        try:
            control(descriptor, full)
            return
        except OSError as error:
            if error.errno not in _NO_FULL_SYNC:
                raise
    os.fsync(descriptor)


def sync_folder(folder: str | Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        sync(descriptor)
    finally:
        os.close(descriptor)


def sync_tree(folder: Path, durable: Container[Path] = frozenset()) -> None:
    """Make every file under `folder`, and the folders, durable; `durable`: those that are already. Raises
    `StorageFailed`."""
    try:
        for parent, _, names in os.walk(folder):
            paths = [path for path in (Path(parent, name) for name in names) if path not in durable]
            if len(paths) < _MANY:
                for path in paths:
                    _sync_file(path)
            else:
                from concurrent.futures import ThreadPoolExecutor  # lazy: few folders have so many files

                with ThreadPoolExecutor(16) as pool:  # waiting at the same time, they share the journal's commits
                    for _ in pool.map(_sync_file, paths):
                        pass
            sync_folder(parent)
    except OSError as error:
        raise StorageFailed(str(folder), describe(error)) from error


def _sync_file(path: Path) -> None:
    """Its bytes and its size: what else the system keeps of it becomes durable with its folder."""
    with opened(path) as descriptor:
        (os.fdatasync if hasattr(os, "fdatasync") else sync)(descriptor)


def make_folder(folder: Path, mode: int = 0o777) -> None:
    """Create a folder and its missing parents, durably. `mode`: of those created, less the umask."""
    missing: list[Path] = []
    while not folder.is_dir():
        missing.append(folder)
        folder = folder.parent
    try:
        for path in reversed(missing):
            with suppress(FileExistsError):
                path.mkdir(mode)
                changes.note_folder(path)
            sync_folder(path.parent)
    except OSError as error:
        raise StorageFailed(str(missing[0]), describe(error), "could not be made") from error


def write(path: Path, data: bytes | Iterable[Part], *, replace: bool = True, mode: int | None = None) -> None:
    """Write a file atomically and durably, keeping the mode of the one it replaces (`mode`: of a new one).

    `data` may come in blocks, so that a large file need not be in memory at once.

    With `replace=False` an existing file is never touched: `FileExistsError`. A link, pipe or device is not replaced:
    `UnsafeInput`. Other failures of the system become `StorageFailed`, and the old state stands; only where the folder
    of a file that was replaced cannot be made durable, the new one does.
    """
    temporary = path.with_name(f"{TEMPORARY}{os.urandom(6).hex()}")
    old_mode, is_placed = None, False
    try:
        old_mode = _mode_of(path)
        _write_temporary(temporary, data, mode if old_mode is None else old_mode)
        if replace:
            os.replace(temporary, path)
        else:
            os.link(temporary, path)
        is_placed = True
        changes.note(path, was_there=old_mode is not None)
        if not replace:
            os.unlink(temporary)
        sync_folder(path.parent)
    except FileExistsError:
        _discard(temporary)
        raise
    except OSError as error:
        _discard(temporary)
        if is_placed and old_mode is None:
            _discard(path)
        what = _NOT_DURABLE if is_placed and os.path.lexists(path) else "could not be written"
        raise StorageFailed(str(path), describe(error), what) from error
    except BaseException:
        _discard(temporary)
        raise


def _discard(temporary: Path) -> None:
    with suppress(OSError):
        os.unlink(temporary)


def _mode_of(path: Path) -> int | None:
    """The permissions of a regular file; None where there is none yet."""
    try:
        mode = os.lstat(path).st_mode
    except FileNotFoundError:
        return None
    if not stat.S_ISREG(mode):
        raise UnsafeInput(f"{path} is not a regular file.")
    return stat.S_IMODE(mode)


def _write_temporary(temporary: Path, data: bytes | Iterable[Part], mode: int | None) -> None:
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC | os.O_NOFOLLOW, 0o666)
    try:
        if mode is not None:
            os.fchmod(descriptor, mode)
        for block in (data,) if isinstance(data, bytes) else data:
            view = memoryview(block)
            while view:
                view = view[os.write(descriptor, view) :]
        sync(descriptor)
    finally:
        os.close(descriptor)


def remove(path: Path, then: str = "") -> None:
    """Delete one file, durably. A file that is gone already is fine.

    `then`: what to type where it is deleted, that could not be made durable, and the same command would miss it.
    """
    what = "could not be deleted"
    try:
        with suppress(FileNotFoundError):
            os.unlink(path)
            changes.note(path, was_there=True)
        what = f"is deleted, which {_NOT_DURABLE}"
        sync_folder(path.parent)
    except OSError as error:
        if then and not os.path.lexists(path):
            changes.then(then)
        raise StorageFailed(str(path), describe(error), what) from error


def move(source: Path, target: Path) -> None:
    """Put a file, or a folder of new files, in another place; a file that was there is replaced. Raises `OSError`; to
    make it durable is the caller's."""
    was_there = os.path.lexists(target)
    members = [path.relative_to(source) for path in source.rglob("*") if path.is_file()] if source.is_dir() else []
    os.replace(source, target)
    for path in (source, target):
        for member in members or [Path()]:
            changes.note(path / member, was_there=path == source or was_there)


def unlink(path: Path) -> None:
    """Delete one file where it is there. Raises `OSError`; to make that durable is the caller's."""
    with suppress(FileNotFoundError):
        path.unlink()
        changes.note(path, was_there=True)


@contextmanager
def locked(path: Path, call: Call, timeout: float) -> Iterator[None]:
    """Hold the writers' lock: `flock` on a file that is never unlinked; the system frees it when a process dies."""
    try:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o666)
    except OSError as error:
        raise StorageFailed(str(path), describe(error)) from error
    try:
        _acquire(descriptor, call, timeout)
        yield
    finally:
        os.close(descriptor)


def _acquire(descriptor: int, call: Call, timeout: float) -> None:
    until = time.monotonic() + timeout
    while True:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return
        except BlockingIOError:
            call.check()
            if time.monotonic() > until:
                raise LockTimeout(timeout) from None
            time.sleep(0.02)


def head(descriptor: int, size: int) -> bytes:
    """The first bytes of an opened file."""
    return os.pread(descriptor, size, 0)
