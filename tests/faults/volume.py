"""A file system of our own on a loop device, whose power can be cut at any moment."""

import ctypes
import fcntl
import os
import shutil
import struct
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_NEW_MOUNTS = 0x20000  # CLONE_NEWNS
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
        private_mounts()
        with volume():
            return None
    except (OSError, subprocess.SubprocessError) as error:
        return f"no loop device can be mounted here ({error})"


def _found(tool: str) -> str | None:
    return shutil.which(tool, path=f"{os.environ.get('PATH', '')}:/usr/sbin:/sbin")


def _run(*words: str) -> None:
    command = [_found(words[0]) or words[0], *words[1:]]
    subprocess.run(command, check=True, capture_output=True, timeout=60)


def workplaces() -> Path:
    """In memory where there is such a place: a thousand faults should not wear out a disk."""
    memory = Path("/dev/shm")
    return memory if memory.is_dir() else Path(tempfile.gettempdir())


def workplace() -> Path:
    """A fresh folder."""
    return Path(tempfile.mkdtemp(prefix="biblicus-faults-", dir=workplaces()))


def private_mounts() -> None:
    """From now on this process's mounts are its own: all can mount at the same place, and none outlives it."""
    if ctypes.CDLL(None, use_errno=True).unshare(_NEW_MOUNTS) != 0:
        raise OSError(ctypes.get_errno(), "mounts cannot be made private")
    _run("mount", "--make-rprivate", "/")


def _disk() -> Path:
    """Where every volume is mounted: always the same place, because where a file lay is part of an import's source."""
    place = workplaces() / "biblicus-faults-disk"
    place.mkdir(exist_ok=True)
    return place


class Volume:
    """An ext4 file system in `image`, in a `folder` of its own, mounted at `root` while in use."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.image, self.root = folder, folder / "image", _disk()

    def format(self) -> None:
        with self.image.open("wb") as image:
            image.truncate(MEGABYTES << 20)
        _run("mkfs.ext4", "-q", "-F", "-O", "^metadata_csum,^64bit", "-N", "2048", str(self.image))

    def mount(self, *options: str) -> None:
        _run("mount", "-o", ",".join([_OPTIONS, *options]), str(self.image), str(self.root))

    def unmount(self) -> None:
        """Unmount; a worker of a command that was killed may keep the volume busy until it has noticed."""
        until = time.monotonic() + 20
        while True:
            try:
                _run("umount", str(self.root))
                return
            except subprocess.CalledProcessError:
                if time.monotonic() > until:
                    raise
                time.sleep(0.02)

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
        if os.path.ismount(made.root):
            made.unmount()
        shutil.rmtree(folder, ignore_errors=True)
