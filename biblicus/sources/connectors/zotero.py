"""A Zotero library: its entries, notes, annotations and files, each an item with Zotero's own address.

The database is read as it is on disk, with its write-ahead log, also while Zotero runs; nothing is written."""

from __future__ import annotations

import hashlib
import os.path
import re
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from html import escape
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict

from biblicus.contracts import Given
from biblicus.disk import files
from biblicus.errors import BadData, IngestionError
from biblicus.guards import tables
from biblicus.models.digest import canonical
from biblicus.models.sources.syncing import Document, Listed, Page, State
from biblicus.sources.door import Sync, sync_of
from biblicus.sources.naming import part

_DATABASE = "zotero.sqlite"
_LARGEST = 1 << 30
_TRIES, _PAUSE = 20, 0.25
_KEY = re.compile(r"[A-Z0-9]{8}")
LINKED = "linked:"
"""Before the path of a file that Zotero does not store: absolute, or relative to the folder of linked files."""
_STORED = "storage:"
_ABOUT = {"publicationTitle": "journal", "bookTitle": "book", "DOI": "doi", "url": "url", "citationKey": "citation_key"}
QUERIES = {
    "libraries": "SELECT libraryID, type, groupID FROM libraries LEFT JOIN groups USING (libraryID)",
    "items": "SELECT itemID, libraryID, key, typeName FROM items JOIN itemTypesCombined USING (itemTypeID)",
    "deleted": "SELECT itemID FROM deletedItems",
    "fields": "SELECT itemID, fieldName, value FROM itemData JOIN fieldsCombined USING (fieldID)"
    " JOIN itemDataValues USING (valueID)",
    "creators": "SELECT itemID, trim(coalesce(firstName, '') || ' ' || coalesce(lastName, '')) FROM itemCreators"
    " JOIN creators USING (creatorID) ORDER BY orderIndex",
    "tags": "SELECT itemID, name FROM itemTags JOIN tags USING (tagID) ORDER BY name",
    "collections": "WITH RECURSIVE below (id, path) AS (SELECT collectionID, collectionName FROM collections"
    " WHERE parentCollectionID IS NULL UNION SELECT collectionID, path || '/' || collectionName FROM collections"
    " JOIN below ON parentCollectionID = id) SELECT itemID, path FROM collectionItems JOIN below ON collectionID = id"
    " WHERE id NOT IN (SELECT collectionID FROM deletedCollections) ORDER BY path",
    "notes": "SELECT itemID, parentItemID, note, title FROM itemNotes JOIN items USING (itemID)",
    "attachments": "SELECT itemID, parentItemID, path FROM itemAttachments",
    "annotations": "SELECT itemID, parentItemID, text, comment, color, pageLabel, position FROM itemAnnotations",
}


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


class Library:
    """The entries of all libraries in a database. `items`: place, key and kind by number."""

    def __init__(self, rows: dict[str, tables.Rows]) -> None:
        kinds = {"user": "library", "group": "groups/{}"}
        places = {row[0]: kinds[str(row[1])].format(row[2]) for row in rows["libraries"] if row[1] in kinds}
        self.items = {
            item: (places[library], str(key), str(kind))
            for item, library, key, kind in rows["items"]
            if library in places and _KEY.fullmatch(str(key))
        }
        parts = {(row[0], name): row[1:] for name in ("notes", "attachments", "annotations") for row in rows[name]}
        self._parts = {item: parts.get((item, f"{kind}s"), [None] * 6) for item, (*_, kind) in self.items.items()}
        self._deleted = {row[0] for row in rows["deleted"]}
        self._fields: dict[Any, dict[str, str]] = defaultdict(dict)
        for item, name, value in rows["fields"]:
            self._fields[item][str(name)] = str(value)
        self._lists: dict[str, dict[Any, list[str]]] = {}
        for name in ("creators", "tags", "collections"):
            lists = self._lists[name] = defaultdict(list)
            for item, text in rows[name]:
                lists[item].append(str(text))

    def _line(self, item: Any) -> list[Any]:
        """Return an item and the items above it: an annotation, its file, the file's entry."""
        line = [item]
        while len(line) < 4 and (above := self._parts[line[-1]][0]) in self.items:
            line.append(above)
        return line

    def is_deleted(self, item: Any) -> bool:
        """Return true if an item or one above it is in the trash."""
        return not self._deleted.isdisjoint(self._line(item))

    def document(self, item: Any) -> tuple[Document, str | None] | None:
        """Return an item's document, and its file below `storage/` or `LINKED`; None without text and file."""
        line = self._line(item)
        entry, (place, key, kind), (_, *words) = line[-1], self.items[item], self._parts[item]
        fields, lists = self._fields[entry], {name: by_item[entry] for name, by_item in self._lists.items()}
        title, name, file, data = fields.get("title") or "", "entry.md", None, ""
        address, metadata = f"zotero://select/{place}/items/{key}", self._about(entry, kind)
        if kind == "annotation":
            text, comment, metadata["color"], page, position = words
            file_key = self.items[line[1 % len(line)]][1]
            name, data = f"{file_key}/{key}.md", "\n\n".join(str(passage) for passage in (text, comment) if passage)
            title = f"{title}, p. {page}" if page else title
            address = f"zotero://open-pdf/{place}/items/{file_key}?annotation={key}"
            if number := re.search(r'"pageIndex":\s*(\d{1,6})\b', str(position)):
                address = address.replace("?", f"?page={int(number[1]) + 1}&")
            metadata |= {"page": page, "file": _name(str(self._parts[line[1 % len(line)]][-1] or ""))}
        elif kind == "note":
            text, title = words[0] or "", str(words[1] or title)
            name, data = f"{key}.html", f"<!doctype html><title>{escape(title)}</title>{text}" if text else ""
        elif kind == "attachment":
            path = str(words[0] or "")
            own = _name(path)
            if not own or own in (".", "..") or (path.startswith(_STORED) and path != _STORED + own):
                return None
            file = f"{key}/{own}" if path.startswith(_STORED) else LINKED + path.removeprefix("attachments:")
            name, title = f"{key}/{part(own)}", title or self._fields[item].get("title", own)
            address = address.replace("select", "open-pdf", 1) if path.lower().endswith(".pdf") else address
        else:
            about = (", ".join(lists["creators"]), fields.get("date", "")[:4], fields.get("publicationTitle", ""))
            data = f"# {title}\n\n{'. '.join(filter(None, about))}\n\n{fields.get('abstractNote', '')}\n"
        if not data.strip() and file is None:
            return None
        tags = tuple(dict.fromkeys((*lists["tags"], *self._lists["tags"][item])))
        folder = place.replace("/", "-").removeprefix("library")
        path = "/".join(filter(None, (folder, self.items[entry][1], name)))
        clean = {field: value for field, value in metadata.items() if value}
        document = Document(path, data.encode("utf-8", "replace"), address, title=title, tags=tags, metadata=clean)
        return document, file

    def _about(self, entry: Any, kind: str) -> dict[str, Any]:
        """Return the metadata of an entry, which its notes, annotations and files share."""
        fields = self._fields[entry]
        date = re.match(r"(\d{4})(?:-(?!00)(\d\d)(?:-(?!00)(\d\d))?)?", fields.get("date", ""))
        metadata: dict[str, Any] = {name: fields.get(field) for field, name in _ABOUT.items()}
        metadata |= {"author": self._lists["creators"][entry], "collection": self._lists["collections"][entry]}
        return {**metadata, "date": "-".join(filter(None, date.groups())) if date else None, "kind": kind}


def _name(path: str) -> str:
    """Return the file name in a path as Zotero writes it: `storage:NAME`, `attachments:PATH`, or one of any system."""
    return re.split(r"[/\\:\0]", path)[-1]
