"""A folder in the cloud or on a server as a source: S3 buckets, WebDAV and others supported by fsspec.

Its location and credentials are in the user's settings (`shares`); an entry names a share, and a path in it. Files with
the same etag or time and the same size are not fetched again."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from biblicus.contracts import Given
from biblicus.errors import ExtraMissing, IngestionError
from biblicus.models.sources.entries import ShareEntry as Options
from biblicus.models.sources.syncing import Document, Listed, Page, Share, State
from biblicus.sources.door import Sync, sync_of

_EXTRAS = {"s3": "s3", "s3a": "s3", "webdav": "webdav", "dav": "webdav"}
_VERSIONS = ("ETag", "etag", "md5", "LastModified", "modified", "last_modified", "mtime", "updated")
"""Fact names of file systems for a file's version; the first one available is used."""
_LONGEST = 200
"""Maximum characters of a cause."""


def build(options: Options, given: Given) -> SharedFolder:
    """Open the share. Raises `ExtraMissing`, `IngestionError`."""
    sync = sync_of(given)
    share = sync.reach.share
    if share is None:
        raise AssertionError("a share is looked up before it is synced")
    top = "/".join(part for part in (share.path.rstrip("/"), options.path) if part)
    return SharedFolder(sync, share, top, _opened(share))


@dataclass(frozen=True)
class SharedFolder:
    """A folder of a file system of fsspec. `top`: its path there."""

    sync: Sync
    share: Share
    top: str
    system: Any

    def list(self, since: State) -> Iterator[Page]:
        entries = []
        for path, (full, facts) in sorted(_listed(self.system, self.top, self.sync.url).items()):
            size = int(facts.get("size") or 0)
            entries.append(Listed(path, _version(facts, size), uri=_address(self.share, full), size=size))
        yield Page(entries, {"share": self.share.name}, complete=True)

    def fetch(self, entry: Listed) -> Document:
        limit = self.sync.reach.file_bytes
        full = f"{self.top}/{entry.id}" if self.top else entry.id
        try:
            with self.system.open(full, "rb") as stream:
                data = stream.read(limit + 1)[:limit]
        except Exception as error:  # each file system has errors of its own
            raise IngestionError(entry.uri or entry.id, _cause(error)) from error
        return Document(entry.id, data, entry.uri or "", f"sha256:{hashlib.sha256(data).hexdigest()}")


def _opened(share: Share) -> Any:
    """Open the file system. Raises `ExtraMissing`, `IngestionError`."""
    extra = _EXTRAS.get(share.by, "s3")
    try:
        import fsspec

        options = {key: tuple(value) if isinstance(value, list) else value for key, value in share.options.items()}
        return fsspec.filesystem(share.by, skip_instance_cache=True, **options)
    except ImportError as error:
        raise ExtraMissing(f"A share by {share.by}", extra) from error
    except Exception as error:  # an unknown protocol or option
        raise IngestionError(f"shares.{share.name}", _cause(error), "edit your own settings") from error


def _listed(system: Any, top: str, where: str) -> dict[str, tuple[str, Mapping[str, Any]]]:
    """Return each file's full path and facts, by its path in the source. Raises `IngestionError`."""
    try:
        listing = system.find(top, detail=True)
    except Exception as error:  # each file system has errors of its own
        raise IngestionError(where, f"it cannot be listed: {_cause(error)}") from error
    head = f"{top.lstrip('/')}/" if top else ""
    listed = {
        full.lstrip("/").removeprefix(head): (full, facts)
        for full, facts in listing.items()
        if full.lstrip("/").startswith(head) and facts.get("type") == "file"
    }
    listed.pop("", None)
    return listed


def _version(facts: Mapping[str, Any], size: int) -> str | None:
    """Return the version of a file, with its size; None if the file system has none."""
    mark = next((facts[key] for key in _VERSIONS if facts.get(key)), None)
    return None if mark is None else f"{str(mark).strip(chr(34))[:100]} {size}"


def _address(share: Share, path: str) -> str:
    """Return the address of a file."""
    base = str(share.options.get("base_url") or f"{share.by}:/")
    return f"{base.rstrip('/')}/{path.lstrip('/')}"


def _cause(error: Exception) -> str:
    words = " ".join(str(error).split())[:_LONGEST]
    return f"{type(error).__name__}: {words}" if words else type(error).__name__
