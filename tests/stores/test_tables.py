"""Tables of runs that were built before chunks had spots are read as they are."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from pathlib import Path

import pytest

from biblicus.stores.tables import BASE, DELTA, ChunkRow, ItemRow, TableReader, TableWriter

_SPOTS = '[[0,"slide","","1",""]]'


def written(path: Path, rows: Iterable[int]) -> None:
    writer = TableWriter(path)
    for row in rows:
        item = ItemRow(row, f"i{row}", f"{row}.txt", None, "", "{}", "", 1, 1, "", None, None)
        writer.add(item, [ChunkRow(row, row, 0, 0, 4, 1, 1, None, None, "moon", _SPOTS)])
    writer.close()


@pytest.mark.parametrize("with_delta", [False, True])
@pytest.mark.parametrize("older", [False, True])
def test_chunks_have_their_spots_or_none(tmp_path: Path, with_delta: bool, older: bool) -> None:
    written(tmp_path / BASE, [0])
    if with_delta:
        written(tmp_path / DELTA, [1])
    if older:
        for name in [BASE, DELTA][: 1 + with_delta]:
            with sqlite3.connect(tmp_path / name) as connection:
                connection.execute("ALTER TABLE chunks DROP COLUMN spots")
    reader = TableReader(tmp_path)
    expected = None if older else _SPOTS
    assert {row: chunk.spots for row, chunk in reader.chunks([0, 1]).items()} == dict.fromkeys(
        range(1 + with_delta), expected
    )
    assert [chunk.text for chunk in reader.all_chunks()] == ["moon"] * (1 + with_delta)
    reader.close()
