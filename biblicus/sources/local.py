"""A local folder as a source: its files are copied, and removed here when they are removed there.

It is walked like a corpus: ignore files apply, links are not followed, hidden files are skipped. The registry includes
no local paths: a document is named by the folder's name and its path, and identified by the digest of its bytes."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from biblicus.contracts import Given
from biblicus.disk import system
from biblicus.errors import IngestionError
from biblicus.models.sources.entries import FolderEntry as Options
from biblicus.models.sources.syncing import Document, Listed, Page, State
from biblicus.sources.door import Sync, sync_of
from biblicus.sources.folder import walk
from biblicus.sources.ignoring import own_rules
from biblicus.text.paths import as_uri, to_os


def build(options: Options, given: Given) -> LocalFolder:
    """Return the folder. Raises `IngestionError`."""
    sync = sync_of(given)
    if sync.reach.local is None or not sync.reach.local.is_dir():
        raise IngestionError(options.path, "there is no such folder", "biblicus sources list")
    return LocalFolder(sync, sync.reach.local)


@dataclass(frozen=True)
class LocalFolder:
    """A folder of this machine."""

    sync: Sync
    folder: Path

    def list(self, since: State) -> Iterator[Page]:
        limit = self.sync.reach.file_bytes
        scan = walk(self.folder, own_rules(self.folder), max_bytes=limit)
        left_out = [Listed(note.path, what="skipped", reason=note.reason) for note in (*scan.skipped, *scan.failed)]
        files = [
            Listed(path, uri=f"file:{as_uri(f'{self.folder.name}/{path}')}", size=stamp.size)
            for path, stamp in scan.files.items()
        ]
        yield Page((*left_out, *files), {"folder": self.folder.name}, complete=True)

    def fetch(self, entry: Listed) -> Document:
        descriptor = system.open_file(os.path.join(self.folder, to_os(entry.id)), system.READ)
        with os.fdopen(descriptor, "rb") as stream:
            data = stream.read(self.sync.reach.file_bytes)
        return Document(entry.id, data, entry.uri or "", f"sha256:{hashlib.sha256(data).hexdigest()}")
