"""Copies a built run into two collections of its own. Until the schema says that there is such a run, nobody reads
them."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pymilvus import DataType

from biblicus.contracts import Leg
from biblicus.errors import RunDamaged
from biblicus.stores.contract import Sums
from biblicus.stores.milvus import collections as kept
from biblicus.stores.milvus.meanings import Meanings
from biblicus.stores.milvus.server import NUMBER, STRING, TEXT, YES, Server
from biblicus.stores.milvus.words import Spool, Words
from biblicus.stores.packing import ITEM, ChunkRow, Dictionaries, told, told_items, with_texts
from biblicus.stores.tables import BASE, ItemRow
from biblicus.text.fitting import toolkits_of

if TYPE_CHECKING:
    from numpy import float32
    from numpy.typing import NDArray

_A_TERM, _AN_ITEM = 60, 300
"""About the bytes of a term's row, and of an item's beside its record."""


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
            spools = {name: Spool(self.folder / name) for name, leg in self.legs.items() if isinstance(leg, Words)}
            try:
                self._load(spool, spools)
            finally:
                for words in spools.values():
                    words.close()
        for part in ("chunks", "rest"):
            self.server.flush(f"{self.name}_{part}")
        found = [self.server.count(f"{self.name}_{part}") for part in ("chunks", "rest")]
        built = [self.sums[part][0] for part in ("chunks", "rest")]
        if (found, self.facts["items"], self.facts["chunks"]) != (built, sums.items, sums.chunks):
            raise RunDamaged(self.run_id, "what arrived in the store is not what was built")

    def drop(self) -> None:
        """Remove what was copied in."""
        drop(self.server, self.name)

    def _load(self, spool: sqlite3.Connection, spools: Mapping[str, Spool]) -> None:
        legs = [self._leg(at, name, leg, spools.get(name)) for at, (name, leg) in enumerate(self.legs.items())]
        self.server.make(
            f"{self.name}_chunks",
            [*kept.CHUNK_FIELDS, *(one for leg in legs for one in leg.fields)],
            [leg.index for leg in legs],
            ("item", self.partitions) if self.partitions > 1 else None,
        )
        self.server.make(f"{self.name}_rest", kept.REST_FIELDS, kept.NO_INDEX)
        rest = kept.Loader(self.server, f"{self.name}_rest")
        first = dict(spool.execute("SELECT item, min(row) FROM chunks GROUP BY item"))
        for values in spool.execute(f"SELECT {ITEM} FROM ({told_items(spool)}) ORDER BY row"):
            self._add_item(rest, ItemRow(*values), first.get(values[0], 0))
        next_chunk = self._add_chunks(rest, spool, legs)
        terms = 1
        sizes = {"tables": rest.bytes + legs[0].tables, **{leg.name: leg.bytes for leg in legs}}
        for name, words in spools.items():
            for of_field, term, number, chunks in words.terms():
                key = kept.term_key(of_field, term)
                rest.add(kept.rest_row(key, kept.TERM, kept.sealed([number, chunks], key), row=number), _A_TERM)
                sizes[name] += _A_TERM
                terms = max(terms, number + 1)
        items = {row: held.item for row, held in self.items.items()}
        self.facts = {
            "items": len(items),
            "chunks": next_chunk,
            "next_item": max(self.items, default=-1) + 1,
            "next_chunk": next_chunk,
            "types": sorted({item.media_type for item in items.values()}),
            "contexts": {item.path: row for row, item in items.items() if item.metadata.get("context") is not None},
            "toolkits": sorted({name for item in items.values() for name in toolkits_of(item)}),
            "sizes": sizes,
            "legs": {leg.name: leg.facts() for leg in legs},
            "fields": [name for leg in legs for name, *_ in leg.fields],
            "rows": [1, max(self.items, default=-1) + 1, terms, max(next_chunk, max(self.items, default=-1) + 1, 1)],
        }
        body, more, rows = kept.pieces("facts", kept.sealed([self.facts]))
        rest.add_all([kept.rest_row("facts", kept.FACTS, body, more=more), *rows])
        rest.send()
        self.sums["rest"] = rest.sum.told()

    def _add_item(self, rest: kept.Loader, row: ItemRow, first: int) -> None:
        self.items[row.row] = row
        body, more, rows = kept.pieces(f"i{row.row}", kept.sealed([*row[1:], first], row.row), row.row)
        rest.add(
            kept.rest_row(
                f"i{row.row}", kept.ITEM, body,
                row=row.row, bare=not row.chunks, layer=row.item.layer or "", path=row.path, more=more,
            ),
            _AN_ITEM + len(body),
        )  # fmt: skip
        rest.add_all(rows)

    def _add_chunks(self, rest: kept.Loader, spool: sqlite3.Connection, legs: Sequence[_Leg]) -> int:
        """Returns how many there are."""
        loader = kept.Loader(self.server, f"{self.name}_chunks")
        described: dict[int, dict[str, Any]] = {}
        ((count,),) = spool.execute("SELECT count(*) FROM chunks")
        for values in with_texts(spool.execute(f"{told(spool)} ORDER BY row"), Dictionaries(spool.execute)):
            chunk = ChunkRow(*values)
            if chunk.item not in described:
                described = {chunk.item: _described(self.items[chunk.item])}
            body, more, rows = kept.pieces(f"c{chunk.row}", kept.sealed(chunk[2:], *chunk[:2]), chunk.row)
            row = {"row": chunk.row, "item": chunk.item, **described[chunk.item], "body": body, "more": more}
            legs[0].tables += len(body)
            for leg in legs:
                of_leg, further = leg.row(chunk.row)
                row |= of_leg
                rows += further
            rest.add_all(rows)
            loader.add(row, len(body) + sum(leg.a_chunk for leg in legs))
        loader.send()
        self.sums["chunks"] = loader.sum.told()
        return int(count)

    def _leg(self, at: int, name: str, leg: Leg, spool: Spool | None) -> _Leg:
        if spool is not None:
            return _WordsLeg(at, name, spool)
        assert isinstance(leg, Meanings)
        return _MeaningsLeg(at, name, leg, self.folder / name)


def drop(server: Server, name: str) -> None:
    """Remove a run's collections, as far as they are there."""
    for part in ("chunks", "rest"):
        if server.has(f"{name}_{part}"):
            server.ask("drop_collection", f"{name}_{part}")


def _described(row: ItemRow) -> dict[str, Any]:
    item = row.item
    fields = {"path": item.path, "language": item.language or "", "doctype": item.doctype}
    return {**fields, "media_type": item.media_type, "tags": list(item.tags)}


class _Leg:
    """What a leg adds to the rows of chunks. `bytes`: what that came to; `a_chunk`: about as much each."""

    fields: Sequence[tuple[Any, ...]]
    index: tuple[str, str, Any]
    a_chunk: int

    def __init__(self, at: int, name: str) -> None:
        self.at, self.name, self.bytes, self.tables = at, name, 0, 0

    def row(self, chunk: int) -> tuple[dict[str, Any], list[dict[str, Any]]]:
        """The fields of a chunk, and what of them goes elsewhere. Chunks come in the order of their rows."""
        raise NotImplementedError

    def facts(self) -> dict[str, Any]:
        """What a question needs to know of all its chunks."""
        raise NotImplementedError


class _WordsLeg(_Leg):
    a_chunk = 3_000

    def __init__(self, at: int, name: str, spool: Spool) -> None:
        super().__init__(at, name)
        self._spool, self._weighed = spool, iter(spool.weighed())
        self.fields = (
            (f"words_{at}", DataType.SPARSE_FLOAT_VECTOR, {}),
            (f"mark_{at}", NUMBER, {}),
            (f"stream_{at}", TEXT, {"max_length": STRING}),
            (f"more_{at}", NUMBER, {}),
        )
        self.index = (f"words_{at}", "SPARSE_INVERTED_INDEX", {})

    def row(self, chunk: int) -> tuple[dict[str, Any], list[dict[str, Any]]]:
        row, one = next(self._weighed)
        assert row == chunk  # both are in the order of rows, and neither leaves out any
        body, more, rows = kept.pieces(f"s{self.at}.{chunk}", one.stream, chunk)
        self.bytes += 8 * len(one.vector) + len(one.stream)
        at = self.at
        fields = {f"words_{at}": one.vector, f"mark_{at}": one.mark, f"stream_{at}": body, f"more_{at}": more}
        return fields, rows

    def facts(self) -> dict[str, Any]:
        return {**self._spool.facts, "by": "words", "number": self.at}


class _MeaningsLeg(_Leg):
    def __init__(self, at: int, name: str, leg: Meanings, folder: Path) -> None:
        super().__init__(at, name)
        self._matrix, self._places = leg.embedded(folder)
        self._chunks = self._seen = 0
        dim = self._matrix.shape[1]
        self.a_chunk = 4 * dim
        self.fields = ((f"vectors_{at}", DataType.FLOAT_VECTOR, {"dim": dim}), (f"has_{at}", YES, {}))
        graph = leg.graph
        self._has_graph = graph is not None and len(self._places) >= graph.exact_below
        self.index = (f"vectors_{at}", "FLAT", {})
        if graph is not None and self._has_graph:
            self.index = (f"vectors_{at}", "HNSW", {"M": graph.links, "efConstruction": graph.effort})

    def row(self, chunk: int) -> tuple[dict[str, Any], list[dict[str, Any]]]:
        import numpy as np

        self._seen += 1
        place = self._places.get(chunk)
        vector = np.zeros(self._matrix.shape[1], np.float32) if place is None else np.array(self._matrix[place])
        self.bytes += 4 * len(vector)
        return {f"vectors_{self.at}": vector, f"has_{self.at}": place is not None}, []

    def facts(self) -> dict[str, Any]:
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
