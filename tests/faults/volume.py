"""A file system of our own on a loop device, whose power can be cut at any moment."""

from __future__ import annotations

import fcntl
import os
import shutil
import struct
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

_SHUTDOWN = 0x8004587D  # FS_IOC_SHUTDOWN of ext4
_FLUSH_JOURNAL, _LOSE_JOURNAL = 1, 2
# Nothing reaches the disk by itself: no commit every 5 s, no early allocation that hides a missing fsync.
_OPTIONS = "loop,noauto_da_alloc,commit=600"
MEGABYTES = 24


def missing() -> str | None:
    """Why power cannot be cut here; None where it can."""
    if sys.platform != "linux" or os.geteuid() != 0:
        return "needs Linux and root, to mount a file system of its own"
    for tool in ("strace", "mkfs.ext4", "mount", "umount"):
        if _found(tool) is None:
            return f"needs {tool}"
    try:
        with volume():
            return None
    except (OSError, subprocess.SubprocessError) as error:
        return f"no loop device can be mounted here ({error})"


def _found(tool: str) -> str | None:
    return shutil.which(tool, path=f"{os.environ.get('PATH', '')}:/usr/sbin:/sbin")


def _run(*words: str) -> None:
    command = [_found(words[0]) or words[0], *words[1:]]
    subprocess.run(command, check=True, capture_output=True, timeout=60)


def workplace() -> Path:
    """A fresh folder, in memory where there is such a place: a thousand faults should not wear out a disk."""
    memory = Path("/dev/shm")
    return Path(tempfile.mkdtemp(prefix="biblicus-faults-", dir=memory if memory.is_dir() else None))


class Volume:
    """An ext4 file system in `image`, mounted at `root` while in use."""

    def __init__(self, folder: Path) -> None:
        self.image, self.root = folder / "image", folder / "disk"
        self.root.mkdir()

    def format(self) -> None:
        with self.image.open("wb") as image:
            image.truncate(MEGABYTES << 20)
        _run("mkfs.ext4", "-q", "-F", "-O", "^metadata_csum,^64bit", "-N", "2048", str(self.image))

    def mount(self, *options: str) -> None:
        _run("mount", "-o", ",".join([_OPTIONS, *options]), str(self.image), str(self.root))

    def unmount(self) -> None:
        _run("umount", str(self.root))

    def cut(self, *, journal: str) -> None:
        """Cut the power, and start again. `journal`: what had not reached the disk yet is "lost", or just "flushed"."""
        descriptor = os.open(self.root, os.O_RDONLY)
        try:
            how = {"lost": _LOSE_JOURNAL, "flushed": _FLUSH_JOURNAL}[journal]
            fcntl.ioctl(descriptor, _SHUTDOWN, struct.pack("I", how))
        finally:
            os.close(descriptor)
        self.unmount()
        self.mount()


@contextmanager
def volume(image: Path | None = None) -> Iterator[Volume]:
    """A mounted volume: a fresh one, or a copy of `image`."""
    folder = workplace()
    made = Volume(folder)
    try:
        if image is None:
            made.format()
        else:
            shutil.copyfile(image, made.image)
        made.mount()
        yield made
    finally:
        with suppress(subprocess.SubprocessError):
            made.unmount()
        shutil.rmtree(folder, ignore_errors=True)
