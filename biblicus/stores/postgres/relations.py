"""Views of the latest run for people with psql: documents, chunks, tags and embeddings, over two tables.

The text of a chunk is copied only if its document changed."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, LiteralString

from psycopg import Connection, sql

from biblicus.stores.postgres.server import Row, copy_rows
from biblicus.stores.tables import TableReader

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
    reader = TableReader(folder)
    try:
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
    finally:
        reader.close()
    view = next((facts["view"] for facts in legs.values() if "dim" in facts), None)
    vectors = sql.Identifier(schema, f"run_{number}_{view}") if view else sql.SQL(_NO_VECTORS)
    run(_VIEWS, vectors=vectors)
