"""The two collections of a run, and the schema's own collection.

`…_chunks`, if a leg has vectors: a row for each chunk. `…_rest`: posting lists, the files of the run in pieces, and the
remainder of texts too long for one field, each with a key. The schema's own collection lists the runs, their corpus and
their users."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from biblicus.lazy import NDArray, np
from biblicus.models.digest import digest
from biblicus.stores.milvus.server import KEY, MOST, NO_VECTOR, NOWHERE, NUMBER, PIECE, STRING, TEXT, Server, listed
from biblicus.stores.mirrored import Allowed, refuse, seal_of

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
