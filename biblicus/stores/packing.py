"""Compressed form of chunks and items in tables: texts in blocks, and records without data of other columns (see
`filling`)."""

from __future__ import annotations

import hashlib
import json
import sqlite3
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from typing import Any, NamedTuple

from biblicus.errors import RunDamaged

ITEM = "row, item_id, path, language, title, record, extraction_id, chunks, tokens, digest, note, stamp"
ASKED = {
    "doctype": "json_extract(record, '$.doctype')",
    "layer": "json_extract(record, '$.layer')",
    "kind": "json_extract(record, '$.source.kind')",
    "uri": "nullif(json_extract(record, '$.source.uri'), path)",
    "toolkit": (
        "nullif(json_quote(coalesce(json_extract(record, '$.metadata.toolkit'), CASE json_extract(record,"
        " '$.source.kind') WHEN 'git' THEN substr(path, 9, instr(substr(path, 9), '/') - 1) END)), 'null')"
    ),
    "metadata": "json_extract(record, '$.metadata')",
}
"""Columns that filters read, so that records need not be unpacked, and their expressions over a record.
`kind`, `uri`: of its source; `uri` is null if it equals the path. `toolkit`: as JSON (`text.fitting.toolkits_of`),
or null."""
BESIDE = "item_id || path || title"
"""Columns of a row that its record repeats."""
OF_RECORDS = -1
"""Number of the records' dictionary; a dictionary of texts has the row of its first chunk."""
PLACE = 'row, item, ordinal, start, "end"'
_CHUNK = f"{PLACE}, line_start, line_end, page, heading"
TEXT = 9
"""Index of the text in a chunk's row, after these columns."""
DAMAGED = sqlite3.Error, zlib.error, UnicodeDecodeError, TypeError
"""Errors from reading damaged bytes; a blob may have become a number."""
WINDOW = -13
"""Window bits of zlib, without a header."""
_UNPACKED = 64
"""Number of unpacked blocks to cache while reading chunks."""
_DICTIONARIES = 200
"""Number of cached dictionaries of about 8 kB."""
_METADATA = ',"metadata":'
_DECODER = json.JSONDecoder()


class ChunkRow(NamedTuple):
    """A chunk. `row` and `item` are row numbers; offsets are code points of the item's extraction.

    `spots`: its locations, and its headings that the text does not show, as JSON; None without any."""

    row: int
    item: int
    ordinal: int
    start: int
    end: int
    line_start: int
    line_end: int
    page: int | None
    heading: str | None
    text: str
    spots: str | None = None


class _Unread:
    """The text of a chunk, unpacked on first use. `name`: of its run. `held`: arguments of `_unpacked`."""

    __slots__ = ("_held", "_name", "_text")

    def __init__(self, name: str, *held: Any) -> None:
        self._name, self._text = name, ""
        self._held: tuple[Any, ...] = held

    def read(self) -> str:
        """Return the text. Raises `RunDamaged`."""
        if arguments := self._held:  # another thread may be faster: the text is set before this is cleared
            try:
                self._text = _unpacked(*arguments)
            except DAMAGED as error:
                raise RunDamaged(self._name, str(error)) from error
            self._held = ()
        return self._text


class _Packed(ChunkRow):
    """A chunk whose text is unpacked when it is read, because many found chunks are not shown."""

    __slots__ = ()

    @property
    def text(self) -> str:
        """Return the text. Raises `RunDamaged`."""
        unread: Any = self[TEXT]
        return str(unread.read())


class Dictionaries(dict[int | None, bytes]):
    """Dictionaries of blocks by number, each read once. `execute`: run a query, like a connection."""

    def __init__(self, execute: Callable[[str, tuple[int]], Iterable[tuple[bytes]]]) -> None:
        super().__init__()
        self._execute = execute

    def __missing__(self, number: int | None) -> bytes:
        if number is None:
            return b""
        for (words,) in self._execute("SELECT packed FROM dictionaries WHERE number = ?", (number,)):
            if len(self) >= _DICTIONARIES:
                self.clear()
            self[number] = unpacked = zlib.decompress(words, WINDOW)
            return unpacked
        raise zlib.error("a dictionary is missing")


def unread(
    rows: Iterable[tuple[Any, ...]], name: str, dictionaries: Mapping[int | None, bytes]
) -> Iterator[tuple[int, ChunkRow]]:
    """Yield the chunks of rows selected by `told`, by row. `name`: of their run."""
    blocks: dict[int, bytes] = {}
    for *values, block, begins, ends, packed, words in rows:
        values[TEXT] = _Unread(name, blocks, block, begins, ends, packed, dictionaries[words])
        yield values[0], _Packed._make(values)


def told(schema: str = "") -> str:
    """Return the query for chunks with their blocks and dictionary numbers. `schema`: prefix with a dot."""
    columns = f"{_CHUNK}, NULL AS text, spots, block, begins, ends, packed, words"
    return f"SELECT {columns} FROM {schema}chunks CROSS JOIN {schema}texts USING (block)"


def told_items(connection: sqlite3.Connection, schema: str = "main.") -> str:
    """Return the query for items: `ITEM`, the filters' columns, and `line` (`digest_of` the record). `schema`: with
    a dot."""
    dictionary = b""
    for (words,) in connection.execute(f"SELECT packed FROM {schema}dictionaries WHERE number = {OF_RECORDS}"):
        dictionary = zlib.decompress(words, WINDOW)
    unpacking = f"record_of_{schema[:-1]}"
    connection.create_function(unpacking, 3, partial(_record, dictionary), deterministic=True)
    columns = ITEM.replace("record", f"{unpacking}(record, {BESIDE}, metadata) AS record")
    return f"SELECT {columns}, {', '.join(ASKED)}, line FROM {schema}items"


def with_texts(rows: Iterable[tuple[Any, ...]], dictionaries: Mapping[int | None, bytes]) -> Iterator[tuple[Any, ...]]:
    """Yield the selected rows with their texts instead of their blocks."""
    blocks: dict[int, bytes] = {}
    for *values, block, begins, ends, data, words in rows:
        values[TEXT] = _unpacked(blocks, block, begins, ends, data, dictionaries[words])
        yield tuple(values)


def _unpacked(known: dict[int, bytes], block: int, begins: int, ends: int, held: bytes, dictionary: bytes) -> str:
    """Unpack a text from its block. `known`: cache of unpacked blocks."""
    texts = known.get(block, b"")
    if len(texts) < ends:  # first only the needed part; on later use the whole block
        if len(known) >= _UNPACKED:
            known.clear()
        unpacker = zlib.decompressobj(WINDOW, zdict=dictionary)
        texts = known[block] = unpacker.decompress(held, 0 if texts else ends)
        if len(texts) < ends:
            raise zlib.error("a block of texts is too short")
    return texts[begins:ends].decode()


def parts_of(record: str) -> tuple[str, str | None]:
    """Split a record into its packed part, with a NUL for the metadata, and the metadata; None without metadata.
    The first `metadata` key is the record's own: no object before it has one."""
    begins = record.find(_METADATA) + len(_METADATA)  # inside a JSON string a quote would be escaped
    if begins < len(_METADATA):
        return record, None
    try:
        _, ends = _DECODER.raw_decode(record, begins)
    except ValueError:
        return record, None
    return f"{record[:begins]}\0{record[ends:]}", record[begins:ends]


def _record(dictionary: bytes, packed: bytes, beside: str, metadata: str | None) -> str:
    unpacker = zlib.decompressobj(WINDOW, zdict=dictionary + beside.encode())
    parts = unpacker.decompress(packed)
    if not unpacker.eof:
        raise zlib.error("a record is too short")
    return (metadata or "").join(parts.decode().split("\0"))


def digest_of(record: bytes) -> bytes:
    """Return 16 bytes that identify a record without unpacking it."""
    return hashlib.sha256(record).digest()[:16]
