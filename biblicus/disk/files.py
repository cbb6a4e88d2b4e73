"""Guarded reads, atomic durable writes, streamed hashes, and the writers' lock.

Write order (promise 2): temporary file in the same folder (`O_EXCL`, mode kept), write, fsync, rename, fsync of
the folder. A failed fsync is fatal for that file: no retry; the temporary file is deleted and the old file remains."""

from __future__ import annotations

import hashlib
import os
import stat
import time
from collections.abc import Container, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from biblicus.contracts import Call
from biblicus.disk import changes, system
from biblicus.disk.changes import TEMPORARY as TEMPORARY
from biblicus.disk.system import Stamp as Stamp
from biblicus.disk.system import stamp_of as stamp_of
from biblicus.disk.system import sync as sync
from biblicus.disk.system import sync_folder as sync_folder
from biblicus.errors import LockTimeout, StorageFailed, UnsafeInput

_BLOCK = 1 << 20
_NOT_DURABLE = "could not be made durable"

SMALL = 1 << 20
"""Size limit in bytes of a file that a person writes: a configuration, a recipe, a sidecar."""
LARGE = 1 << 30
"""Size limit in bytes of a file that Biblicus writes: a catalog, a cache."""
_MANY = 256

Part = bytes | memoryview
"""A piece of the data to write."""


def describe(error: OSError) -> str:
    """Return the system's description of an error in lower case, without the path."""
    return (error.strerror or str(error)).lower()


def stamp(path: str | Path, *, follow: bool = True) -> Stamp | None:
    """Return the stamp of a file, or None if it does not exist. `follow`: follow a symbolic link."""
    try:
        return stamp_of(os.stat(path, follow_symlinks=follow))
    except OSError:
        return None


@contextmanager
def opened(path: str | Path) -> Iterator[int]:
    """Open a regular file for reading and yield its descriptor, without following a link or blocking on a FIFO."""
    descriptor, _ = _open(path)
    try:
        yield descriptor
    finally:
        os.close(descriptor)


def _open(path: str | Path) -> tuple[int, int]:
    """Open a regular file like `opened`; return its descriptor, which the caller closes, and its size in bytes."""
    try:
        descriptor = system.open_file(path, system.READ)
    except OSError as error:
        if system.is_no_file(error):
            raise UnsafeInput(f"{path} is not a regular file.") from error
        raise
    status = os.fstat(descriptor)
    if not stat.S_ISREG(status.st_mode):
        os.close(descriptor)
        raise UnsafeInput(f"{path} is not a regular file.")
    return descriptor, status.st_size


def read(path: str | Path, *, limit: int | None = None) -> bytes:
    """Return the bytes of a regular file. Raises `UnsafeInput` if it is larger than `limit` bytes, before reading.

    Every file that a clone may contain needs a limit: a sparse file of 100 GiB costs its author nothing."""
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
    """Yield the bytes of a regular file, one block at a time."""
    with opened(path) as descriptor:
        while block := os.read(descriptor, _BLOCK):
            yield block


def sha256(path: str | Path) -> str:
    """Return the SHA-256 digest of a regular file in hexadecimal, read as a stream."""
    digest = hashlib.sha256()
    for block in blocks(path):
        digest.update(block)
    return digest.hexdigest()


def sync_tree(folder: Path, durable: Container[Path] = frozenset()) -> None:
    """Flush every file and folder under `folder` to disk. `durable`: files to skip. Raises `StorageFailed`."""
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
    """Flush a file's bytes and size; other metadata becomes durable with the folder."""
    with opened(path) as descriptor:
        system.sync_data(descriptor)


def make_folder(folder: Path, mode: int = 0o777) -> None:
    """Create a folder and its missing parents, durably. `mode`: permissions of the created folders, less the umask."""
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
    """Write a file atomically and durably. It keeps the mode of the file it replaces; `mode` is for a new file.

    `data` may be an iterable of blocks, so that a large file need not fit in memory.

    With `replace=False` an existing file is never touched: `FileExistsError`. A link, pipe or device is never
    replaced: `UnsafeInput`. Other system failures raise `StorageFailed` and leave the old file. One exception: if
    the folder cannot be flushed after the rename, the new file remains."""
    temporary = path.with_name(f"{TEMPORARY}{os.urandom(6).hex()}")
    old_mode, is_placed = None, False
    try:
        old_mode = _mode_of(path)
        _write_temporary(temporary, data, mode if old_mode is None else old_mode)
        if replace:
            system.replace(temporary, path)
        else:
            system.link(temporary, path)
        is_placed = True
        changes.note(path, was_there=old_mode is not None)
        if not replace:
            system.unlink(temporary)
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
        system.unlink(temporary)


def _mode_of(path: Path) -> int | None:
    """Return the permissions of a regular file, or None if it does not exist."""
    try:
        mode = os.lstat(path).st_mode
    except FileNotFoundError:
        return None
    if not stat.S_ISREG(mode):
        raise UnsafeInput(f"{path} is not a regular file.")
    return stat.S_IMODE(mode)


def _write_temporary(temporary: Path, data: bytes | Iterable[Part], mode: int | None) -> None:
    descriptor = system.open_file(temporary, system.CREATE)
    try:
        if mode is not None:
            system.set_mode(descriptor, temporary, mode)
        for block in (data,) if isinstance(data, bytes) else data:
            view = memoryview(block)
            while view:
                view = view[os.write(descriptor, view) :]
        sync(descriptor)
    finally:
        os.close(descriptor)


def remove(path: Path, then: str = "") -> None:
    """Delete one file, durably. A missing file is no error.

    `then`: the command to suggest if the file is deleted but the deletion could not be made durable."""
    what = "could not be deleted"
    try:
        with suppress(FileNotFoundError):
            system.unlink(path)
            changes.note(path, was_there=True)
        what = f"is deleted, which {_NOT_DURABLE}"
        sync_folder(path.parent)
    except OSError as error:
        if then and not os.path.lexists(path):
            changes.then(then)
        raise StorageFailed(str(path), describe(error), what) from error


def move(source: Path, target: Path) -> None:
    """Move a file, or a folder of new files; an existing target file is replaced. Raises `OSError`.
    The caller makes it durable."""
    was_there = os.path.lexists(target)
    members = [path.relative_to(source) for path in source.rglob("*") if path.is_file()] if source.is_dir() else []
    system.replace(source, target)
    for path in (source, target):
        for member in members or [Path()]:
            changes.note(path / member, was_there=path == source or was_there)


def unlink(path: Path) -> None:
    """Delete one file if it exists. Raises `OSError`. The caller makes it durable."""
    with suppress(FileNotFoundError):
        system.unlink(path)
        changes.note(path, was_there=True)


@contextmanager
def locked(path: Path, call: Call, timeout: float) -> Iterator[None]:
    """Hold the writers' lock: `flock` on a file that is never unlinked; the system frees it when a process dies."""
    try:
        descriptor = system.open_file(path, system.LOCK)
    except OSError as error:
        raise StorageFailed(str(path), describe(error)) from error
    try:
        _acquire(descriptor, call, timeout)
        yield
    finally:
        os.close(descriptor)


def _acquire(descriptor: int, call: Call, timeout: float) -> None:
    until = time.monotonic() + timeout
    while not system.lock(descriptor):
        call.check()
        if time.monotonic() > until:
            raise LockTimeout(timeout)
        time.sleep(0.02)
