"""Copy a built run into its schema in one transaction: tables of new data, and views of the whole run.

A run over several nodes has a transaction in each, with that node's share of the rows and all of the files."""

from __future__ import annotations

import json
import secrets
import sqlite3
import struct
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from itertools import pairwise
from pathlib import Path
from typing import Any, LiteralString, NamedTuple

from psycopg import Connection, errors, sql

from biblicus.contracts import Leg
from biblicus.errors import StoreUnavailable
from biblicus.lazy import NDArray, np
from biblicus.stores.contract import Sums
from biblicus.stores.mirrored import FACTS, Allowed, CopiedMeanings, Entry, bytes_of, pieces_of, seal_of, write_facts
from biblicus.stores.postgres import schema
from biblicus.stores.postgres.server import Row, Server, copy_rows, side_by_side
from biblicus.stores.tables import BASE, DELTA

_GRAPH: LiteralString = (
    "CREATE INDEX ON {} USING hnsw ((vector::halfvec({})) halfvec_ip_ops) WITH (m = {}, ef_construction = {})"
)
_MOST_LINKS, _MOST_EFFORT = 100, 1_000
_PIECE = 4 << 20
"""Bytes of a file in one row."""


class Share(NamedTuple):
    """The part of a run's new rows that one of several nodes gets. `load`: random id of this copy of the run; `at`,
    `of`: number of the node, and of all. `begin`, `end`: chunk rows."""

    load: str
    at: int
    of: int
    begin: int
    end: int


def shares(folder: Path, first: int, nodes: int) -> list[Share]:
    """Return equal shares of the chunk rows from `first` on, with all rows of an item in one."""
    with closing(sqlite3.connect(folder / (DELTA if (folder / DELTA).exists() else BASE))) as tables:
        starts = "SELECT min(row) FROM chunks WHERE row >= ? GROUP BY item ORDER BY 1"
        rows = [row for (row,) in tables.execute(starts, (first,))]
        ((end,),) = tables.execute("SELECT coalesce(max(row), -1) + 1 FROM chunks")
    even = [bisect_left(rows, first + (end - first) * at / nodes) for at in range(nodes)]
    bounds = [*(rows[place] if place < len(rows) else end for place in even), end]
    load = secrets.token_hex(8)
    return [Share(load, at, nodes, begin, until) for at, (begin, until) in enumerate(pairwise(bounds))]


def load(builds: Sequence[Build], sums: Sums, known: Mapping[str, str]) -> None:
    """Copy a run in and seal it, each node's share in its own transaction. `known`: as of `write_facts`."""
    folder, parent = builds[0].folder, builds[0].parent
    gone = _gone(folder) if parent else []
    results = side_by_side(lambda build: build.copy_rows(gone), builds)
    legs = _merged([facts for facts, _ in results])
    files = {DELTA if parent else BASE, BASE}
    sizes = {"tables": len(builds) * sum((folder / name).stat().st_size for name in files)}
    sizes |= {name: sum(of_node[name] for _, of_node in results) for name in legs}
    digests = write_facts(folder, {"legs": legs, "sizes": sizes}, builds[0].legs, known)
    side_by_side(lambda build: build.seal(legs, digests, sums), builds)


def _gone(folder: Path) -> list[int]:
    """Return the chunk rows of items removed since the base was built."""
    with closing(sqlite3.connect(folder / DELTA)) as delta:
        delta.execute("ATTACH ? AS base", (str(folder / BASE),))
        gone = "SELECT row FROM {}.chunks WHERE item IN main.removed"
        return sorted(row for (row,) in delta.execute(f"{gone.format('base')} UNION {gone.format('main')}"))


def _merged(nodes: Sequence[Mapping[str, dict[str, Any]]]) -> dict[str, dict[str, Any]]:
    """Return the facts of legs over all nodes, from each node's."""

    merged = {}
    for name, first in nodes[0].items():
        facts = [node[name] for node in nodes]
        count = sum(each.get("count", 0) for each in facts)
        if count and len(nodes) > 1:
            total = sum(each["count"] * np.array(each["centre"], np.float64) for each in facts if each["count"])
            first = {**first, "count": count, "centre": (total / count).tolist()}
        merged[name] = first
    return merged


class Build:
    """A run built in a folder. `store`: its name in the settings. `parent`: the run it is based on. `share`: of this
    node; None: there is one node. `connection`: in a transaction."""

    def __init__(
        self, connection: Connection[Row], store: str, schema_name: str, corpus_id: str, run_id: str, folder: Path,
        legs: Mapping[str, Leg], parent: Entry | None, share: Share | None,
    ) -> None:  # fmt: skip
        self.connection, self.store, self.schema, self.corpus_id = connection, store, schema_name, corpus_id
        self.run_id, self.folder, self.legs, self.parent, self.share = run_id, folder, legs, parent, share
        (self.number,) = self._one("SELECT nextval({numbers})", numbers=f"{schema_name}.numbers")
        self.parts: list[int] = [parent["base"], self.number] if parent else [self.number]

    def copy_rows(self, gone: Sequence[int]) -> tuple[dict[str, dict[str, Any]], dict[str, int]]:
        """Copy in the rows of the legs. Return the facts of each, and the bytes of its tables."""
        legs = {name: self._leg(at, name, leg) for at, (name, leg) in enumerate(self.legs.items())}
        for facts in legs.values():
            if facts:
                self._view(facts, gone)
        sizes = {name: 0 if facts else bytes_of(self.folder, name) for name, facts in legs.items()}
        for name, size in schema.sizes(self.connection, self.schema, self.parts):
            sizes[list(legs)[int(name.rpartition("_")[2])]] += size
        return legs, sizes

    def seal(self, legs: Mapping[str, Any], digests: Mapping[str, str], sums: Sums) -> None:
        """Copy in the files, which are the same on all nodes, and seal the run."""
        shared = {}
        if self.parent is not None:  # files of its base are not copied again
            own = self.parent["own"] if self.parent["delta"] is not None else ()
            shared = {name: sha256 for name, sha256 in self.parent["files"].items() if name not in own}
        own = [name for name, sha256 in digests.items() if shared.get(name) != sha256]
        self._copy_files(own)
        self._seal(digests, own, sums)
        if self.share is None:
            schema.renew(self.connection, self.schema, self.folder, self.number, legs)

    # --- tables ---

    def _table(self, part: int, name: str) -> sql.Identifier:
        return sql.Identifier(self.schema, f"part_{part}_{name}")

    def _make(self, name: str, ddl: LiteralString, storage: LiteralString, **parts: Any) -> sql.Identifier:
        """Create a table of the new part. `storage`: of its long columns, which do not compress well."""
        table = self._table(self.number, name)
        self.connection.execute(sql.SQL(ddl).format(table=table, **parts))
        for column in ("body", "vector"):
            if f" {column} " in ddl:
                stored = sql.SQL("ALTER TABLE {} ALTER {} SET STORAGE {}")
                self.connection.execute(stored.format(table, sql.Identifier(column), sql.SQL(storage)))
        return table

    def _copy_files(self, names: Sequence[str]) -> None:
        table = self._make("files", schema.FILES, "EXTERNAL")
        rows = ((name, at, piece) for name in names for at, piece in enumerate(pieces_of(self.folder / name, _PIECE)))
        copy_rows(self.connection, table, rows, ("text", "int4", "bytea"))

    def _take_over(self, table: sql.Identifier, name: str) -> None:
        """Copy the parent's additions to its base."""
        if self.parent and self.parent["delta"] is not None:
            query = sql.SQL("INSERT INTO {} SELECT * FROM {}")
            self.connection.execute(query.format(table, self._table(self.parent["delta"], name)))

    def _leg(self, at: int, name: str, leg: Leg) -> dict[str, Any]:
        return self._meanings(at, self.folder / name, leg) if isinstance(leg, CopiedMeanings) else {}

    def _meanings(self, at: int, folder: Path, leg: CopiedMeanings) -> dict[str, Any]:
        try:
            with self.connection.transaction():
                self.connection.execute("CREATE EXTENSION IF NOT EXISTS vector")
        except (errors.UndefinedFile, errors.FeatureNotSupported, errors.InsufficientPrivilege):
            raise StoreUnavailable(
                self.store, "it has no pgvector", "CREATE EXTENSION vector (pgvector 0.8 or newer), by who may"
            ) from None
        _check(self.connection, self.store)
        chunks, vectors = leg.embedded(folder)
        count, dim = chunks.shape[1], vectors.shape[1]
        if self.share is not None:
            chunks = chunks[:, (chunks[0] >= self.share.begin) & (chunks[0] < self.share.end)]
        kind = sql.SQL("vector({})").format(sql.Literal(dim))
        table = self._make(f"vectors_{at}", schema.VECTORS, storage(dim), vector=kind)
        copy_rows(self.connection, table, rows(chunks, vectors), TYPES)
        self._take_over(table, f"vectors_{at}")
        self.connection.execute(sql.SQL("CREATE UNIQUE INDEX ON {} (row)").format(table))
        self.connection.execute(sql.SQL("CREATE INDEX ON {} (item)").format(table))
        graph, has_graph = leg.graph, False
        if self.parent is not None:
            has_graph = json.loads((self.folder / FACTS).read_text("utf-8"))["legs"][folder.name]["graph"]
        elif graph is not None and takes_graph(dim) and (has_graph := count >= graph.exact_below):
            links, effort = min(_MOST_LINKS, graph.links), min(_MOST_EFFORT, graph.effort)
            self.connection.execute("SET LOCAL maintenance_work_mem = '1GB'")
            values = map(sql.Literal, (dim, links, max(effort, 2 * links)))
            self.connection.execute(sql.SQL(_GRAPH).format(table, *values))
        self.connection.execute(sql.SQL("ANALYZE {}").format(table))
        return {"view": f"vectors_{at}", "dim": dim, "graph": has_graph}

    # --- views, and what they come to ---

    def _view(self, facts: dict[str, Any], gone: Sequence[int]) -> None:
        """Create the view of a leg over the run's parts, and add facts of all its chunks."""
        name = facts["view"]
        view = sql.Identifier(self.schema, f"run_{self.number}_{name}")
        where: sql.SQL | sql.Composed = sql.SQL("")
        if gone:
            where = sql.SQL(" WHERE row <> ALL({}::integer[])").format(sql.Literal(list(gone)))
        selects = sql.SQL(" UNION ALL ").join(
            sql.SQL("SELECT * FROM {}{}").format(self._table(part, name), where) for part in self.parts
        )
        self.connection.execute(sql.SQL("CREATE VIEW {} AS {}").format(view, selects))
        averaged = "SELECT count(vector), avg(vector)::real[] FROM {view}"
        facts["count"], facts["centre"] = self._one(averaged, view=view)

    def _seal(self, digests: Mapping[str, str], own: Sequence[str], sums: Sums) -> None:
        number, base, delta = self.number, self.parts[0], self.number if self.parent else None
        run = sql.SQL("(SELECT {}::int AS base, {}::int AS delta, {}::int AS number)").format(base, delta, number)
        (signs,) = self._one("SELECT {signs} FROM {run} r", signs=_signs(self.schema), run=run)
        tables = [name for name in signs if name.startswith("part_")]
        of_tables = {
            name: [columns, sum_of(self.connection, self.schema, name) if name in tables else ""]
            for name, (columns, *_) in signs.items()
        }
        body = {
            "sums": list(vars(sums).values()), "files": digests, "own": own, "tables": of_tables, "share": self.share
        }  # fmt: skip
        sealed = (self.run_id, self.corpus_id, number, base, delta, body)
        runs = sql.Identifier(self.schema, "runs")
        self.connection.execute(
            sql.SQL("INSERT INTO {} VALUES (%s, %s, %s, %s, %s, %s, %s, '{{}}')").format(runs),
            [*sealed[:-1], json.dumps(body), seal_of(sealed)],
        )
        of_part = f"part_{number}_"
        schema.watch(self.connection, self.schema, [name for name in tables if name.startswith(of_part)])
        renew_signs(self.connection, self.schema, self.run_id)

    def _one(self, query: LiteralString, **parts: Any) -> Row:
        composed = {
            name: part if isinstance(part, sql.Composable) else sql.Literal(part) for name, part in parts.items()
        }
        row = self.connection.execute(sql.SQL(query).format(**composed)).fetchone()
        assert row is not None
        return row


def sum_of(connection: Connection[Row], schema_name: str, table: str) -> str:
    """Return a table's row count and digest, computed by the database."""
    query = sql.SQL(schema.SUM).format(table=sql.Identifier(schema_name, table))
    ((table_sum,),) = connection.execute(query).fetchall()
    return str(table_sum)


def renew_signs(connection: Connection[Row], schema_name: str, run_id: str) -> None:
    """Store the current cheap fingerprint of a run's tables."""
    renewed = sql.SQL("UPDATE {} r SET signs = {} WHERE run_id = %s")
    connection.execute(renewed.format(sql.Identifier(schema_name, "runs"), _signs(schema_name)), [run_id])


def _signs(schema_name: str) -> sql.Composed:
    touched = sql.Identifier(schema_name, "touched")
    return sql.SQL(schema.SIGNS).format(name=sql.Literal(schema_name), touched=touched)


def _check(connection: Connection[Row], store: str) -> None:
    """Raise `StoreUnavailable` if pgvector is too old for the graphs."""
    query = """
        SELECT extversion, string_to_array(substring(extversion FROM '^[0-9]+[.][0-9]+'), '.')::int[] < '{0,8}'
        FROM pg_extension WHERE extname = 'vector'
    """
    ((version, is_too_old),) = connection.execute(query).fetchall()
    if is_too_old:
        cause = f"its pgvector is {version}, and 0.8 is the oldest that will do"
        raise StoreUnavailable(store, cause, "ALTER EXTENSION vector UPDATE, by who may")


_PLAIN_BYTES = 8_000
"""Maximum bytes of a vector stored in its row."""
_MOST_OF_HALVES = 4_000
"""Maximum dimensions of a graph."""
_MOST_REACH = 1_000


TYPES = ("int4", "int4", "bool", "bytea")
"""Types of `rows`. A vector is sent in its own binary form, which COPY takes as the bytes of any column."""


def rows(table: NDArray[Any], vectors: NDArray[np.float32]) -> Iterator[tuple[int, int, bool, bytes]]:
    """Yield the rows to copy in: row, item, truncation flag, vector. `table`: see `VectorRows`."""
    head = struct.pack(">hh", vectors.shape[1], 0)
    for row, item, place, cut in table.T.tolist():
        yield row, item, bool(cut), head + vectors[place].astype(">f4").tobytes()


def storage(dimensions: int) -> LiteralString:
    """Return PostgreSQL's storage mode for vectors of this size: in their rows, if they fit."""
    return "PLAIN" if dimensions * 4 <= _PLAIN_BYTES else "EXTERNAL"


def takes_graph(dimensions: int) -> bool:
    return dimensions <= _MOST_OF_HALVES


_EXACT: LiteralString = (
    "SELECT v.row, -(v.vector <#> {question}::vector) AS score FROM {vectors} v {narrowed}"
    " ORDER BY v.vector <#> {question}::vector LIMIT {limit}"
)
_NEAR: LiteralString = (
    "SELECT n.row, -(n.vector <#> {question}::vector) AS score FROM (SELECT v.row, v.vector FROM {vectors} v {narrowed}"
    " ORDER BY (v.vector::halfvec({dim})) <#> {question}::halfvec({dim}) LIMIT {limit}) n"
)
_ALLOWED: LiteralString = "WHERE v.item = ANY(%(items)s::int[])"


class Meanings:
    """See `nearest.Comparing`. `view`: of a leg's vectors; `dim`: their dimension; `reach`: of their graph."""

    most = 1 << 30

    def __init__(self, server: Server, run_id: str, view: sql.Identifier, dim: int, reach: int) -> None:
        self._server, self._run_id, self._view, self._dim, self._reach = server, run_id, view, dim, reach

    def nearest(
        self, vector: NDArray[np.float32], allowed: Allowed | None, limit: int, by_graph: bool
    ) -> Sequence[tuple[int, float]]:
        values: dict[str, Any] = {"question": "[" + ",".join(map(repr, vector.tolist())) + "]"}
        if allowed is not None:
            values["items"] = allowed.items
        settings = {}
        if by_graph:
            reach = str(min(_MOST_REACH, max(self._reach, limit)))
            settings = {"hnsw.ef_search": reach, "hnsw.iterative_scan": "strict_order"}
        query = sql.SQL(_NEAR if by_graph else _EXACT).format(
            vectors=self._view,
            question=sql.Placeholder("question"),
            narrowed=sql.SQL("" if allowed is None else _ALLOWED),
            dim=sql.Literal(self._dim),
            limit=sql.Literal(limit),
        )
        return [(row, score) for row, score in self._server.rows(self._run_id, query, values, settings)]

    def fetched(self, rows: Sequence[int]) -> dict[int, NDArray[np.float32]]:
        """Fetch vectors in binary: two numbers of two bytes, then single precision."""

        query = sql.SQL("SELECT row, vector_send(vector) FROM {} WHERE row = ANY(%s::int[])").format(self._view)
        selected = self._server.rows(self._run_id, query, [list(rows)])
        return {row: np.frombuffer(sent, ">f4", offset=4).astype(np.float32) for row, sent in selected}
