"""The leg by meaning in Milvus: vectors compared one by one, or through a graph above the size that a recipe names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from biblicus.contracts import Call, ChunkTable, Hit, Vectors
from biblicus.models.question import Allow, Question
from biblicus.retrieval.ranking import rounded, through_tie
from biblicus.retrieval.vectors import vector_rows
from biblicus.retrieval.vectors.comparing import DECIMALS, ComparingReader
from biblicus.stores.copying import CopiedMeanings
from biblicus.stores.milvus.server import MOST, listed
from biblicus.stores.milvus.tables import MilvusTables

if TYPE_CHECKING:
    from numpy import float32
    from numpy.typing import NDArray

_SLACK = 16


class Meanings(CopiedMeanings):
    """Builds the leg of a recipe for the store (see `contracts.Leg`). `leg`: the recipe's own."""

    def build(self, chunks: ChunkTable, folder: Path, parent: Path | None, call: Call) -> Mapping[str, int]:
        """Embed what the vectors on this machine lack; note which of them are to be copied in."""
        return vector_rows.write(self.leg.vectors, chunks, folder, None, call).counts()

    def embedded(self, folder: Path) -> tuple[NDArray[float32], Mapping[int, int]]:
        """The vectors on this machine, and the place there of each chunk that has one."""
        rows = vector_rows.load(folder)
        chunks, _, places, _ = rows.embedded()
        return self.leg.vectors.matrix(rows.generation), dict(zip(chunks.tolist(), places.tolist(), strict=True))


class MeaningsReader(ComparingReader):
    """An opened leg (see `contracts.LegReader`). Safe for several threads. `facts`: what the run keeps of the leg."""

    def __init__(self, tables: MilvusTables, vectors: Vectors, facts: Mapping[str, Any], reach: int) -> None:
        super().__init__(vectors)
        self._tables, self._facts, self._reach = tables, facts, reach
        self._field = f"vectors_{facts['number']}"

    def search(self, question: Question, allow: Allow | None, k: int, call: Call) -> list[Hit]:
        """The best `k` chunks and every further one that ties with the last, score descending."""
        call.check()
        conditions = [f"has_{self._facts['number']} == true"] if self._facts["lacking"] else []
        items = None if allow is None else sorted(self._tables.items_allowed(allow))
        if items is not None:
            conditions.append(f"item in {listed(items)}")
        if k < 1 or items == []:
            return []
        vector = self._vectors.question(question.text, call)
        limit = k + _SLACK
        while True:
            limit = min(limit, MOST)
            fetched = self._nearest(vector, " and ".join(conditions), limit)
            hits = [Hit(hit["row"], rounded(round(hit["distance"], DECIMALS))) for hit in fetched]
            hits.sort(key=lambda hit: (-hit.score, hit.row))
            end = through_tie([hit.score for hit in hits], k)
            if len(fetched) < limit or end < len(hits) or limit == MOST:
                return hits[:end]
            limit *= 8

    def _nearest(self, vector: NDArray[float32], fits: str, limit: int) -> Sequence[Any]:
        """The rows nearest by inner product, best first."""
        how = {"ef": max(self._reach, limit)} if self._facts["graph"] else {}
        (hits,) = self._tables.server.ask(
            "search",
            self._tables.chunk_rows,
            run_id=self._tables.run_id,
            data=[vector],
            anns_field=self._field,
            filter=fits,
            limit=limit,
            output_fields=["row"],
            search_params={"metric_type": "IP", "params": how},
            consistency_level="Bounded",
        )
        return list(hits)

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
        return {row: rounded(round(float(own @ vector), DECIMALS)) for row, own in known.items() if own.any()}

    @cached_property
    def _centre(self) -> NDArray[float32]:
        import numpy as np

        return np.array(self._facts["centre"], np.float32)

    def _fetched(self, rows: Sequence[int]) -> dict[int, NDArray[float32]]:
        import numpy as np

        tables = self._tables
        vectors = tables.server.among(tables.chunk_rows, "row", rows, ("row", self._field), tables.run_id)
        return {row["row"]: np.array(row[self._field], np.float32) for row in vectors}
