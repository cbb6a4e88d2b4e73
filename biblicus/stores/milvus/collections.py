"""What a run's two collections hold, and how a schema's own one is named.

`…_chunks`: a row for each chunk, with its vectors and the fields that filters look at. `…_rest`: items, terms, what the
run comes to, and the rest of texts that are too long for one field, each under a key. The schema's own collection says
which runs there are, whose they are, and who uses them.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from pymilvus import DataType

from biblicus.models.digest import digest
from biblicus.stores.milvus.server import KEY, NO_VECTOR, NOWHERE, NUMBER, PIECE, STRING, TEXT, YES, Server

FACTS, ITEM, TERM, LONG = range(4)
"""The kinds of rows in `…_rest`."""
_LONGEST_KEY = 1_000
CHUNK_FIELDS: tuple[tuple[Any, ...], ...] = (
    ("row", NUMBER, {}),
    ("item", NUMBER, {}),
    ("path", TEXT, {"max_length": STRING}),
    ("language", TEXT, {"max_length": 100}),
    ("doctype", TEXT, {"max_length": 100}),
    ("media_type", TEXT, {"max_length": 1_000}),
    ("tags", DataType.ARRAY, {"element_type": TEXT, "max_capacity": 4_096, "max_length": STRING}),
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


def term_key(field: int, term: str) -> str:
    """Where a term of a field stands."""
    return f"t{field}{term}" if len(term) < _LONGEST_KEY else f"t{field}#{digest([term])}"


def pieces(name: str, text: str) -> tuple[str, int, list[dict[str, Any]]]:
    """What of a text fits into a field, how many more pieces there are, and rows for these. `name`: whose it is."""
    starts = range(PIECE, len(text), PIECE)
    more = [rest_row(f"l{name}.{at}", LONG, text[start : start + PIECE]) for at, start in enumerate(starts, 1)]
    return text[:PIECE], len(more), more


def rest_row(
    key: str, kind: int, body: str, *, row: int = -1, bare: bool = False, layer: str = "", path: str = "", more: int = 0
) -> dict[str, Any]:
    """A row of `…_rest`."""
    fields = {"key": key, "kind": kind, "row": row, "bare": bare, "layer": layer, "path": path}
    return {**fields, "body": body, "more": more, "none": NOWHERE}


def whole(server: Server, rest: str, names: Sequence[str], rows: Sequence[Mapping[str, Any]], run_id: str) -> list[str]:
    """The texts of rows that may be in pieces. `names`: whose each is."""
    keys = [f"l{name}.{at}" for name, row in zip(names, rows, strict=True) for at in range(1, row["more"] + 1)]
    further = {row["key"]: row["body"] for row in server.among(rest, "key", keys, ("body",), run_id)} if keys else {}
    return [
        row["body"] + "".join(further[f"l{name}.{at}"] for at in range(1, row["more"] + 1))
        for name, row in zip(names, rows, strict=True)
    ]


class Loader:
    """Inserts rows into a collection, some at a time. `bytes`: about what they came to."""

    def __init__(self, server: Server, collection: str) -> None:
        self._server, self._collection = server, collection
        self._rows: list[dict[str, Any]] = []
        self._held = self.bytes = 0

    def add(self, row: dict[str, Any], size: int) -> None:
        self._rows.append(row)
        self._held += size
        self.bytes += size
        if len(self._rows) >= _ROWS or self._held >= _BYTES:
            self.send()

    def add_all(self, rows: Iterable[dict[str, Any]]) -> None:
        for row in rows:
            self.add(row, 4 * len(row["body"]))

    def send(self) -> None:
        if self._rows:
            self._server.insert(self._collection, self._rows)
        self._rows, self._held = [], 0


_ROWS, _BYTES = 2_000, 16 << 20


def unpacked(body: str) -> Any:
    return json.loads(body)


def packed(values: Any) -> str:
    return json.dumps(values, ensure_ascii=False, separators=(",", ":"))


def windows(end: int) -> Iterator[tuple[int, int]]:
    """Numbers of rows, some at a time."""
    return ((start, min(start + _ROWS, end)) for start in range(0, end, _ROWS))
