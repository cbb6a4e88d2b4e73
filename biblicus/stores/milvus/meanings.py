"""The vector leg in Milvus: exact comparison, or a graph above the size in the recipe."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from biblicus.stores.milvus.server import MOST, Server, listed
from biblicus.stores.mirrored import Allowed

if TYPE_CHECKING:
    from numpy import float32
    from numpy.typing import NDArray


class Meanings:
    """See `nearest.Comparing`. `collection`: of the run's chunks. `facts`: of the leg. `reach`: of its graph."""

    most = MOST

    def __init__(self, server: Server, run_id: str, collection: str, facts: Mapping[str, Any], reach: int) -> None:
        self._server, self._run_id, self._collection = server, run_id, collection
        self._facts, self._reach, self._field = facts, reach, f"vectors_{facts['number']}"

    def nearest(
        self, vector: NDArray[float32], allowed: Allowed | None, limit: int, by_graph: bool
    ) -> Sequence[tuple[int, float]]:
        """Search the collection's only index: a graph is used despite `by_graph`, with a reach of at least the
        limit."""
        conditions = [f"has_{self._facts['number']} == true"] if self._facts["lacking"] else []
        conditions += [] if allowed is None else [f"item in {listed(allowed.items)}"]
        how = {"ef": max(self._reach, limit)} if self._facts["graph"] else {}
        (hits,) = self._server.ask(
            "search", self._collection, run_id=self._run_id, data=[vector], anns_field=self._field,
            filter=" and ".join(conditions), limit=limit, output_fields=["row"], consistency_level="Bounded",
            search_params={"metric_type": "IP", "params": how},
        )  # fmt: skip
        return [(hit["row"], hit["distance"]) for hit in hits]

    def fetched(self, rows: Sequence[int]) -> dict[int, NDArray[float32]]:
        import numpy as np

        fields = ("row", self._field)
        vectors = self._server.among(self._collection, "row", rows, fields, self._run_id)
        return {row["row"]: np.array(row[self._field], np.float32) for row in vectors}
