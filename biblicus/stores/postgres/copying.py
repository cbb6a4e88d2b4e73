"""Rows in the form that PostgreSQL copies in fastest: its binary one (its manual, "COPY", "Binary Format")."""

from __future__ import annotations

import struct
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from psycopg import Cursor, sql

if TYPE_CHECKING:
    from numpy.typing import NDArray

_HEAD = b"PGCOPY\n\xff\r\n\0" + bytes(8)
_TAIL = b"\xff\xff"
_INT4, _INT8 = 23, 20
_PIECE = 1 << 20


def head() -> bytes:
    """What stands before the rows of a file."""
    return _HEAD


def row(fields: Iterable[bytes | None]) -> bytes:
    """A row of fields in their binary forms; None is null."""
    parts = [b"\xff\xff\xff\xff" if field is None else struct.pack(">i", len(field)) + field for field in fields]
    return struct.pack(">h", len(parts)) + b"".join(parts)


def smallint(value: int) -> bytes:
    return struct.pack(">h", value)


def integer(value: int) -> bytes:
    return struct.pack(">i", value)


def boolean(value: bool) -> bytes:
    return b"\1" if value else b"\0"


def elements(values: NDArray[Any], form: Literal["i4", "i8"]) -> NDArray[Any]:
    """Numbers as the elements of an `integer[]` or `bigint[]`, each behind its size: slices of it are arrays, too."""
    import numpy as np

    made = np.empty(len(values), [("size", ">i4"), ("value", f">{form}")])
    made["size"], made["value"] = int(form[1]), values
    return made


def array(part: NDArray[Any]) -> bytes:
    """An array of such elements."""
    kind = _INT4 if part.dtype["value"].itemsize == 4 else _INT8
    return struct.pack(">iiiii", 1, 0, kind, len(part), 1) + part.tobytes()


def vector(values: NDArray[Any]) -> bytes:
    """A `vector` of pgvector."""
    return struct.pack(">hh", len(values), 0) + values.astype(">f4").tobytes()


def copy_file(cursor: Cursor[Any], table: sql.Composable, path: Path) -> None:
    """Copy in a file of a head and rows."""
    with cursor.copy(sql.SQL("COPY {} FROM STDIN (FORMAT BINARY)").format(table)) as copy, path.open("rb") as stream:
        while piece := stream.read(_PIECE):
            copy.write(piece)
        copy.write(_TAIL)


def copy_rows(cursor: Cursor[Any], table: sql.Composable, rows: Iterable[Sequence[Any]], types: Sequence[str]) -> None:
    """Copy in rows of Python's values."""
    with cursor.copy(sql.SQL("COPY {} FROM STDIN (FORMAT BINARY)").format(table)) as copy:
        copy.set_types(types)
        for values in rows:
            copy.write_row(values)
