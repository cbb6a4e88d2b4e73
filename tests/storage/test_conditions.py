"""What filters mean is said twice, in SQL for tables and in Python for items in memory: both must mean the same."""

import json
from dataclasses import asdict
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from biblicus.corpus.selection import day_of, fits_rows
from biblicus.errors import UsageError
from biblicus.models.item import Item, Source
from biblicus.models.question import Filters
from biblicus.stores.tables import BASE, ItemRow, TableReader, TableWriter

DAYS = ["2026", "2026-05", "2026-05-12", "2026-05-12T09:00:00Z", "2026-5", "12 May", "2026-05-1", "", "20260512"]
URIS = ["https://a.org/x", "https://a.org/xy", "https://a.org/x/y#z", "https://a.org/", "git+https://h/r@1", "n.md", ""]
values = st.one_of(st.sampled_from(["alpha", "beta", *DAYS]), st.integers(0, 3000), st.booleans(), st.none())
metadata = st.dictionaries(
    st.sampled_from(["toolkit", "category", "date", "created_at", "updated", "author"]),
    st.one_of(values, st.lists(values, max_size=3), st.just({"a": "alpha"})),
)
sources = st.builds(Source, st.sampled_from(["corpus", "git", "url"]), st.sampled_from(URIS))
paths = st.sampled_from(["n.md", "imports/wiki/x.md", "imports/wik/x.md", "a/b/c.py"])
texts = st.lists(st.sampled_from(["alpha", "beta", "2026"]), max_size=2).map(tuple)
asked_sources = st.lists(st.sampled_from([*URIS, "git", "wiki", "https://a.org", "a"]), max_size=2).map(tuple)
days = st.one_of(st.none(), st.sampled_from(["2026", "2025-11", "2026-05", "2026-05-12", "1999-01-01"]))
filters = st.builds(
    Filters,
    where=st.dictionaries(st.sampled_from(["author", "date"]), st.sampled_from(["alpha", "2026"]), max_size=1),
    toolkits=texts,
    categories=texts,
    sources=asked_sources,
    since=days,
    until=days,
)


def item(path: str, source: Source, metadata: dict) -> Item:
    return Item("x", path, "text/plain", 1, "0" * 64, "t", None, "doc", (), source, metadata)


@given(st.lists(st.builds(item, paths, sources, metadata), min_size=1, max_size=8), filters)
@settings(max_examples=300, deadline=None)
def test_tables_and_items_agree(tmp_path_factory: pytest.TempPathFactory, items: list[Item], asked: Filters) -> None:
    folder = tmp_path_factory.mktemp("tables")
    table(folder, items)
    reader = TableReader(folder)
    assert reader.rows_where(asked) == {row for row, one in enumerate(items) if fits_rows(one, asked)}
    reader.close()


def table(folder: Path, items: list[Item]) -> None:
    writer = TableWriter(folder / BASE)
    for row, one in enumerate(items):
        record = json.dumps(asdict(one))
        writer.add(ItemRow(row, f"i{row}", one.path, None, "t", record, "e", 0, 0, "d", None, None), [])
    writer.close()


@pytest.mark.parametrize(
    ("metadata", "day"),
    [
        ({"updated": "2024-01-01", "date": "2026-05-12 10:00"}, "2026-05-12"),
        ({"date": "yesterday", "created_at": "2026-05"}, "2026-05"),
        ({"date": 2026}, "2026"),
        ({"date": True, "created_at": ["2026"]}, None),
        ({}, None),
    ],
)
def test_an_item_s_day_is_the_first_that_is_one(metadata: dict, day: str | None) -> None:
    assert day_of(metadata) == day


@pytest.mark.parametrize("day", ["last week", "2026-5-1", "2026-05-01T10:00", "", " 2026"])
def test_what_is_no_day_is_refused(day: str) -> None:
    with pytest.raises(UsageError):
        Filters(since=day)
