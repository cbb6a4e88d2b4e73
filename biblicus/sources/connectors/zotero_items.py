"""Documents of Zotero's entries, notes, annotations and files, from the rows of its database.

Tables: https://github.com/zotero/zotero/blob/main/resource/schema/userdata.sql"""

from __future__ import annotations

import re
from collections import defaultdict
from html import escape
from typing import Any

from biblicus.guards import tables
from biblicus.models.sources.syncing import Document
from biblicus.sources.naming import part

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
