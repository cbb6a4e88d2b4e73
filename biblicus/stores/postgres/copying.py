"""Rows in PostgreSQL's binary COPY format, the fastest (manual: "COPY", "Binary Format")."""

from __future__ import annotations

import struct
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from psycopg import Cursor, sql

if TYPE_CHECKING:
    from numpy.typing import NDArray

_HEAD = b"PGCOPY\n\xff\r\n\0" + bytes(8)


def head() -> bytes:
    """Return the header of a file."""
    return _HEAD


def row(fields: Iterable[bytes | None]) -> bytes:
    """Return a row of fields in their binary forms; None is null."""
    parts = [b"\xff\xff\xff\xff" if field is None else struct.pack(">i", len(field)) + field for field in fields]
    return struct.pack(">h", len(parts)) + b"".join(parts)


def integer(value: int) -> bytes:
    return struct.pack(">i", value)


def boolean(value: bool) -> bytes:
    return b"\1" if value else b"\0"


def vector(values: NDArray[Any]) -> bytes:
    """Return a pgvector `vector`."""
    return struct.pack(">hh", len(values), 0) + values.astype(">f4").tobytes()


def copy_rows(cursor: Cursor[Any], table: sql.Composable, rows: Iterable[Sequence[Any]], types: Sequence[str]) -> None:
    """Copy in rows of Python values."""
    with cursor.copy(sql.SQL("COPY {} FROM STDIN (FORMAT BINARY)").format(table)) as copy:
        copy.set_types(types)
        for values in rows:
            copy.write_row(values)
