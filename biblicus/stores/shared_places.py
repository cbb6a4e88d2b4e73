"""Storage of a shared cache: a mounted folder, or any location that fsspec supports.

A place stores bytes by relative names and does not verify them. Its exceptions mean that it is unusable; an unreadable
entry counts as empty."""

from __future__ import annotations

import errno
import os
import re
import stat
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path, PurePosixPath
from typing import Any, NamedTuple, Protocol

from biblicus.disk import files, system
from biblicus.errors import ExtraMissing, UnsafeInput

_EXTRAS = {"s3": "s3", "s3a": "s3", "webdav": "webdav", "dav": "webdav"}
_S3 = ("s3", "s3a")
_RETRIES = {"connect_timeout": 5, "read_timeout": 20, "retries": {"max_attempts": 2}}
_BOTOCORE = {"config_kwargs": {**_RETRIES, "max_pool_connections": 64}}
"""Settings of botocore: short timeouts and many connections instead of minutes and ten."""

_ENTRY_NAME = re.compile(rf"[0-9a-f]{{16}}/[a-z]+/[0-9a-f]{{2}}/([0-9a-f]{{64}}|{re.escape(files.TEMPORARY)}[0-9a-f]+)")
"""Names of entries and of unfinished temporary files; nothing else is deleted."""
_TIMES = ("LastModified", "modified", "mtime", "created", "updated")
"""Keys that file systems use for the time of writing."""


class Kept(NamedTuple):
    """An entry in a listing: time of writing (seconds or another ascending value), size and name."""

    since: float
    size: int
    name: str


class Place(Protocol):
    """Entries by name: `a/b/c`."""

    def read(self, names: Sequence[str], limit: int) -> dict[str, bytes]:
        """Return existing entries; at most one byte more than the limit of each."""

    def write(self, entries: Mapping[str, bytes]) -> None:
        """Write entries, each atomically."""

    def heads(self) -> list[str]:
        """Return the names at the top level."""

    def listed(self, head: str) -> list[Kept]:
        """Return every entry below a top-level name, without other files or linked ones."""

    def remove(self, names: Sequence[str]) -> None:
        """Delete entries."""


class Folder:
    """A local folder, which must exist: if a team's disk is not mounted, no folder is created instead."""

    def __init__(self, root: Path) -> None:
        self._root = root

    def read(self, names: Sequence[str], limit: int) -> dict[str, bytes]:
        self._refuse_absent()
        there: dict[str, bytes] = {}
        for name in names:
            try:
                with files.opened(self._root / name) as descriptor:
                    there[name] = system.read_at(descriptor, limit + 1, 0)
            except (FileNotFoundError, NotADirectoryError):
                continue
            except (PermissionError, UnsafeInput):  # owned by another user, or a link
                there[name] = b""
        return there

    def write(self, entries: Mapping[str, bytes]) -> None:
        self._refuse_absent()
        mode = stat.S_IMODE(self._root.stat().st_mode)  # entries get the folder's permissions
        for name, body in entries.items():
            path = self._root / name
            self._make(name, mode)
            temporary = path.with_name(f"{files.TEMPORARY}{os.urandom(6).hex()}")
            try:
                temporary.write_bytes(body)
                with suppress(OSError):  # some network disks have no modes
                    temporary.chmod(mode & 0o666)
                system.replace(temporary, path)
            except BaseException:
                with suppress(OSError):
                    system.unlink(temporary)
                raise

    def _make(self, name: str, mode: int) -> None:
        """Create the folders of an entry with the top folder's mode; none may be a link."""
        for folder in reversed((self._root / name).relative_to(self._root).parents[:-1]):
            here = self._root / folder
            try:
                here.mkdir()
                with suppress(OSError):
                    here.chmod(mode)
            except FileExistsError:
                if here.is_symlink():
                    raise NotADirectoryError(errno.ENOTDIR, "a folder in it is a link") from None

    def heads(self) -> list[str]:
        return sorted(os.listdir(self._root))

    def listed(self, head: str) -> list[Kept]:
        return [] if (self._root / head).is_symlink() else list(self._entries(head))

    def _entries(self, head: str) -> Iterator[Kept]:
        for parent, _, names in os.walk(self._root / head):  # does not follow links
            for path in (os.path.join(parent, name) for name in names):
                if _ENTRY_NAME.fullmatch(name := system.below(path, self._root)):
                    with suppress(OSError):
                        status = os.lstat(path)
                        yield Kept(status.st_mtime, status.st_size, name)

    def remove(self, names: Sequence[str]) -> None:
        for name in names:
            with suppress(FileNotFoundError):
                system.unlink(self._root / name)

    def _refuse_absent(self) -> None:
        if not self._root.is_dir():
            raise FileNotFoundError(2, "no such folder: it is not mounted, or yet to be made")


class Remote:
    """A location accessed by fsspec. Raises `ExtraMissing` if its library is not installed."""

    def __init__(self, by: str, path: str, options: Mapping[str, Any]) -> None:
        try:
            import fsspec

            arguments = {key: tuple(value) if isinstance(value, list) else value for key, value in options.items()}
            arguments = {**(_BOTOCORE if by in _S3 else {}), **arguments}
            self._system: Any = fsspec.filesystem(by, skip_instance_cache=True, **arguments)
        except ImportError as error:
            if by not in _EXTRAS:  # fsspec itself names the missing library
                raise
            raise ExtraMissing(f"A shared cache by {by}", _EXTRAS[by]) from error
        self._has_folders = by not in _S3  # folders may have to be created
        self._top = path.rstrip("/") if self._has_folders else path.strip("/")

    def read(self, names: Sequence[str], limit: int) -> dict[str, bytes]:
        by_path = {self._full(name).strip("/"): name for name in names}  # some file systems begin paths with a slash
        paths = [self._full(name) for name in names]
        came: Mapping[str, Any] = self._system.cat(paths, on_error="return", end=limit + 1)
        there: dict[str, bytes] = {}
        failed: list[Exception] = []
        for full, body in came.items():
            name = by_path[full.strip("/")]
            if isinstance(body, bytes):
                there[name] = body
            elif not isinstance(body, FileNotFoundError):
                there[name] = b""
                if getattr(body, "errno", None) != errno.EINVAL:  # S3's error for a range of an empty object
                    failed.append(body)
        if failed and len(failed) == len(names):  # the whole place fails, not single entries
            raise failed[0]
        return there

    def write(self, entries: Mapping[str, bytes]) -> None:
        bodies = {self._full(name): body for name, body in entries.items()}
        try:
            self._system.pipe(bodies)
        except Exception:  # each file system raises its own errors
            if not self._has_folders:
                raise
            for folder in sorted({str(parent) for name in entries for parent in PurePosixPath(name).parents[:-1]}):
                with suppress(Exception):  # it exists: another writer was faster
                    self._system.mkdir(self._full(folder), create_parents=False)
            self._system.pipe(bodies)

    def heads(self) -> list[str]:
        self._system.invalidate_cache()
        try:
            listing = self._system.ls(self._top, detail=False)
        except FileNotFoundError:  # an empty bucket has no folders
            return []
        return sorted(str(path).rstrip("/").rpartition("/")[2] for path in listing)

    def listed(self, head: str) -> list[Kept]:
        listing: Mapping[str, Mapping[str, Any]] = self._system.find(self._full(head), detail=True)
        top = self._full("").strip("/") + "/"
        names = {full.strip("/").removeprefix(top): facts for full, facts in listing.items()}
        return [
            Kept(_since(facts), int(facts.get("size") or 0), name)
            for name, facts in names.items()
            if facts.get("type") == "file" and _ENTRY_NAME.fullmatch(name)
        ]

    def remove(self, names: Sequence[str]) -> None:
        self._system.rm([self._full(name) for name in names])

    def _full(self, name: str) -> str:
        return f"{self._top}/{name}"


def _since(facts: Mapping[str, Any]) -> float:
    """Return the time of writing, under whichever key the file system has it."""
    when = next((facts[key] for key in _TIMES if facts.get(key)), 0)
    if hasattr(when, "timestamp"):
        return float(when.timestamp())
    return float(when) if isinstance(when, int | float) else 0.0


def cause_of(error: BaseException, secrets: Sequence[str]) -> str:
    """Return why a place is unusable, in one line without secrets."""
    words = files.describe(error) if isinstance(error, OSError) and error.strerror else " ".join(str(error).split())
    for secret in secrets:
        words = words.replace(secret, "…")
    return words[:200] or type(error).__name__
