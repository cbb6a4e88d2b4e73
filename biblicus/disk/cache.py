"""Sealed files that may be lost, kept within a bound of bytes: what was used longest ago goes first.

How much there is stands in the length of the file `total`: each block of 4 KiB that is written adds a byte to it, which
several writers can do without a lock. Only when it says that the bound is exceeded are the files themselves counted.
"""

from __future__ import annotations

import os
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

from biblicus.disk import seals
from biblicus.disk.seals import Shape

_BLOCK = 4_096
_ROOM = 0.1
"""Share of the bound that is freed at once, so that the next count is some way off."""
_IN_USE = 900.0
"""Seconds after its last use in which an entry stays, since a command that still runs may need it again."""


class BoundedCache:
    """Entries by kind and key under `folder`. Failing to keep one is no error: a cache is only there to save time."""

    def __init__(self, folder: Path, bound: int) -> None:
        self._folder, self._bound = folder, bound
        self._total = folder / "total"
        self._most = bound // _BLOCK
        """Blocks beyond which the files are counted; more than the bound where what is in use exceeds that."""

    def get(self, kind: str, key: str, shape: Shape) -> dict[str, Any] | None:
        """The object that was put; None where that is absent, torn, altered, another machine's, or of another shape."""
        path = self._path(kind, key)
        if (value := seals.read_object(path, shape)) is not None:
            with suppress(OSError):
                os.utime(path)
        return value

    def put(self, kind: str, key: str, body: bytes) -> None:
        """Keep a JSON object."""
        path = self._path(kind, key)
        with suppress(OSError):
            path.parent.mkdir(parents=True, exist_ok=True)
            if path.parent.is_symlink() or path.parent.parent.is_symlink():
                return
            seals.write_cache(path, body, self._folder)
            if self._added(_blocks(len(body))) > self._most:
                _, _, left = self._trimmed(int(self._bound * (1 - _ROOM)), time.time() - _IN_USE)
                self._most = max(self._bound, left + int(self._bound * _ROOM)) // _BLOCK

    def drop(self, kind: str, key: str) -> None:
        """Forget an entry."""
        with suppress(OSError):
            self._path(kind, key).unlink()

    def settle(self) -> None:
        """Keep to the bound, whatever was used last: no command is under way that could need it."""
        with suppress(OSError):
            if self._total.lstat().st_size > self._bound // _BLOCK:
                self._trimmed(int(self._bound * (1 - _ROOM)))

    def trim(self, limit: int) -> tuple[int, int]:
        """Delete what was used longest ago until at most `limit` bytes remain: (entries, bytes) deleted."""
        return self._trimmed(limit)[:2]

    def _path(self, kind: str, key: str) -> Path:
        return self._folder / kind / key[:2] / f"{key}.json"

    def _added(self, blocks: int) -> int:
        """Count blocks that were written; returns how many there are now."""
        flags = os.O_WRONLY | os.O_APPEND | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
        try:
            descriptor = os.open(self._total, flags)
        except FileNotFoundError:  # the first to count counts what is there, too
            descriptor = os.open(self._total, flags | os.O_CREAT, 0o600)
            blocks = sum(_blocks(size) for _, size, _ in self._entries())
        try:
            os.write(descriptor, b"." * blocks)
            return os.fstat(descriptor).st_size
        finally:
            os.close(descriptor)

    def _entries(self) -> list[tuple[int, int, Path]]:
        """Time of last use in ns, bytes and path of each."""
        entries = []
        for parent, _, names in os.walk(self._folder):
            for name in names:
                path = Path(parent, name)
                with suppress(OSError):
                    if path != self._total:
                        status = path.lstat()
                        entries.append((status.st_mtime_ns, status.st_size, path))
        return entries

    def _trimmed(self, limit: int, unused_since: float = float("inf")) -> tuple[int, int, int]:
        """Entries deleted, their bytes, and the bytes that are left."""
        entries = sorted(self._entries())
        left = sum(size for _, size, _ in entries)
        deleted = freed = 0
        for used, size, path in entries:
            if left <= limit or used >= unused_since * 1e9:
                break
            with suppress(OSError):
                path.unlink()
                deleted, freed, left = deleted + 1, freed + size, left - size
        with suppress(OSError):
            if not self._total.is_symlink():
                os.truncate(self._total, _blocks(left))
        return deleted, freed, left


def _blocks(size: int) -> int:
    return -(-size // _BLOCK)
