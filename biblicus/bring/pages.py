"""Reads a source's list page by page, and fetches the documents that differ from the known ones.

One loop for every connector (`sources.door.Source`). Names, sizes and globs are checked before anything is fetched. A
document counts as gone only if the source reports it, or if a complete list without it ends without an error."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from biblicus import plugins
from biblicus.contracts import Given
from biblicus.errors import BiblicusError, Cancelled, DeadlineExceeded, IngestionError
from biblicus.models.sources.entries import ConnectorEntry, Entry
from biblicus.models.sources.syncing import Document, Listed, Page, Row, State
from biblicus.sources.door import Source, Sync
from biblicus.sources.naming import Names, unsafe, unwanted

_ENDING = (401, 403, 429, 503)
"""Statuses after which nothing else is requested: a lost right, or a server that asks to wait."""
_LONGEST = 200
"""Maximum characters of a reason."""


def source_of(entry: Entry, sync: Sync) -> Source:
    """Build the connector of an entry. Raises `UnknownName`, `ConfigInvalid` and its own errors."""
    resources = Given(sync=sync)
    if isinstance(entry, ConnectorEntry):
        connector = plugins.make("sources", entry.kind, entry.options, resources, where=f"sources.yml: {entry.name}")
    else:
        connector = plugins.build(plugins.find("sources", entry.kind), entry, resources)
    source: Source = connector
    return source


@dataclass
class Listing:
    """One reading of a source. `only`: ids to fetch, others stay as they are; None: all.

    `state`: state of the last page whose documents were all yielded. `failed`: reasons by id."""

    source: Source
    entry: Entry
    sync: Sync
    only: frozenset[str] | None = None
    state: State = field(default_factory=dict)
    failed: dict[str, str] = field(default_factory=dict)
    _present: set[str] = field(default_factory=set)
    _names: Names = field(default_factory=Names)
    _bytes: int = 0

    def __post_init__(self) -> None:
        self.state = self.sync.known.state
        self._end = time.monotonic() + self.sync.reach.seconds

    def changes(self) -> Iterator[Listed]:
        """Yield what differs: `here` with its document, `gone`, `skipped` or `failed`. Raises `IngestionError`."""
        page, is_empty = Page(), True
        for page in self.source.list(self.sync.known.state):
            is_empty = is_empty and not page.entries
            for change in self._page(page.entries):
                if change.what == "failed":
                    self.failed[change.id] = change.reason
                yield change
            if page.state is not None and self.only is None and (page.complete or not self.failed):
                self.state = page.state
        if not page.complete or self.only is not None:
            return
        rows = self.sync.known.rows
        if is_empty and rows:
            raise IngestionError(self.sync.url, "its list is empty, and nothing is deleted for that", "sources remove")
        for origin in sorted(rows.keys() - self._present):
            if not rows[origin].gone:
                yield Listed(origin, what="gone")

    def _page(self, entries: Sequence[Listed]) -> Iterator[Listed]:
        """Yield the changes of one page: what needs no fetching first."""
        changed_entries = []
        for entry in entries:
            self.sync.call.check()
            if entry.id in self._present or (self.only is not None and entry.id not in self.only):
                continue
            if entry.document is None and (entry.what == "here" or (entry.what == "skipped" and entry.path)):
                reason = self._reason(entry)
                if reason is None:
                    changed_entries.append(entry)
                    self._present.add(entry.id)
                elif reason:  # what a glob excludes is not reported
                    yield replace(entry, what="skipped", reason=reason)
                continue
            if entry.what in ("here", "failed"):
                self._present.add(entry.id)
            yield entry
        if len(self._present) > (most := self.sync.reach.documents):
            raise IngestionError(self.sync.url, f"it has more than {most:,} documents", "include or exclude")
        changed_entries = [entry for entry in changed_entries if self._differs(entry)]
        self._count(sum(entry.size or 0 for entry in changed_entries))
        for done, entry in enumerate(changed_entries):
            self.sync.call.progress("documents", done, len(changed_entries))
            if (change := self._fetched(entry)) is not None:
                yield change

    def _reason(self, entry: Listed) -> str | None:
        """Return the reason to skip an entry; empty if a glob excludes it, None if it is wanted."""
        path = entry.path or entry.id
        excluded = unwanted(path, self.entry.include, self.entry.exclude)
        if excluded is not None:
            return excluded
        if reason := entry.reason or unsafe(path):
            return reason
        if (entry.size or 0) > (most := self.sync.reach.file_bytes):
            return f"larger than {most:,} bytes"
        return "empty" if entry.size == 0 else self._names.clash(path)

    def _differs(self, entry: Listed) -> bool:
        previous_sync = self.sync.known
        row = previous_sync.rows.get(entry.id)
        if row is None or row.gone or entry.id in previous_sync.absent or entry.was or entry.version is None:
            return True
        if entry.version != row.version or entry.readers != row.readers or (entry.path and entry.path != row.path):
            return True
        return bool(previous_sync.changed_entry if entry.uri is None else entry.uri != row.uri)

    def _count(self, size: int) -> None:
        self._bytes += size
        if self._bytes > (most := self.sync.reach.total_bytes):
            raise IngestionError(self.sync.url, f"its documents have more than {most:,} bytes (source_bytes)")

    def _fetched(self, entry: Listed) -> Listed | None:
        """Return the entry with its document, or why there is none; None if it is the known one."""
        self.sync.call.check()
        if time.monotonic() > self._end:
            seconds = self.sync.reach.seconds
            raise IngestionError(self.sync.url, f"it took longer than {seconds:g} s (source_seconds)")
        try:
            document = self.source.fetch(entry)
        except (Cancelled, DeadlineExceeded):
            raise
        except Exception as error:  # of a file system or a plug-in: it costs this document
            if isinstance(error, IngestionError) and error.status in _ENDING:
                raise
            return replace(entry, what="failed", reason=cause_of(error))
        if isinstance(document, str):
            return replace(entry, what="skipped", reason=document)
        if entry.size is None:
            self._count(len(document.data))
        document = replace(document, version=document.version or entry.version)
        row = self.sync.known.rows.get(entry.id)
        if row is not None and entry.id not in self.sync.known.absent and _is_same(entry, document, row):
            return None
        return replace(entry, document=document)


def cause_of(error: Exception) -> str:
    """Return the cause of an error, to follow a name in a sentence."""
    cause: Any = getattr(error, "cause", None)
    if isinstance(error, OSError):
        cause = (error.strerror or str(error)).lower()
    elif isinstance(error, BiblicusError):
        cause = cause or error.message
    words = " ".join(str(cause or f"{type(error).__name__}: {error}").split())
    return words.rstrip(": ")[:_LONGEST]


def _is_same(entry: Listed, document: Document, row: Row) -> bool:
    """Check if a fetched document is the known one."""
    if row.gone or entry.was or row.sha256 != hashlib.sha256(document.data).hexdigest():
        return False
    fields = ("path", "uri", "version", "title", "media_type", "tags", "metadata")
    return entry.readers == row.readers and all(getattr(document, name) == getattr(row, name) for name in fields)
