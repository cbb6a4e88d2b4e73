"""The vector leg in PostgreSQL with pgvector: exact comparison or, above a size, its graph.

A graph stores half precision; its results are scored with the full vectors."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, LiteralString

from psycopg import sql

from biblicus.contracts import Call, ChunkTable, Vectors
from biblicus.retrieval.vectors import vector_rows
from biblicus.retrieval.vectors.exact import Exact
from biblicus.retrieval.vectors.hnsw import Hnsw
from biblicus.stores.copying import CopiedMeanings
from biblicus.stores.mirrored import Allowed, MirroredTables
from biblicus.stores.nearest import NearestReader
from biblicus.stores.postgres import copying
from biblicus.stores.postgres.server import Server

if TYPE_CHECKING:
    from numpy import float32
    from numpy.typing import NDArray

    from biblicus.stores.postgres.loading import Share
    from biblicus.stores.postgres.shards import ShardsStore
    from biblicus.stores.postgres.store import PostgresStore

_PLAIN_BYTES = 8_000
"""Maximum bytes of a vector stored in its row."""
_MOST_OF_HALVES = 4_000
"""Maximum dimensions of a graph."""
_MOST_REACH = 1_000


class Meanings(CopiedMeanings):
    """Builds the leg of a recipe for the store (see `contracts.Leg`). `leg`: the recipe's own."""

    def __init__(self, leg: Exact | Hnsw, name: str, store: PostgresStore | ShardsStore) -> None:
        super().__init__(leg)
        self._name, self._store = name, store

    def build(self, chunks: ChunkTable, folder: Path, parent: Path | None, call: Call) -> Mapping[str, int]:
        """Embed missing texts, and record which local vectors are to be copied in."""
        counts = dict(vector_rows.write(self.vectors, chunks, folder, None, call).counts())
        if parent is not None:
            counts["truncated"] += self._store.cut_before(self._name, chunks.removed_items())
        return counts

    def rows(self, folder: Path, share: Share | None) -> Iterator[bytes]:
        """Yield the rows of a node to copy in: row, item, truncation flag, vector."""
        rows = vector_rows.load(folder)
        matrix = self.vectors.matrix(rows.generation)
        for row, item, place, cut in rows.embedded().T.tolist():
            if share is not None and not share.begin <= row < share.end:
                continue
            fields = copying.integer(row), copying.integer(item), copying.boolean(bool(cut))
            yield copying.row((*fields, copying.vector(matrix[place])))

    def count(self, folder: Path) -> int:
        """Return the number of its vectors, on all nodes."""
        return int(vector_rows.load(folder).embedded().shape[1])

    def dimensions(self, folder: Path) -> int:
        """Return the dimension of its vectors."""
        return int(self.vectors.matrix(vector_rows.load(folder).generation).shape[1])


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


class MeaningsReader(NearestReader):
    """See `NearestReader`. `view`: of the leg's vectors."""

    def __init__(
        self,
        server: Server,
        view: sql.Identifier,
        tables: MirroredTables,
        vectors: Vectors,
        facts: Mapping[str, Any],
        reach: int,
    ) -> None:
        super().__init__(tables, vectors, facts, reach)
        self._server, self._view = server, view

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
            dim=sql.Literal(self._facts["dim"]),
            limit=sql.Literal(limit),
        )
        return [(row, score) for row, score in self._server.rows(self._tables.run_id, query, values, settings)]

    def fetched(self, rows: Sequence[int]) -> dict[int, NDArray[float32]]:
        """Fetch vectors in binary: two numbers of two bytes, then single precision."""
        import numpy as np

        query = sql.SQL("SELECT row, vector_send(vector) FROM {} WHERE row = ANY(%s::int[])").format(self._view)
        selected = self._server.rows(self._tables.run_id, query, [list(rows)])
        return {row: np.frombuffer(sent, ">f4", offset=4).astype(np.float32) for row, sent in selected}
