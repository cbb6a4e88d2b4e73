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
from biblicus.retrieval.vectors.hnsw import Hnsw, Options
from biblicus.stores.copying import CopiedLeg
from biblicus.stores.postgres import copying
from biblicus.stores.postgres.tables import PostgresTables

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy import float32
    from numpy.typing import NDArray

    from biblicus.stores.postgres.store import PostgresStore

_SLACK = 16
_FEW = 10_000
"""Chunks that a filter leaves, up to which they are compared one by one."""
_PLAIN_BYTES = 8_000
"""Of a vector that is kept in its row."""
_MOST_OF_HALVES = 4_000
"""Dimensions that a graph takes."""


class Meanings(CopiedLeg[Exact | Hnsw]):
    """Builds the leg of a recipe for the store (see `contracts.Leg`). `leg`: the recipe's own."""

    def __init__(self, leg: Exact | Hnsw, name: str, store: PostgresStore) -> None:
        super().__init__(leg)
        self._name, self._store = name, store

    @property
    def vectors(self) -> Vectors:
        return self.leg.vectors

    @property
    def graph(self) -> Options | None:
        """How a graph is made; None: there never is one."""
        return self.leg.options if isinstance(self.leg, Hnsw) else None

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
    "SELECT v.row, -(v.vector <#> %(question)s::vector) AS score FROM {vectors} v {narrowed}"
    " ORDER BY v.vector <#> %(question)s::vector LIMIT %(limit)s"
)
_NEAR: LiteralString = (
    "SELECT n.row, -(n.vector <#> %(question)s::vector) FROM (SELECT v.row, v.vector FROM {vectors} v {narrowed}"
    " ORDER BY (v.vector::halfvec({dim})) <#> %(question)s::halfvec({dim}) LIMIT %(limit)s) n"
)
_ALLOWED: LiteralString = "WHERE v.item = ANY(%(items)s::int[])"


class MeaningsReader(ComparingReader):
    """An opened leg (see `contracts.LegReader`). Safe for several threads. `facts`: what the run keeps of the leg."""

    def __init__(self, tables: PostgresTables, vectors: Vectors, facts: Mapping[str, Any], reach: int) -> None:
        super().__init__(vectors)
        self._tables, self._facts, self._reach = tables, facts, reach

    def search(self, question: Question, allow: Allow | None, k: int, call: Call) -> list[Hit]:
        """The best `k` chunks and every further one that ties with the last, score descending."""
        call.check()
        if k < 1:
            return []
        values: dict[str, Any] = {"question": self._asked(question, call)}
        narrowed: sql.Composable = sql.SQL("")
        if allow is not None:
            rows = self._tables.rows_where(allow.filters)
            values["items"] = sorted(rows if allow.item_rows is None else rows & allow.item_rows)
            narrowed = self._named(_ALLOWED)
            if not values["items"]:
                return []
        limit = k + _SLACK
        if self._facts["graph"] and (allow is None or self._are_many(values["items"])):
            hits = self._near(narrowed, values, limit)
            end = through_tie([hit.score for hit in hits], k)
            if len(hits) == limit and end < len(hits):
                return hits[:end]
        while True:
            hits = self._best(self._named(_EXACT, narrowed=narrowed), {**values, "limit": limit})
            end = through_tie([hit.score for hit in hits], k)
            if len(hits) < limit or end < len(hits):
                return hits[:end]
            limit *= 8

    def vectors(self, rows: Sequence[int]) -> NDArray[float32]:
        """The vectors (n, dim) of chunks; zeros for one that has none."""
        import numpy as np

        vectors = np.zeros((len(rows), self._facts["dim"]), np.float32)
        selected = self._tables.asked(
            self._named("SELECT row, vector::real[] FROM {vectors} WHERE row = ANY(%s::int[])"), [list(rows)]
        )
        places: dict[int, list[int]] = {}
        for place, row in enumerate(rows):
            places.setdefault(row, []).append(place)
        for row, vector in selected:
            vectors[places[row]] = vector
        return vectors

    def scores(self, question: Question, rows: Sequence[int]) -> Mapping[int, float]:
        """The cosine of each chunk that has a vector."""
        selected = self._tables.asked(
            self._named(
                "SELECT row, -(vector <#> %(question)s::vector) FROM {vectors} WHERE row = ANY(%(rows)s::int[])"
            ),
            {"question": self._asked(question, Call()), "rows": list(rows)},
        )
        return {row: _rounded(score) for row, score in selected}

    @cached_property
    def _centre(self) -> NDArray[float32]:
        import numpy as np

        return np.array(self._facts["centre"] or np.zeros(self._facts["dim"]), np.float32)

    def _asked(self, question: Question, call: Call) -> str:
        vector = self._vectors.question(question.text, call)
        return "[" + ",".join(map(repr, vector.tolist())) + "]"

    def _are_many(self, items: Sequence[int]) -> bool:
        """Whether a filter leaves more chunks than are compared one by one."""
        ((chunks,),) = self._tables.rows(
            "SELECT coalesce(sum(chunks), 0)::int FROM {items} WHERE row = ANY(%s::int[])", [list(items)]
        )
        return int(chunks) > _FEW

    def _near(self, narrowed: sql.Composable, values: Mapping[str, Any], limit: int) -> list[Hit]:
        """About the best, by the graph."""
        query = self._named(_NEAR, narrowed=narrowed, dim=sql.Literal(self._facts["dim"]))
        reach = {"hnsw.ef_search": str(min(1000, max(self._reach, limit))), "hnsw.iterative_scan": "strict_order"}
        selected = self._tables.asked(query, {**values, "limit": limit}, reach)
        return _ordered(selected)

    def _best(self, query: sql.Composed, values: Mapping[str, Any]) -> list[Hit]:
        return _ordered(self._tables.asked(query, values))

    def _named(self, query: LiteralString, **parts: sql.Composable) -> sql.Composed:
        return sql.SQL(query).format(vectors=self._tables.view(f"vectors_{self._facts['number']}"), **parts)


def _rounded(score: float) -> float:
    return rounded(round(score, DECIMALS))


def _ordered(selected: Sequence[tuple[Any, ...]]) -> list[Hit]:
    return sorted((Hit(row, _rounded(score)) for row, score in selected), key=lambda hit: (-hit.score, hit.row))
