"""A local folder as a source: its files are copied, and removed here when they are removed there.

It is walked like a corpus: ignore files apply, links are not followed, hidden files are skipped. The registry includes
no local paths: a document is named by the folder's name and its path, and identified by the digest of its bytes."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Generator

from biblicus.contracts import Call
from biblicus.disk import system
from biblicus.disk.files import Stamp
from biblicus.errors import IngestionError
from biblicus.models.sources.entries import FolderEntry
from biblicus.models.sources.syncing import Change, Document, Known, Reach, State
from biblicus.sources.folder import walk
from biblicus.sources.ignoring import own_rules
from biblicus.sources.trees import Names, unsafe, unwanted
from biblicus.text.paths import as_uri, to_os


def sync(entry: FolderEntry, known: Known, reach: Reach, call: Call) -> Generator[Change, None, State]:
    """Yield the differences from the known state to the folder (`models.sources.syncing`). Raises `IngestionError`."""
    if reach.local is None or not reach.local.is_dir():
        raise IngestionError(entry.path, "there is no such folder", "biblicus sources list")
    scan = walk(reach.local, own_rules(reach.local), max_bytes=reach.file_bytes)
    for note in (*scan.skipped, *scan.failed):
        yield Change("skipped", note.path, reason=note.reason)
    names, here, total = Names(), set[str](), 0
    if len(scan.files) > reach.documents:
        raise IngestionError(entry.path, f"it has more than {reach.documents:,} files", "include or exclude")
    for path, stamp in scan.files.items():
        call.check()
        chosen = unwanted(path, entry.include, entry.exclude)
        if (reason := chosen if chosen is not None else _refused(path, stamp, names)) is not None:
            if reason:  # files excluded by a glob are not reported
                yield Change("skipped", path, reason=reason)
            continue
        total += stamp.size
        if total > reach.total_bytes:
            raise IngestionError(entry.path, f"its files have more than {reach.total_bytes:,} bytes")
        try:
            data = _read(os.path.join(reach.local, to_os(path)), reach.file_bytes)
        except OSError as error:
            here.add(path)
            yield Change("failed", path, reason=(error.strerror or str(error)).lower())
            continue
        here.add(path)
        sha256 = hashlib.sha256(data).hexdigest()
        row = known.rows.get(path)
        if row is None or row.sha256 != sha256 or row.gone or path in known.absent:
            uri = f"file:{as_uri(f'{reach.local.name}/{path}')}"
            yield Change("found", path, Document(path, data, uri, f"sha256:{sha256}"))
    for origin in sorted(known.rows.keys() - here):
        if not known.rows[origin].gone:
            yield Change("gone", origin)
    return {"folder": reach.local.name}


def _refused(path: str, stamp: Stamp, names: Names) -> str | None:
    return unsafe(path) or ("empty" if stamp.size == 0 else names.clash(path))


def _read(path: str, limit: int) -> bytes:
    descriptor = system.open_file(path, system.READ)
    with os.fdopen(descriptor, "rb") as stream:
        return stream.read(limit)
