"""Fill the tables of a run (see `tables`).

Texts of chunks are compressed to a third of their size: a block contains the texts of a few consecutive chunks,
deflated. Blocks are small, because a query reads ten texts from about as many blocks; unpacking one takes some ten
microseconds. Blocks written together share a dictionary of sampled texts. The record of an item is deflated separately,
with the first records as dictionary, and without its metadata, which filters read."""

from __future__ import annotations

import sqlite3
import zlib
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from biblicus import telemetry
from biblicus.errors import RunDamaged
from biblicus.stores.packing import (
    ASKED,
    ITEM,
    OF_RECORDS,
    TEXT,
    WINDOW,
    ChunkRow,
    Dictionaries,
    digest_of,
    parts_of,
    told,
    with_texts,
)
from biblicus.stores.tables import BASE, ItemRow

_ITEMS = """
CREATE TABLE items (row INTEGER PRIMARY KEY, item_id TEXT NOT NULL, path TEXT NOT NULL, language TEXT,
  title TEXT NOT NULL, record BLOB NOT NULL, extraction_id TEXT NOT NULL, chunks INTEGER NOT NULL,
  tokens INTEGER NOT NULL, digest TEXT NOT NULL, note TEXT, stamp TEXT,
  doctype TEXT, layer TEXT, kind TEXT, uri TEXT, toolkit TEXT, metadata TEXT, line BLOB NOT NULL);
CREATE TABLE dictionaries (number INTEGER PRIMARY KEY, packed BLOB NOT NULL);
"""
_REMOVED = "CREATE TABLE removed (row INTEGER PRIMARY KEY);"
"""Only in a delta."""
_CHUNKS = """
CREATE TABLE chunks (row INTEGER PRIMARY KEY, item INTEGER NOT NULL, ordinal INTEGER NOT NULL,
  start INTEGER NOT NULL, "end" INTEGER NOT NULL, line_start INTEGER NOT NULL, line_end INTEGER NOT NULL,
  page INTEGER, heading TEXT, spots TEXT, block INTEGER NOT NULL, begins INTEGER NOT NULL, ends INTEGER NOT NULL);
CREATE TABLE texts (block INTEGER PRIMARY KEY, packed BLOB NOT NULL, words INTEGER);
"""
_INDEXES = """
CREATE INDEX items_id ON items (item_id);
CREATE INDEX items_path ON items (path);
CREATE INDEX items_bare ON items (row) WHERE chunks = 0;
CREATE INDEX items_toolkit ON items (toolkit) WHERE toolkit IS NOT NULL;
"""
_OF_A_RECORD = ASKED | {"metadata": f"coalesce(metadata, {ASKED['metadata']})"}
_INSERT = (
    f"INSERT INTO items ({ITEM}, {', '.join(ASKED)}, line)"
    f" SELECT {ITEM.replace('record', 'packed')}, {', '.join(_OF_A_RECORD.values())}, line"
    f" FROM (SELECT {', '.join(f'? AS {name}' for name in (*ITEM.split(', '), 'packed', 'metadata', 'line'))})"
)
_BATCH = 500
_PAGE = 8_192
"""Page size of a base in bytes. Chunks waste less of it than of SQLite's 4,096, and it is faster.
An empty base has nine pages."""
_SMALL_PAGE = 2_048
"""Page size of a delta, which usually has few rows in at least eight trees of a page each."""
_FULL = 3_600
"""Minimum bytes of a full block; the chunk that exceeds it still belongs to it.
Twice as much saves 5 % on cpp-docs, but takes longer to unpack."""
_SAMPLES, _SAMPLE = 16, 500
"""Number of texts in a dictionary, and bytes of each; together zlib's window. Saves a fifth on cpp-docs."""
_OF_RECORDS = 4
"""Number of records in their dictionary."""
_WORTH = 64_000
"""Minimum bytes of texts for a dictionary."""
_LEVEL, _MEMORY = 3, 5
"""Parameters of zlib. Level 4 saves 3 % and takes a third longer; little memory is faster to initialise."""


def packed(texts: bytes, dictionary: bytes = b"") -> bytes:
    """Compress a block, a record or a dictionary."""
    packer = zlib.compressobj(_LEVEL, zlib.DEFLATED, WINDOW, _MEMORY, zdict=dictionary)
    return packer.compress(texts) + packer.flush()


def _samples(texts: Sequence[bytes], count: int, size: int) -> bytes:
    """Return the beginnings of sampled texts."""
    return b"".join(text[:size] for text in texts[:: 1 + len(texts) // count])


class _Packer:
    """Assigns texts to blocks. `blocks`: completed ones, each with the row of its first chunk as its number."""

    def __init__(self, dictionary: bytes) -> None:
        self.blocks: list[tuple[int, bytes]] = []
        self._packer = zlib.compressobj(_LEVEL, zlib.DEFLATED, WINDOW, _MEMORY, zdict=dictionary)
        self._texts: list[bytes] = []
        self._first = self._size = 0

    def place(self, row: int, text: bytes) -> tuple[int, int, int]:
        """Add a chunk's text; return its block, and its start and end there in bytes."""
        if not self._texts:
            self._first = row
        begins = self._size
        self._texts.append(text)
        self._size += len(text)
        place = self._first, begins, self._size
        if self._size >= _FULL:
            self.end()
        return place

    def end(self) -> None:
        """Complete the last, partly filled block."""
        if self._texts:
            packer = self._packer.copy()  # its dictionary is already set
            self.blocks.append((self._first, packer.compress(b"".join(self._texts)) + packer.flush()))
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
        self._connection.execute(f"PRAGMA page_size={page}")  # effective before the first write
        self._fresh = not self._connection.execute("SELECT 1 FROM sqlite_master").fetchone()
        if self._fresh:
            self._connection.executescript(_ITEMS + _CHUNKS + ("" if is_base else _REMOVED))
        self._connection.execute("BEGIN")
        self._items: list[ItemRow] = []
        self._chunks: list[ChunkRow] = []
        row = self._connection.execute(f"SELECT packed FROM dictionaries WHERE number = {OF_RECORDS}").fetchone()
        try:
            self._dictionary = zlib.decompress(row[0], WINDOW) if row else None
        except zlib.error as error:
            raise RunDamaged(path.parent.name, str(error)) from error

    def add(self, item: ItemRow, chunks: Iterable[ChunkRow]) -> None:
        """Add an item with its chunks; rows are written in batches."""
        self._items.append(item)
        self._chunks.extend(chunks)
        if len(self._chunks) >= _BATCH or len(self._items) >= _BATCH:
            self._flush()

    def _flush(self) -> None:
        if self._items:  # tags are parts of an item's record
            items = {"biblicus.items": len(self._items)}
            with telemetry.span("db.write.document", items), telemetry.span("db.write.tags", items):
                self._connection.executemany(_INSERT, self._packed_items())
        if self._chunks:
            with telemetry.span("db.write.chunks", {"biblicus.chunks": len(self._chunks)}):
                self._write_chunks()
        self._items.clear()
        self._chunks.clear()

    def _write_chunks(self) -> None:
        texts = [chunk.text.encode() for chunk in self._chunks]
        number, dictionary = None, b""
        if sum(map(len, texts)) >= _WORTH:
            number, dictionary = self._chunks[0].row, _samples(texts, _SAMPLES, _SAMPLE)
            self._connection.execute("INSERT INTO dictionaries VALUES (?,?)", (number, packed(dictionary)))
        packer = _Packer(dictionary)
        chunks = [
            (*chunk[:TEXT], chunk.spots, *packer.place(chunk.row, text))
            for chunk, text in zip(self._chunks, texts, strict=True)
        ]
        packer.end()
        blocks = [(*block, number) for block in packer.blocks]
        self._connection.executemany("INSERT INTO texts VALUES (?,?,?)", blocks)
        self._connection.executemany("INSERT INTO chunks VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?)", chunks)

    def _packed_items(self) -> Iterator[tuple[Any, ...]]:
        parts = [parts_of(item.record) for item in self._items]
        if self._dictionary is None and parts:
            self._dictionary = _samples([words.encode() for words, _ in parts], _OF_RECORDS, _SAMPLE)
            row = OF_RECORDS, packed(self._dictionary)
            self._connection.execute("INSERT INTO dictionaries VALUES (?,?)", row)
        for item, (words, metadata) in zip(self._items, parts, strict=True):
            dictionary = (self._dictionary or b"") + f"{item.item_id}{item.path}{item.title}".encode()
            yield *item, packed(words.encode(), dictionary), metadata, digest_of(item.record.encode())

    def chunks(self, first: int) -> Iterator[ChunkRow]:
        """Yield the added chunks from this row on, in order."""
        self._flush()
        rows = self._connection.execute(f"{told()} WHERE row >= ? ORDER BY row", (first,))
        yield from map(ChunkRow._make, self._with_texts(rows))

    def _with_texts(self, rows: Iterable[tuple[Any, ...]]) -> Iterator[tuple[Any, ...]]:
        return with_texts(rows, Dictionaries(self._connection.execute))

    def remove(self, rows: Iterable[int]) -> None:
        """Record that items of the base, or of an earlier delta, are removed."""
        self._connection.executemany("INSERT OR IGNORE INTO removed VALUES (?)", ((row,) for row in rows))

    def close(self) -> None:
        self._flush()
        self._connection.execute("COMMIT")
        if self._fresh:
            self._connection.executescript(_INDEXES)
        self._connection.close()
