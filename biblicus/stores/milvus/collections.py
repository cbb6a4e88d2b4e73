"""The two collections of a run, and the schema's own collection.

`…_chunks`, if a leg has vectors: a row for each chunk. `…_rest`: the files of the run in pieces, each with a key. The
schema's own collection lists the runs, their corpus and their users.

A built run is copied into the two; it becomes visible only with its row in the schema."""

from __future__ import annotations

import json
import sqlite3
from base64 import b64encode
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pymilvus import DataType

from biblicus.contracts import Leg
from biblicus.errors import RunDamaged
from biblicus.lazy import NDArray, np
from biblicus.stores.milvus.server import (
    KEY,
    MOST,
    NO_VECTOR,
    NOWHERE,
    NUMBER,
    STRING,
    TEXT,
    YES,
    Server,
    listed,
)
from biblicus.stores.mirrored import Allowed, CopiedMeanings, bytes_of, pieces_of, seal_of, write_facts
from biblicus.stores.tables import BASE

CHUNK_FIELDS: tuple[tuple[Any, ...], ...] = (("row", NUMBER, {}), ("item", NUMBER, {}))
REST_FIELDS: tuple[tuple[Any, ...], ...] = (
    ("key", KEY, {"max_length": 1_000}),
    ("row", NUMBER, {}),
    ("body", TEXT, {"max_length": STRING}),
    NO_VECTOR,
)
OWN_FIELDS: tuple[tuple[Any, ...], ...] = (
    ("key", KEY, {"max_length": STRING}),
    ("body", TEXT, {"max_length": STRING}),
    NO_VECTOR,
)
NO_INDEX: tuple[tuple[str, str, Any], ...] = (("none", "FLAT", {}),)
WINDOWS = {"chunks": 2_000, "rest": 200}
"""Number of rows that are read at a time."""
_PIECE = STRING // 4 * 3
"""Bytes of a file that fit into a field in base64."""


class Sum:
    """Row count and sum of digests."""

    def __init__(self) -> None:
        self.rows = self.total = 0

    def add(self, row: Mapping[str, Any]) -> None:
        fields = [[name, _plain(row[name])] for name in sorted(row) if name != "none"]
        self.rows, self.total = self.rows + 1, (self.total + seal_of(fields)) & _MOST

    def told(self) -> list[int]:
        return [self.rows, self.total]


_MOST = (1 << 63) - 1


def sum_of(server: Server, collection: str, fields: Sequence[str], end: int, window: int, run_id: str) -> list[int]:
    """Return row count and digest sum of a collection with the rows below `end`, read a window at a time."""
    total = Sum()
    for start in range(0, end, window):
        rows = f"row >= {start} and row < {min(start + window, end)}"
        for row in server.rows(collection, rows, fields, run_id):
            total.add(row)
    return total.told()


def _plain(value: Any) -> Any:
    """Return a field's value in one form, sent or received: vectors as bytes in single precision."""

    return value if isinstance(value, (bool, int, str)) else np.asarray(list(value), "<f4").tobytes().hex()


class Loader:
    """Inserts rows into a collection in batches.

    `sum`: over all rows."""

    def __init__(self, server: Server, collection: str) -> None:
        self._server, self._collection = server, collection
        self._rows: list[dict[str, Any]] = []
        self._held = 0
        self.sum = Sum()

    def add(self, row: dict[str, Any], size: int) -> None:
        self.sum.add(row)
        self._rows.append(row)
        self._held += size
        if len(self._rows) >= _ROWS or self._held >= _BYTES:
            self.send()

    def send(self) -> None:
        if self._rows:
            self._server.insert(self._collection, self._rows)
        self._rows, self._held = [], 0


_ROWS, _BYTES = 2_000, 16 << 20


def packed(values: Any) -> str:
    return json.dumps(values, ensure_ascii=False, separators=(",", ":"))


class Meanings:
    """See `nearest.Comparing`. `collection`: of the run's chunks. `facts`: of the leg. `reach`: of its graph."""

    most = MOST

    def __init__(self, server: Server, run_id: str, collection: str, facts: Mapping[str, Any], reach: int) -> None:
        self._server, self._run_id, self._collection = server, run_id, collection
        self._facts, self._reach, self._field = facts, reach, f"vectors_{facts['number']}"

    def nearest(
        self, vector: NDArray[np.float32], allowed: Allowed | None, limit: int, by_graph: bool
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

    def fetched(self, rows: Sequence[int]) -> dict[int, NDArray[np.float32]]:

        fields = ("row", self._field)
        vectors = self._server.among(self._collection, "row", rows, fields, self._run_id)
        return {row["row"]: np.array(row[self._field], np.float32) for row in vectors}


@dataclass
class Build:
    """A run built in a folder.

    `name`: prefix of its collections. `partitions`: of its chunks. `entry`: its description for the schema."""

    server: Server
    name: str
    run_id: str
    folder: Path
    legs: Mapping[str, Leg]
    partitions: int
    entry: dict[str, Any] = field(default_factory=dict)

    def load(self) -> None:
        """Copy the run in. Raises `RunDamaged` if it arrived altered."""
        rest = Loader(self.server, f"{self.name}_rest")
        self.server.make(f"{self.name}_rest", REST_FIELDS, NO_INDEX)
        facts: dict[str, Any] = {name: {} for name in self.legs}
        sizes = {"tables": (self.folder / BASE).stat().st_size}
        sizes |= {name: bytes_of(self.folder, name) for name in self.legs}
        vectors = {
            name: _Vectors(at, leg, self.folder / name)
            for at, (name, leg) in enumerate(self.legs.items())
            if isinstance(leg, CopiedMeanings)
        }
        chunks = self._add_chunks(list(vectors.values())) if vectors else None
        for name, sent in vectors.items():
            facts[name], sizes[name] = sent.facts(), sent.bytes
        files = write_facts(self.folder, {"legs": facts, "sizes": sizes}, self.legs, {})
        for name in files:
            for at, piece in enumerate(pieces_of(self.folder / name, _PIECE)):
                body = b64encode(piece).decode()
                row = {"key": file_key(name, at), "row": rest.sum.rows, "body": body, "none": NOWHERE}
                rest.add(row, len(body))
        rest.send()
        parts = {"rest": rest} if chunks is None else {"rest": rest, "chunks": chunks}
        for part, loader in parts.items():
            self.server.flush(f"{self.name}_{part}")
            if self.server.count(f"{self.name}_{part}") != loader.sum.rows:
                raise RunDamaged(self.run_id, "what arrived in the store is not what was built")
        self.entry |= {
            "name": self.name,
            "files": files,
            "rows": {part: loader.sum.told() for part, loader in parts.items()},
            "fields": [name for leg in vectors.values() for name, *_ in leg.fields],
        }

    def drop(self) -> None:
        """Remove the copied collections."""
        drop(self.server, self.name)

    def _add_chunks(self, legs: list[_Vectors]) -> Loader:
        """Add a row with vectors for each chunk."""
        fields = [*CHUNK_FIELDS, *(column for leg in legs for column in leg.fields)]
        shared = ("item", self.partitions) if self.partitions > 1 else None
        self.server.make(f"{self.name}_chunks", fields, [leg.index for leg in legs], shared)
        loader = Loader(self.server, f"{self.name}_chunks")
        with closing(sqlite3.connect(self.folder / BASE)) as tables:
            for row, item in tables.execute("SELECT row, item FROM chunks ORDER BY row"):
                values = {"row": row, "item": item}
                for leg in legs:
                    values |= leg.row(row)
                loader.add(values, sum(4 * leg.dim for leg in legs))
        loader.send()
        return loader


def file_key(name: str, at: int) -> str:
    """Return the key of a piece of a file."""
    return f"f{name}.{at}"


def drop(server: Server, name: str) -> None:
    """Remove a run's collections, if they exist."""
    for part in ("chunks", "rest"):
        if server.has(f"{name}_{part}"):
            server.ask("drop_collection", f"{name}_{part}")


class _Vectors:
    """The fields of chunks for a vector leg. `bytes`: sent so far."""

    def __init__(self, at: int, leg: CopiedMeanings, folder: Path) -> None:
        self.at, self.bytes, self._seen = at, 0, 0
        table, self._matrix = leg.embedded(folder)
        self._places = dict(zip(table[0].tolist(), table[2].tolist(), strict=True))
        self.dim = dim = self._matrix.shape[1]
        self._total = np.zeros(dim, np.float64)
        self.fields: tuple[tuple[Any, ...], ...] = (
            (f"vectors_{at}", DataType.FLOAT_VECTOR, {"dim": dim}),
            (f"has_{at}", YES, {}),
        )
        graph = leg.graph
        self._has_graph = graph is not None and len(self._places) >= graph.exact_below
        self.index: tuple[str, str, Any] = (f"vectors_{at}", "FLAT", {})
        if graph is not None and self._has_graph:
            self.index = (f"vectors_{at}", "HNSW", {"M": graph.links, "efConstruction": graph.effort})

    def row(self, chunk: int) -> dict[str, Any]:
        """Return the fields of a chunk."""
        self._seen += 1
        place = self._places.get(chunk)
        vector = np.zeros(self.dim, np.float32) if place is None else np.array(self._matrix[place])
        self.bytes += vector.nbytes
        self._total += vector
        return {f"vectors_{self.at}": vector, f"has_{self.at}": place is not None}

    def facts(self) -> dict[str, Any]:
        """Return facts for queries, after all chunks were added."""
        count = len(self._places)
        centre = (self._total / max(1, count)).astype("<f4").tolist()
        facts = {"number": self.at, "dim": self.dim, "graph": self._has_graph}
        return {**facts, "lacking": self._seen - count, "centre": centre}
