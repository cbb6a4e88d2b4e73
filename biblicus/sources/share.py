"""A folder in the cloud or on a server as a source: S3 buckets, WebDAV and others supported by fsspec.

Its location and credentials are in the user's settings (`shares`); an entry names a share, and a path in it. Files with
the same etag or time and the same size are not fetched again."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Generator, Mapping
from typing import Any

from biblicus.contracts import Call
from biblicus.errors import ExtraMissing, IngestionError
from biblicus.models.sources.entries import ShareEntry, where_of
from biblicus.models.sources.syncing import Change, Document, Known, Reach, Share, State
from biblicus.sources.trees import Names, unsafe, unwanted

_EXTRAS = {"s3": "s3", "s3a": "s3", "webdav": "webdav", "dav": "webdav"}
_VERSIONS = ("ETag", "etag", "md5", "LastModified", "modified", "last_modified", "mtime", "updated")
"""Fact names of file systems for a file's version; the first one available is used."""
_LONGEST = 200
"""Maximum characters of a cause."""


def sync(entry: ShareEntry, known: Known, reach: Reach, call: Call) -> Generator[Change, None, State]:
    """Yield the differences from the known state to the share (`models.sources.syncing`).

    Raises `IngestionError`, `ExtraMissing`."""
    where, share = where_of(entry), reach.share
    if share is None:
        raise AssertionError("a share is looked up before it is synced")
    until = time.monotonic() + reach.seconds
    top = "/".join(part for part in (share.path.rstrip("/"), entry.path) if part)
    system = _opened(share)
    listed = _listed(system, top, where)
    if len(listed) > reach.documents:
        raise IngestionError(where, f"it has more than {reach.documents:,} files", "include or exclude")
    names, here, total = Names(), set[str](), 0
    for path, (full, facts) in sorted(listed.items()):
        call.check()
        if time.monotonic() > until:
            raise IngestionError(where, f"it took longer than {reach.seconds:g} s (source_seconds)")
        size = int(facts.get("size") or 0)
        chosen = unwanted(path, entry.include, entry.exclude)
        reason = chosen if chosen is not None else _refused(path, size, reach.file_bytes, names)
        if reason is not None:
            if reason:  # files excluded by a glob are not reported
                yield Change("skipped", path, reason=reason)
            continue
        here.add(path)
        version, row = _version(facts, size), known.rows.get(path)
        if row and version and row.version == version and not row.gone and path not in known.absent:
            continue
        total += size
        if total > reach.total_bytes:
            raise IngestionError(where, f"its files have more than {reach.total_bytes:,} bytes (source_bytes)")
        try:
            with system.open(full, "rb") as stream:
                data = stream.read(reach.file_bytes + 1)[: reach.file_bytes]
        except Exception as error:  # each file system has errors of its own
            yield Change("failed", path, reason=_cause(error))
            continue
        uri, digest = _address(share, full), f"sha256:{hashlib.sha256(data).hexdigest()}"
        yield Change("found", path, Document(path, data, uri, digest, version=version))
    for origin in sorted(known.rows.keys() - here):
        if not known.rows[origin].gone:
            yield Change("gone", origin)
    return {"share": entry.share}


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
    """Return each file's full path and facts, by its path in the source. Raises `IngestionError`.

    An empty list does not delete all known documents."""
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
    if not listed:
        raise IngestionError(where, "nothing lies there")
    return listed


def _refused(path: str, size: int, limit: int, names: Names) -> str | None:
    if size > limit:
        return f"larger than {limit} bytes (source_file_bytes)"
    return unsafe(path) or ("empty" if size == 0 else names.clash(path))


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
