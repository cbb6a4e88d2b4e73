"""Chunks as tables keep them: their texts are packed, some neighbours' together in a block (see `filling`)."""

from __future__ import annotations

import sqlite3
import zlib
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from biblicus.errors import RunDamaged

PLACE = 'row, item, ordinal, start, "end"'
_CHUNK = f"{PLACE}, line_start, line_end, page, heading"
TEXT = 9
"""Where the text stands in a chunk's row, behind these."""
WINDOW = -13
"""Of zlib, without a head."""
_UNPACKED = 64
"""Blocks that are kept unpacked while chunks are read."""


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
            except (zlib.error, UnicodeDecodeError) as error:
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


def unread(rows: Iterable[tuple[Any, ...]], name: str) -> Iterator[tuple[int, ChunkRow]]:
    """The chunks of rows that are selected as `told` says, by row. `name`: of their run."""
    blocks: dict[int, bytes] = {}
    for *values, block, begins, ends, packed in rows:
        if block is None:
            yield values[0], ChunkRow._make(values)
        else:
            values[TEXT] = _Unread(name, blocks, block, begins, ends, packed)
            yield values[0], _Packed._make(values)


def told(connection: sqlite3.Connection, schema: str = "") -> str:
    """The selection of chunks with the blocks that hold their texts, also from tables that were built when chunks had
    their texts themselves, or no spots yet. `schema`: with a dot, where there are several."""
    if connection.execute(f"SELECT 1 FROM {schema}sqlite_master WHERE name = 'texts'").fetchone():
        columns = f"{_CHUNK}, NULL AS text, spots, block, begins, ends, packed"
        return f"SELECT {columns} FROM {schema}chunks CROSS JOIN {schema}texts USING (block)"
    own = {name for _, name, *_ in connection.execute(f"PRAGMA {schema}table_info(chunks)")}
    spots = "spots" if "spots" in own else "NULL AS spots"
    none = ", ".join(f"NULL AS {name}" for name in ("block", "begins", "ends", "packed"))
    return f"SELECT {_CHUNK}, text, {spots}, {none} FROM {schema}chunks"


def with_texts(rows: Iterable[tuple[Any, ...]]) -> Iterator[tuple[Any, ...]]:
    """Rows that are so selected with their texts, and without their blocks."""
    known: dict[int, bytes] = {}
    for *values, block, begins, ends, held in rows:
        if block is not None:
            values[TEXT] = _unpacked(known, block, begins, ends, held)
        yield tuple(values)


def _unpacked(known: dict[int, bytes], block: int, begins: int, ends: int, held: bytes) -> str:
    """A text out of its block. `known`: blocks that are unpacked already."""
    texts = known.get(block, b"")
    if len(texts) < ends:  # as far as it is wanted; for who asks again, all of it
        if len(known) >= _UNPACKED:
            known.clear()
        texts = known[block] = zlib.decompressobj(WINDOW).decompress(held, 0 if texts else ends)
        if len(texts) < ends:
            raise zlib.error("a block of texts is too short")
    return texts[begins:ends].decode()
