"""What a schema holds: one corpus, its runs, and for each the tables that it is read from.

A *part* is what one build brought: tables that never change, `part_<n>_…`. A run is a part, or a part and what came
since (`delta`), less what is gone: `run_<n>_…` are views that say so. Parts that several runs need are kept once.
"""

from __future__ import annotations

from psycopg import Connection, sql

from biblicus.errors import NewerSchema, StoreMismatch
from biblicus.stores.postgres.server import LOCK_SECONDS, Row

VERSION = 1

_MIGRATIONS = {
    1: """
    CREATE TABLE {schema}.runs (
      run_id text PRIMARY KEY, number integer NOT NULL UNIQUE, base integer NOT NULL, delta integer,
      removed integer[] NOT NULL, removed_chunks integer[] NOT NULL,
      items integer NOT NULL, chunks integer NOT NULL, corpus_digest text NOT NULL, chunks_digest text NOT NULL,
      base_chunks integer NOT NULL, next_item integer NOT NULL, next_chunk integer NOT NULL,
      legs jsonb NOT NULL, sealed timestamptz NOT NULL DEFAULT now());
    CREATE TABLE {schema}.leases (
      run_id text NOT NULL REFERENCES {schema}.runs ON DELETE CASCADE, clone text NOT NULL,
      renewed timestamptz NOT NULL DEFAULT now(), PRIMARY KEY (run_id, clone));
    CREATE SEQUENCE {schema}.numbers AS integer;
    """
}
"""What brings a schema from the version before to this one."""

ITEMS = """CREATE TABLE {table} (
  row integer NOT NULL, item_id text NOT NULL, path text NOT NULL, language text, title text NOT NULL,
  media_type text NOT NULL, doctype text NOT NULL, tags text[] NOT NULL, record text NOT NULL, facts jsonb NOT NULL,
  extraction_id text NOT NULL, chunks integer NOT NULL, tokens integer NOT NULL, digest text NOT NULL,
  note text, stamp text)"""
CHUNKS = """CREATE TABLE {table} (
  row integer NOT NULL, item integer NOT NULL, ordinal integer NOT NULL, start integer NOT NULL, "end" integer NOT NULL,
  line_start integer NOT NULL, line_end integer NOT NULL, page integer, heading text, text text NOT NULL, spots text)"""
WORDS = """CREATE TABLE {table} (
  row integer NOT NULL, item integer NOT NULL, others smallint NOT NULL, multiplier smallint NOT NULL,
  length integer NOT NULL, title_length integer NOT NULL, heading_length integer NOT NULL)"""
POSTINGS = """CREATE TABLE {table} (
  field smallint NOT NULL, term text COLLATE "C" NOT NULL, chunks integer NOT NULL,
  rows integer[] NOT NULL, codes integer[] NOT NULL,
  occurrences bigint[])"""
VECTORS = """CREATE TABLE {table} (
  row integer NOT NULL, item integer NOT NULL, cut boolean NOT NULL, vector {vector} NOT NULL)"""


def is_there(connection: Connection[Row], schema: str) -> bool:
    """Whether the schema holds a corpus's runs."""
    return bool(connection.execute("SELECT to_regclass(%s)", [f'"{schema}".biblicus']).fetchone()[0])  # type: ignore[index]  # one row


def check(connection: Connection[Row], store: str, schema: str, corpus_id: str) -> bool:
    """Whether the schema is there and this version's. Raises `StoreMismatch` where it is another corpus's,
    `NewerSchema`."""
    if not is_there(connection, schema):
        return False
    query = sql.SQL("SELECT version, corpus_id FROM {}").format(sql.Identifier(schema, "biblicus"))
    version, holder = connection.execute(query).fetchone() or (0, corpus_id)
    if holder != corpus_id:
        raise StoreMismatch(store, schema, "holds another corpus")
    if version > VERSION:
        raise NewerSchema(f"The schema {schema} of the store {store}", version, VERSION)
    return bool(version == VERSION)


def prepare(connection: Connection[Row], store: str, schema: str, corpus_id: str) -> None:
    """Bring the schema to this version, where it is not. One clone at a time."""
    if check(connection, store, schema, corpus_id):
        return
    with connection.transaction():
        lock(connection, schema)
        if check(connection, store, schema, corpus_id):
            return
        names = {"schema": sql.Identifier(schema), "meta": sql.Identifier(schema, "biblicus")}
        connection.execute(sql.SQL("CREATE SCHEMA IF NOT EXISTS {schema}").format(**names))
        connection.execute(
            sql.SQL("CREATE TABLE IF NOT EXISTS {meta} (version integer NOT NULL, corpus_id text NOT NULL)").format(
                **names
            )
        )
        held = connection.execute(sql.SQL("SELECT version FROM {meta}").format(**names)).fetchone()
        for version in range((held[0] if held else 0) + 1, VERSION + 1):
            connection.execute(sql.SQL(_MIGRATIONS[version]).format(**names))
        connection.execute(sql.SQL("DELETE FROM {meta}").format(**names))
        connection.execute(sql.SQL("INSERT INTO {meta} VALUES (%s, %s)").format(**names), [VERSION, corpus_id])


def lock(connection: Connection[Row], schema: str) -> None:
    """Until the transaction ends, nobody else puts a run in place here or drops one. Raises `LockNotAvailable`."""
    connection.execute(sql.SQL("SET LOCAL lock_timeout = {}").format(sql.Literal(f"{LOCK_SECONDS:.0f}s")))
    connection.execute("SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))", [f"biblicus {schema}"])
