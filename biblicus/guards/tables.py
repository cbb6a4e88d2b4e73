"""Rows of an SQLite database that a stranger may have written, read from memory in a worker process.

Nothing is written, no extension is loaded, and SQLite's advice for hostile files is followed
(https://sqlite.org/security.html). Committed pages of a write-ahead log are applied first."""

from __future__ import annotations

import json as plain_json
import sqlite3
import struct
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from biblicus.errors import ExtractionFailed
from biblicus.guards import json
from biblicus.guards.process import End, Limits, Say, Worker, reply, serve

if TYPE_CHECKING:
    from biblicus.contracts import Call

Rows = list[list[str | int | float | None]]
_LIMITS = Limits(memory=4 << 30, seconds=120.0, output=512 << 20)
_LONGEST_REASON = 200


def read(database: bytes, log: bytes, queries: Mapping[str, str], call: Call) -> dict[str, Rows]:
    """Return the rows of each query. `log`: content of the database's `-wal` file, or empty. Raises
    `BadData` for a damaged database, or one with other tables."""
    worker = Worker(__name__, _LIMITS)
    try:
        answer = reply(worker, call, ({"queries": dict(queries), "bytes": len(database)}, database + log))
    finally:
        worker.kill()
    if isinstance(answer, End):
        raise ExtractionFailed(answer.cause)
    if isinstance(cause := answer[0].get("failed"), str):
        raise ExtractionFailed(" ".join(cause.split())[:_LONGEST_REASON])
    tables = json.read(answer[1], max_bytes=_LIMITS.output)
    if not isinstance(tables, dict) or tables.keys() != queries.keys() or not all(map(_is_table, tables.values())):
        raise ExtractionFailed("the reader's answer is not what was agreed")
    return tables


def _is_table(value: Any) -> bool:
    return isinstance(value, list) and all(
        isinstance(row, list) and all(cell is None or isinstance(cell, str | int | float) for cell in row)
        for row in value
    )


# --- in the worker ---


def main(limits_json: str) -> None:
    serve(limits_json, _answer)


def _answer(header: Mapping[str, Any], body: bytes, say: Say) -> tuple[Mapping[str, Any], bytes]:
    try:
        database = _with_log(bytearray(memoryview(body)[: header["bytes"]]), body[header["bytes"] :])
        return {}, plain_json.dumps(_tables(database, header["queries"]), ensure_ascii=False).encode("utf-8", "replace")
    except MemoryError:
        raise
    except Exception as error:  # SQLite may raise anything on a broken file
        return {"failed": str(error)}, b""


def _tables(database: bytearray, queries: Mapping[str, str]) -> dict[str, list[tuple[Any, ...]]]:
    connection = sqlite3.connect(":memory:")
    connection.text_factory = lambda raw: raw.decode("utf-8", "replace")
    connection.deserialize(database)
    for pragma in ("trusted_schema = OFF", "cell_size_check = ON", "query_only = ON", "temp_store = MEMORY"):
        connection.execute(f"PRAGMA {pragma}")
    (state,) = connection.execute("PRAGMA quick_check(1)").fetchone()
    if state != "ok":
        raise ValueError(f"the database is damaged: {state}")
    rows = {name: connection.execute(query).fetchall() for name, query in queries.items()}
    return {name: [tuple(None if isinstance(cell, bytes) else cell for cell in row) for row in table]
            for name, table in rows.items()}  # fmt: skip


def _with_log(data: bytearray, log: bytes) -> bytearray:
    """Return a database with the committed pages of its write-ahead log (https://sqlite.org/fileformat2.html#walformat),
    in a mode that needs none."""
    if len(log) > 32:
        magic, _, size = struct.unpack(">3I", log[:12])
        order, salts = ">" if magic & 1 else "<", log[16:24]
        total = _checksum(order, log[:24], (0, 0))
        if struct.unpack(">2I", log[24:32]) != total:  # SQLite ignores it, too
            log = b""
        pages: dict[int, int] = {}
        for start in range(32, len(log) - 24 - size + 1, 24 + size):
            page, pages_after = struct.unpack(">2I", log[start : start + 8])
            total = _checksum(order, log[start : start + 8], total)
            total = _checksum(order, log[start + 24 : start + 24 + size], total)
            if log[start + 8 : start + 16] != salts or struct.unpack(">2I", log[start + 16 : start + 24]) != total:
                break
            pages[page] = start + 24
            if pages_after:
                data += bytes(max(0, pages_after * size - len(data)))
                for number, place in pages.items():
                    data[(number - 1) * size : number * size] = log[place : place + size]
                del data[pages_after * size :]
                pages = {}
    data[18:20] = b"\1\1"
    return data


def _checksum(order: str, data: bytes, total: tuple[int, int]) -> tuple[int, int]:
    first, second = total
    for one, two in struct.iter_unpack(f"{order}2I", data):
        first = (first + one + second) & 0xFFFFFFFF
        second = (second + two + first) & 0xFFFFFFFF
    return first, second
