"""The vector leg in Milvus: exact comparison, or a graph above the size in the recipe."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from biblicus.contracts import Call, ChunkTable, Vectors
from biblicus.retrieval.vectors import vector_rows
from biblicus.stores.copying import CopiedMeanings
from biblicus.stores.milvus.server import MOST, Server, listed
from biblicus.stores.mirrored import Allowed, MirroredTables
from biblicus.stores.nearest import NearestReader

if TYPE_CHECKING:
    from numpy import float32
    from numpy.typing import NDArray


class Meanings(CopiedMeanings):
    """Builds the leg of a recipe for the store (see `contracts.Leg`). `leg`: the recipe's own."""

    def build(self, chunks: ChunkTable, folder: Path, parent: Path | None, call: Call) -> Mapping[str, int]:
        """Embed missing texts, and record which local vectors are to be copied in."""
        return vector_rows.write(self.leg.vectors, chunks, folder, None, call).counts()

    def embedded(self, folder: Path) -> tuple[NDArray[float32], Mapping[int, int]]:
        """Return the local vectors, and the row of each chunk that has one."""
        rows = vector_rows.load(folder)
        chunks, _, places, _ = rows.embedded()
        return self.leg.vectors.matrix(rows.generation), dict(zip(chunks.tolist(), places.tolist(), strict=True))


class MeaningsReader(NearestReader):
    """See `NearestReader`. `collection`: of the run's chunks."""

    most = MOST

    def __init__(
        self,
        server: Server,
        collection: str,
        tables: MirroredTables,
        vectors: Vectors,
        facts: Mapping[str, Any],
        reach: int,
    ) -> None:
        super().__init__(tables, vectors, facts, reach)
        self._server, self._collection = server, collection
        self._field = f"vectors_{facts['number']}"

    def nearest(
        self, vector: NDArray[float32], allowed: Allowed | None, limit: int, by_graph: bool
    ) -> Sequence[tuple[int, float]]:
        """Search the collection's only index: a graph is used despite `by_graph`, with a reach of at least the
        limit."""
        conditions = [f"has_{self._facts['number']} == true"] if self._facts["lacking"] else []
        conditions += [] if allowed is None else [f"item in {listed(allowed.items)}"]
        how = {"ef": max(self._reach, limit)} if self._facts["graph"] else {}
        (hits,) = self._server.ask(
            "search", self._collection, run_id=self._tables.run_id, data=[vector], anns_field=self._field,
            filter=" and ".join(conditions), limit=limit, output_fields=["row"], consistency_level="Bounded",
            search_params={"metric_type": "IP", "params": how},
        )  # fmt: skip
        return [(hit["row"], hit["distance"]) for hit in hits]

    def fetched(self, rows: Sequence[int]) -> dict[int, NDArray[float32]]:
        import numpy as np

        fields = ("row", self._field)
        vectors = self._server.among(self._collection, "row", rows, fields, self._tables.run_id)
        return {row["row"]: np.array(row[self._field], np.float32) for row in vectors}
