"""What filters mean is said in Python for items in memory and in tables, and in the engine's own queries: all must mean
the same."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from biblicus.config import Layer
from biblicus.contracts import Call, Given, LegReader, RankedChunk
from biblicus.corpus.editorial.approvals import layer_of
from biblicus.errors import UsageError
from biblicus.models.item import DOCTYPES, Item, Source
from biblicus.models.question import Allow, Question
from biblicus.models.requests.query import FILTERS, INDEXED, Filters
from biblicus.retrieval.words import lexical, scan
from biblicus.retrieval.words.lexical import Options
from biblicus.stores.filling import TableWriter
from biblicus.stores.tables import BASE, ItemRow, TableReader
from biblicus.text.fitting import MEANINGS, Description, beginning, day_of, fits, fits_path, matches_path
from tests.sampling import examples

DAYS = ["2026", "2026-05", "2026-05-12", "2026-05-12T09:00:00Z", "2026-5", "12 May", "2026-05-1", "", "20260512"]
URIS = ["https://a.org/x", "https://a.org/xy", "https://a.org/x/y#z", "https://a.org/", "git+https://h/r@1", "n.md", ""]
PATHS = ["n.md", "imports/wiki/x.md", "imports/wik/x.md", "a/b/c.py"]
TYPES = ["text/plain", "text/markdown", "application/pdf", "text/x-python"]
LANGUAGES = ["en", "de", "pt-br"]

values = st.one_of(st.sampled_from(["alpha", "beta", *DAYS]), st.integers(0, 3000), st.booleans(), st.none())
metadata = st.dictionaries(
    st.sampled_from(["toolkit", "category", "date", "created_at", "updated", "author"]),
    st.one_of(values, st.lists(values, max_size=3), st.just({"a": "alpha"})),
)
sources = st.builds(Source, st.sampled_from(["corpus", "git", "url"]), st.sampled_from(URIS))
texts = st.lists(st.sampled_from(["alpha", "beta", "2026"]), max_size=2).map(tuple)
days = st.one_of(st.none(), st.sampled_from(["2026", "2025-11", "2026-05", "2026-05-12", "1999-01-01"]))


def some(*choices: str) -> st.SearchStrategy[tuple[str, ...]]:
    return st.lists(st.sampled_from(choices), max_size=2).map(tuple)


items = st.builds(
    Item,
    item_id=st.just("x"),
    path=st.sampled_from(PATHS),
    media_type=st.sampled_from(TYPES),
    bytes=st.just(1),
    sha256=st.sampled_from(["0" * 64, "1" * 64]),
    content_hash=st.sampled_from([None, "sha256:" + "0" * 64, "sha256:" + "2" * 64]),
    title=st.just("t"),
    language=st.one_of(st.none(), st.sampled_from(LANGUAGES)),
    doctype=st.sampled_from(DOCTYPES),
    tags=texts,
    source=sources,
    metadata=metadata,
    layer=st.sampled_from([None, "raw", "published"]),
)
by_item = {
    "where": st.dictionaries(st.sampled_from(["author", "date"]), st.sampled_from(["alpha", "2026"]), max_size=1),
    "toolkit": texts,
    "category": texts,
    "source": some(*URIS, "git", "wiki", "https://a.org", "a"),
    "layer": some("raw", "published"),
    "since": days,
    "until": days,
    "hash": some(*(digit * 64 for digit in "012")),
}
indexed = {
    "tag": texts,
    "type": some(*TYPES, "text/*", "markdown", "pdf", "image/*"),
    "doctype": some(*DOCTYPES),
    "language": some(*LANGUAGES, "PT-BR", "fr"),
    "path": some(*PATHS, "*.md", "imports/**", "**/*.md", "a/*", "a/[bc]/*.py", "?.md", "nosuch/"),
}


def test_every_filter_has_its_meaning_and_is_compared_here() -> None:
    assert set(MEANINGS) == set(FILTERS) == {*by_item, *indexed}
    assert set(indexed) == INDEXED


@pytest.fixture(scope="module")
def shelf() -> list[Item]:
    """Items of many kinds: most filters leave some and drop some."""
    drawn: list[Item] = []

    @given(items)
    @settings(max_examples=400, database=None, derandomize=True, deadline=None)
    def draw(item: Item) -> None:
        drawn.append(item)

    draw()
    return drawn


@pytest.fixture(scope="module")
def tables(shelf: list[Item], tmp_path_factory: pytest.TempPathFactory) -> Iterator[TableReader]:
    reader = tables_of(tmp_path_factory.mktemp("tables"), shelf)
    yield reader
    reader.close()


@pytest.fixture(scope="module")
def legs(shelf: list[Item], tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[LegReader]]:
    """The engine's index and the reader of live files, over one chunk of each item."""
    chunks = [
        RankedChunk(row, row, "", "tide", item.language, item.media_type, item.doctype, item.tags, item.path)
        for row, item in enumerate(shelf)
    ]
    leg, folder = lexical.build(Options(), Given()), tmp_path_factory.mktemp("index")
    leg.build(Chunks(chunks), folder, None, Call())
    readers = [leg.open(folder), scan.build(Options(), Given()).over(chunks)]
    yield readers
    for reader in readers:
        reader.close()


def one_filter_or_several() -> st.SearchStrategy[Filters]:
    """All at once mostly leave nothing; a few at a time tell more."""
    every = {**by_item, **indexed}
    names = st.lists(st.sampled_from(FILTERS), min_size=1, max_size=3, unique=True)
    return names.flatmap(lambda chosen: st.builds(Filters, **{name: every[name] for name in chosen}))


@given(one_filter_or_several())
@settings(max_examples=examples(75), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_what_is_ranked_is_what_is_listed(
    shelf: list[Item], tables: TableReader, legs: list[LegReader], asked: Filters
) -> None:
    """SQL and the engine's queries together, as a search uses them, against the meanings in Python."""
    allow = Allow(asked, tables.rows_where(asked) if asked.by_item else None)
    listed = {row for row, item in enumerate(shelf) if fits(item, asked)}
    for leg in legs:
        assert {hit.row for hit in leg.search(Question("tide", {"en": 1.0}), allow, len(shelf), Call())} == listed


@pytest.mark.parametrize("name", FILTERS)
def test_each_filter_leaves_some_items_and_drops_some(shelf: list[Item], name: str) -> None:
    """So that the comparison above compares something."""
    wanted: dict[str, Any] = {
        "since": "2026-05",
        "until": "2026-05",
        "where": {"author": "alpha"},
        "source": ("git",),
        "hash": ("0" * 64,),
    }
    wanted |= {"tag": ("alpha",), "toolkit": ("alpha",), "category": ("alpha",), "path": ("*.md",)}
    wanted |= {"type": ("text/*",), "doctype": ("doc",), "language": ("en",), "layer": ("raw",)}
    kept = sum(fits(item, Filters(**{name: wanted[name]})) for item in shelf)
    assert 0 < kept < len(shelf)


class Chunks:
    """A chunk table in memory."""

    def __init__(self, chunks: Sequence[RankedChunk]) -> None:
        self._chunks = chunks

    def languages(self) -> Mapping[str, float]:
        return {"en": 1.0}

    def count(self) -> int:
        return len(self._chunks)

    def rows(self) -> Iterator[RankedChunk]:
        return iter(self._chunks)

    def added(self) -> Iterator[RankedChunk]:
        return iter(())

    def each(self, make: Callable[[RankedChunk], Any], *, added: bool) -> Iterator[tuple[int, int, Any]]:
        return ((chunk.row, chunk.item, make(chunk)) for chunk in (() if added else self._chunks))

    def removed_items(self) -> Sequence[int]:
        return ()


def tables_of(folder: Path, several: list[Item]) -> TableReader:
    writer = TableWriter(folder / BASE)
    for row, item in enumerate(several):
        writer.add(
            ItemRow(row, f"i{row}", item.path, None, "t", json.dumps(asdict(item)), "e", 0, 0, "d", None, None), []
        )
    writer.close()
    return TableReader(folder)


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


LAYERS = (Layer(name="raw"), Layer(name="published", path="published", base="raw"))


@pytest.mark.parametrize("path", ["published/tides.md", "published/old/tides.md"])
def test_a_plain_name_is_a_folder_in_filters_and_not_in_rules(path: str) -> None:
    assert MEANINGS["path"](Description(None, "text/markdown", "doc", (), path), ("published",))
    assert not matches_path(path, ["published"])
    assert layer_of(LAYERS, path, {}) == "raw"


@pytest.mark.parametrize(
    ("globs", "expected"),
    [
        ((), ""),
        (("notes",), "notes"),
        (("./notes/",), "notes"),
        (("notes/a*.md",), "notes/a"),
        (("notes/x", "notes/y/*"), "notes/"),
        (("notes", "log"), ""),
        (("**/a.md",), ""),
        (("a[bc]/d", "ab"), "a"),
    ],
)
def test_how_every_path_begins_that_a_filter_wants(globs: tuple[str, ...], expected: str):
    assert beginning(globs) == expected


@given(some("n", "n/", "n/*", "n/b?", "**/x", "n[ab]", "./n/b", "*"), st.text("nabx/.", min_size=1, max_size=5))
def test_what_a_filter_wants_begins_so(globs: tuple[str, ...], path: str):
    assert path.startswith(beginning(globs)) or not fits_path(path, globs)
