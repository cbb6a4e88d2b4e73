"""Watch folders for changes with inotify, polled without blocking.

The kernel queues an event before the system call that caused it returns, so a later poll always sees it. No thread
is needed. `Observer` raises `OSError` if inotify is missing or files may change without the kernel's notice
(network mounts)."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from pathlib import Path

_OWN_FILE_SYSTEMS = frozenset(("ext2", "ext3", "ext4", "xfs", "btrfs", "zfs", "f2fs", "tmpfs", "ramfs", "overlay"))
"""File systems that change only through this kernel."""
_MODIFY, _ATTRIB, _CLOSE_WRITE, _MOVED, _CREATE, _DELETE, _GONE = 0x2, 0x4, 0x8, 0xC0, 0x100, 0x200, 0xC00
_ONLY_FOLDERS, _NO_LINKS = 0x01000000, 0x02000000
_MASK = _MODIFY | _ATTRIB | _CLOSE_WRITE | _MOVED | _CREATE | _DELETE | _GONE | _ONLY_FOLDERS | _NO_LINKS
_BLOCK = 1 << 16


class Observer:
    """Watches folders below `root`, each without its subfolders. Raises `OSError` if that is impossible."""

    def __init__(self, root: Path) -> None:
        import ctypes  # lazy: a single query watches nothing

        if sys.platform != "linux" or not is_own(root):
            raise OSError(f"{root} may change without this kernel's knowing")
        libc = ctypes.CDLL(None, use_errno=True)
        if not hasattr(libc, "inotify_init1"):
            raise OSError("no inotify")
        self._errno, self._add = ctypes.get_errno, libc.inotify_add_watch
        self._root = root
        self._observed: set[int] = set()
        self._queue = libc.inotify_init1(os.O_NONBLOCK | os.O_CLOEXEC)
        if self._queue < 0:
            raise OSError(self._errno(), "inotify_init1")

    def observe(self, folders: Iterable[str]) -> bool:
        """Watch these folders, relative to the root. Return true if any was not watched before."""
        is_news = False
        for folder in folders:
            where = os.fsencode(os.path.join(self._root, folder))
            number = self._add(self._queue, where, _MASK)
            if number < 0 and os.path.isdir(where):
                raise OSError(self._errno(), "inotify_add_watch")  # more folders than the system allows
            is_news |= number not in self._observed
            self._observed.add(number)
        return is_news

    def heard(self) -> bool:
        """Return true if anything happened since the last call."""
        is_quiet = True
        while True:
            try:
                if not os.read(self._queue, _BLOCK):
                    return not is_quiet
            except BlockingIOError:
                return not is_quiet
            is_quiet = False

    def close(self) -> None:
        os.close(self._queue)


def is_own(root: Path, mounts: Path = Path("/proc/self/mounts")) -> bool:
    """Return true if every file system mounted at or below a folder changes only through this kernel."""
    kinds: dict[str, str] = {}
    for line in mounts.read_text("utf-8", "surrogateescape").splitlines():
        _, where, kind, *_ = line.split(" ")
        kinds[where.encode("latin-1", "surrogateescape").decode("unicode_escape")] = kind
    above = [kinds[str(folder)] for folder in (root, *root.parents) if str(folder) in kinds][:1]
    below = [kind for where, kind in kinds.items() if where.startswith(f"{root}/")]
    return bool(above) and {*above, *below} <= _OWN_FILE_SYSTEMS
