"""The vector leg of stores whose database compares vectors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, Protocol

from biblicus.contracts import Call, Hit, Vectors
from biblicus.lazy import NDArray, np
from biblicus.models.question import Allow, Question
from biblicus.retrieval.ranking import DECIMALS, rounded, through_tie
from biblicus.retrieval.vectors.exact import ComparingReader

if TYPE_CHECKING:
    from biblicus.stores.mirrored import Allowed, MirroredTables

_SLACK = 16
_REMEMBERED = 2_000
"""Number of cached vectors."""
_FEW = 30_000
"""Number of allowed chunks up to which they are compared one by one."""


class Comparing(Protocol):
    """A leg's vectors in a database. `most`: maximum rows of one query."""

    most: int

    def nearest(
        self, vector: NDArray[np.float32], allowed: Allowed | None, limit: int, by_graph: bool
    ) -> Sequence[tuple[int, float]]:
        """Return the nearest rows and their inner products."""

    def fetched(self, rows: Sequence[int]) -> dict[int, NDArray[np.float32]]:
        """Return the vectors of chunks that have one, by row."""


class NearestReader(ComparingReader):
    """An opened leg (see `contracts.LegReader`). Thread-safe. `facts`: the run's facts of the leg."""

    def __init__(self, tables: MirroredTables, vectors: Vectors, facts: Mapping[str, Any], database: Comparing) -> None:
        super().__init__(vectors)
        self._tables, self._facts, self._database = tables, facts, database
        self._known: dict[int, NDArray[np.float32]] = {}

    def search(self, question: Question, allow: Allow | None, k: int, call: Call) -> list[Hit]:
        """Return the best `k` chunks and all ties with the last, score descending."""
        call.check()
        allowed = None if allow is None else self._tables.allowed(allow)
        if k < 1 or (allowed is not None and not allowed.items):
            return []
        vector = self._vectors.question(question.text, call)
        limit = min(k + _SLACK, self._database.most)
        by_graph = self._facts["graph"] and (allowed is None or allowed.chunks > _FEW)
        while True:
            fetched = self._database.nearest(vector, allowed, limit, by_graph)
            if by_graph and len(fetched) < limit:  # the graph may have missed some
                by_graph = False
                continue
            hits = sorted((Hit(row, _cosine(score)) for row, score in fetched), key=lambda hit: (-hit.score, hit.row))
            end = through_tie([hit.score for hit in hits], k)
            if len(fetched) < limit or end < len(hits) or limit == self._database.most:
                return hits[:end]
            limit, by_graph = min(limit * 8, self._database.most), False

    def forget(self) -> None:
        """Empty the cache, which may lack vectors of a database that did not answer."""
        self._known = {}

    def vectors(self, rows: Sequence[int]) -> NDArray[np.float32]:
        """Return the vectors (n, dim) of chunks; zeros if a chunk has none."""

        cache = self._known
        if missing := [row for row in rows if row not in cache]:
            if len(cache) > _REMEMBERED:  # other threads keep using the old cache
                cache = self._known = {row: cache[row] for row in rows if row in cache}
            fetched, nothing = self._database.fetched(missing), np.zeros(self._facts["dim"], np.float32)
            cache.update({row: fetched.get(row, nothing) for row in missing})
        return np.array([cache[row] for row in rows], np.float32).reshape(len(rows), self._facts["dim"])

    def scores(self, question: Question, rows: Sequence[int]) -> Mapping[int, float]:
        """Return the cosine of each chunk that has a vector."""
        vector = self._vectors.question(question.text, Call())
        return {
            row: _cosine(float(of_row @ vector))
            for row, of_row in zip(rows, self.vectors(rows), strict=True)
            if of_row.any()
        }

    @cached_property
    def _centre(self) -> NDArray[np.float32]:

        return np.array(self._facts["centre"] or np.zeros(self._facts["dim"]), np.float32)


def _cosine(score: float) -> float:
    return rounded(round(score, DECIMALS))
