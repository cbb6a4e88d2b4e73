"""Copy a built run into its schema in one transaction: tables of new data, and views of the whole run."""

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
from biblicus.errors import StoreUnavailable
from biblicus.retrieval.words import listing
from biblicus.stores.contract import Sums
from biblicus.stores.copying import CopiedWords
from biblicus.stores.mirrored import FACTS, Entry, pieces_of, write_facts
from biblicus.stores.postgres import copying, relations, schema
from biblicus.stores.postgres.meanings import Meanings, storage, takes_graph
from biblicus.stores.postgres.server import Row
from biblicus.stores.tables import BASE, DELTA
from biblicus.stores.vouching import seal_of

_LISTED = ("int2", "text", "int4", "int4", "bytea", "bytea")
_GRAPH: LiteralString = (
    "CREATE INDEX ON {} USING hnsw ((vector::halfvec({})) halfvec_ip_ops) WITH (m = {}, ef_construction = {})"
)
_MOST_LINKS, _MOST_EFFORT = 100, 1_000
_PIECE = 4 << 20
"""Bytes of a file in one row."""


@dataclass(frozen=True)
class Build:
    """A run built in a folder. `store`: its name in the settings. `parent`: the run it is based on."""

    store: str
    schema: str
    corpus_id: str
    run_id: str
    folder: Path
    legs: Mapping[str, Leg]
    parent: Entry | None

    def load(self, connection: Connection[Row], sums: Sums) -> None:
        """Copy the run in and seal it."""
        (number,) = self._one(connection, "SELECT nextval({numbers})", numbers=f"{self.schema}.numbers")
        parts = [self.parent["base"], number] if self.parent else [number]
        gone = self._gone() if self.parent else []
        legs = {name: self._leg(connection, number, at, name, leg) for at, (name, leg) in enumerate(self.legs.items())}
        for facts in legs.values():
            self._view(connection, number, parts, facts, gone)
        sizes = dict.fromkeys(["tables", *legs], 0)
        for name, size in schema.sizes(connection, self.schema, parts):
            sizes[list(legs)[int(name.rpartition("_")[2])]] += size
        new = DELTA if self.parent else BASE
        sizes["tables"] = sum((self.folder / name).stat().st_size for name in {new, BASE})
        digests = write_facts(self.folder, {"legs": legs, "gone": gone, "chunks": sums.chunks, "sizes": sizes})
        self._copy_files(connection, number, (new, FACTS))
        self._seal(connection, number, parts[0], digests, sums)
        relations.renew(connection, self.schema, self.folder, number, legs)

    # --- tables ---

    def _gone(self) -> list[int]:
        """Return the chunk rows of items removed since the base was built."""
        with closing(sqlite3.connect(self.folder / DELTA)) as delta:
            delta.execute("ATTACH ? AS base", (str(self.folder / BASE),))
            gone = "SELECT row FROM {}.chunks WHERE item IN main.removed"
            return sorted(row for (row,) in delta.execute(f"{gone.format('base')} UNION {gone.format('main')}"))

    def _table(self, part: int, name: str) -> sql.Identifier:
        return sql.Identifier(self.schema, f"part_{part}_{name}")

    def _make(
        self,
        connection: Connection[Row],
        number: int,
        name: str,
        ddl: LiteralString,
        storage: LiteralString,
        **parts: Any,
    ) -> sql.Identifier:
        """Create a table of the new part. `storage`: of its long columns, which do not compress well."""
        table = self._table(number, name)
        connection.execute(sql.SQL(ddl).format(table=table, **parts))
        for column in ("body", "data", "places", "vector"):
            if f" {column} " in ddl:
                stored = sql.SQL("ALTER TABLE {} ALTER {} SET STORAGE {}")
                connection.execute(stored.format(table, sql.Identifier(column), sql.SQL(storage)))
        return table

    def _copy_files(self, connection: Connection[Row], number: int, names: Sequence[str]) -> None:
        table = self._make(connection, number, "files", schema.FILES, "EXTERNAL")
        rows = ((name, at, piece) for name in names for at, piece in enumerate(pieces_of(self.folder / name, _PIECE)))
        copying.copy_rows(connection.cursor(), table, rows, ("text", "int4", "bytea"))

    def _take_over(self, connection: Connection[Row], table: sql.Identifier, name: str) -> None:
        """Copy the parent's additions to its base."""
        if self.parent and self.parent["delta"] is not None:
            query = sql.SQL("INSERT INTO {} SELECT * FROM {}")
            connection.execute(query.format(table, self._table(self.parent["delta"], name)))

    def _leg(self, connection: Connection[Row], number: int, at: int, name: str, leg: Leg) -> dict[str, Any]:
        folder = self.folder / name
        if isinstance(leg, CopiedWords):
            return self._words(connection, number, at, folder)
        assert isinstance(leg, Meanings)
        return self._meanings(connection, number, at, folder, leg)

    def _words(self, connection: Connection[Row], number: int, at: int, folder: Path) -> dict[str, Any]:
        postings = self._make(connection, number, f"postings_{at}", schema.POSTINGS, "EXTERNAL")
        copying.copy_rows(connection.cursor(), postings, listing.pieces(folder), _LISTED)
        self._take_over(connection, postings, f"postings_{at}")
        connection.execute(sql.SQL("CREATE INDEX ON {} (term, field)").format(postings))
        connection.execute(sql.SQL("ANALYZE {}").format(postings))
        return {"view": f"postings_{at}", **listing.summary(folder)}

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
        kind = sql.SQL("vector({})").format(sql.Literal(dim))
        table = self._make(connection, number, f"vectors_{at}", schema.VECTORS, storage(dim), vector=kind)
        with (
            connection.cursor() as cursor,
            cursor.copy(sql.SQL("COPY {} FROM STDIN (FORMAT BINARY)").format(table)) as copy,
        ):
            copy.write(copying.head())
            for row in leg.rows(folder):
                copy.write(row)
            copy.write(b"\xff\xff")
        self._take_over(connection, table, f"vectors_{at}")
        connection.execute(sql.SQL("CREATE UNIQUE INDEX ON {} (row)").format(table))
        connection.execute(sql.SQL("CREATE INDEX ON {} (item)").format(table))
        graph, has_graph = leg.graph, False
        if self.parent is not None:
            has_graph = json.loads((self.folder / FACTS).read_text("utf-8"))["legs"][folder.name]["graph"]
        elif graph is not None and takes_graph(dim):
            (count,) = self._one(connection, "SELECT count(*) FROM {table}", table=table)
            if has_graph := count >= graph.exact_below:
                links, effort = min(_MOST_LINKS, graph.links), min(_MOST_EFFORT, graph.effort)
                connection.execute("SET LOCAL maintenance_work_mem = '1GB'")
                values = map(sql.Literal, (dim, links, max(effort, 2 * links)))
                connection.execute(sql.SQL(_GRAPH).format(table, *values))
        connection.execute(sql.SQL("ANALYZE {}").format(table))
        return {"view": f"vectors_{at}", "dim": dim, "graph": has_graph}

    # --- views, and what they come to ---

    def _view(
        self, connection: Connection[Row], number: int, parts: Sequence[int], facts: dict[str, Any], gone: Sequence[int]
    ) -> None:
        """Create the view of a leg over the run's parts, and add facts of all its chunks."""
        name, is_words = facts["view"], "stemmers" in facts
        view = sql.Identifier(self.schema, f"run_{number}_{name}")
        where: sql.SQL | sql.Composed = sql.SQL("")
        if gone and not is_words:
            where = sql.SQL(" WHERE row <> ALL({}::integer[])").format(sql.Literal(list(gone)))
        selects = sql.SQL(" UNION ALL ").join(
            sql.SQL("SELECT * FROM {}{}").format(self._table(part, name), where) for part in parts
        )
        connection.execute(sql.SQL("CREATE VIEW {} AS {}").format(view, selects))
        if not is_words:
            (facts["centre"],) = self._one(connection, "SELECT avg(vector)::real[] FROM {view}", view=view)
        elif self.parent is not None:
            query = sql.SQL("SELECT field, term, first, chunks, data, places FROM {} WHERE term = ''")
            pieces = map(listing.Piece._make, connection.execute(query.format(view), binary=True).fetchall())
            facts["lengths"] = listing.lengths_of(list(pieces), gone)

    def _seal(
        self, connection: Connection[Row], number: int, base: int, digests: Mapping[str, str], sums: Sums
    ) -> None:
        delta = number if self.parent else None
        run = sql.SQL("(SELECT {}::int AS base, {}::int AS delta, {}::int AS number)").format(base, delta, number)
        signs = connection.execute(sql.SQL("SELECT {} FROM {} r").format(_signs(self.schema), run)).fetchall()[0][0]
        tables = [name for name in signs if name.startswith("part_")]
        of_tables = {
            name: [columns, sum_of(connection, self.schema, name) if name in tables else ""]
            for name, (columns, *_) in signs.items()
        }
        body = {"sums": list(vars(sums).values()), "files": digests, "tables": of_tables}
        sealed = (self.run_id, self.corpus_id, number, base, delta, body)
        runs = sql.Identifier(self.schema, "runs")
        connection.execute(
            sql.SQL("INSERT INTO {} VALUES (%s, %s, %s, %s, %s, %s, %s, '{{}}')").format(runs),
            [*sealed[:-1], json.dumps(body), seal_of(sealed)],
        )
        of_part = f"part_{number}_"
        schema.watch(connection, self.schema, [name for name in tables if name.startswith(of_part)])
        renew_signs(connection, self.schema, self.run_id)

    def _one(self, connection: Connection[Row], query: LiteralString, **parts: Any) -> Row:
        made = {name: part if isinstance(part, sql.Composable) else sql.Literal(part) for name, part in parts.items()}
        row = connection.execute(sql.SQL(query).format(**made)).fetchone()
        assert row is not None
        return row


def sum_of(connection: Connection[Row], schema_name: str, table: str) -> str:
    """Return a table's row count and digest, computed by the database."""
    query = sql.SQL(schema.SUM).format(table=sql.Identifier(schema_name, table))
    ((found,),) = connection.execute(query).fetchall()
    return str(found)


def renew_signs(connection: Connection[Row], schema_name: str, run_id: str) -> None:
    """Store the current cheap fingerprint of a run's tables."""
    renewed = sql.SQL("UPDATE {} r SET signs = {} WHERE run_id = %s")
    connection.execute(renewed.format(sql.Identifier(schema_name, "runs"), _signs(schema_name)), [run_id])


def _signs(schema_name: str) -> sql.Composed:
    touched = sql.Identifier(schema_name, "touched")
    return sql.SQL(schema.SIGNS).format(name=sql.Literal(schema_name), touched=touched)


def _check(connection: Connection[Row], store: str) -> None:
    """Raise `StoreUnavailable` if pgvector is too old for the graphs."""
    ((version,),) = connection.execute("SELECT extversion FROM pg_extension WHERE extname = 'vector'").fetchall()
    numbers = [int(number) for number in re.findall(r"\d+", version)[:2]]
    if numbers < [0, 8]:
        cause = f"its pgvector is {version}, and 0.8 is the oldest that will do"
        raise StoreUnavailable(store, cause, "ALTER EXTENSION vector UPDATE, by who may")
