"""The tables of a materialization: `items` and `chunks`, in SQLite, shared by all legs of a run.

`tables.db` is written once by a fresh build and never changed. An incremental run links its parent's `tables.db` and
stores later changes in a small `delta.db`: further rows, and the rows of removed items. Row numbers are never reused;
evidence, legs and filters refer to them. Texts of chunks and records of items are compressed (see `filling`)."""

from __future__ import annotations

import json
import re
import sqlite3
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain, islice
from pathlib import Path
from typing import Any, NamedTuple

from biblicus.errors import RunDamaged
from biblicus.models.frozen import dataclass
from biblicus.models.item import Item, Source
from biblicus.models.requests.query import Filters
from biblicus.stores.packing import (
    DAMAGED,
    ITEM,
    PLACE,
    ChunkRow,
    Dictionaries,
    digest_of,
    told,
    told_items,
    unread,
    with_texts,
)
from biblicus.text.fitting import FilteredItem, fits, fits_by_item, texts_of
from biblicus.text.paths import MEMBER

BASE = "tables.db"
DELTA = "delta.db"
_BATCH = 500
_MAPPED = 1 << 40
"""Bytes of a file to map into memory: all of it."""
_REMEMBERED = 100_000
"""Number of cached places; 30 MB."""
_LATEST = 200
"""Number of cached chunks; 1 MB."""
_ITEMS = 1_000
"""Number of cached items; 2 MB with long front matter."""
_MOST = 1_000
"""Maximum number of items without text that a query examines."""
_BARE = 10_000
"""Maximum number of items without text whose words are cached; usually 5 MB, built in a third of a second."""
_FILTERS = 64
"""Number of filters with cached results."""


class ItemRow(NamedTuple):
    """An item as a run saw it. `record` is its catalog line; `digest` covers its chunks' spans and texts.

    `note`: why there is no text, as `status: reason`. `stamp`: `disk.files.Stamp` of the file when it was read, with
    which a query checks cheaply that nothing changed."""

    row: int
    item_id: str
    path: str
    language: str | None
    title: str
    record: str
    extraction_id: str
    chunks: int
    tokens: int
    digest: str
    note: str | None
    stamp: str | None

    @property
    def item(self) -> Item:
        return item_of(self.record)


@lru_cache(maxsize=_ITEMS)
def item_of(record: str) -> Item:
    """Return the item of a catalog line. Cached, because many queries return the same few items."""
    data = json.loads(record)
    data["tags"] = tuple(data["tags"])
    data["source"] = Source(**data["source"])
    return Item(**data)


class Facets(NamedTuple):
    """An item's fields for weights."""

    row: int
    item_id: str
    path: str
    doctype: str
    toolkits: tuple[str, ...] = ()


class LayerRow(NamedTuple):
    """An item's fields for layers. `expires`: as in its metadata."""

    row: int
    path: str
    sha256: str
    layer: str | None
    approval: str | None
    expires: object


class Place(NamedTuple):
    """Location of a chunk, without text, for ranking items."""

    row: int
    item_id: str
    path: str
    ordinal: int
    start: int
    end: int
    chunks: int
    """Number of chunks of its item."""


def place_of(chunk: ChunkRow, item: ItemRow) -> Place:
    return Place(chunk.row, item.item_id, item.path, chunk.ordinal, chunk.start, chunk.end, item.chunks)


_WORDS = re.compile(r'"(?:sha256|item_id)":"\w*"|"\w+":|(\w+)')
"""Words, except those in every record and those unique to one."""


def words_of(record: str) -> str:
    """Return the words of a record that a search for items looks through, in lower case."""
    return " ".join(filter(None, _WORDS.findall(record.lower())))


@dataclass(frozen=True)
class TableSizes:
    """Counts of tables.

    `items`, `chunks`: existing ones. `next_item`, `next_chunk`: first free rows. `base_chunks`: of the base. `churned`:
    chunks added or removed since."""

    items: int
    chunks: int
    next_item: int
    next_chunk: int
    base_chunks: int
    churned: int


class TableReader:
    """Reads a run's tables. One connection a thread; opened immutable, so nothing is locked or written."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._local = threading.local()
        self._connections: list[sqlite3.Connection] = []
        self._has_delta = (folder / DELTA).exists()
        self._told = "SELECT * FROM told" if self._has_delta else told()
        self._dictionaries = Dictionaries(self._rows)
        self._places: dict[int, Place] = {}
        self._chunks: dict[int, ChunkRow] = {}
        self._items: dict[int, ItemRow] = {}
        self._bare: list[tuple[int, str]] | None = None
        self._fitting: dict[tuple[str, bool], frozenset[int]] = {}

    def _connection(self) -> sqlite3.Connection:
        connection: sqlite3.Connection | None = getattr(self._local, "connection", None)
        if connection is None:
            connection = self._open()
            self._local.connection = connection
            self._connections.append(connection)
        return connection

    def _open(self) -> sqlite3.Connection:
        def uri(name: str) -> str:
            return (self.folder / name).as_uri() + "?mode=ro&immutable=1"

        try:
            connection = sqlite3.connect(
                uri(DELTA if self._has_delta else BASE), uri=True, check_same_thread=False, isolation_level=None
            )
            connection.execute("PRAGMA temp_store=MEMORY")  # of views: no temporary files
            if self._has_delta:
                connection.execute("ATTACH ? AS base", (uri(BASE),))
                for view, gone, selected in (
                    ("items", "row", told_items),
                    ("chunks", "item", lambda _, schema: f"SELECT {PLACE} FROM {schema}chunks"),
                    ("told", "item", lambda _, schema: told(schema)),
                ):
                    base, delta = (selected(connection, schema) for schema in ("base.", "main."))
                    connection.execute(
                        f"CREATE TEMP VIEW {view} AS {base} WHERE {gone} NOT IN main.removed "
                        f"UNION ALL {delta} WHERE {gone} NOT IN main.removed"
                    )
                selections = " UNION ALL ".join(f"SELECT * FROM {schema}.dictionaries" for schema in ("base", "main"))
                connection.execute(f"CREATE TEMP VIEW dictionaries AS {selections}")
            else:
                connection.execute(f"CREATE TEMP VIEW items AS {told_items(connection)}")
            connection.execute(f"PRAGMA mmap_size={_MAPPED}")
        except DAMAGED as error:
            raise RunDamaged(self.folder.name, str(error)) from error
        return connection

    def _rows(self, sql: str, values: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        try:
            return self._connection().execute(sql, values).fetchall()
        except DAMAGED as error:
            raise RunDamaged(self.folder.name, str(error)) from error

    def chunks(self, rows: Sequence[int]) -> dict[int, ChunkRow]:
        """Return chunks by row; their texts are unpacked on use. Recent ones are cached."""
        cache = self._chunks
        if missing := [row for row in rows if row not in cache]:
            if len(cache) > _LATEST:
                cache = self._chunks = {row: cache[row] for row in rows if row in cache}
            cache.update(self._unread(missing))
        return {row: cache[row] for row in rows if row in cache}

    def _unread(self, rows: Sequence[int]) -> dict[int, ChunkRow]:
        try:
            return dict(unread(self._by_rows(self._told, rows), self.folder.name, self._dictionaries))
        except DAMAGED as error:
            raise RunDamaged(self.folder.name, str(error)) from error

    def _unpacked(self, rows: Iterable[tuple[Any, ...]]) -> Iterator[tuple[Any, ...]]:
        try:
            yield from with_texts(rows, self._dictionaries)
        except DAMAGED as error:
            raise RunDamaged(self.folder.name, str(error)) from error

    def items(self, rows: Sequence[int]) -> dict[int, ItemRow]:
        """Return items by row. Cached, because many queries return the same ones."""
        cache = self._items
        if missing := [row for row in rows if row not in cache]:
            if len(cache) > _ITEMS:
                cache = self._items = {row: cache[row] for row in rows if row in cache}
            cache.update({row[0]: ItemRow._make(row) for row in self._by_rows(f"SELECT {ITEM} FROM items", missing)})
        return {row: cache[row] for row in rows if row in cache}

    def places(self, rows: Sequence[int]) -> dict[int, Place]:
        """Return locations of chunks by row. Cached, because many queries return the same chunks."""
        cache = self._places
        if missing := [row for row in rows if row not in cache]:
            if len(cache) > _REMEMBERED:
                cache = self._places = {row: cache[row] for row in rows if row in cache}
            cache.update(self._find_places(missing))
        return {row: cache[row] for row in rows if row in cache}

    def _find_places(self, rows: Sequence[int]) -> dict[int, Place]:
        chunks = list(self._by_rows(f"SELECT {PLACE} FROM chunks", rows))
        item_rows = sorted({item for _, item, *_ in chunks})
        rows_of_items = self._by_rows("SELECT row, item_id, path, chunks FROM items", item_rows)
        items = {row: (item_id, path, count) for row, item_id, path, count in rows_of_items}
        places = {}
        for row, item, ordinal, start, end in chunks:
            if item in items:
                item_id, path, count = items[item]
                places[row] = Place(row, item_id, path, ordinal, start, end, count)
        return places

    def _by_rows(self, select: str, rows: Sequence[int]) -> Iterator[tuple[Any, ...]]:
        for start in range(0, len(rows), _BATCH):
            batch = rows[start : start + _BATCH]
            marks = ",".join("?" * len(batch))
            yield from self._rows(f"{select} WHERE row IN ({marks})", batch)

    def items_of(self, path: str) -> list[ItemRow]:
        """Return the item of this path and its members, by path."""
        inside = f"{path}{MEMBER}"
        rows = self._rows(
            f"SELECT {ITEM} FROM items WHERE path = ? OR (path >= ? AND path < ?) ORDER BY path",
            (path, inside, f"{inside}\U0010ffff"),
        )
        return [ItemRow(*values) for values in rows]

    def all_items(self) -> Iterator[ItemRow]:
        """Yield every item, by path."""
        for values in self._rows(f"SELECT {ITEM} FROM items ORDER BY path"):
            yield ItemRow(*values)

    def compared(self, lines: Mapping[str, bytes]) -> Iterator[tuple[ItemRow, bool]]:
        """Yield every item by path, without its record, and true if its line equals the given one."""
        columns = ITEM.replace("record", "''")
        for *values, digest in self._rows(f"SELECT {columns}, line FROM items ORDER BY path"):
            row = ItemRow(*values)
            yield row, digest_of(lines.get(row.path, b"")) == digest

    def records(self) -> dict[str, str]:
        """Return the catalog line of every item, by path."""
        return dict(self._rows("SELECT path, record FROM items"))

    def rows_where(self, filters: Filters, *, indexed: bool = False) -> frozenset[int]:
        """Return the rows of items that match filters without an index field (`Filters.by_item`), or all filters.
        Cached."""
        key = repr(filters), indexed
        if key not in self._fitting:
            if len(self._fitting) >= _FILTERS:
                self._fitting.clear()
            is_packed = not (filters.hash or (indexed and (filters.type or filters.tag)))
            items = self._filtered() if is_packed else ((item.row, item.item) for item in self.all_items())
            matches = fits if indexed else fits_by_item
            self._fitting[key] = frozenset(row for row, item in items if matches(item, filters))
        return self._fitting[key]

    def _filtered(self) -> Iterator[tuple[int, FilteredItem | Item]]:
        """Yield the fields of every item for filters; its record stays packed."""
        sql = "SELECT row, path, language, doctype, layer, kind, uri, metadata FROM items"
        for row, path, language, doctype, layer, kind, uri, data in self._rows(sql):
            source = Source(kind=kind, uri=path if uri is None else uri)
            yield row, FilteredItem(path, language, doctype, layer, source, json.loads(data) if data else {})

    def has_bare(self) -> bool:
        """Return True if some items have no chunks."""
        return bool(self._rows("SELECT 1 FROM items WHERE chunks = 0 LIMIT 1"))

    def without_text(self, beginnings: Sequence[Sequence[str]]) -> list[ItemRow]:
        """Return items without chunks whose records contain, for each word, one of these prefixes; by path.
        `beginnings`: in ASCII and lower case."""
        if self._bare is None and self._number("SELECT count(*) FROM items WHERE chunks = 0") <= _BARE:
            self._bare = list(self._words_without_text(()))
        bare = self._words_without_text(beginnings) if self._bare is None else self._bare
        fitting = (
            row for row, words in bare if all(any(prefix in words for prefix in prefixes) for prefixes in beginnings)
        )
        matches = list(islice(fitting, _MOST))
        items = self.items(matches)
        return [items[row] for row in matches]

    def _words_without_text(self, beginnings: Sequence[Sequence[str]]) -> Iterator[tuple[int, str]]:
        """Yield the words of items without chunks. SQLite leaves out most of those without the beginnings."""
        where = "".join(f" AND ({' OR '.join(['instr(lower(record), ?)'] * len(some)) or 0})" for some in beginnings)
        # `+path`: otherwise SQLite reads every item in order of path instead of the few by their index.
        sql = f"SELECT row, record FROM items WHERE chunks = 0{where} ORDER BY +path"
        for row, record in self._rows(sql, list(chain(*beginnings))):
            yield row, words_of(record)

    def facets(self) -> Iterator[Facets]:
        """Yield the fields of every item for weights."""
        sql = "SELECT row, item_id, path, doctype, toolkit FROM items"
        return (
            Facets(row, item_id, path, doctype, _toolkits(value))
            for row, item_id, path, doctype, value in self._rows(sql)
        )

    def in_layers(self, layers: Sequence[str]) -> list[LayerRow]:
        """Return the items in these layers."""
        sha256, approval = (f"json_extract(record, '$.{key}')" for key in ("sha256", "approval"))
        marks = ",".join("?" * len(layers))
        sql = f"""SELECT row, path, {sha256}, layer, {approval}, json_extract(metadata, '$.expires')
            FROM items WHERE layer IN ({marks})"""
        return [LayerRow(*values) for values in self._rows(sql, layers)]

    def contexts(self, paths: Sequence[str]) -> dict[str, tuple[int, object]]:
        """Return row and `context` of the items at these paths that have one."""
        value = "json_extract(metadata, '$.context')"
        named = "path IN (SELECT value FROM json_each(?))"
        rows = self._rows(f"SELECT path, row, {value} FROM items WHERE {named}", (json.dumps(paths),))
        return {path: (row, context) for path, row, context in rows if context is not None}

    def toolkits(self) -> frozenset[str]:
        """Return the toolkits of all items."""
        rows = self._rows("SELECT toolkit FROM items WHERE toolkit IS NOT NULL")
        return frozenset(name for (value,) in rows for name in _toolkits(value))

    def chunks_of(self, item_row: int) -> list[ChunkRow]:
        """Return an item's chunks in order of their start."""
        rows = self._rows(f"{self._told} WHERE item = ? ORDER BY ordinal", (item_row,))
        return list(map(ChunkRow._make, self._unpacked(rows)))

    def first_rows(self) -> dict[int, int]:
        """Return the row of the first chunk of each item, by item row."""
        return dict(self._rows(f"SELECT item, min(row) FROM ({self._told}) GROUP BY item"))

    def all_chunks(self) -> Iterator[ChunkRow]:
        """Yield every chunk in order of row."""
        connection = self._connection()
        yield from map(ChunkRow._make, self._unpacked(connection.execute(f"{self._told} ORDER BY row")))

    def sizes(self) -> TableSizes:
        counts = [count for (count,) in self._rows("SELECT chunks FROM items")]
        items, chunks = len(counts), sum(counts)
        schemas = ["base", "main"] if self._has_delta else ["main"]
        last_item = max(self._number(f"SELECT max(row) FROM {s}.items") for s in schemas)
        last_chunk = max(self._number(f"SELECT max(row) FROM {s}.chunks") for s in schemas)
        base = self._number(f"SELECT count(*) FROM {schemas[0]}.chunks", 0)
        churned = 0
        if self._has_delta:
            churned = self._number("SELECT count(*) FROM main.chunks", 0) + self._number(
                "SELECT sum(chunks) FROM base.items WHERE row IN main.removed", 0
            )
        return TableSizes(items, chunks, last_item + 1, last_chunk + 1, base, churned)

    def _number(self, sql: str, missing: int = -1) -> int:
        value = self._rows(sql)[0][0]
        return missing if value is None else int(value)

    def close(self) -> None:
        for connection in self._connections:
            connection.close()
        self._connections.clear()
        self._local = threading.local()


def _toolkits(value: object) -> tuple[str, ...]:
    """Return the texts of a column `toolkit` (see `packing.ASKED`)."""
    return texts_of(json.loads(value)) if isinstance(value, str) else ()
