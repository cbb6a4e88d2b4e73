"""The leg by meaning in Milvus: vectors compared one by one, or through a graph above the size that a recipe names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from biblicus.contracts import Call, ChunkTable, Fingerprints, Held, Hit, LegReader, Vectors
from biblicus.models.question import Allow, Question
from biblicus.retrieval.ranking import rounded, through_tie
from biblicus.retrieval.vectors import vector_rows
from biblicus.retrieval.vectors.exact import Exact
from biblicus.retrieval.vectors.hnsw import Hnsw, Options
from biblicus.stores.milvus.searching import Searching
from biblicus.stores.milvus.server import MOST

if TYPE_CHECKING:
    from numpy import float32
    from numpy.typing import NDArray

_DECIMALS = 6
"""As in the leg `exact`: what the order of a sum adds beyond them must not decide an order."""
_SLACK = 16


class Meanings:
    """Builds the leg of a recipe for the store (see `contracts.Leg`). `leg`: the recipe's own."""

    materializes = True
    drifts = False

    def __init__(self, leg: Exact | Hnsw) -> None:
        self.leg = leg

    @property
    def graph(self) -> Options | None:
        """How a graph is made; None: there never is one."""
        return self.leg.options if isinstance(self.leg, Hnsw) else None

    def fingerprints(self) -> Fingerprints:
        return self.leg.fingerprints()

    def build(self, chunks: ChunkTable, folder: Path, parent: Path | None, call: Call) -> Mapping[str, int]:
        """Embed what the vectors on this machine lack; note which of them are to be copied in."""
        return vector_rows.write(self.leg.vectors, chunks, folder, None, call).counts()

    def vectors(self, folder: Path) -> tuple[NDArray[float32], Mapping[int, int]]:
        """The vectors on this machine, and the place there of each chunk that has one."""
        rows = vector_rows.load(folder)
        chunks, _, places, _ = rows.embedded()
        return self.leg.vectors.matrix(rows.generation), dict(zip(chunks.tolist(), places.tolist(), strict=True))

    def open(self, folder: Path) -> LegReader:
        raise AssertionError("a store's leg is opened by the store")


class MeaningsReader:
    """An opened leg (see `contracts.LegReader`). Safe for several threads. `facts`: what the run keeps of the leg."""

    by_words = False

    def __init__(self, searching: Searching, vectors: Vectors, facts: Mapping[str, Any], reach: int) -> None:
        self._searching, self._vectors, self._facts, self._reach = searching, vectors, facts, reach
        self._field = f"vectors_{facts['number']}"
        self.languages = vectors.languages

    def search(self, question: Question, allow: Allow | None, k: int, call: Call) -> list[Hit]:
        """The best `k` chunks and every further one that ties with the last, score descending."""
        call.check()
        narrowed = self._searching.fitting(allow)
        if k < 1 or narrowed is None:
            return []
        if self._facts["lacking"]:
            narrowed = " and ".join(filter(None, [narrowed, f"has_{self._facts['number']} == true"]))
        vector = self._vectors.question(question.text, call)
        limit = k + _SLACK
        while True:
            limit = min(limit, MOST)
            how = {"ef": max(self._reach, limit)} if self._facts["graph"] else {}
            fetched = self._searching.search(self._field, vector, narrowed, limit, (), how)
            hits = [Hit(row["row"], rounded(round(row["distance"], _DECIMALS))) for row in fetched]
            hits.sort(key=lambda hit: (-hit.score, hit.row))
            end = through_tie([hit.score for hit in hits], k)
            if len(fetched) < limit or end < len(hits) or limit == MOST:
                return hits[:end]
            limit *= 8

    def vectors(self, rows: Sequence[int]) -> NDArray[float32]:
        """The vectors (n, dim) of chunks; zeros for one that has none."""
        import numpy as np

        known = self._fetched(rows)
        nothing = np.zeros(self._facts["dim"], np.float32)
        made: NDArray[float32] = np.array([known.get(row, nothing) for row in rows], np.float32)
        return made.reshape(len(rows), self._facts["dim"])

    def scores(self, question: Question, rows: Sequence[int]) -> Mapping[int, float]:
        """The cosine of each chunk that has a vector."""
        vector = self._vectors.question(question.text, Call())
        known = self._fetched(rows)
        return {row: rounded(round(float(own @ vector), _DECIMALS)) for row, own in known.items() if own.any()}

    def floor(self, question: Question) -> float:
        """The mean cosine with all chunks."""
        return rounded(float(self._centre @ self._vectors.question(question.text, Call())))

    def support(self, question: Question, best: Sequence[Held]) -> float:
        """The best cosine, at least 0."""
        return max((held.score for held in best if held.score is not None), default=0.0)

    def close(self) -> None:
        """Nothing is held open."""

    @cached_property
    def _centre(self) -> NDArray[float32]:
        import numpy as np

        return np.array(self._facts["centre"], np.float32)

    def _fetched(self, rows: Sequence[int]) -> dict[int, NDArray[float32]]:
        import numpy as np

        tables = self._searching.tables
        vectors = tables.server.among(tables.chunk_rows, "row", rows, ("row", self._field), tables.run_id)
        return {row["row"]: np.array(row[self._field], np.float32) for row in vectors}
