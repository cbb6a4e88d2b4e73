"""A Milvus that lost or altered what it keeps: found by `check --read-data`, never served, healed by `reindex`."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from biblicus import Corpus
from biblicus.errors import BiblicusError
from tests.stores.test_conformance import TEXTS, filled
from tests.stores.test_milvus import collections, kept_in
from tests.stores.test_postgres import schema_of
from tests.stores.test_vouched import QUESTIONS, RECIPE, mended
from tools.milvus import Server

SKIPPED = {"none"}
"""The vector of nothing of rows that have none."""


@pytest.fixture
def corpus(tmp_path: Path, milvus: Server, monkeypatch: pytest.MonkeyPatch) -> Iterator[Corpus]:
    kept_in(milvus.uri, monkeypatch)
    with filled(tmp_path / "harbour", TEXTS) as made:
        recipe = made.path / ".biblicus" / "recipes" / "all.yml"
        recipe.parent.mkdir(exist_ok=True)
        recipe.write_text(RECIPE, "utf-8")
        made.reindex("all")
        yield made


def _told(place: Path) -> Any:
    with Corpus.open(place) as again:
        try:
            results = [again.query(question, recipe="all") for question in QUESTIONS]
        except BiblicusError as error:
            return error
    return [[(piece.path, piece.text, piece.line_start, piece.hash) for piece in got.evidence] for got in results]


def _other(value: Any) -> Any:
    """Another value of the same type."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + 1
    return f"{value}x" if isinstance(value, str) else [-number for number in value]


@pytest.mark.parametrize("part", ["chunks", "rest"])
def test_whatever_field_is_altered_no_evidence_is_wrong(corpus: Corpus, milvus: Server, part: str) -> None:
    from pymilvus import MilvusClient

    client, expected = MilvusClient(milvus.uri), _told(corpus.path)
    (name,) = collections_of(corpus, milvus, part)
    fields = [field["name"] for field in client.describe_collection(name)["fields"]]
    key = fields[0]
    for field in fields[1:]:
        if field in SKIPPED:
            continue
        (name,) = collections_of(corpus, milvus, part)
        rows = client.query(name, filter="row >= 0", output_fields=fields, limit=16_000, consistency_level="Strong")
        client.upsert(name, [{**row, field: _other(row[field])} for row in rows])
        client.flush(name)
        told = _told(corpus.path)
        what = part, field, key
        if part == "rest":  # vectors decide an order alone, and are read by `check` and `reindex`
            assert told == expected or (isinstance(told, BiblicusError) and "reindex" in told.hint), (what, told)
        with Corpus.open(corpus.path) as again:
            assert again.check(read_data=True).problems, what
        mended(corpus, what)
        assert _told(corpus.path) == expected, what


def collections_of(corpus: Corpus, milvus: Server, part: str) -> list[str]:
    return [name for name in collections(milvus, f"{schema_of(corpus)}__") if name.endswith(f"_{part}")]


@pytest.mark.parametrize("part", ["chunks", "rest", ""])
def test_whatever_is_lost_reindex_heals(corpus: Corpus, milvus: Server, part: str) -> None:
    from pymilvus import MilvusClient

    client, expected = MilvusClient(milvus.uri), _told(corpus.path)
    (name,) = collections_of(corpus, milvus, part) if part else [schema_of(corpus)]
    client.drop_collection(name)
    told = _told(corpus.path)
    assert isinstance(told, BiblicusError)
    assert "reindex" in told.hint
    mended(corpus, part)
    assert _told(corpus.path) == expected, part


@pytest.mark.parametrize("part", ["chunks", "rest", ""])
def test_rows_that_are_lost_are_brought_back(corpus: Corpus, milvus: Server, part: str) -> None:
    from pymilvus import MilvusClient

    client, expected = MilvusClient(milvus.uri), _told(corpus.path)
    (name,) = collections_of(corpus, milvus, part) if part else [schema_of(corpus)]
    fits = "row >= 1" if part == "chunks" else "row >= 0" if part else 'key >= "run" and key < "s"'
    client.delete(name, filter=fits)
    client.flush(name)
    assert _told(corpus.path) == expected or isinstance(_told(corpus.path), BiblicusError)
    mended(corpus, part)
    assert _told(corpus.path) == expected, part
