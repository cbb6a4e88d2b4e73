"""The two collections of a run, and the schema's own collection.

`…_chunks`, if a leg has vectors: a row for each chunk. `…_rest`: posting lists, the files of the run in pieces, and the
remainder of texts too long for one field, each with a key. The schema's own collection lists the runs, their corpus and
their users.

A built run is copied into the two; it becomes visible only with its row in the schema."""

from __future__ import annotations

import json
import sqlite3
from base64 import b64encode
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path
from typing import Any

from pymilvus import DataType

from biblicus.contracts import Leg
from biblicus.errors import RunDamaged
from biblicus.lazy import NDArray, np
from biblicus.models.digest import digest
from biblicus.retrieval.words import listing
from biblicus.stores.contract import Sums
from biblicus.stores.milvus.server import (
    KEY,
    MOST,
    NO_VECTOR,
    NOWHERE,
    NUMBER,
    PIECE,
    STRING,
    TEXT,
    YES,
    Server,
    listed,
)
from biblicus.stores.mirrored import Allowed, CopiedMeanings, CopiedWords, pieces_of, refuse, seal_of, write_facts
from biblicus.stores.tables import BASE

FILE, TERM, LONG = range(3)
"""Kinds of rows in `…_rest`."""
_LONGEST_KEY = 1_000
CHUNK_FIELDS: tuple[tuple[Any, ...], ...] = (("row", NUMBER, {}), ("item", NUMBER, {}))
REST_FIELDS: tuple[tuple[Any, ...], ...] = (
    ("key", KEY, {"max_length": 4 * _LONGEST_KEY}),
    ("kind", NUMBER, {}),
    ("row", NUMBER, {}),
    ("body", TEXT, {"max_length": STRING}),
    ("more", NUMBER, {}),
    NO_VECTOR,
)
OWN_FIELDS: tuple[tuple[Any, ...], ...] = (
    ("key", KEY, {"max_length": STRING}),
    ("body", TEXT, {"max_length": STRING}),
    NO_VECTOR,
)
NO_INDEX: tuple[tuple[str, str, Any], ...] = (("none", "FLAT", {}),)
_SOME, _LARGE = 2_000, 200
"""Number of chunk rows, and of other rows, that are read at a time."""
_PIECE = STRING // 4 * 3
"""Bytes of a file that fit into a field in base64."""


def term_key(kind: str, field: int, term: str) -> str:
    """Return the key of a term's posting list in a field."""
    return f"{kind}.{field}.{term}" if len(term) < _LONGEST_KEY else f"{kind}.{field}#{digest([term])}"


def texts(server: Server, rest: str, keys: Iterable[str], run_id: str) -> Iterator[tuple[str, list[Any]]]:
    """Yield the values of each existing key (see `sealed`). Raises `RunDamaged`."""
    rows = server.among(rest, "key", keys, ("key", "body", "more"), run_id)
    pieces = [f"l{row['key']}.{at}" for row in rows for at in range(1, row["more"] + 1)]
    further = {row["key"]: row["body"] for row in server.among(rest, "key", pieces, ("key", "body"), run_id)}
    for row in rows:
        key = row["key"]
        body = row["body"] + "".join(further.get(f"l{key}.{at}", "") for at in range(1, row["more"] + 1))
        try:
            values: list[Any] = json.loads(body)
            seal = values.pop()
        except (AttributeError, IndexError, TypeError, ValueError):
            refuse(run_id, server.name, "rows")
        if seal_of([key, *values]) != seal:
            refuse(run_id, server.name, "rows")
        yield key, values


def sealed(values: Sequence[object], key: str) -> str:
    """Return a body for a key that ends with a seal over both."""
    return packed([*values, seal_of([key, *values])])


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


def sum_of(
    server: Server, collection: str, fields: Sequence[str], ends: Mapping[int | None, int], run_id: str
) -> list[int]:
    """Return row count and digest sum of a collection. `ends`: number of rows of each kind; None: all rows."""
    total = Sum()
    for kind, end in ends.items():
        of_kind, some = ("", _SOME) if kind is None else (f"kind == {kind} and ", _LARGE)
        for start in range(0, end, some):
            window = f"{of_kind}row >= {start} and row < {min(start + some, end)}"
            for row in server.rows(collection, window, fields, run_id):
                total.add(row)
    return total.told()


def _plain(value: Any) -> Any:
    """Return a field's value in one form, sent or received: vectors as bytes in single precision."""

    return value if isinstance(value, (bool, int, str)) else np.asarray(list(value), "<f4").tobytes().hex()


class Loader:
    """Inserts rows into a collection in batches.

    `bytes`: their approximate size. `sum`: over all rows. `ends`: number of rows of each kind."""

    def __init__(self, server: Server, collection: str) -> None:
        self._server, self._collection = server, collection
        self._rows: list[dict[str, Any]] = []
        self._held = self.bytes = 0
        self.sum = Sum()
        self.ends = dict.fromkeys((FILE, TERM, LONG), 0)

    def add(self, row: dict[str, Any], size: int) -> None:
        self.sum.add(row)
        self._rows.append(row)
        self._held += size
        self.bytes += size
        if len(self._rows) >= _ROWS or self._held >= _BYTES:
            self.send()

    def add_text(self, key: str, kind: int, text: str) -> None:
        """Add a row of `…_rest` with a text; the part beyond a field's size goes into further rows."""
        size = STRING if text.isascii() else PIECE
        pieces = [text[start : start + size] for start in range(size, len(text), size)]
        for name, of_kind, body, more in (
            (key, kind, text[:size], len(pieces)),
            *((f"l{key}.{at}", LONG, piece, 0) for at, piece in enumerate(pieces, 1)),
        ):
            fields = {"key": name, "kind": of_kind, "row": self.ends[of_kind], "body": body, "more": more}
            self.ends[of_kind] += 1
            self.add({**fields, "none": NOWHERE}, 60 + len(body))

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

    def load(self, sums: Sums) -> None:
        """Copy the run in. Raises `RunDamaged` if it arrived altered."""
        rest = Loader(self.server, f"{self.name}_rest")
        self.server.make(f"{self.name}_rest", REST_FIELDS, NO_INDEX)
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
                rest.add_text(file_key(name, at), FILE, encoded(piece))
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

    def _add_lists(self, rest: Loader, at: int, folder: Path) -> None:
        """Add a leg's posting lists and, separately, the positions of terms."""
        of_terms = groupby(listing.pieces(folder), key=lambda piece: (piece.field, piece.term))
        for (of_field, term), pieces in of_terms:
            columns = [(part.first, part.chunks, encoded(part.data), encoded(part.places or b"")) for part in pieces]
            for kind, texts in (("t", [part[:3] for part in columns]), ("p", [part[3] for part in columns])):
                if kind == "t" or any(texts):
                    key = term_key(f"{kind}{at}", of_field, term)
                    rest.add_text(key, TERM, sealed(texts, key))

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
