"""Fills the tables of a run (see `tables`).

Texts of chunks are packed, so that they take a third of their size on disk: a block holds those of a few chunks that
follow each other, one behind the other, deflated. It is small, for a question reads ten texts from about as many
blocks; one is unpacked in some ten microseconds.
"""

from __future__ import annotations

import sqlite3
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path

from biblicus.stores.packing import TEXT, WINDOW, ChunkRow, told, with_texts
from biblicus.stores.tables import BASE, ITEM, TOOLKIT, ItemRow

_SCHEMA = """
CREATE TABLE items (row INTEGER PRIMARY KEY, item_id TEXT NOT NULL, path TEXT NOT NULL, language TEXT,
  title TEXT NOT NULL, record TEXT NOT NULL,
  extraction_id TEXT NOT NULL, chunks INTEGER NOT NULL, tokens INTEGER NOT NULL, digest TEXT NOT NULL,
  note TEXT, stamp TEXT);
"""
_REMOVED = "CREATE TABLE removed (row INTEGER PRIMARY KEY);"
"""Of a delta alone."""
_CHUNKS = """
CREATE TABLE chunks (row INTEGER PRIMARY KEY, item INTEGER NOT NULL, ordinal INTEGER NOT NULL,
  start INTEGER NOT NULL, "end" INTEGER NOT NULL, line_start INTEGER NOT NULL, line_end INTEGER NOT NULL,
  page INTEGER, heading TEXT, spots TEXT, block INTEGER NOT NULL, begins INTEGER NOT NULL, ends INTEGER NOT NULL);
CREATE TABLE texts (block INTEGER PRIMARY KEY, packed BLOB NOT NULL);
"""
_INDEXES = """
CREATE INDEX items_id ON items (item_id);
CREATE INDEX items_path ON items (path);
CREATE INDEX items_bare ON items (row) WHERE chunks = 0;
"""
_TOOLKITS = f"CREATE INDEX items_toolkit ON items ({TOOLKIT}) WHERE {TOOLKIT} IS NOT NULL"
_BATCH = 500
_PAGE = 8_192
"""Bytes of a page of a base: chunks waste less of one than of SQLite's 4,096 (a seventeenth of the file), and are
written and read faster. An empty base has nine pages."""
_SMALL_PAGE = 2_048
"""The same of a delta, which most often holds a few rows in eight trees of a page at least."""
_FULL = 1_600
"""Bytes of a block, to which the chunk that reaches beyond still belongs. Of cpp-docs twice as many take a
twelfth less, and longer to unpack."""
_LEVEL, _MEMORY = 4, 5
"""Of zlib. So little memory is made ready in four fifths of the time that the fastest level takes with all of it;
higher levels take a tenth less at twice the time."""


def packed(texts: bytes) -> bytes:
    """A block, as it is kept."""
    packer = zlib.compressobj(_LEVEL, zlib.DEFLATED, WINDOW, _MEMORY)
    return packer.compress(texts) + packer.flush()


class _Packer:
    """Deals texts to blocks. `blocks`: those that are full, and the last one once it is ended; each with its number,
    which is the row of its first chunk."""

    def __init__(self) -> None:
        self.blocks: list[tuple[int, bytes]] = []
        self._texts: list[bytes] = []
        self._first = self._size = 0

    def place(self, row: int, text: str) -> tuple[int, int, int]:
        """The block of a chunk's text, and where in that it begins and ends, in bytes."""
        if not self._texts:
            self._first = row
        raw, begins = text.encode(), self._size
        self._texts.append(raw)
        self._size += len(raw)
        place = self._first, begins, self._size
        if self._size >= _FULL:
            self.end()
        return place

    def end(self) -> None:
        """End the block that is not full."""
        if self._texts:
            self.blocks.append((self._first, packed(b"".join(self._texts))))
            self._texts, self._size = [], 0


class TableWriter:
    """Fills new tables in one transaction. The caller makes the files durable."""

    def __init__(self, path: Path) -> None:
        self._connection = sqlite3.connect(path, isolation_level=None, cached_statements=16)
        self._connection.executescript(
            "PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; PRAGMA locking_mode=EXCLUSIVE; PRAGMA cache_size=-8192;"
        )
        is_base = path.name == BASE
        page = _PAGE if is_base else _SMALL_PAGE
        self._connection.execute(f"PRAGMA page_size={page}")  # takes hold where nothing is written yet
        self._fresh = not self._connection.execute("SELECT 1 FROM sqlite_master").fetchone()
        if self._fresh:
            self._connection.executescript(_SCHEMA + _CHUNKS + ("" if is_base else _REMOVED))
        self._connection.execute("BEGIN")
        self._items: list[ItemRow] = []
        self._chunks: list[ChunkRow] = []
        if not self._connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'texts'").fetchone():
            self._pack()

    def _pack(self) -> None:
        """Make a delta of a run whose chunks had their texts themselves one of today's."""
        self._chunks = list(map(ChunkRow._make, with_texts(self._connection.execute(told(self._connection)))))
        self._connection.execute("DROP TABLE chunks")
        for statement in filter(str.strip, _CHUNKS.split(";")):
            self._connection.execute(statement)

    def add(self, item: ItemRow, chunks: Iterable[ChunkRow]) -> None:
        """Take an item with its chunks; rows are written some at a time."""
        self._items.append(item)
        self._chunks.extend(chunks)
        if len(self._chunks) >= _BATCH or len(self._items) >= _BATCH:
            self._flush()

    def _flush(self) -> None:
        self._connection.executemany(f"INSERT INTO items ({ITEM}) VALUES (?,?,?,?,?,?,?,?,?,?,?,?)", self._items)
        packer = _Packer()
        chunks = [(*chunk[:TEXT], chunk.spots, *packer.place(chunk.row, chunk.text)) for chunk in self._chunks]
        packer.end()
        self._connection.executemany("INSERT INTO texts VALUES (?,?)", packer.blocks)
        self._connection.executemany("INSERT INTO chunks VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?)", chunks)
        self._items.clear()
        self._chunks.clear()

    def chunks(self, first: int) -> Iterator[ChunkRow]:
        """What was added from this row on, in order of row."""
        self._flush()
        rows = self._connection.execute(f"{told(self._connection)} WHERE row >= ? ORDER BY row", (first,))
        yield from map(ChunkRow._make, with_texts(rows))

    def remove(self, rows: Iterable[int]) -> None:
        """Note that items of the base, or of an earlier delta, are gone."""
        self._connection.executemany("INSERT OR IGNORE INTO removed VALUES (?)", ((row,) for row in rows))

    def close(self) -> None:
        self._flush()
        self._connection.execute("COMMIT")
        if self._fresh:
            self._connection.executescript(_INDEXES + _TOOLKITS)
        self._connection.close()
