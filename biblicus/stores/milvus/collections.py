"""What a run's two collections hold, and how a schema's own one is named.

`…_chunks`: a row for each chunk, with its vectors. `…_rest`: items, lists of terms,
what the run comes to, and the rest of texts that are too long for one field, each under a key. The schema's own
collection says which runs there are, whose they are, and who uses them.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from biblicus.models.digest import digest
from biblicus.stores.milvus.server import KEY, NO_VECTOR, NOWHERE, NUMBER, PIECE, STRING, TEXT, YES, Server
from biblicus.stores.vouching import refuse, seal_of

FACTS, ITEM, TERM, LONG = range(4)
"""The kinds of rows in `…_rest`."""
_LONGEST_KEY = 1_000
CHUNK_FIELDS: tuple[tuple[Any, ...], ...] = (
    ("row", NUMBER, {}),
    ("item", NUMBER, {}),
    ("body", TEXT, {"max_length": STRING}),
    ("more", NUMBER, {}),
)
REST_FIELDS: tuple[tuple[Any, ...], ...] = (
    ("key", KEY, {"max_length": 4 * _LONGEST_KEY}),
    ("kind", NUMBER, {}),
    ("row", NUMBER, {}),
    ("bare", YES, {}),
    ("layer", TEXT, {"max_length": 1_000}),
    ("path", TEXT, {"max_length": STRING}),
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


def term_key(kind: str, field: int, term: str) -> str:
    """Where the list of a term of a field stands."""
    return f"{kind}.{field}.{term}" if len(term) < _LONGEST_KEY else f"{kind}.{field}#{digest([term])}"


def rest_row(
    key: str, kind: int, body: str, *, row: int = 0, bare: bool = False, layer: str = "", path: str = "", more: int = 0
) -> dict[str, Any]:
    """A row of `…_rest`."""
    fields = {"key": key, "kind": kind, "row": row, "bare": bare, "layer": layer, "path": path}
    return {**fields, "body": body, "more": more, "none": NOWHERE}


def whole(server: Server, rest: str, names: Sequence[str], rows: Sequence[Mapping[str, Any]], run_id: str) -> list[str]:
    """The texts of rows that may be in pieces. `names`: whose each is."""
    keys = [f"l{name}.{at}" for name, row in zip(names, rows, strict=True) for at in range(1, row["more"] + 1)]
    further = {row["key"]: row["body"] for row in server.among(rest, "key", keys, ("body",), run_id)} if keys else {}
    try:
        return [
            row["body"] + "".join(further[f"l{name}.{at}"] for at in range(1, row["more"] + 1))
            for name, row in zip(names, rows, strict=True)
        ]
    except KeyError:
        refuse(run_id, server.name, "texts")


def proved(server: Server, run_id: str, body: str, *about: object) -> list[Any]:
    """The values of a body without the seal at its end, which covers what they are about. Raises `RunDamaged`."""
    try:
        values: list[Any] = json.loads(body)
        seal = values.pop()
    except (AttributeError, IndexError, TypeError, ValueError):
        refuse(run_id, server.name, "rows")
    if seal_of([*about, *values]) != seal:
        refuse(run_id, server.name, "rows")
    return values


def sealed(values: Sequence[object], *about: object) -> str:
    """A body that `proved` takes."""
    return packed([*values, seal_of([*about, *values])])


class Sum:
    """How many rows there are, and what their digests come to."""

    def __init__(self) -> None:
        self.rows = self.total = 0

    def add(self, row: Mapping[str, Any]) -> None:
        fields = [[name, _plain(row[name])] for name in sorted(row) if name != "none"]
        self.rows, self.total = self.rows + 1, (self.total + seal_of(fields)) & _MOST

    def told(self) -> list[int]:
        return [self.rows, self.total]


_MOST = (1 << 63) - 1


def _plain(value: Any) -> Any:
    """A field's value in one form, whether it is sent or has come back: numbers of vectors in single precision."""
    import numpy as np

    if isinstance(value, (bool, int, str)):
        return value
    values = list(value)
    return np.asarray(values, "<f4").tobytes().hex() if values and not isinstance(values[0], str) else values


class Loader:
    """Inserts rows into a collection, some at a time. `bytes`: about what they came to; `sum`: of all rows; `pieces`:
    how many of them are pieces of texts."""

    def __init__(self, server: Server, collection: str) -> None:
        self._server, self._collection = server, collection
        self._rows: list[dict[str, Any]] = []
        self._held = self.bytes = self.pieces = 0
        self.sum = Sum()

    def add(self, row: dict[str, Any], size: int) -> None:
        self.sum.add(row)
        self._rows.append(row)
        self._held += size
        self.bytes += size
        if len(self._rows) >= _ROWS or self._held >= _BYTES:
            self.send()

    def add_text(self, key: str, kind: int, text: str, **fields: Any) -> None:
        """A row of `…_rest` with a text, which may be in pieces."""
        body, more = self.rest_of(key, text)
        self.add(rest_row(key, kind, body, more=more, **fields), 60 + len(body))

    def rest_of(self, key: str, text: str) -> tuple[str, int]:
        """What of a text fits into a field, and how many more pieces of it there are, which are added. `key`: whose it
        is."""
        size = STRING if text.isascii() else PIECE
        starts = range(size, len(text), size)
        for at, start in enumerate(starts, 1):
            piece = text[start : start + size]
            self.add(rest_row(f"l{key}.{at}", LONG, piece, row=self.pieces), 60 + len(piece))
            self.pieces += 1
        return text[:size], len(starts)

    def send(self) -> None:
        if self._rows:
            self._server.insert(self._collection, self._rows)
        self._rows, self._held = [], 0


_ROWS, _BYTES = 2_000, 16 << 20


def unpacked(body: str) -> Any:
    return json.loads(body)


def packed(values: Any) -> str:
    return json.dumps(values, ensure_ascii=False, separators=(",", ":"))


def windows(end: int, some: int = _ROWS) -> Iterator[tuple[int, int]]:
    """Numbers of rows, some at a time."""
    return ((start, min(start + some, end)) for start in range(0, end, some))
