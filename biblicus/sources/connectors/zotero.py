"""A Zotero library: its entries, notes, annotations and files, each an item with Zotero's own address.

The database is read as it is on disk, with its write-ahead log, also while Zotero runs; nothing is written."""

from __future__ import annotations

import hashlib
import os.path
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path

from pydantic import BaseModel, ConfigDict

from biblicus.contracts import Given
from biblicus.disk import files
from biblicus.errors import BadData, IngestionError
from biblicus.guards import tables
from biblicus.models.digest import canonical
from biblicus.models.sources.syncing import Document, Listed, Page, State
from biblicus.sources.connectors.zotero_items import LINKED, QUERIES, Library
from biblicus.sources.door import Sync, sync_of

_DATABASE = "zotero.sqlite"
_LARGEST = 1 << 30
_TRIES, _PAUSE = 20, 0.25


class Options(BaseModel):
    """`files`: also the files of entries, as PDFs. `linked`: the folder that Zotero calls "Linked Attachment Base
    Directory"; linked files elsewhere are left out."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    files: bool = True
    linked: str | None = None


def build(options: Options, given: Given) -> Zotero:
    """Return the libraries of a data folder. Raises `IngestionError`."""
    sync = sync_of(given)
    if sync.reach.local is None or not (sync.reach.local / _DATABASE).is_file():
        raise IngestionError(sync.url, f"there is no {_DATABASE}", "the data folder, as Zotero's settings show it")
    linked = options.linked
    if linked is not None and not (os.path.isabs(where := os.path.expanduser(linked)) and os.path.isdir(where)):
        raise IngestionError(sync.url, f"there is no folder {linked!r}", "an absolute path as the option linked")
    return Zotero(options, sync, sync.reach.local)


@dataclass
class Zotero:
    """`documents`: of the list, by id, with the path of the file that has their bytes."""

    options: Options
    sync: Sync
    folder: Path
    documents: dict[str, tuple[Document, Path | None]] = field(default_factory=dict)

    def list(self, since: State) -> Iterator[Page]:
        entries = []
        library = Library(self._tables())
        for item, (place, key, _) in library.items.items():
            id = f"{place}/{key}"
            if library.is_deleted(item):
                entries += [Listed(id, what="gone")] if id in self.sync.known.rows else []
                continue
            if (found := library.document(item)) is None:
                continue
            document, file = found
            stored = self._place(file) if file else None
            if file and stored is None:
                continue
            stamp = (stored.stat().st_size, stored.stat().st_mtime_ns) if stored else None
            self.documents[id] = document, stored
            version = canonical([document.title, document.tags, dict(document.metadata), stamp]) + document.data
            etag, size = hashlib.sha256(version).hexdigest()[:32], stamp[0] if stamp else len(document.data)
            entries.append(Listed(id, etag, path=document.path, uri=document.uri, size=size))
        yield Page(entries, complete=True)

    def fetch(self, entry: Listed) -> Document:
        document, stored = self.documents[entry.id]
        limit = self.sync.reach.file_bytes
        return document if stored is None else replace(document, data=files.read(stored, limit=limit))

    def _place(self, file: str) -> Path | None:
        """Return where a file lies; None if it is not there, leads elsewhere, or is not wanted."""
        linked = file.removeprefix(LINKED)
        if not self.options.files or (linked != file and self.options.linked is None):
            return None
        base = self.folder / "storage" if linked == file else Path(os.path.expanduser(self.options.linked or ""))
        path = base / linked
        # no file behind a link, also of a folder in the base
        is_there = os.path.isfile(path) and not path.is_symlink()
        is_there = is_there and Path(os.path.realpath(path)).is_relative_to(os.path.realpath(base))
        return path if is_there else None

    def _tables(self) -> dict[str, tables.Rows]:
        """Return the rows of a state between two transactions. Raises `IngestionError`."""
        paths = [self.folder / f"{_DATABASE}{end}" for end in ("", "-wal", "-journal")]
        for _ in range(_TRIES):
            self.sync.call.check()
            stamps = [files.stamp(path) for path in paths]
            with suppress(FileNotFoundError):  # a transaction ended, and its journal is gone
                data = [
                    files.read(path, limit=_LARGEST) if stamp else b""
                    for path, stamp in zip(paths, stamps, strict=True)
                ]
                is_quiet = not data[2][:8].strip(b"\0")  # a journal with content belongs to an unfinished transaction
                if is_quiet and stamps == [files.stamp(path) for path in paths]:
                    break
            time.sleep(_PAUSE)
        else:
            raise IngestionError(self.sync.url, "Zotero is writing to it, or did not end well", "start Zotero")
        try:
            return tables.read(data[0], data[1], QUERIES, self.sync.call)
        except BadData as error:
            raise IngestionError(self.sync.url, error.message.rstrip("."), "a newer Zotero, or its backup") from error
