"""Copy a built run into two collections. They become visible only with the run's row in the schema."""

from __future__ import annotations

import sqlite3
from base64 import b64encode
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path
from typing import Any

from pymilvus import DataType

from biblicus.contracts import Leg
from biblicus.errors import RunDamaged
from biblicus.lazy import np
from biblicus.retrieval.words import listing
from biblicus.stores.contract import Sums
from biblicus.stores.milvus import collections as kept
from biblicus.stores.milvus.server import STRING, YES, Server
from biblicus.stores.mirrored import CopiedMeanings, CopiedWords, pieces_of, write_facts
from biblicus.stores.tables import BASE

_PIECE = STRING // 4 * 3
"""Bytes of a file that fit into a field in base64."""


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

    def load(self, sums: Sums) -> None:
        """Copy the run in. Raises `RunDamaged` if it arrived altered."""
        rest = kept.Loader(self.server, f"{self.name}_rest")
        self.server.make(f"{self.name}_rest", kept.REST_FIELDS, kept.NO_INDEX)
        facts: dict[str, Any] = {}
        sizes = {"tables": (self.folder / BASE).stat().st_size}
        for at, (name, leg) in enumerate(self.legs.items()):
            if isinstance(leg, CopiedWords):
                before = rest.bytes
                self._add_lists(rest, at, self.folder / name)
                facts[name] = {**listing.summary(self.folder / name), "number": at}
                sizes[name] = rest.bytes - before
        vectors = {
            name: _Vectors(at, leg, self.folder / name)
            for at, (name, leg) in enumerate(self.legs.items())
            if isinstance(leg, CopiedMeanings)
        }
        chunks = self._add_chunks(list(vectors.values())) if vectors else None
        for name, sent in vectors.items():
            facts[name], sizes[name] = sent.facts(), sent.bytes
        files = write_facts(self.folder, {"legs": facts, "gone": [], "chunks": sums.chunks, "sizes": sizes})
        for name in files:
            for at, piece in enumerate(pieces_of(self.folder / name, _PIECE)):
                rest.add_text(file_key(name, at), kept.FILE, encoded(piece))
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
            "ends": list(rest.ends.values()),
            "fields": [name for leg in vectors.values() for name, *_ in leg.fields],
        }

    def drop(self) -> None:
        """Remove the copied collections."""
        drop(self.server, self.name)

    def _add_lists(self, rest: kept.Loader, at: int, folder: Path) -> None:
        """Add a leg's posting lists and, separately, the positions of terms."""
        of_terms = groupby(listing.pieces(folder), key=lambda piece: (piece.field, piece.term))
        for (of_field, term), pieces in of_terms:
            columns = [(part.first, part.chunks, encoded(part.data), encoded(part.places or b"")) for part in pieces]
            for kind, texts in (("t", [part[:3] for part in columns]), ("p", [part[3] for part in columns])):
                if kind == "t" or any(texts):
                    key = kept.term_key(f"{kind}{at}", of_field, term)
                    rest.add_text(key, kept.TERM, kept.sealed(texts, key))

    def _add_chunks(self, legs: list[_Vectors]) -> kept.Loader:
        """Add a row with vectors for each chunk."""
        fields = [*kept.CHUNK_FIELDS, *(column for leg in legs for column in leg.fields)]
        shared = ("item", self.partitions) if self.partitions > 1 else None
        self.server.make(f"{self.name}_chunks", fields, [leg.index for leg in legs], shared)
        loader = kept.Loader(self.server, f"{self.name}_chunks")
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


def encoded(data: bytes) -> str:
    return b64encode(data).decode()


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
