"""Where entries of a shared cache lie: in a folder that a team mounts, or behind whatever fsspec reaches.

A place keeps bytes by relative names and believes none of them. What it raises says that it cannot be used at all;
an entry that cannot be read is as good as empty.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from biblicus.disk import files
from biblicus.errors import ExtraMissing, UnsafeInput

_EXTRAS = {"s3": "s3", "s3a": "s3", "webdav": "webdav", "dav": "webdav"}
_S3 = ("s3", "s3a")
_RETRIES = {"connect_timeout": 5, "read_timeout": 20, "retries": {"max_attempts": 2}}
_BOTOCORE = {"config_kwargs": {**_RETRIES, "max_pool_connections": 64}}
"""How botocore is told to give up, and to ask for many at once: its own defaults are minutes, and ten."""

_TIMES = ("LastModified", "modified", "mtime", "created", "updated")
"""What file systems call the time at which something was put there."""


class Kept(NamedTuple):
    """An entry as a place lists it: when it was put there (seconds, or what else ascends), its size and its name."""

    since: float
    size: int
    name: str


class Place(Protocol):
    """Entries by name: `a/b/c`."""

    def read(self, names: Sequence[str], limit: int) -> dict[str, bytes]:
        """Those that are there; at most a byte more than the limit of each."""

    def write(self, entries: Mapping[str, bytes]) -> None:
        """Put entries there, each as a whole."""

    def heads(self) -> list[str]:
        """What lies at the top."""

    def listed(self, head: str) -> list[Kept]:
        """Every entry below one of them."""

    def remove(self, names: Sequence[str]) -> None:
        """Delete entries."""


class Folder:
    """A folder, which must be there: where a team's disk is not mounted, none is made in its stead."""

    def __init__(self, root: Path) -> None:
        self._root = root

    def read(self, names: Sequence[str], limit: int) -> dict[str, bytes]:
        self._refuse_absent()
        there: dict[str, bytes] = {}
        for name in names:
            try:
                there[name] = files.read(self._root / name, limit=limit)
            except (FileNotFoundError, NotADirectoryError):
                continue
            except (PermissionError, UnsafeInput):  # another's mode, a link, or larger than any
                there[name] = b""
        return there

    def write(self, entries: Mapping[str, bytes]) -> None:
        self._refuse_absent()
        for name, body in entries.items():
            path = self._root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            for folder in (path.parent, *path.parent.parents):
                if folder == self._root:
                    break
                if folder.is_symlink():
                    raise NotADirectoryError(20, "a folder in it is a link")
            temporary = path.with_name(f"{files.TEMPORARY}{os.urandom(6).hex()}")
            try:
                temporary.write_bytes(body)
                os.replace(temporary, path)
            except BaseException:
                with suppress(OSError):
                    temporary.unlink()
                raise

    def heads(self) -> list[str]:
        return sorted(os.listdir(self._root))

    def listed(self, head: str) -> list[Kept]:
        return list(self._entries(head))

    def _entries(self, head: str) -> Iterator[Kept]:
        for parent, _, names in os.walk(self._root / head):
            for name in names:
                with suppress(OSError):
                    status = os.lstat(os.path.join(parent, name))
                    yield Kept(status.st_mtime, status.st_size, os.path.relpath(os.path.join(parent, name), self._root))

    def remove(self, names: Sequence[str]) -> None:
        for name in names:
            with suppress(FileNotFoundError):
                os.unlink(self._root / name)

    def _refuse_absent(self) -> None:
        if not self._root.is_dir():
            raise FileNotFoundError(2, "no such folder: it is not mounted, or yet to be made")


class Remote:
    """What fsspec reaches. Raises `ExtraMissing` where its library is not installed."""

    def __init__(self, by: str, path: str, options: Mapping[str, Any]) -> None:
        try:
            import fsspec

            own = {key: tuple(value) if isinstance(value, list) else value for key, value in options.items()}
            own = {**(_BOTOCORE if by in _S3 else {}), **own}
            self._system: Any = fsspec.filesystem(by, skip_instance_cache=True, use_listings_cache=False, **own)
        except ImportError as error:
            if by not in _EXTRAS:  # it says itself what is missing
                raise
            raise ExtraMissing(f"A shared cache by {by}", _EXTRAS[by]) from error
        self._top = path.strip("/")

    def read(self, names: Sequence[str], limit: int) -> dict[str, bytes]:
        wanted = {self._full(name): name for name in names}  # some file systems begin paths with a slash
        came: Mapping[str, Any] = self._system.cat(list(wanted), on_error="return", end=limit + 1)
        there: dict[str, bytes] = {}
        failed: list[Exception] = []
        for full, body in came.items():
            name = wanted[full.strip("/")]
            if isinstance(body, bytes):
                there[name] = body
            elif not isinstance(body, FileNotFoundError):
                there[name] = b""
                if getattr(body, "errno", None) != errno.EINVAL:  # as S3 says that there is no such range in nothing
                    failed.append(body)
        if failed and len(failed) == len(names):  # not an entry's own matter
            raise failed[0]
        return there

    def write(self, entries: Mapping[str, bytes]) -> None:
        self._system.pipe({self._full(name): body for name, body in entries.items()})

    def heads(self) -> list[str]:
        try:
            listing = self._system.ls(self._top, detail=False)
        except FileNotFoundError:  # a bucket has no folders before there is something in them
            return []
        return sorted(str(path).rstrip("/").rpartition("/")[2] for path in listing)

    def listed(self, head: str) -> list[Kept]:
        listing: Mapping[str, Mapping[str, Any]] = self._system.find(f"{self._top}/{head}", detail=True)
        return [
            Kept(_since(facts), int(facts.get("size") or 0), full.strip("/").removeprefix(f"{self._top}/"))
            for full, facts in listing.items()
            if facts.get("type") == "file"
        ]

    def remove(self, names: Sequence[str]) -> None:
        self._system.rm([self._full(name) for name in names])

    def _full(self, name: str) -> str:
        return f"{self._top}/{name}"


def _since(facts: Mapping[str, Any]) -> float:
    """When something was put there, by whatever a file system calls that."""
    when = next((facts[key] for key in _TIMES if facts.get(key)), 0)
    if hasattr(when, "timestamp"):
        return float(when.timestamp())
    return float(when) if isinstance(when, int | float) else 0.0


def cause_of(error: BaseException, secrets: Sequence[str]) -> str:
    """Why a place cannot be used, in one line, without what it is opened by."""
    words = files.describe(error) if isinstance(error, OSError) and error.strerror else " ".join(str(error).split())
    for secret in secrets:
        words = words.replace(secret, "…")
    return words[:200] or type(error).__name__
