"""The leg by meaning in PostgreSQL: vectors by pgvector, compared one by one or, above a size, through its graph.

A graph holds halves of precision; what it finds is scored by the vectors themselves.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, LiteralString

from psycopg import sql

from biblicus.contracts import Call, ChunkTable, Hit, Vectors
from biblicus.models.question import Allow, Question
from biblicus.retrieval.ranking import rounded, through_tie
from biblicus.retrieval.vectors import vector_rows
from biblicus.retrieval.vectors.comparing import DECIMALS, ComparingReader
from biblicus.retrieval.vectors.exact import Exact
from biblicus.retrieval.vectors.hnsw import Hnsw
from biblicus.stores.copying import CopiedMeanings
from biblicus.stores.postgres import copying
from biblicus.stores.postgres.server import Row
from biblicus.stores.postgres.tables import Memory, PostgresTables

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy import float32
    from numpy.typing import NDArray

    from biblicus.stores.postgres.store import PostgresStore

_SLACK = 16
_VECTORS = 2_000
"""Whose vectors are remembered."""
_FEW = 30_000
"""Chunks that a filter leaves, up to which they are compared one by one."""
_PLAIN_BYTES = 8_000
"""Of a vector that is kept in its row."""
_MOST_OF_HALVES = 4_000
"""Dimensions that a graph takes."""


class Meanings(CopiedMeanings):
    """Builds the leg of a recipe for the store (see `contracts.Leg`). `leg`: the recipe's own."""

    def __init__(self, leg: Exact | Hnsw, name: str, store: PostgresStore) -> None:
        super().__init__(leg)
        self._name, self._store = name, store

    def build(self, chunks: ChunkTable, folder: Path, parent: Path | None, call: Call) -> Mapping[str, int]:
        """Embed what the vectors on this machine lack; note which of them are to be copied in."""
        counts = dict(vector_rows.write(self.vectors, chunks, folder, None, call).counts())
        if parent is not None:
            counts["truncated"] += self._store.cut_before(self._name, chunks.removed_items())
        return counts

    def rows(self, folder: Path) -> Iterator[bytes]:
        """What is to be copied in: row, item, whether the model cut the text, vector."""
        rows = vector_rows.load(folder)
        matrix = self.vectors.matrix(rows.generation)
        for row, item, place, cut in rows.embedded().T.tolist():
            fields = copying.integer(row), copying.integer(item), copying.boolean(bool(cut))
            yield copying.row((*fields, copying.vector(matrix[place])))

    def dimensions(self, folder: Path) -> int:
        """Of its vectors."""
        return int(self.vectors.matrix(vector_rows.load(folder).generation).shape[1])


def storage(dimensions: int) -> LiteralString:
    """How PostgreSQL should keep such vectors: in their rows, as far as they fit."""
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


class MeaningsReader(ComparingReader):
    """An opened leg (see `contracts.LegReader`). Safe for several threads. `facts`: what the run keeps of the leg."""

    def __init__(self, tables: PostgresTables, vectors: Vectors, facts: Mapping[str, Any], reach: int) -> None:
        super().__init__(vectors)
        self._tables, self._facts, self._reach = tables, facts, reach
        self._known: Memory[NDArray[float32]] = Memory(_VECTORS)

    def search(self, question: Question, allow: Allow | None, k: int, call: Call) -> list[Hit]:
        """The best `k` chunks and every further one that ties with the last, score descending."""
        call.check()
        if k < 1:
            return []
        values: dict[str, Any] = {"question": self._asked(question, call)}
        chunks = None
        if allow is not None:
            values["items"], chunks, _ = self._tables.allowed(allow)
            if not values["items"]:
                return []
        limit, settings = k + _SLACK, {}
        by_graph = self._facts["graph"] and (chunks is None or chunks > _FEW)
        if by_graph:
            reach = str(min(1000, max(self._reach, limit)))
            settings = {"hnsw.ef_search": reach, "hnsw.iterative_scan": "strict_order"}
        fetched = self._tables.asked(self._query(_NEAR if by_graph else _EXACT, allow, limit), values, settings)
        if by_graph and len(fetched) < limit:  # there may be more that it did not reach
            fetched = self._tables.asked(self._query(_EXACT, allow, limit), values)
        while (best := _finished(fetched, limit, k)) is None:
            limit *= 8
            fetched = self._tables.asked(self._query(_EXACT, allow, limit), values)
        return best

    def vectors(self, rows: Sequence[int]) -> NDArray[float32]:
        """The vectors (n, dim) of chunks; zeros for one that has none."""
        import numpy as np

        known = self._known.of(rows)
        if missing := [row for row in rows if row not in known]:
            query = self._named("SELECT row, vector_send(vector) FROM {vectors} WHERE row = ANY(%s::int[])")
            selected: dict[int, bytes] = dict(self._tables.asked(query, [missing]))
            known |= self._known.add({row: self._vector(selected.get(row)) for row in missing})
        return np.array([known[row] for row in rows], np.float32).reshape(len(rows), self._facts["dim"])

    def scores(self, question: Question, rows: Sequence[int]) -> Mapping[int, float]:
        """The cosine of each chunk that has a vector."""
        query = self._named(
            "SELECT row, -(vector <#> {question}::vector) FROM {vectors} WHERE row = ANY(%(rows)s::int[])"
        )
        selected = self._tables.asked(query, {"question": self._asked(question, Call()), "rows": list(rows)})
        return {row: _rounded(score) for row, score in selected}

    def _vector(self, sent: bytes | None) -> NDArray[float32]:
        """A vector as the database sends it: two numbers of two bytes, then single precision; zeros for none."""
        import numpy as np

        if sent is None:
            return np.zeros(self._facts["dim"], np.float32)
        return np.frombuffer(sent, ">f4", offset=4).astype(np.float32)

    @cached_property
    def _centre(self) -> NDArray[float32]:
        import numpy as np

        return np.array(self._facts["centre"] or np.zeros(self._facts["dim"]), np.float32)

    def _asked(self, question: Question, call: Call) -> str:
        vector = self._vectors.question(question.text, call)
        return "[" + ",".join(map(repr, vector.tolist())) + "]"

    def _query(self, query: LiteralString, allow: Allow | None, limit: int) -> sql.Composed:
        narrowed = sql.SQL("" if allow is None else _ALLOWED)
        dim, most = sql.Literal(self._facts["dim"]), sql.Literal(limit)
        return self._named(query, narrowed=narrowed, dim=dim, limit=most)

    def _named(self, query: LiteralString, **parts: sql.Composable) -> sql.Composed:
        view = self._tables.view(f"vectors_{self._facts['number']}")
        return sql.SQL(query).format(vectors=view, question=sql.Placeholder("question"), **parts)


def _rounded(score: float) -> float:
    return rounded(round(score, DECIMALS))


def _finished(fetched: Sequence[Row], limit: int, k: int) -> list[Hit] | None:
    """The best `k` and what ties with the last; None where that may not be all."""
    hits = sorted((Hit(row, _rounded(score)) for row, score in fetched), key=lambda hit: (-hit.score, hit.row))
    end = through_tie([hit.score for hit in hits], k)
    return hits[:end] if len(fetched) < limit or end < len(hits) else None
