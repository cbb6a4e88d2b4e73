"""Texts of chunks and records of items are packed."""

import json
import sqlite3
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from biblicus.errors import RunDamaged
from biblicus.models.requests.query import Filters
from biblicus.stores import packing
from biblicus.stores.filling import TableWriter
from biblicus.stores.packing import ChunkRow
from biblicus.stores.tables import BASE, DELTA, ItemRow, TableReader

_SPOTS = '[[0,"slide","","1",""]]'
_RECORD = '{"title":"Moon %d","metadata":{"toolkit":"tides","context":"sea"}}'


def written(path: Path, rows: Iterable[int], texts: Sequence[str] = ("moon",)) -> list[str]:
    """Fills tables; every item has these texts, one behind the other."""
    writer = TableWriter(path)
    stored: list[str] = []
    for row in rows:
        item = ItemRow(row, f"i{row}", f"{row}.txt", None, "", _RECORD % row, "", len(texts), 1, "", None, None)
        chunks, start = [], 0
        for ordinal, text in enumerate(texts):
            chunk_row = row * len(texts) + ordinal
            place = (start, start + len(text), 1, 1)
            chunks.append(ChunkRow(chunk_row, row, ordinal, *place, None, None, text, _SPOTS))
            start += len(text)
        writer.add(item, chunks)
        stored += texts
    writer.close()
    return stored


@pytest.mark.parametrize("with_delta", [False, True])
def test_chunks_have_their_texts_and_spots(tmp_path: Path, with_delta: bool) -> None:
    written(tmp_path / BASE, [0])
    if with_delta:
        written(tmp_path / DELTA, [1])
        written(tmp_path / DELTA, [2])
    reader, rows = TableReader(tmp_path), range(3 if with_delta else 1)
    expected = dict.fromkeys(rows, ("moon", _SPOTS))
    assert {row: (chunk.text, chunk.spots) for row, chunk in reader.chunks([0, 1, 2]).items()} == expected
    assert [chunk.text for chunk in reader.all_chunks()] == ["moon"] * len(rows)
    assert [chunk.text for row in rows for chunk in reader.chunks_of(row)] == ["moon"] * len(rows)
    reader.close()


def test_each_chunk_has_its_own_text_of_those_that_are_packed_together(tmp_path: Path) -> None:
    texts = ["tide" * 400, "", "мир 🌊 \u0000", "x" * 800_000, *(f"note {number}\n" for number in range(1_200))]
    stored = written(tmp_path / BASE, [0, 1], texts)
    reader = TableReader(tmp_path)
    assert [chunk.text for chunk in reader.all_chunks()] == stored
    rows = range(0, len(stored), 7)
    assert {row: chunk.text for row, chunk in reader.chunks(rows).items()} == {row: stored[row] for row in rows}
    assert [chunk.text for chunk in reader.chunks_of(1)] == texts
    reader.close()
    assert (tmp_path / BASE).stat().st_size < 0.5 * sum(map(len, stored))


@pytest.mark.parametrize("with_delta", [False, True])
def test_items_have_their_records(tmp_path: Path, with_delta: bool) -> None:
    count = 40
    written(tmp_path / BASE, range(count))
    if with_delta:
        written(tmp_path / DELTA, [count])
    reader = TableReader(tmp_path)
    rows = range(count + with_delta)
    assert reader.records() == {f"{row}.txt": _RECORD % row for row in rows}
    assert {row: item.record for row, item in reader.items(rows).items()} == {row: _RECORD % row for row in rows}
    assert reader.toolkits() == {"tides"}
    assert reader.rows_where(Filters(toolkit=("tides",))) == set(rows)
    assert [facets.toolkits for facets in reader.facets()] == [("tides",)] * len(rows)
    reader.close()


def test_texts_that_have_words_in_common_are_packed_with_them(tmp_path: Path) -> None:
    words = [f"harbour{number * 7_919} gull{number * 104_729}" for number in range(200)]
    texts = [" ".join(words[2 * at :] + words[: 2 * at]) for at in range(100)]
    stored = written(tmp_path / BASE, range(3), texts)
    reader = TableReader(tmp_path)
    assert [chunk.text for chunk in reader.all_chunks()] == stored
    assert [chunk.text for chunk in reader.chunks(range(0, 300, 7)).values()] == stored[::7]
    reader.close()
    with sqlite3.connect(tmp_path / BASE) as connection:
        ((kept,),) = connection.execute("SELECT sum(length(packed)) FROM texts")
    assert kept < sum(map(len, stored)) / 5  # half without


def test_records_take_a_third_of_their_size(tmp_path: Path) -> None:
    written(tmp_path / BASE, range(4_000), [])
    size = sum(len(_RECORD % row) for row in range(4_000))
    with sqlite3.connect(tmp_path / BASE) as connection:
        ((kept,),) = connection.execute("SELECT sum(length(record)) FROM items")
    assert kept < size / 3


@pytest.mark.parametrize("with_delta", [False, True])
def test_records_stay_packed_where_columns_tell(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, with_delta: bool
) -> None:
    unpacked: list[object] = []

    def counted(*given: object) -> str:
        unpacked.append(given)
        return "{}"

    monkeypatch.setattr(packing, "_record", counted)
    written(tmp_path / BASE, range(3))
    if with_delta:
        written(tmp_path / DELTA, [3])
    reader = TableReader(tmp_path)
    rows = range(3 + with_delta)
    assert reader.sizes().items == len(rows)
    assert reader.toolkits() == {"tides"}
    assert len(list(reader.facets())) == len(rows)
    assert reader.rows_where(Filters(toolkit=("tides",), since="2020")) == set()
    lines = {f"{row}.txt": (_RECORD % row).encode() for row in rows} | {"1.txt": b"{}"}
    assert [(row.row, is_same) for row, is_same in reader.compared(lines)] == [(row, row != 1) for row in rows]
    reader.close()
    assert not unpacked


@pytest.mark.parametrize("damage", [b"", b"\xff" * 40, 7])
@pytest.mark.parametrize("number", ["-1", "0"])
def test_a_damaged_dictionary_is_a_damaged_run(tmp_path: Path, number: str, damage: object) -> None:
    written(tmp_path / BASE, [0], ["moon " * 100] * 200)
    with sqlite3.connect(tmp_path / BASE) as connection:
        change = connection.execute("UPDATE dictionaries SET packed = ? WHERE number = ?", (damage, number))
        assert change.rowcount == 1
    reader = TableReader(tmp_path)
    for read in (lambda: reader.items([0]), lambda: reader.chunks([0])[0].text, lambda: list(reader.all_chunks())):
        with suppress(RunDamaged):  # what needs no words of it is read
            read()
    with pytest.raises(RunDamaged):
        assert [(reader.items([0]), chunk.text) for chunk in reader.all_chunks()]
    reader.close()


@pytest.mark.parametrize(
    ("toolkit", "expected"),
    [
        ("tides", {"tides"}),
        ("[draft] kit", {"[draft] kit"}),
        (["a", "b"], {"a", "b"}),
        ('["a"]', {'["a"]'}),
        (5, set()),
    ],
)
def test_what_items_are_about_is_what_their_records_say(tmp_path: Path, toolkit: object, expected: set[str]) -> None:
    writer = TableWriter(tmp_path / BASE)
    record = json.dumps({"source": {}, "metadata": {"toolkit": toolkit}}, separators=(",", ":"))
    writer.add(ItemRow(0, "i0", "0.txt", None, "", record, "", 0, 1, "", None, None), [])
    writer.close()
    reader = TableReader(tmp_path)
    assert reader.toolkits() == expected
    assert [set(facets.toolkits) for facets in reader.facets()] == [expected]
    reader.close()


@pytest.mark.parametrize("damage", [b"", b"\xff" * 40])
@pytest.mark.parametrize(
    ("change", "read"),
    [
        pytest.param("items SET record", lambda reader: reader.items([0]), id="a record"),
        pytest.param("texts SET packed", lambda reader: reader.chunks([0])[0].text, id="a block of texts"),
    ],
)
def test_what_is_damaged_is_a_damaged_run(
    tmp_path: Path, change: str, read: Callable[[TableReader], object], damage: bytes
) -> None:
    written(tmp_path / BASE, [0])
    with sqlite3.connect(tmp_path / BASE) as connection:
        assert connection.execute(f"UPDATE {change} = ?", (damage,)).rowcount == 1
    reader = TableReader(tmp_path)
    with pytest.raises(RunDamaged):
        read(reader)
    reader.close()


@pytest.mark.parametrize("with_delta", [False, True])
@pytest.mark.parametrize(
    ("asked", "key"),
    [("chunks", [0]), ("places", [0]), ("items", [0]), ("items_of", "0.txt"), ("contexts", ["0.txt"])],
)
def test_rows_are_looked_up_and_not_searched_for(tmp_path: Path, with_delta: bool, asked: str, key: object) -> None:
    written(tmp_path / BASE, [0])
    if with_delta:
        written(tmp_path / DELTA, [1])
    reader = TableReader(tmp_path)
    plans: list[str] = []
    rows = reader._rows

    def explained(sql: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        plans.extend(row[3] for row in rows(f"EXPLAIN QUERY PLAN {sql}", values))
        return rows(sql, values)

    reader._rows = explained  # type: ignore[method-assign]
    assert getattr(reader, asked)(key)
    assert plans
    short = ("removed", "json_each")
    assert not [plan for plan in plans if plan.startswith("SCAN") and not any(name in plan for name in short)], plans
    assert not [plan for plan in plans if plan.startswith("MATERIALIZE")], plans
    reader.close()


@pytest.mark.parametrize(
    ("beginnings", "places"),
    [
        ([], [0, 1, 2]),
        ([["laye"]], [0, 1]),
        ([["laye"], ["mask", "menu"]], [0, 1]),
        ([["laye"], ["mask"]], [1]),
        ([["ayer"]], [0, 1]),
        ([["moon"], ["laye"]], []),
        ([["a"], ["k"]], [1]),
        ([["oo"]], [2]),
        ([["titl"]], []),  # what all records have
        ([["abcd"]], []),  # digests
    ],
)
@pytest.mark.parametrize("cached", [True, False])
def test_records_are_found_by_what_their_words_hold(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, beginnings: list[list[str]], places: list[int], cached: bool
) -> None:
    monkeypatch.setattr("biblicus.stores.tables._BARE", 3 if cached else 2)
    writer = TableWriter(tmp_path / BASE)
    for row, name in enumerate(("menus/Layer.png", "layer_mask.png", "moon.png")):
        record = f'{{"item_id":"{row}","path":"{name}","sha256":"abcd{row}","title":""}}'
        writer.add(ItemRow(row, f"{row}", f"{row}{name}", None, "", record, "", 0, 0, "", None, None), [])
    writer.close()
    reader = TableReader(tmp_path)
    assert [item.row for _ in range(2) for item in reader.without_text(beginnings)] == places * 2
    reader.close()
