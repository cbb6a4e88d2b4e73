"""Copies a built run into its schema: tables of what is new, views of what the run holds, all in one transaction."""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any, LiteralString

from psycopg import Connection, errors, sql

from biblicus.contracts import Leg
from biblicus.errors import RunDamaged, StoreUnavailable
from biblicus.retrieval.words import listing
from biblicus.stores.contract import Sums
from biblicus.stores.copying import CopiedWords
from biblicus.stores.packing import ITEM, ChunkRow, Dictionaries, told, told_items, with_texts
from biblicus.stores.postgres import copying, schema
from biblicus.stores.postgres.escapes import taken
from biblicus.stores.postgres.meanings import Meanings, storage, takes_graph
from biblicus.stores.postgres.server import Row, texts
from biblicus.stores.postgres.tables import as_facts
from biblicus.stores.tables import BASE, DELTA, ItemRow
from biblicus.stores.vouching import seal_of

_ITEM_TYPES = (
    *("int4", "text", "text", "text", "text", "text", "text", "text[]", "text", "jsonb"),
    *("text", "int4", "int4", "int4", "text", "text", "text", "int8"),
)
_CHUNK_TYPES = (*["int4"] * 8, "text", "text", "text", "int8")
_LISTED = ("int2", "text", "int4", "int4", "bytea", "bytea")
_GRAPH: LiteralString = (
    "CREATE INDEX ON {} USING hnsw ((vector::halfvec({})) halfvec_ip_ops) WITH (m = {}, ef_construction = {})"
)
_MOST_LINKS, _MOST_EFFORT = 100, 1_000


@dataclass(frozen=True)
class Parent:
    """The run that is built upon. `row`: what the schema says of it."""

    run_id: str
    row: Mapping[str, Any]


@dataclass(frozen=True)
class Build:
    """A run that lies built in a folder. `store`: what the settings call the store."""

    store: str
    schema: str
    corpus_id: str
    run_id: str
    folder: Path
    legs: Mapping[str, Leg]
    parent: Parent | None

    def load(self, connection: Connection[Row], sums: Sums) -> None:
        """Copy it in and seal it. Raises `RunDamaged` where what arrived is not what was built."""
        (number,) = self._one(connection, "SELECT nextval({numbers})", numbers=f"{self.schema}.numbers")
        with closing(sqlite3.connect(self._spool)) as spool:
            removed = spool.execute("SELECT row FROM removed").fetchall() if self.parent else []
            gone = sorted({row for (row,) in removed} | set(self._of_parent("removed")))
            self._items(connection, number, spool)
        legs = {name: self._leg(connection, number, at, name, leg) for at, (name, leg) in enumerate(self.legs.items())}
        parts = [self.parent.row["base"], number] if self.parent else [number]
        gone_chunks = self._chunks_of(connection, parts, gone)
        self._views(connection, number, parts, gone, gone_chunks)
        for facts in legs.values():
            self._count(connection, number, facts, gone_chunks)
        self._seal(connection, number, parts, gone, gone_chunks, legs, sums)

    # --- tables ---

    @property
    def _spool(self) -> Path:
        return self.folder / (DELTA if self.parent else BASE)

    def _of_parent(self, column: str) -> Any:
        return self.parent.row[column] if self.parent else []

    def _table(self, part: int, name: str) -> sql.Identifier:
        return sql.Identifier(self.schema, f"part_{part}_{name}")

    def _view(self, number: int, name: str) -> sql.Identifier:
        return sql.Identifier(self.schema, f"run_{number}_{name}")

    def _make(
        self, connection: Connection[Row], number: int, name: str, ddl: LiteralString, **parts: sql.Composable
    ) -> Any:
        """A table of the new part, with what the parent's own part holds."""
        table = self._table(number, name)
        connection.execute(sql.SQL(ddl).format(table=table, **parts))
        return table

    def _take_over(self, connection: Connection[Row], number: int, name: str) -> None:
        """What the parent gained over its base."""
        if self.parent and self.parent.row["delta"] is not None:
            query = sql.SQL("INSERT INTO {} SELECT * FROM {}")
            connection.execute(query.format(self._table(number, name), self._table(self.parent.row["delta"], name)))

    def _items(self, connection: Connection[Row], number: int, spool: sqlite3.Connection) -> None:
        items = self._make(connection, number, "items", schema.ITEMS)
        chunks = self._make(connection, number, "chunks", schema.CHUNKS)
        cursor = connection.cursor()
        first = dict(spool.execute("SELECT item, min(row) FROM chunks GROUP BY item"))
        rows = spool.execute(f"SELECT {ITEM} FROM ({told_items(spool)}) ORDER BY row")
        copying.copy_rows(cursor, items, (_item(row, first.get(row[0], 0)) for row in rows), _ITEM_TYPES)
        texts = with_texts(spool.execute(f"{told(spool)} ORDER BY row"), Dictionaries(spool.execute))
        copying.copy_rows(cursor, chunks, map(_chunk, texts), _CHUNK_TYPES)
        for name in ("items", "chunks"):
            self._take_over(connection, number, name)
        connection.execute(sql.SQL("CREATE UNIQUE INDEX ON {} (row)").format(items))
        connection.execute(sql.SQL("CREATE UNIQUE INDEX ON {} (row)").format(chunks))
        connection.execute(sql.SQL("CREATE INDEX ON {} (row) WHERE chunks = 0").format(items))
        connection.execute(sql.SQL("CREATE INDEX ON {} (hashtextextended(path, 0))").format(items))
        says = sql.SQL("CREATE INDEX ON {} (row) WHERE facts #> ARRAY['metadata', 'context'] IS NOT NULL")
        connection.execute(says.format(items))
        connection.execute(sql.SQL("CREATE INDEX ON {} (item)").format(chunks))
        for table in (items, chunks):
            connection.execute(sql.SQL("ANALYZE {}").format(table))

    def _leg(self, connection: Connection[Row], number: int, at: int, name: str, leg: Leg) -> dict[str, Any]:
        folder = self.folder / name
        if isinstance(leg, CopiedWords):
            return self._words(connection, number, at, folder)
        assert isinstance(leg, Meanings)
        return self._meanings(connection, number, at, folder, leg)

    def _words(self, connection: Connection[Row], number: int, at: int, folder: Path) -> dict[str, Any]:
        postings = self._make(connection, number, f"postings_{at}", schema.POSTINGS)
        for column in ("data", "places"):  # read again and again, and too varied to be worth packing
            kept = sql.SQL("ALTER TABLE {} ALTER {} SET STORAGE EXTERNAL")
            connection.execute(kept.format(postings, sql.Identifier(column)))
        copying.copy_rows(connection.cursor(), postings, listing.pieces(folder), _LISTED)
        self._take_over(connection, number, f"postings_{at}")
        connection.execute(sql.SQL("CREATE INDEX ON {} (term, field)").format(postings))
        connection.execute(sql.SQL("ANALYZE {}").format(postings))
        return {"by": "words", "number": at, **listing.summary(folder)}

    def _meanings(
        self, connection: Connection[Row], number: int, at: int, folder: Path, leg: Meanings
    ) -> dict[str, Any]:
        try:
            with connection.transaction():
                connection.execute("CREATE EXTENSION IF NOT EXISTS vector")
        except (errors.UndefinedFile, errors.FeatureNotSupported, errors.InsufficientPrivilege):
            raise StoreUnavailable(
                self.store, "it has no pgvector", "CREATE EXTENSION vector (pgvector 0.8 or newer), by who may"
            ) from None
        _check(connection, self.store)
        dim = leg.dimensions(folder)
        table = self._make(
            connection, number, f"vectors_{at}", schema.VECTORS, vector=sql.SQL("vector({})").format(sql.Literal(dim))
        )
        kept = sql.SQL(storage(dim))
        connection.execute(sql.SQL("ALTER TABLE {} ALTER vector SET STORAGE {}").format(table, kept))
        with (
            connection.cursor() as cursor,
            cursor.copy(sql.SQL("COPY {} FROM STDIN (FORMAT BINARY)").format(table)) as copy,
        ):
            copy.write(copying.head())
            for row in leg.rows(folder):
                copy.write(row)
            copy.write(b"\xff\xff")
        self._take_over(connection, number, f"vectors_{at}")
        connection.execute(sql.SQL("CREATE UNIQUE INDEX ON {} (row)").format(table))
        connection.execute(sql.SQL("CREATE INDEX ON {} (item)").format(table))
        has_graph = bool(self._of_parent("legs") and self.parent and self.parent.row["legs"][folder.name]["graph"])
        (count,) = self._one(connection, "SELECT count(*) FROM {table}", table=table)
        if self.parent is None and leg.graph is not None and count >= leg.graph.exact_below and takes_graph(dim):
            o = leg.graph
            links, effort = min(_MOST_LINKS, o.links), min(_MOST_EFFORT, o.effort)
            connection.execute("SET LOCAL maintenance_work_mem = '1GB'")
            connection.execute(sql.SQL(_GRAPH).format(table, *map(sql.Literal, (dim, links, max(effort, 2 * links)))))
            has_graph = True
        connection.execute(sql.SQL("ANALYZE {}").format(table))
        return {"by": "meanings", "number": at, "dim": dim, "graph": has_graph}

    # --- views, and what they come to ---

    def _chunks_of(self, connection: Connection[Row], parts: Sequence[int], gone: Sequence[int]) -> list[int]:
        """The rows of the chunks of items."""
        if not gone:
            return []
        tables = sql.SQL(" UNION ALL ").join(
            sql.SQL("SELECT row FROM {} WHERE item = ANY({})").format(
                self._table(part, "chunks"), sql.Literal(list(gone))
            )
            for part in parts
        )
        return sorted(row for (row,) in connection.execute(tables).fetchall())

    def _views(
        self, connection: Connection[Row], number: int, parts: Sequence[int], gone: Sequence[int], chunks: Sequence[int]
    ) -> None:
        names = ["items", "chunks"]
        for at, leg in enumerate(self.legs.values()):
            names.append(f"postings_{at}" if isinstance(leg, CopiedWords) else f"vectors_{at}")
        for name in names:
            rows = [] if name.startswith("postings") else gone if name == "items" else chunks
            where = sql.SQL(" WHERE row <> ALL({}::integer[])").format(sql.Literal(list(rows))) if rows else sql.SQL("")
            selects = sql.SQL(" UNION ALL ").join(
                sql.SQL("SELECT * FROM {}{}").format(self._table(part, name), where) for part in parts
            )
            connection.execute(sql.SQL("CREATE VIEW {} AS {}").format(self._view(number, name), selects))

    def _count(
        self, connection: Connection[Row], number: int, facts: dict[str, Any], gone_chunks: Sequence[int]
    ) -> None:
        """What a question to a leg needs to know of all its chunks."""
        if facts["by"] == "words" and self.parent is not None:
            query = sql.SQL("SELECT field, term, first, chunks, data, places FROM {} WHERE term = ''")
            view = self._view(number, f"postings_{facts['number']}")
            pieces = map(listing.Piece._make, connection.execute(query.format(view), binary=True).fetchall())
            facts["lengths"] = listing.lengths_of(list(pieces), gone_chunks)
        elif facts["by"] == "meanings":
            view = self._view(number, f"vectors_{facts['number']}")
            (facts["centre"],) = self._one(connection, "SELECT avg(vector)::real[] FROM {view}", view=view)

    def _seal(
        self,
        connection: Connection[Row],
        number: int,
        parts: Sequence[int],
        gone: Sequence[int],
        gone_chunks: Sequence[int],
        legs: Mapping[str, Any],
        sums: Sums,
    ) -> None:
        (items,) = self._one(connection, "SELECT count(*) FROM {view}", view=self._view(number, "items"))
        (chunks,) = self._one(connection, "SELECT count(*) FROM {view}", view=self._view(number, "chunks"))
        if (items, chunks) != (sums.items, sums.chunks):
            raise RunDamaged(self.run_id, "what arrived in the store is not what was built")
        (base,) = self._one(connection, "SELECT count(*) FROM {table}", table=self._table(parts[0], "chunks"))
        following = {}
        for name in ("item", "chunk"):
            table = self._table(number, f"{name}s")
            (last,) = self._one(connection, "SELECT coalesce(max(row), -1) FROM {table}", table=table)
            following[f"next_{name}"] = max(last + 1, self._of_parent(f"next_{name}") or 0)
        delta = number if self.parent else None
        run = sql.SQL("(SELECT {}::int AS base, {}::int AS delta, {}::int AS number)").format(parts[0], delta, number)
        signs = connection.execute(sql.SQL("SELECT {} FROM {} r").format(_signs(self.schema), run)).fetchall()[0][0]
        tables = [name for name in signs if name.startswith("part_")]
        values: dict[str, Any] = {
            "run_id": self.run_id,
            "corpus_id": self.corpus_id,
            "number": number,
            "base": parts[0],
            "delta": delta,
            "removed": list(gone),
            "removed_chunks": list(gone_chunks),
            "items": items,
            "chunks": chunks,
            "corpus_digest": sums.corpus_digest,
            "chunks_digest": sums.chunks_digest,
            "base_chunks": base,
            **following,
            "legs": legs,
            "sums": {
                name: [columns, sum_of(connection, self.schema, name) if name in tables else ""]
                for name, (columns, *_) in signs.items()
            },
        }
        values |= {"seal": seal_of(values), "signs": {}}
        values |= {name: json.dumps(values[name]) for name in ("legs", "sums", "signs")}
        runs = sql.Identifier(self.schema, "runs")
        query = sql.SQL("INSERT INTO {} ({}) VALUES ({})").format(
            runs,
            sql.SQL(", ").join(map(sql.Identifier, values)),
            sql.SQL(", ").join(map(sql.Placeholder, values)),
        )
        connection.execute(query, values)
        of_part = f"part_{number}_"
        schema.watch(connection, self.schema, [name for name in tables if name.startswith(of_part)])
        renew_signs(connection, self.schema, self.run_id)

    def _one(self, connection: Connection[Row], query: LiteralString, **parts: Any) -> Row:
        made = {name: part if isinstance(part, sql.Composable) else sql.Literal(part) for name, part in parts.items()}
        row = connection.execute(sql.SQL(query).format(**made)).fetchone()
        assert row is not None
        return row


def sum_of(connection: Connection[Row], schema_name: str, table: str) -> str:
    """What all rows of a table come to: a digest that the database makes itself."""
    query = sql.SQL(schema.SUM).format(table=sql.Identifier(schema_name, table))
    ((found,),) = connection.execute(query).fetchall()
    return str(found)


def renew_signs(connection: Connection[Row], schema_name: str, run_id: str) -> None:
    """Note by what it is seen cheaply that a run's tables are as they are now."""
    renewed = sql.SQL("UPDATE {} r SET signs = {} WHERE run_id = %s")
    connection.execute(renewed.format(sql.Identifier(schema_name, "runs"), _signs(schema_name)), [run_id])


def _signs(schema_name: str) -> sql.Composed:
    touched = sql.Identifier(schema_name, "touched")
    return sql.SQL(schema.SIGNS).format(name=sql.Literal(schema_name), touched=touched)


def _item(values: Sequence[Any], first: int = 0) -> list[Any]:
    row = ItemRow(*values)
    item = row.item
    return [
        *(row.row, row.item_id, row.path, row.language, taken(row.title), item.media_type, item.doctype),
        *(texts(item.tags), row.record, as_facts(row.record), row.extraction_id, row.chunks, first, row.tokens),
        *(row.digest, row.note and taken(row.note), row.stamp, seal_of(row)),
    ]


def _chunk(values: Sequence[Any]) -> tuple[Any, ...]:
    row = ChunkRow(*values)
    return *row._replace(text=taken(row.text), heading=row.heading and taken(row.heading)), seal_of(row)


def _check(connection: Connection[Row], store: str) -> None:
    """Raise `StoreUnavailable` where pgvector is older than what graphs are read by."""
    ((version,),) = connection.execute("SELECT extversion FROM pg_extension WHERE extname = 'vector'").fetchall()
    numbers = [int(number) for number in re.findall(r"\d+", version)[:2]]
    if numbers < [0, 8]:
        cause = f"its pgvector is {version}, and 0.8 is the oldest that will do"
        raise StoreUnavailable(store, cause, "ALTER EXTENSION vector UPDATE, by who may")
