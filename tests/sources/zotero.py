"""A small library of Zotero. The tables and columns that are read, as schema 129 has them:
https://github.com/zotero/zotero/blob/f2a42bec150fa8b947ffde57afd72a22e805f085/resource/schema/userdata.sql"""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

_COLUMNS = {
    "libraries": "libraryID INTEGER PRIMARY KEY, type TEXT NOT NULL",
    "groups": "groupID INTEGER PRIMARY KEY, libraryID INT NOT NULL UNIQUE",
    "itemTypesCombined": "itemTypeID INT NOT NULL PRIMARY KEY, typeName TEXT NOT NULL",
    "fieldsCombined": "fieldID INT NOT NULL PRIMARY KEY, fieldName TEXT NOT NULL",
    "items": "itemID INTEGER PRIMARY KEY, itemTypeID INT NOT NULL, libraryID INT NOT NULL, key TEXT NOT NULL",
    "deletedItems": "itemID INTEGER PRIMARY KEY",
    "itemDataValues": "valueID INTEGER PRIMARY KEY, value UNIQUE",
    "itemData": "itemID INT, fieldID INT, valueID, PRIMARY KEY (itemID, fieldID)",
    "creators": "creatorID INTEGER PRIMARY KEY, firstName TEXT, lastName TEXT, fieldMode INT",
    "itemCreators": "itemID INT NOT NULL, creatorID INT NOT NULL, orderIndex INT NOT NULL DEFAULT 0",
    "tags": "tagID INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE",
    "itemTags": "itemID INT NOT NULL, tagID INT NOT NULL, type INT NOT NULL DEFAULT 0",
    "collections": "collectionID INTEGER PRIMARY KEY, collectionName TEXT NOT NULL, parentCollectionID INT",
    "deletedCollections": "collectionID INTEGER PRIMARY KEY",
    "collectionItems": "collectionID INT NOT NULL, itemID INT NOT NULL",
    "itemNotes": "itemID INTEGER PRIMARY KEY, parentItemID INT, note TEXT, title TEXT",
    "itemAttachments": "itemID INTEGER PRIMARY KEY, parentItemID INT, contentType TEXT, path TEXT",
    "itemAnnotations": "itemID INTEGER PRIMARY KEY, parentItemID INT NOT NULL, text TEXT, comment TEXT, color TEXT,"
    " pageLabel TEXT, position TEXT NOT NULL",
}
_TYPES = ("journalArticle", "note", "attachment", "annotation")
_FIELDS = ("title", "abstractNote", "date", "publicationTitle", "DOI")


class Zotero:
    """A data folder, opened as Zotero opens it: locked for others, with a write-ahead log. `kinds` name the rows."""

    def __init__(self, folder: Path, mode: str = "WAL") -> None:
        folder.mkdir(exist_ok=True)
        self.folder = folder
        self.rows = sqlite3.connect(folder / "zotero.sqlite", isolation_level=None)
        self.rows.execute("PRAGMA locking_mode = EXCLUSIVE")
        self.rows.execute(f"PRAGMA journal_mode = {mode}")
        for name, columns in _COLUMNS.items():
            self.rows.execute(f"CREATE TABLE {name} ({columns})")
        self._insert("libraries", 1, "user")
        self._insert("libraries", 2, "group")
        self._insert("groups", 77, 2)
        for number, name in enumerate(_TYPES):
            self._insert("itemTypesCombined", number, name)
        for number, name in enumerate(_FIELDS):
            self._insert("fieldsCombined", number, name)

    def _insert(self, table: str, *values: object) -> int:
        places = ", ".join("?" * len(values))
        return self.rows.execute(f"INSERT OR REPLACE INTO {table} VALUES ({places})", values).lastrowid or 0

    def item(self, key: str, kind: str, library: int = 1) -> int:
        return self._insert("items", None, _TYPES.index(kind), library, key)

    def entry(self, key: str, authors: tuple[str, ...] = (), library: int = 1, **fields: str) -> int:
        """Add or edit an entry."""
        row = self.rows.execute("SELECT itemID FROM items WHERE key = ?", (key,)).fetchone()
        item = row[0] if row else self.item(key, "journalArticle", library)
        for name, value in fields.items():
            self.rows.execute("INSERT OR IGNORE INTO itemDataValues (value) VALUES (?)", (value,))
            (number,) = self.rows.execute("SELECT valueID FROM itemDataValues WHERE value = ?", (value,)).fetchone()
            self._insert("itemData", item, _FIELDS.index(name), number)
        for order, author in enumerate(authors):
            first, _, last = author.rpartition(" ")
            self._insert("itemCreators", item, self._insert("creators", None, first, last, 0), order)
        return item

    def tag(self, item: int, *names: str) -> None:
        for name in names:
            self._insert("itemTags", item, self._insert("tags", None, name), 0)

    def collect(self, item: int, *path: str) -> None:
        """Put an item into the last of these collections, each within the one before."""
        above = None
        for name in path:
            above = self._insert("collections", None, name, above)
        self._insert("collectionItems", above, item)

    def note(self, key: str, parent: int | None, html: str, title: str) -> int:
        item = self.item(key, "note")
        self._insert("itemNotes", item, parent, html, title)
        return item

    def file(self, key: str, parent: int | None, name: str, data: bytes) -> int:
        item = self.item(key, "attachment")
        self._insert("itemAttachments", item, parent, "application/pdf", f"storage:{name}")
        place = self.folder / "storage" / key
        place.mkdir(parents=True, exist_ok=True)
        (place / name).write_bytes(data)
        return item

    def link(self, key: str, parent: int | None, path: str) -> int:
        """Add a file that Zotero does not store."""
        return self._insert("itemAttachments", self.item(key, "attachment"), parent, "application/pdf", path)

    def annotate(self, key: str, file: int, text: str, comment: str, page: int) -> int:
        item = self.item(key, "annotation")
        position = json.dumps({"pageIndex": page, "rects": [[231.2, 402.1, 293.1, 410.1]]})
        self._insert("itemAnnotations", item, file, text, comment, "#ffd400", f"x{page}", position)
        return item

    def trash(self, item: int) -> None:
        self._insert("deletedItems", item)
