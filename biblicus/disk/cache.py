"""Cache of sealed files, bounded in bytes; the entries used longest ago are deleted first.

The length of the file `total` counts the cache's size: each block of 4 KiB written appends one byte to it.
Several writers can do this without a lock. The files are measured only when this count exceeds the bound."""

from __future__ import annotations

import os
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

from biblicus.disk import seals, system
from biblicus.disk.seals import Shape

_BLOCK = 4_096
_ROOM = 0.1
"""Share of the bound that one trim frees, so that the next trim is not due at once."""
_IN_USE = 900.0
"""Seconds since its last use during which an entry is kept, since a running command may need it again."""


class BoundedCache:
    """Cache entries by kind and key under `folder`. A failed write is no error: the entry is missing."""

    def __init__(self, folder: Path, bound: int) -> None:
        self._folder, self._bound = folder, bound
        self._total = folder / "total"
        self._most = bound // _BLOCK
        """Number of blocks above which the files are measured; above the bound while recently used entries exceed it.
        """

    def get(self, kind: str, key: str, shape: Shape) -> dict[str, Any] | None:
        """Return the cached object, or None if it is absent, torn, altered, of another shape or sealed by another
        machine."""
        path = self._path(kind, key)
        if (value := seals.read_object(path, shape)) is not None:
            with suppress(OSError):
                os.utime(path)
        return value

    def put(self, kind: str, key: str, body: bytes) -> None:
        """Store a JSON object."""
        path = self._path(kind, key)
        with suppress(OSError):
            path.parent.mkdir(parents=True, exist_ok=True)
            if path.parent.is_symlink() or path.parent.parent.is_symlink():
                return
            seals.write_cache(path, body, self._folder)
            if self._added(_blocks(len(body))) > self._most:
                _, _, left = self._trimmed(int(self._bound * (1 - _ROOM)), time.time() - _IN_USE)
                self._most = max(self._bound, left + int(self._bound * _ROOM)) // _BLOCK

    def settle(self) -> None:
        """Trim the cache to its bound, recently used entries included. Call it when no command is running."""
        with suppress(OSError):
            if self._total.lstat().st_size > self._bound // _BLOCK:
                self._trimmed(int(self._bound * (1 - _ROOM)))

    def trim(self, limit: int) -> tuple[int, int]:
        """Delete the entries used longest ago until at most `limit` bytes remain. Return (entries, bytes) deleted."""
        return self._trimmed(limit)[:2]

    def _path(self, kind: str, key: str) -> Path:
        return self._folder / kind / key[:2] / f"{key}.json"

    def _added(self, blocks: int) -> int:
        """Add newly written blocks to the count and return the new total."""
        try:
            descriptor = system.open_file(self._total, system.APPEND)
        except FileNotFoundError:  # the first to count counts what is there, too
            descriptor = system.open_file(self._total, system.APPEND | system.MAKE, 0o600)
            blocks = sum(_blocks(size) for _, size, _ in self._entries())
        try:
            os.write(descriptor, b"." * blocks)
            return os.fstat(descriptor).st_size
        finally:
            os.close(descriptor)

    def _entries(self) -> list[tuple[int, int, Path]]:
        """Return time of last use (ns), size in bytes and path of each entry."""
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
        """Delete the oldest entries and return (entries deleted, bytes deleted, bytes left)."""
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
