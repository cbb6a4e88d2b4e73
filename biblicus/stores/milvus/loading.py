"""Copies a built run into two collections of its own. Until the schema says that there is such a run, nobody reads
them."""

from __future__ import annotations

import sqlite3
from base64 import b64encode
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pymilvus import DataType

from biblicus.contracts import Leg
from biblicus.errors import RunDamaged
from biblicus.retrieval.words import listing
from biblicus.stores.contract import Sums
from biblicus.stores.copying import CopiedWords
from biblicus.stores.milvus import collections as kept
from biblicus.stores.milvus.meanings import Meanings
from biblicus.stores.milvus.server import NO_VECTOR, NOWHERE, PIECE, YES, Server
from biblicus.stores.packing import ITEM, ChunkRow, Dictionaries, told, told_items, with_texts
from biblicus.stores.tables import BASE, ItemRow
from biblicus.text.fitting import toolkits_of

if TYPE_CHECKING:
    from numpy import float32
    from numpy.typing import NDArray


@dataclass
class Build:
    """A run that lies built in a folder. `name`: what its collections' names begin with; `partitions`: of its
    chunks."""

    server: Server
    name: str
    run_id: str
    folder: Path
    legs: Mapping[str, Leg]
    partitions: int
    items: dict[int, ItemRow] = field(default_factory=dict)
    facts: dict[str, Any] = field(default_factory=dict)
    sums: dict[str, list[int]] = field(default_factory=dict)
    """Of each collection: how many rows were sent, and what they come to."""

    def load(self, sums: Sums) -> None:
        """Copy it in. Raises `RunDamaged` where what arrived is not what was built."""
        with closing(sqlite3.connect(self.folder / BASE)) as spool:
            self._load(spool)
        for part in ("chunks", "rest"):
            self.server.flush(f"{self.name}_{part}")
        found = [self.server.count(f"{self.name}_{part}") for part in ("chunks", "rest")]
        built = [self.sums[part][0] for part in ("chunks", "rest")]
        if (found, self.facts["items"], self.facts["chunks"]) != (built, sums.items, sums.chunks):
            raise RunDamaged(self.run_id, "what arrived in the store is not what was built")

    def drop(self) -> None:
        """Remove what was copied in."""
        drop(self.server, self.name)

    def _load(self, spool: sqlite3.Connection) -> None:
        named = list(enumerate(self.legs.items()))
        legs = [_Vectors(at, leg, self.folder / name) for at, (name, leg) in named if isinstance(leg, Meanings)]
        self.server.make(
            f"{self.name}_chunks",
            [*kept.CHUNK_FIELDS, *(one for leg in legs for one in leg.fields), *([] if legs else [NO_VECTOR])],
            [leg.index for leg in legs] or kept.NO_INDEX,
            ("item", self.partitions) if self.partitions > 1 else None,
        )
        self.server.make(f"{self.name}_rest", kept.REST_FIELDS, kept.NO_INDEX)
        rest = kept.Loader(self.server, f"{self.name}_rest")
        first = dict(spool.execute("SELECT item, min(row) FROM chunks GROUP BY item"))
        for values in spool.execute(f"SELECT {ITEM} FROM ({told_items(spool)}) ORDER BY row"):
            self._add_item(rest, ItemRow(*values), first.get(values[0], 0))
        next_chunk = self._add_chunks(rest, spool, legs)
        sizes, facts, terms = {"tables": rest.bytes}, {}, 0
        for at, (name, leg) in named:
            before = rest.bytes
            if isinstance(leg, CopiedWords):
                terms = self._add_lists(rest, at, self.folder / name, terms)
                facts[name] = {**listing.summary(self.folder / name), "number": at}
            sizes[name] = rest.bytes - before
        for vectors in legs:
            name = named[vectors.at][1][0]
            facts[name], sizes[name] = vectors.facts(), vectors.bytes
        items = {row: held.item for row, held in self.items.items()}
        self.facts = {
            "items": len(items),
            "chunks": next_chunk,
            "next_item": max(self.items, default=-1) + 1,
            "next_chunk": next_chunk,
            "contexts": {item.path: row for row, item in items.items() if item.metadata.get("context") is not None},
            "toolkits": sorted({name for item in items.values() for name in toolkits_of(item)}),
            "sizes": sizes,
            "legs": facts,
            "fields": [name for leg in legs for name, *_ in leg.fields],
        }
        own = rest.pieces + 2 + len(kept.packed(self.facts)) // PIECE  # those of the facts themselves, too
        self.facts["rows"] = [1, self.facts["next_item"], terms, own]
        rest.add_text("facts", kept.FACTS, kept.sealed([self.facts]))
        rest.send()
        self.sums["rest"] = rest.sum.told()

    def _add_lists(self, rest: kept.Loader, at: int, folder: Path, number: int) -> int:
        """A leg's lists of terms, and apart the places where these stand. Returns the next free number of a row."""
        of_terms = groupby(listing.pieces(folder), key=lambda piece: (piece.field, piece.term))
        for (of_field, term), pieces in of_terms:
            columns = [(one.first, one.chunks, encoded(one.data), encoded(one.places or b"")) for one in pieces]
            for kind, texts in (("t", [one[:3] for one in columns]), ("p", [one[3] for one in columns])):
                if kind == "t" or any(texts):
                    key = kept.term_key(f"{kind}{at}", of_field, term)
                    rest.add_text(key, kept.TERM, kept.sealed(texts, key), row=number)
                    number += 1
        return number

    def _add_item(self, rest: kept.Loader, row: ItemRow, first: int) -> None:
        self.items[row.row] = row
        body = kept.sealed([*row[1:], first], row.row)
        about: dict[str, Any] = {"bare": not row.chunks, "layer": row.item.layer or "", "path": row.path}
        rest.add_text(f"i{row.row}", kept.ITEM, body, row=row.row, **about)

    def _add_chunks(self, rest: kept.Loader, spool: sqlite3.Connection, legs: Sequence[_Vectors]) -> int:
        """Returns how many there are."""
        loader = kept.Loader(self.server, f"{self.name}_chunks")
        ((count,),) = spool.execute("SELECT count(*) FROM chunks")
        for values in with_texts(spool.execute(f"{told(spool)} ORDER BY row"), Dictionaries(spool.execute)):
            chunk = ChunkRow(*values)
            body = kept.sealed(chunk[2:], *chunk[:2])
            body, more = rest.rest_of(f"c{chunk.row}", body)
            row = {"row": chunk.row, "item": chunk.item, "body": body, "more": more}
            for leg in legs:
                row |= leg.row(chunk.row)
            if not legs:
                row["none"] = NOWHERE
            loader.add(row, len(body) + sum(4 * leg.dim for leg in legs))
            rest.bytes += len(body)
        loader.send()
        self.sums["chunks"] = loader.sum.told()
        return int(count)


def drop(server: Server, name: str) -> None:
    """Remove a run's collections, as far as they are there."""
    for part in ("chunks", "rest"):
        if server.has(f"{name}_{part}"):
            server.ask("drop_collection", f"{name}_{part}")


def encoded(data: bytes) -> str:
    return b64encode(data).decode()


class _Vectors:
    """The fields of chunks for a leg by meaning. `bytes`: of those that were sent."""

    def __init__(self, at: int, leg: Meanings, folder: Path) -> None:
        self.at, self.bytes = at, 0
        self._matrix, self._places = leg.embedded(folder)
        self._chunks = self._seen = 0
        self.dim = dim = self._matrix.shape[1]
        self.fields: Sequence[tuple[Any, ...]] = (
            (f"vectors_{at}", DataType.FLOAT_VECTOR, {"dim": dim}),
            (f"has_{at}", YES, {}),
        )
        graph = leg.graph
        self._has_graph = graph is not None and len(self._places) >= graph.exact_below
        self.index: tuple[str, str, Any] = (f"vectors_{at}", "FLAT", {})
        if graph is not None and self._has_graph:
            self.index = (f"vectors_{at}", "HNSW", {"M": graph.links, "efConstruction": graph.effort})

    def row(self, chunk: int) -> dict[str, Any]:
        """The fields of a chunk."""
        import numpy as np

        self._seen += 1
        place = self._places.get(chunk)
        vector = np.zeros(self._matrix.shape[1], np.float32) if place is None else np.array(self._matrix[place])
        self.bytes += 4 * len(vector)
        return {f"vectors_{self.at}": vector, f"has_{self.at}": place is not None}

    def facts(self) -> dict[str, Any]:
        """What a question needs to know of all its chunks."""
        own = {"by": "meanings", "number": self.at, "dim": self._matrix.shape[1], "graph": self._has_graph}
        return {**own, "lacking": self._seen - len(self._places), "centre": self._centre().tolist()}

    def _centre(self) -> NDArray[float32]:
        """The mean of the vectors."""
        import numpy as np

        total = np.zeros(self._matrix.shape[1], np.float64)
        for places in _some(list(self._places.values())):
            total += self._matrix[places].sum(axis=0, dtype=np.float64)
        centre: NDArray[float32] = (total / max(1, len(self._places))).astype(np.float32)
        return centre


def _some(places: list[int]) -> Iterator[list[int]]:
    return (places[start : start + 4_096] for start in range(0, len(places), 4_096))
