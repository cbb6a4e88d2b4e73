"""The content of a schema: one corpus, its runs, and the tables of each run.

A *part* is the result of one build: tables that never change, `part_<n>_…`: its files, and the rows of its legs. A run
is a part, or a part and later additions (`delta`), without removed items: `run_<n>_…` are the views of its legs. Parts
that several runs need are stored once.

Everything can be rebuilt, so nothing is repaired in place: a schema of an older version is recreated, and so is one
that lost or altered one of its own tables.

Views of the latest run are for people with psql: documents, chunks, tags and embeddings, over two tables. The text of a
chunk is copied only if its document changed."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any, LiteralString

from psycopg import Connection, sql

from biblicus.errors import NewerSchema, StoreMismatch
from biblicus.stores.postgres.server import LOCK_SECONDS, Row, copy_rows
from biblicus.stores.tables import TableReader

VERSION = 4
_OWN: Mapping[LiteralString, LiteralString] = {
    "biblicus": "version integer NOT NULL, corpus_id text NOT NULL",
    "runs": """run_id text PRIMARY KEY, corpus_id text NOT NULL, number integer NOT NULL UNIQUE,
      base integer NOT NULL, delta integer, body jsonb NOT NULL, seal bigint NOT NULL, signs jsonb NOT NULL""",
    "leases": """run_id text NOT NULL REFERENCES {schema}.runs ON DELETE CASCADE, clone text NOT NULL,
      renewed timestamp with time zone NOT NULL DEFAULT now(), PRIMARY KEY (run_id, clone)""",
    "touched": "name text NOT NULL",
}
"""The schema's own tables in order of creation. `signs` may change; everything else of a run is in its `seal`.
`touched`: name of a part's table for each later write."""
_NUMBERS: LiteralString = "numbers"
_COLUMNS: LiteralString = """(SELECT string_agg(a.attname || ' ' || format_type(a.atttypid, a.atttypmod), ', '
  ORDER BY a.attnum) FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped)"""
_FOUND: LiteralString = (
    "SELECT c.relname, CASE c.relkind WHEN 'S' THEN '' ELSE "
    + _COLUMNS
    + " END FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace"
    " WHERE n.nspname = %s AND c.relname = ANY(%s::text[]) AND c.relkind IN ('r', 'S')"
)
SIGNS: LiteralString = (
    """(SELECT coalesce(jsonb_object_agg(c.relname, jsonb_build_array("""
    + _COLUMNS
    + """, pg_relation_filenode(c.oid)::bigint, (SELECT count(*) FROM {touched} t WHERE t.name = c.relname),
    (SELECT count(*) FROM pg_trigger t WHERE t.tgrelid = c.oid AND t.tgenabled = 'O'))), '{{}}')
  FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = {name}
    AND c.relkind IN ('r', 'v') AND (starts_with(c.relname, 'part_' || r.base || '_')
    OR starts_with(c.relname, 'part_' || r.delta || '_') OR starts_with(c.relname, 'run_' || r.number || '_')))"""
)
"""Fingerprint of each table and view of a run `r`: columns, file, number of writes since sealing, number of
triggers."""
_WATCHED: LiteralString = """CREATE TRIGGER watched AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON {table}
  FOR EACH STATEMENT EXECUTE FUNCTION {function}()"""
_NOTE: LiteralString = """CREATE OR REPLACE FUNCTION {function}() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS
  'BEGIN INSERT INTO {touched} VALUES (TG_TABLE_NAME); RETURN NULL; END'"""
SUM: LiteralString = "SELECT count(*) || ' ' || coalesce(sum(hashtextextended(t::text, 0)), 0) FROM {table} t"
"""Row count of a table, and the sum of its rows' digests."""
_PARTS = "^(part|run)_[0-9]+_(files|(postings|vectors)_[0-9]+)$"  # version 3 had postings
FILES = """CREATE TABLE {table} (name text NOT NULL, at integer NOT NULL, body bytea NOT NULL)"""
"""The files of a part, in pieces."""
VECTORS = """CREATE TABLE {table} (
  row integer NOT NULL, item integer NOT NULL, cut boolean NOT NULL, vector {vector} NOT NULL)"""
_TABLES: LiteralString = """
  CREATE TABLE IF NOT EXISTS {documents} (document_id text PRIMARY KEY, item integer NOT NULL, first integer,
    digest text NOT NULL, path text NOT NULL, title text NOT NULL, language text, content_hash text,
    record text NOT NULL);
  CREATE TABLE IF NOT EXISTS {chunks} (document_id text NOT NULL, ordinal integer NOT NULL, text text NOT NULL,
    start_character integer NOT NULL, end_character integer NOT NULL, start_line integer NOT NULL,
    end_line integer NOT NULL, page integer, heading text, PRIMARY KEY (document_id, ordinal));
"""
_VIEWS: LiteralString = """
  DROP VIEW IF EXISTS {s}.documents, {s}.chunks, {s}.tags, {s}.embeddings;
  CREATE VIEW {s}.documents AS SELECT DISTINCT ON (coalesce(content_hash, document_id)) document_id, path, title,
    language, content_hash, record::jsonb AS record FROM {documents}
    ORDER BY coalesce(content_hash, document_id), path;
  CREATE VIEW {s}.chunks AS SELECT document_id || ':' || ordinal AS chunk_id, * FROM {chunks};
  CREATE VIEW {s}.tags AS SELECT document_id, jsonb_array_elements_text(record::jsonb -> 'tags') AS tag
    FROM {documents};
  CREATE VIEW {s}.embeddings AS SELECT d.document_id || ':' || (v.row - d.first) AS chunk_id, d.document_id, v.vector
    FROM {vectors} v JOIN {documents} d ON d.item = v.item;
"""
_NO_VECTORS: LiteralString = "(SELECT 0 AS item, 0 AS row, NULL::real[] AS vector WHERE false)"
_DOCUMENT: dict[str, str] = dict.fromkeys(
    ("document_id", "item", "first", "digest", "path", "title", "language", "content_hash", "record"), "text"
) | dict.fromkeys(("item", "first"), "int4")
_CHUNK: dict[str, str] = dict.fromkeys(
    ("document_id", "ordinal", "text", "start_character", "end_character", "start_line", "end_line", "page", "heading"),
    "int4",
) | dict.fromkeys(("document_id", "text", "heading"), "text")
"""Types of the columns by name."""


def check(connection: Connection[Row], store: str, schema: str, corpus_id: str) -> bool:
    """Return true if the schema exists, is complete and has this version.
    Raises `StoreMismatch` if it belongs to another corpus, and `NewerSchema`."""
    tables = _found(connection, schema)
    version, holder = _held(connection, schema, tables) or (0, corpus_id)
    if holder != corpus_id:
        raise StoreMismatch(store, schema, "holds another corpus")
    if version > VERSION:
        raise NewerSchema(f"The schema {schema} of the store {store}", version, VERSION)
    return version == VERSION and all(_is_whole(name, tables) for name in (*_OWN, _NUMBERS))


def prepare(connection: Connection[Row], store: str, schema: str, corpus_id: str) -> None:
    """Create the schema, or recreate all of it if some is missing, altered or older, one clone at a time.
    Raises `StoreMismatch` if foreign tables have these names."""
    if check(connection, store, schema, corpus_id):
        return
    with connection.transaction():
        lock(connection, schema)
        if check(connection, store, schema, corpus_id):
            return
        connection.execute(sql.SQL("CREATE SCHEMA IF NOT EXISTS {}").format(sql.Identifier(schema)))
        tables = _found(connection, schema)
        if _held(connection, schema, tables) is None and not _is_ours(connection, schema, corpus_id, tables):
            raise StoreMismatch(store, schema, "holds tables that may be another's")
        for name, columns in _OWN.items():
            table = sql.Identifier(schema, name)
            connection.execute(sql.SQL("DROP TABLE IF EXISTS {} CASCADE").format(table))
            definition = sql.SQL(columns).format(schema=sql.Identifier(schema))
            connection.execute(sql.SQL("CREATE TABLE {} ({})").format(table, definition))
        numbers = sql.Identifier(schema, _NUMBERS)
        connection.execute(sql.SQL("CREATE SEQUENCE IF NOT EXISTS {} AS integer").format(numbers))
        sweep(connection, schema)
        meta = sql.Identifier(schema, "biblicus")
        connection.execute(sql.SQL("INSERT INTO {} VALUES (%s, %s)").format(meta), [VERSION, corpus_id])


def sweep(connection: Connection[Row], schema: str) -> int:
    """Drop tables of parts and views that no run refers to. Return the bytes of the tables."""
    runs = sql.Identifier(schema, "runs")
    numbers = connection.execute(sql.SQL("SELECT number, base, delta FROM {}").format(runs)).fetchall()
    needed = {("run", number) for number, *_ in numbers} | {("part", part) for _, *parts in numbers for part in parts}
    freed = 0
    for kind in ("run", "part"):  # views before the tables they read
        for name, size in _sized(connection, schema, kind):
            if (kind, int(name.split("_")[1])) not in needed:
                dropped = sql.SQL("DROP VIEW {} CASCADE" if kind == "run" else "DROP TABLE {} CASCADE")
                connection.execute(dropped.format(sql.Identifier(schema, name)))
                freed += size
    gone = "DELETE FROM {} WHERE name NOT IN (SELECT relname FROM pg_class)"
    connection.execute(sql.SQL(gone).format(sql.Identifier(schema, "touched")))
    return freed


def watch(connection: Connection[Row], schema: str, tables: Iterable[str]) -> None:
    """Make the database record all writes to tables of a part, which should never change."""
    names = {"function": sql.Identifier(schema, "touch"), "touched": sql.Identifier(schema, "touched")}
    connection.execute(sql.SQL(_NOTE).format(**names))
    for table in tables:
        connection.execute(sql.SQL(_WATCHED).format(table=sql.Identifier(schema, table), **names))


def sizes(connection: Connection[Row], schema: str, parts: Iterable[int]) -> list[tuple[str, int]]:
    """Return the tables of the legs of these parts, with their bytes."""
    part_names = {str(part) for part in parts}
    sized = ((name.split("_"), name, size) for name, size in _sized(connection, schema, "part"))
    return [(name, size) for (_, part, kind, *_), name, size in sized if part in part_names and kind != "files"]


def _sized(connection: Connection[Row], schema: str, kind: str) -> list[tuple[str, int]]:
    query = (
        "SELECT c.relname, pg_total_relation_size(c.oid) FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace"
        " WHERE n.nspname = %s AND c.relkind = %s AND c.relname ~ %s AND starts_with(c.relname, %s)"
    )
    values: list[Any] = [schema, "v" if kind == "run" else "r", _PARTS, f"{kind}_"]
    return [(name, size or 0) for name, size in connection.execute(query, values).fetchall()]


def lock(connection: Connection[Row], schema: str) -> None:
    """Block other writers of runs until the transaction ends. Raises `LockNotAvailable`."""
    connection.execute(sql.SQL("SET LOCAL lock_timeout = {}").format(sql.Literal(f"{LOCK_SECONDS:.0f}s")))
    connection.execute("SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))", [f"biblicus {schema}"])


def _found(connection: Connection[Row], schema: str) -> Mapping[str, str | None]:
    """Return the schema's own existing tables, with their columns and types."""
    return dict(connection.execute(_FOUND, [schema, [*_OWN, _NUMBERS]]).fetchall())


def _is_whole(name: str, found: Mapping[str, str | None]) -> bool:
    """Return true if a table exists with the right columns."""
    if name not in found or name == _NUMBERS:
        return name in found
    columns = " ".join(_OWN[name].split("PRIMARY KEY (")[0].split()).split(", ")
    column_types = [column for column in map(_typed, columns) if column]
    return (found[name] or "").split(", ") == column_types


def _typed(column: str) -> str:
    """Return name and type from a column's definition."""
    for rule in (" NOT NULL", " PRIMARY KEY", " UNIQUE", " REFERENCES", " DEFAULT"):
        column = column.partition(rule)[0]
    return column


def _held(connection: Connection[Row], schema: str, found: Mapping[str, str | None]) -> tuple[int, str] | None:
    """Return the version and the corpus of a schema, or None if it does not contain them."""
    if not _is_whole("biblicus", found):
        return None
    query = sql.SQL("SELECT version, corpus_id FROM {}").format(sql.Identifier(schema, "biblicus"))
    row = connection.execute(query).fetchone()
    return (row[0], row[1]) if row else None


def _is_ours(connection: Connection[Row], schema: str, corpus_id: str, found: Mapping[str, str | None]) -> bool:
    """Return true if a schema without an owner may be taken: it has runs of this corpus only."""
    if not _is_whole("runs", found):
        return "runs" not in found and "leases" not in found
    query = sql.SQL("SELECT 1 FROM {} WHERE corpus_id <> %s").format(sql.Identifier(schema, "runs"))
    return not connection.execute(query, [corpus_id]).fetchone()


def renew(connection: Connection[Row], schema: str, folder: Path, number: int, legs: Mapping[str, Any]) -> None:
    """Make the views show the run being built in a folder, over new tables if theirs were altered.

    `legs`: the facts of its legs."""
    names = {
        "s": sql.Identifier(schema),
        "documents": sql.Identifier(schema, "latest_documents"),
        "chunks": sql.Identifier(schema, "latest_chunks"),
    }

    def run(query: LiteralString, values: Any = None, **more: sql.Composable) -> Any:
        return connection.execute(sql.SQL(query).format(**names, **more), values)

    columns = "SELECT attname FROM pg_attribute WHERE attrelid = to_regclass(%s) AND attnum > 0 AND NOT attisdropped"
    shapes = [
        [name for (name,) in run(columns, [f'"{schema}".{table}'])] for table in ("latest_documents", "latest_chunks")
    ]
    if shapes != [list(_DOCUMENT), list(_CHUNK)]:
        run("DROP TABLE IF EXISTS {documents}, {chunks} CASCADE")
    run(_TABLES)
    digests = dict(run("SELECT document_id, digest FROM {documents}").fetchall())
    with closing(TableReader(folder)) as reader:
        items = {item.item_id: item for item in reader.all_items()}
        first = reader.first_rows()
        changed = [item for item in items.values() if digests.get(item.item_id) != item.digest]
        gone = [*(item.item_id for item in changed), *(digests.keys() - items.keys())]
        run("DELETE FROM {chunks} WHERE document_id = ANY(%s)", [gone])
        run("TRUNCATE {documents}")
        documents = (
            (
                item.item_id, item.row, first.get(item.row), item.digest, item.path, item.title, item.language,
                json.loads(item.record).get("content_hash"), item.record,
            )
            for item in items.values()
        )  # fmt: skip
        copy_rows(connection, names["documents"], documents, tuple(_DOCUMENT.values()))
        chunks = (
            (
                item.item_id, chunk.ordinal, chunk.text.replace("\0", ""), chunk.start, chunk.end, chunk.line_start,
                chunk.line_end, chunk.page, chunk.heading,
            )
            for item in changed
            for chunk in reader.chunks_of(item.row)
        )  # fmt: skip
        copy_rows(connection, names["chunks"], chunks, tuple(_CHUNK.values()))
    view = next((facts["view"] for facts in legs.values() if "dim" in facts), None)
    vectors = sql.Identifier(schema, f"run_{number}_{view}") if view else sql.SQL(_NO_VECTORS)
    run(_VIEWS, vectors=vectors)
