"""Reads a run's items and chunks in its collections: what `stores.tables` reads from a file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from biblicus.models.question import Allow
from biblicus.models.requests.query import Filters
from biblicus.stores.milvus.collections import (
    CHUNK_FIELDS,
    FACTS,
    ITEM,
    LONG,
    REST_FIELDS,
    TERM,
    Sum,
    proved,
    whole,
    windows,
)
from biblicus.stores.milvus.server import Rows, Server, listed, quoted
from biblicus.stores.packing import ChunkRow
from biblicus.stores.tables import Facets, ItemRow, LayerRow, Place, Records, TableSizes, place_of
from biblicus.text.fitting import fits, toolkits_of
from biblicus.text.paths import MEMBER

if TYPE_CHECKING:
    from numpy import bool_
    from numpy.typing import NDArray

_CHUNK = ("row", "item", "body", "more")
_ITEM = ("row", "body", "more")
_FILTERS = 64
_REMEMBERED = 20_000
"""Rows of chunks, and of items, that are kept: many questions find the same."""
_MOST = 1_000
_SOME, _LONG = 2_000, 200
"""Rows, and pieces of long texts, that are read at a time."""


class MilvusTables:
    """See `stores.contract.RunTables`. Safe for several threads. `facts`: what the run comes to."""

    def __init__(self, server: Server, run_id: str, name: str, facts: Mapping[str, Any]) -> None:
        self.server, self.run_id, self.facts = server, run_id, facts
        self.chunk_rows, self.rest = f"{name}_chunks", f"{name}_rest"
        self._fitting: dict[str, Mapping[int, tuple[int, int]]] = {}
        self._known_chunks: dict[int, ChunkRow] = {}
        self._known_items: dict[int, ItemRow] = {}
        self._bare: tuple[list[ItemRow], Records] | None = None

    # --- by row ---

    def chunks(self, rows: Sequence[int]) -> dict[int, ChunkRow]:
        """The chunks of these rows. Their items come with them, since they are asked for next."""
        known = self._known_chunks
        if missing := [row for row in rows if row not in known]:
            if len(known) > _REMEMBERED:
                known = self._known_chunks = {row: known[row] for row in rows if row in known}
            chunks = self._as_chunks(self.server.among(self.chunk_rows, "row", missing, _CHUNK, self.run_id))
            known.update({chunk.row: chunk for chunk in chunks})
            self.items(list(dict.fromkeys(chunk.item for chunk in chunks)))
        return {row: known[row] for row in rows if row in known}

    def items(self, rows: Sequence[int]) -> dict[int, ItemRow]:
        known = self._known_items
        if missing := [row for row in rows if row not in known]:
            if len(known) > _REMEMBERED:
                known = self._known_items = {row: known[row] for row in rows if row in known}
            items = self.server.among(self.rest, "key", [f"i{row}" for row in missing], _ITEM, self.run_id)
            known.update({item.row: item for item in self._as_items(items)})
        return {row: known[row] for row in rows if row in known}

    def places(self, rows: Sequence[int]) -> dict[int, Place]:
        chunks = self.chunks(rows)
        items = self.items(list(dict.fromkeys(chunk.item for chunk in chunks.values())))
        return {row: place_of(chunk, items[chunk.item]) for row, chunk in chunks.items()}

    # --- filters ---

    def rows_where(self, filters: Filters) -> frozenset[int]:
        """Rows of the items that fit every filter."""
        return frozenset(self._rows_where(filters))

    def _rows_where(self, filters: Filters) -> Mapping[int, tuple[int, int]]:
        """The same, each with the row of its first chunk, and how many it has. Remembered: what a run holds never
        changes."""
        key = repr(filters)
        if key not in self._fitting:
            if len(self._fitting) >= _FILTERS:
                self._fitting.clear()
            bodies = self._bodies_where(f"kind == {ITEM}")
            self._fitting[key] = {row.row: (first, count) for row, first, count in bodies if fits(row.item, filters)}
        return self._fitting[key]

    def chunks_allowed(self, allow: Allow) -> NDArray[bool_]:
        """For each row of a chunk, whether it may be found."""
        import numpy as np

        allowed = np.zeros(self.facts["next_chunk"], bool)
        for first, count in self.items_allowed(allow).values():
            allowed[first : first + count] = True
        return allowed

    def items_allowed(self, allow: Allow) -> Mapping[int, tuple[int, int]]:
        """Rows of the items that may be found, each with the row of its first chunk, and how many it has."""
        rows = self._rows_where(allow.filters)
        return rows if allow.item_rows is None else {row: rows[row] for row in allow.item_rows & rows.keys()}

    def texts(self, keys: Iterable[str]) -> Iterator[tuple[str, list[Any]]]:
        """What stands under keys, where there is anything. Raises `RunDamaged` for what is not as it was copied in."""
        rows = self.server.among(self.rest, "key", keys, ("key", "body", "more"), self.run_id)
        found = [row["key"] for row in rows]
        for key, text in zip(found, whole(self.server, self.rest, found, rows, self.run_id), strict=True):
            yield key, proved(self.server, self.run_id, text, key)

    def without_text(self, beginnings: Sequence[Sequence[str]]) -> list[ItemRow]:
        """Items without chunks whose records hold, of each word, one of these beginnings; by path."""
        if self._bare is None:
            rows = sorted(self._items_where("bare == true"), key=lambda row: row.path)
            self._bare = rows, Records(row.record for row in rows)
        rows, records = self._bare
        return [rows[place] for place in records.holding(beginnings)[:_MOST]]

    def facets(self) -> Iterator[Facets]:
        for row in self._each_item():
            item = row.item
            yield Facets(row.row, row.item_id, row.path, item.doctype, toolkits_of(item))

    def in_layers(self, layers: Sequence[str]) -> list[LayerRow]:
        """The items that stand in one of these layers."""
        items = ((row, row.item) for row in self._items_where(f"layer in {listed(layers)}"))
        return [
            LayerRow(row.row, row.path, item.sha256, item.layer, item.approval, item.metadata.get("expires"))
            for row, item in items
        ]

    def contexts(self, paths: Sequence[str]) -> dict[str, tuple[int, object]]:
        """By path, the rows of the items that say a context, and what they say."""
        rows = [self.facts["contexts"][path] for path in paths if path in self.facts["contexts"]]
        return {row.path: (row.row, row.item.metadata["context"]) for row in self.items(rows).values()}

    def toolkits(self) -> frozenset[str]:
        return frozenset(self.facts["toolkits"])

    # --- all of it ---

    def records(self) -> dict[str, str]:
        return {row.path: row.record for row in self._each_item()}

    def items_of(self, path: str) -> list[ItemRow]:
        inside = f"path >= {quoted(path + MEMBER)} and path < {quoted(path + MEMBER + chr(0x10FFFF))}"
        fits_path = f"kind == {ITEM} and (path == {quoted(path)} or ({inside}))"
        rows = self.server.rows(self.rest, fits_path, _ITEM, self.run_id)
        return sorted(self._as_items(rows), key=lambda row: row.path)

    def all_items(self) -> Iterator[ItemRow]:
        """Every item, by path."""
        return iter(sorted(self._each_item(), key=lambda row: row.path))

    def compared(self, lines: Mapping[str, bytes]) -> Iterator[tuple[ItemRow, bool]]:
        """Every item that stands, by path, and whether its record is its path's line here."""
        return ((row, row.record.encode() == lines.get(row.path)) for row in self.all_items())

    def chunks_of(self, item_row: int) -> list[ChunkRow]:
        """An item's chunks, in order: they stand side by side."""
        for _, first, count in self._bodies(self.server.among(self.rest, "key", [f"i{item_row}"], _ITEM, self.run_id)):
            return [chunk for start, end in windows(count) for chunk in self._between(first + start, first + end)]
        return []

    def all_chunks(self) -> Iterator[ChunkRow]:
        for start, end in windows(self.facts["next_chunk"]):
            yield from self._between(start, end)

    def sums(self) -> dict[str, list[int]]:
        """What all rows of the collections come to."""
        chunks, rest = Sum(), Sum()
        fields = [name for name, *_ in CHUNK_FIELDS] + self.facts["fields"]
        for start, end in windows(self.facts["next_chunk"]):
            fits_window = f"row >= {start} and row < {end}"
            for row in self.server.rows(self.chunk_rows, fits_window, fields, self.run_id):
                chunks.add(row)
        fields = [name for name, *_ in REST_FIELDS if name != "none"]
        for kind in (FACTS, ITEM, TERM, LONG):
            for start, end in windows(self.facts["rows"][kind], _LONG if kind == LONG else _SOME):
                fits_window = f"kind == {kind} and row >= {start} and row < {end}"
                for row in self.server.rows(self.rest, fits_window, fields, self.run_id):
                    rest.add(row)
        return {"chunks": chunks.told(), "rest": rest.told()}

    def sizes(self) -> TableSizes:
        facts = self.facts
        return TableSizes(facts["items"], facts["chunks"], facts["next_item"], facts["next_chunk"], facts["chunks"], 0)

    def close(self) -> None:
        """Nothing is held open."""

    def _each_item(self) -> Iterator[ItemRow]:
        return self._items_where(f"kind == {ITEM}")

    def _items_where(self, condition: str) -> Iterator[ItemRow]:
        return (item for item, _, _ in self._bodies_where(condition))

    def _bodies_where(self, condition: str) -> Iterator[tuple[ItemRow, int, int]]:
        for start, end in windows(self.facts["next_item"]):
            fits_window = f"{condition} and row >= {start} and row < {end}"
            yield from self._bodies(self.server.rows(self.rest, fits_window, _ITEM, self.run_id))

    def _as_items(self, rows: Rows) -> list[ItemRow]:
        return [item for item, _, _ in self._bodies(rows)]

    def _bodies(self, rows: Rows) -> list[tuple[ItemRow, int, int]]:
        """Items, each with the row of its first chunk and how many it has."""
        names = [f"i{row['row']}" for row in rows]
        bodies = self._proved(names, rows, "row")
        items = [(ItemRow(row["row"], *values), first) for row, (*values, first) in zip(rows, bodies, strict=True)]
        return [(item, first, item.chunks) for item, first in items]

    def _between(self, start: int, end: int) -> list[ChunkRow]:
        rows = self.server.rows(self.chunk_rows, f"row >= {start} and row < {end}", _CHUNK, self.run_id)
        return sorted(self._as_chunks(rows), key=lambda chunk: chunk.row)

    def _as_chunks(self, rows: Sequence[Mapping[str, Any]]) -> list[ChunkRow]:
        names = [f"c{row['row']}" for row in rows]
        bodies = self._proved(names, rows, "row", "item")
        return [ChunkRow(row["row"], row["item"], *values) for row, values in zip(rows, bodies, strict=True)]

    def _proved(self, names: Sequence[str], rows: Sequence[Mapping[str, Any]], *about: str) -> Iterator[list[Any]]:
        """What the bodies of rows hold, which are about these fields. Raises `RunDamaged`."""
        texts = whole(self.server, self.rest, names, rows, self.run_id)
        for text, row in zip(texts, rows, strict=True):
            yield proved(self.server, self.run_id, text, *(row[name] for name in about))
