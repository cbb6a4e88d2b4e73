"""The vector leg in PostgreSQL with pgvector: exact comparison or, above a size, its graph.

A graph stores half precision; its results are scored with the full vectors."""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, LiteralString

from psycopg import sql

from biblicus.stores.mirrored import Allowed
from biblicus.stores.postgres.server import Server

if TYPE_CHECKING:
    from numpy import float32
    from numpy.typing import NDArray

_PLAIN_BYTES = 8_000
"""Maximum bytes of a vector stored in its row."""
_MOST_OF_HALVES = 4_000
"""Maximum dimensions of a graph."""
_MOST_REACH = 1_000


TYPES = ("int4", "int4", "bool", "bytea")
"""Types of `rows`. A vector is sent in its own binary form, which COPY takes as the bytes of any column."""


def rows(table: NDArray[Any], vectors: NDArray[float32]) -> Iterator[tuple[int, int, bool, bytes]]:
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
        self, vector: NDArray[float32], allowed: Allowed | None, limit: int, by_graph: bool
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

    def fetched(self, rows: Sequence[int]) -> dict[int, NDArray[float32]]:
        """Fetch vectors in binary: two numbers of two bytes, then single precision."""
        import numpy as np

        query = sql.SQL("SELECT row, vector_send(vector) FROM {} WHERE row = ANY(%s::int[])").format(self._view)
        selected = self._server.rows(self._run_id, query, [list(rows)])
        return {row: np.frombuffer(sent, ">f4", offset=4).astype(np.float32) for row, sent in selected}
