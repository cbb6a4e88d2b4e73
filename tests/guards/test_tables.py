"""Rows of SQLite databases that may be damaged or hostile."""

from __future__ import annotations

import sqlite3
from dataclasses import replace
from pathlib import Path

import pytest

from biblicus.contracts import Call
from biblicus.errors import BadData
from biblicus.guards import tables

ROWS = {"rows": "SELECT name, number FROM tides ORDER BY number"}


def made(folder: Path, *statements: str, mode: str = "WAL") -> tuple[bytes, bytes]:
    """Return a database and its log, as they lie on disk after these statements."""
    path = folder / "a.sqlite"
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute(f"PRAGMA journal_mode = {mode}")
    connection.execute("PRAGMA wal_autocheckpoint = 0")
    for statement in ("CREATE TABLE tides (name, number)", *statements):
        connection.execute(statement)
    log = folder / "a.sqlite-wal"
    data = path.read_bytes(), log.read_bytes() if log.exists() else b""
    connection.close()
    return data


def read(data: tuple[bytes, bytes], query: str = ROWS["rows"]) -> list[list[object]]:
    return [list(row) for row in tables.read(*data, {"rows": query}, Call())["rows"]]


@pytest.mark.parametrize("mode", ["WAL", "DELETE"])
def test_committed_rows(tmp_path: Path, mode: str) -> None:
    data = made(tmp_path, "INSERT INTO tides VALUES ('ebb', 1), (x'00ff', 2), (NULL, 2.5)", mode=mode)
    assert bool(data[1]) is (mode == "WAL")
    assert read(data) == [["ebb", 1], [None, 2], [None, 2.5]]
    assert tables.read(*data, {}, Call()) == {}


def test_a_torn_log_ends_at_the_last_whole_transaction(tmp_path: Path) -> None:
    database, log = made(tmp_path, *(f"INSERT INTO tides VALUES ('{name}', 1)" for name in "abc"))
    assert read((database, log)) == [["a", 1], ["b", 1], ["c", 1]]
    for torn in (log[:-1], log[:-9] + b"\xff" + log[-8:]):
        assert read((database, torn)) == [["a", 1], ["b", 1]]
    for ignored in (
        log[:40],
        log[:24] + bytes(8) + log[32:],
        log[:16] + bytes(8) + log[24:],
        log[:11] + b"\1" + log[12:],
    ):
        with pytest.raises(BadData, match="no such table"):
            read((database, ignored))


def test_hostile_and_damaged_ones_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data = made(tmp_path, "INSERT INTO tides VALUES ('ebb', 1)", mode="DELETE")
    for database in (b"", b"no database", data[0][:100], data[0][:4096] + b"\xff" * 4096):
        with pytest.raises(BadData):
            read((database, b""))
    for query in ("SELECT load_extension('a')", "DELETE FROM tides", "ATTACH '/etc/passwd' AS a", "SELECT 1; SELECT 2"):
        with pytest.raises(BadData):
            read(data, query)
    monkeypatch.setattr(tables, "_LIMITS", replace(tables._LIMITS, seconds=0.5))
    endless = "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n"
    with pytest.raises(BadData, match=r"longer than|processor time"):
        read(data, endless)
