"""Chunks and items as tables keep them: texts of neighbours are packed together in a block, and records without what
their row tells anyway (see `filling`)."""

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
"""Columns for what is asked of many items, whose records need not be unpacked for it, and what each is of a record.
`kind`, `uri`: of its source, the latter null where that is its path. `toolkit`: what it is about
(`text.fitting.toolkits_of`), as JSON; null for nothing."""
BESIDE = "item_id || path || title"
"""What a record has in common with its row's other columns."""
OF_RECORDS = -1
"""The number of the dictionary that all records have; those of texts have the row of the first chunk they are for."""
PLACE = 'row, item, ordinal, start, "end"'
_CHUNK = f"{PLACE}, line_start, line_end, page, heading"
TEXT = 9
"""Where the text stands in a chunk's row, behind these."""
DAMAGED = sqlite3.Error, zlib.error, UnicodeDecodeError, TypeError
"""What reading bytes that are none of ours comes to; a blob may have become a number."""
WINDOW = -13
"""Of zlib, without a head."""
_UNPACKED = 64
"""Blocks that are kept unpacked while chunks are read."""
_DICTIONARIES = 200
"""That are remembered, each of some 8 kB."""
_METADATA = ',"metadata":'
_DECODER = json.JSONDecoder()


class ChunkRow(NamedTuple):
    """A chunk. `row` and `item` are row numbers; offsets are code points of the item's extraction.

    `spots`: those that the chunk stands at, and the headings in it that its text does not show, as JSON; None without
    any.
    """

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
    """The text of a chunk until it is read. `name`: of its run; `held`: what `_unpacked` takes, where chunks that were
    selected together share the blocks."""

    __slots__ = ("_held", "_name", "_text")

    def __init__(self, name: str, *held: Any) -> None:
        self._name, self._text = name, ""
        self._held: tuple[Any, ...] = held

    def read(self) -> str:
        """Raises `RunDamaged`."""
        if held := self._held:  # another thread may be ahead: the text stands before this is gone
            try:
                self._text = _unpacked(*held)
            except DAMAGED as error:
                raise RunDamaged(self._name, str(error)) from error
            self._held = ()
        return self._text


class _Packed(ChunkRow):
    """A chunk whose text is unpacked when it is read: of those that a question finds, many are not shown."""

    __slots__ = ()

    @property
    def text(self) -> str:
        """Raises `RunDamaged`."""
        unread: Any = self[TEXT]
        return str(unread.read())


class Dictionaries(dict[int | None, bytes]):
    """What many blocks have in common, by number; each is read once. `execute`: selects rows, as a connection does."""

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
    """The chunks of rows that are selected as `told` says, by row. `name`: of their run."""
    blocks: dict[int, bytes] = {}
    for *values, block, begins, ends, packed, words in rows:
        values[TEXT] = _Unread(name, blocks, block, begins, ends, packed, dictionaries[words])
        yield values[0], _Packed._make(values)


def told(schema: str = "") -> str:
    """Return the selection of chunks with the blocks of their texts, and the numbers of their dictionaries. `schema`:
    with a dot, of several."""
    columns = f"{_CHUNK}, NULL AS text, spots, block, begins, ends, packed, words"
    return f"SELECT {columns} FROM {schema}chunks CROSS JOIN {schema}texts USING (block)"


def told_items(connection: sqlite3.Connection, schema: str = "main.") -> str:
    """Return the selection of items: `ITEM`, what filters look at, and `line` (`digest_of` their record). `schema`:
    with a dot."""
    dictionary = b""
    for (words,) in connection.execute(f"SELECT packed FROM {schema}dictionaries WHERE number = {OF_RECORDS}"):
        dictionary = zlib.decompress(words, WINDOW)
    unpacking = f"record_of_{schema[:-1]}"
    connection.create_function(unpacking, 3, partial(_record, dictionary), deterministic=True)
    columns = ITEM.replace("record", f"{unpacking}(record, {BESIDE}, metadata) AS record")
    return f"SELECT {columns}, {', '.join(ASKED)}, line FROM {schema}items"


def with_texts(rows: Iterable[tuple[Any, ...]], dictionaries: Mapping[int | None, bytes]) -> Iterator[tuple[Any, ...]]:
    """Rows that are so selected with their texts, and without their blocks."""
    known: dict[int, bytes] = {}
    for *values, block, begins, ends, held, words in rows:
        values[TEXT] = _unpacked(known, block, begins, ends, held, dictionaries[words])
        yield tuple(values)


def _unpacked(known: dict[int, bytes], block: int, begins: int, ends: int, held: bytes, dictionary: bytes) -> str:
    """A text out of its block. `known`: blocks that are unpacked already."""
    texts = known.get(block, b"")
    if len(texts) < ends:  # as far as it is wanted; for who asks again, all of it
        if len(known) >= _UNPACKED:
            known.clear()
        unpacker = zlib.decompressobj(WINDOW, zdict=dictionary)
        texts = known[block] = unpacker.decompress(held, 0 if texts else ends)
        if len(texts) < ends:
            raise zlib.error("a block of texts is too short")
    return texts[begins:ends].decode()


def parts_of(record: str) -> tuple[str, str | None]:
    """What is packed of a record, with a NUL where its metadata stand, and these as they stand there; without metadata
    the whole. Before them stands no object that has metadata itself."""
    begins = record.find(_METADATA) + len(_METADATA)  # within a string of JSON a quote has a backslash before it
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
    """What tells a record from others without unpacking it: 16 bytes."""
    return hashlib.sha256(record).digest()[:16]
