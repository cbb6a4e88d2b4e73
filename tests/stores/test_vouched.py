"""A database that lost or altered what it keeps: found by `check --read-data`, never served, healed by `reindex`."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from biblicus import Corpus
from biblicus.errors import BiblicusError
from tests.stores.test_conformance import TEXTS, filled
from tests.stores.test_postgres import Database, schema_of
from tests.stores.test_postgres import database as database

LEGS = "{lexical: {}, vector: {engine: exact, embedder: minilm}}"
RECIPE = f"name: all\nbuild: {{chunking: {{default: {{by: paragraphs}}}}, legs: {LEGS}}}\n"
QUESTIONS = ("the tides of the harbour", "gulls fish", '"spring tides"')
OTHER = {
    "smallint": "{0} + 1", "integer": "-coalesce({0}, 0) - 1", "bigint": "{0} + 1", "text": "coalesce({0}, '') || 'x'",
    "boolean": "NOT {0}", "jsonb": "jsonb_build_object('x', {0})", "text[]": "{0} || 'x'::text",
    "integer[]": "{0} || 7", "bytea": "{0} || '\\x07'::bytea",
    "vector(384)": "{0} * array_fill(-2, ARRAY[384])::vector",
    "timestamp with time zone": "{0} - interval '1 hour'",
}  # fmt: skip
HARMLESS = {("leases", "clone"), ("leases", "renewed"), ("runs", "signs"), ("touched", "name")}
"""What no evidence depends on: who uses a run, and what tells cheaply that nothing changed."""
REFUSED = {("biblicus", "corpus_id"): "holds another corpus"}


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("vouched") / "harbour"


@pytest.fixture
def corpus(place: Path, database: Database) -> Iterator[Corpus]:
    """One for all rows: whatever was done to its runs, `reindex` made them whole."""
    with Corpus.open(place) if place.exists() else filled(place, TEXTS) as made:
        recipe = made.path / ".biblicus" / "recipes" / "all.yml"
        recipe.parent.mkdir(exist_ok=True)
        recipe.write_text(RECIPE, "utf-8")
        made.reindex("all")
        yield made


def _columns(database: Database, schema: str) -> list[tuple[str, str, str]]:
    """Table, column and type of all that the schema keeps for questions; tables for people with psql are others."""
    return [
        (table, column, kind)
        for table, column, kind in database.rows(
            "SELECT c.relname, a.attname, format_type(a.atttypid, a.atttypmod) FROM pg_attribute a"
            " JOIN pg_class c ON c.oid = a.attrelid JOIN pg_namespace n ON n.oid = c.relnamespace"
            " WHERE n.nspname = %s AND c.relkind = 'r' AND c.relname NOT LIKE 'latest%%' AND a.attnum > 0"
            " AND NOT a.attisdropped ORDER BY 1, a.attnum",
            schema,
        )
    ]


def _told(place: Path) -> Any:
    """What the questions bring, or the error that is told instead."""
    with Corpus.open(place) as again:
        try:
            results = [again.query(question, recipe="all") for question in QUESTIONS]
        except BiblicusError as error:
            return error
    return [
        [(piece.path, piece.text, piece.heading, piece.line_start, piece.page, piece.hash, piece.score) for piece in
         result.evidence]
        for result in results
    ]  # fmt: skip


def _after(database: Database, schema: str, table: str) -> str:
    """The name that a table has now: numbers of parts are never used twice."""
    kind = table.split("_", 2)[2] if table.startswith("part_") else table
    names = {name for name, _, _ in _columns(database, schema)}
    return next(name for name in names if name == kind or (name.startswith("part_") and name.split("_", 2)[2] == kind))


def mended(corpus: Corpus, what: object) -> None:
    with Corpus.open(corpus.path) as again:
        assert again.reindex("all").runs[0].built == "rematerialised", what
        assert again.check(read_data=True).problems == [], what


def _healed(corpus: Corpus, expected: Any, what: object) -> None:
    mended(corpus, what)
    assert _told(corpus.path) == expected, what


def test_whatever_column_is_altered_no_evidence_is_wrong(corpus: Corpus, database: Database) -> None:
    schema = schema_of(corpus)
    expected = _told(corpus.path)
    assert all(expected)
    for table, column, kind in _columns(database, schema):
        now = _after(database, schema, table)
        what = now, column
        altered = OTHER[kind].format(f'"{column}"')
        where = f'{schema}."{now}"'
        if what == ("leases", "run_id"):
            continue  # the database itself refuses it
        if what == ("runs", "run_id"):
            database.rows(f"DELETE FROM {schema}.leases")  # which else keep it from being altered
        database.rows(f'UPDATE {where} SET "{column}" = {altered}')
        told = _told(corpus.path)
        assert told == expected or isinstance(told, BiblicusError), what
        assert not isinstance(told, BiblicusError) or "reindex" in told.hint or what in REFUSED, (what, told)
        if what in HARMLESS:
            continue
        with Corpus.open(corpus.path) as again:
            if what in REFUSED:
                with pytest.raises(BiblicusError, match=REFUSED[what]):
                    again.reindex("all")
                database.rows(f'UPDATE {where} SET "{column}" = left("{column}", -1)')
                continue
            if not table.startswith("biblicus") and what != ("runs", "run_id"):  # a run that is not there
                assert again.check(read_data=True).problems, what
        _healed(corpus, expected, what)


@pytest.mark.parametrize("lost", ["TABLE {0}", "COLUMN {0}.{1}", "ROWS {0}"])
def test_whatever_is_lost_reindex_heals(corpus: Corpus, database: Database, lost: str) -> None:
    schema = schema_of(corpus)
    expected = _told(corpus.path)
    columns = {table: column for table, column, _ in _columns(database, schema)}
    for table, column in columns.items():
        now = _after(database, schema, table)
        statement = {
            "TABLE": f'DROP TABLE {schema}."{now}" CASCADE',
            "COLUMN": f'ALTER TABLE {schema}."{now}" DROP COLUMN "{column}" CASCADE',
            "ROWS": f'DELETE FROM {schema}."{now}"',
        }[lost.split()[0]]
        what = statement
        database.rows(statement)
        told = _told(corpus.path)
        assert told == expected or (isinstance(told, BiblicusError) and "reindex" in told.hint), (what, told)
        if now in ("leases", "touched") and lost == "ROWS {0}":
            continue
        _healed(corpus, expected, what)


@pytest.mark.parametrize("statement", ["DROP SCHEMA {0} CASCADE", "DROP SEQUENCE {0}.numbers"])
def test_more_that_is_lost_is_healed(corpus: Corpus, database: Database, statement: str) -> None:
    expected = _told(corpus.path)
    database.rows(statement.format(schema_of(corpus)))
    assert isinstance(_told(corpus.path), BiblicusError)
    _healed(corpus, expected, statement)


def test_a_view_that_is_lost_is_healed(corpus: Corpus, database: Database) -> None:
    expected = _told(corpus.path)
    schema = schema_of(corpus)
    views = [name for name in database.tables(schema) if name.startswith("run_")]
    for kind in (view.split("_", 2)[2] for view in views):
        (view,) = [name for name in database.tables(schema) if name.startswith("run_") and name.endswith(f"_{kind}")]
        database.rows(f"DROP VIEW {schema}.{view} CASCADE")
        assert isinstance(_told(corpus.path), BiblicusError)
        _healed(corpus, expected, view)


def test_a_rewritten_table_that_holds_the_same_is_the_same(corpus: Corpus, database: Database) -> None:
    schema = schema_of(corpus)
    expected = _told(corpus.path)
    for table in {name for name, _, _ in _columns(database, schema)}:
        database.rows(f'VACUUM FULL {schema}."{table}"')
    assert _told(corpus.path) == expected
    assert corpus.check(read_data=True).problems == []
    assert corpus.reindex("all").runs[0].built == "unchanged"


def test_tables_that_are_anothers_are_left_alone(corpus: Corpus, database: Database) -> None:
    schema = schema_of(corpus)
    database.rows(f"DROP SCHEMA {schema} CASCADE; CREATE SCHEMA {schema}; CREATE TABLE {schema}.runs (mine text)")
    with pytest.raises(BiblicusError, match="holds tables that may be another's"), Corpus.open(corpus.path) as again:
        again.reindex("all")
    assert database.rows(f"SELECT count(*) FROM {schema}.runs") == [(0,)]
    database.rows(f"DROP SCHEMA {schema} CASCADE")
