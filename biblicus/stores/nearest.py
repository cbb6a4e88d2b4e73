"""The leg by meaning of stores whose database compares vectors."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from biblicus.contracts import Call, Hit, Vectors
from biblicus.models.question import Allow, Question
from biblicus.retrieval.ranking import rounded, through_tie
from biblicus.retrieval.vectors.comparing import DECIMALS, ComparingReader
from biblicus.stores.mirrored import Allowed, MirroredTables

if TYPE_CHECKING:
    from numpy import float32
    from numpy.typing import NDArray

_SLACK = 16
_REMEMBERED = 2_000
"""Vectors."""
_FEW = 30_000
"""Chunks that a filter leaves, up to which they are compared one by one."""


class NearestReader(ComparingReader):
    """An opened leg (see `contracts.LegReader`). Safe for several threads. `facts`: what the run keeps of the leg."""

    most = 1 << 30
    """Rows that one question may bring."""

    def __init__(self, tables: MirroredTables, vectors: Vectors, facts: Mapping[str, Any], reach: int) -> None:
        super().__init__(vectors)
        self._tables, self._facts, self._reach = tables, facts, reach
        self._known: dict[int, NDArray[float32]] = {}

    @abstractmethod
    def _nearest(
        self, vector: NDArray[float32], allowed: Allowed | None, limit: int, by_graph: bool
    ) -> Sequence[tuple[int, float]]:
        """Return the rows nearest by inner product, each with that."""

    @abstractmethod
    def _fetched(self, rows: Sequence[int]) -> dict[int, NDArray[float32]]:
        """Return the vectors of the chunks that have one, by row."""

    def search(self, question: Question, allow: Allow | None, k: int, call: Call) -> list[Hit]:
        """The best `k` chunks and every further one that ties with the last, score descending."""
        call.check()
        allowed = None if allow is None else self._tables.allowed(allow)
        if k < 1 or (allowed is not None and not allowed.items):
            return []
        vector = self._vectors.question(question.text, call)
        limit = min(k + _SLACK, self.most)
        by_graph = self._facts["graph"] and (allowed is None or allowed.chunks > _FEW)
        while True:
            fetched = self._nearest(vector, allowed, limit, by_graph)
            if by_graph and len(fetched) < limit:  # there may be more that the graph did not reach
                by_graph = False
                continue
            hits = sorted((Hit(row, _cosine(score)) for row, score in fetched), key=lambda hit: (-hit.score, hit.row))
            end = through_tie([hit.score for hit in hits], k)
            if len(fetched) < limit or end < len(hits) or limit == self.most:
                return hits[:end]
            limit, by_graph = min(limit * 8, self.most), False

    def vectors(self, rows: Sequence[int]) -> NDArray[float32]:
        """The vectors (n, dim) of chunks; zeros for one that has none."""
        import numpy as np

        known = self._known
        if missing := [row for row in rows if row not in known]:
            if len(known) > _REMEMBERED:  # another thread goes on with those that are forgotten here
                known = self._known = {row: known[row] for row in rows if row in known}
            fetched, nothing = self._fetched(missing), np.zeros(self._facts["dim"], np.float32)
            known.update({row: fetched.get(row, nothing) for row in missing})
        return np.array([known[row] for row in rows], np.float32).reshape(len(rows), self._facts["dim"])

    def scores(self, question: Question, rows: Sequence[int]) -> Mapping[int, float]:
        """The cosine of each chunk that has a vector."""
        vector = self._vectors.question(question.text, Call())
        return {
            row: _cosine(float(of_row @ vector))
            for row, of_row in zip(rows, self.vectors(rows), strict=True)
            if of_row.any()
        }

    @cached_property
    def _centre(self) -> NDArray[float32]:
        import numpy as np

        return np.array(self._facts["centre"] or np.zeros(self._facts["dim"]), np.float32)


def _cosine(score: float) -> float:
    return rounded(round(score, DECIMALS))
