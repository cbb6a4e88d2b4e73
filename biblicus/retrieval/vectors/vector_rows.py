"""Mapping from chunks to vectors, stored in a run by every vector leg, with the fields for filters.

`rows.bin`: a line of JSON (`generation` of the store, `chunks`), then four arrays of little-endian uint32: chunk row
(ascending), item row, row in the store, and 1 if the model truncated the text. `items.json`: filter fields of each
item.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any

from biblicus.contracts import Call, ChunkTable, RankedChunk, Vectors
from biblicus.errors import VectorsDamaged, VectorsGone
from biblicus.lazy import NDArray, np
from biblicus.models.question import Allow
from biblicus.text.fitting import Description, fits_indexed

ROWS, ITEMS = "rows.bin", "items.json"
NONE = 0xFFFFFFFF
"""Store row of a chunk that could not be embedded."""
_WINDOW = 2_048
"""Chunks passed to the embedder at a time: enough to sort by length, few enough for memory."""


@dataclass(frozen=True)
class VectorRows:
    """`table`: uint32 array of shape (4, n) with the chunk's row, its item's row, its vector's row in the store (`NONE`
    if missing), and 1 if the model truncated its text."""

    generation: str
    table: NDArray[np.uint32]

    def counts(self) -> Mapping[str, int]:
        """Return the numbers of truncated and unembedded chunks, for the manifest."""
        return {"truncated": int(self.table[3].sum()), "unembedded": int((self.table[2] == NONE).sum())}

    def embedded(self) -> NDArray[np.uint32]:
        """Return the table without chunks that have no vector."""
        return self.table[:, self.table[2] != NONE]

    def led_over(self, generation: str, moved: NDArray[np.int64]) -> VectorRows:
        """Return the rows after the store was renumbered: `moved` maps old rows to new ones."""
        table = self.table.copy()
        has_one = table[2] != NONE
        table[2, has_one] = moved[table[2, has_one]]
        return VectorRows(generation, table)

    def save(self, path: Path) -> None:
        head = json.dumps({"generation": self.generation, "chunks": self.table.shape[1]}).encode()
        path.unlink(missing_ok=True)  # it may be a hard link to the parent's
        path.write_bytes(head + b"\n" + self.table.astype("<u4").tobytes())


def load(folder: Path) -> VectorRows:
    """Load the rows in a leg's folder. Raises `VectorsDamaged`."""

    try:
        head, _, body = (folder / ROWS).read_bytes().partition(b"\n")
        header = json.loads(head)
        return VectorRows(header["generation"], np.frombuffer(body, "<u4").reshape(4, header["chunks"]))
    except (OSError, ValueError, KeyError) as error:
        raise VectorsDamaged(folder.parent.name, "its vector rows do not open") from error


def embedded(chunk: RankedChunk) -> str:
    """Return the text to embed for a chunk: title and heading, then the text."""
    return f"{chunk.context}\n{chunk.text}" if chunk.context else chunk.text


def write(
    vectors: Vectors,
    chunks: ChunkTable,
    folder: Path,
    parent: Path | None,
    call: Call,
    watch: Callable[[int], None] = lambda chunks: None,
) -> VectorRows:
    """Embed missing chunks and write the rows; with a parent, keep its rows of unchanged items. `watch` is called with
    the number of chunks known so far, before more are embedded."""

    folder.mkdir(parents=True, exist_ok=True)
    fields: dict[str, list[Any]] = {}
    parts: list[NDArray[Any]] = []
    generation = vectors.generation()
    if parent is not None:
        gone = chunks.removed_items()
        old_fields: dict[str, list[Any]] = json.loads((folder / ITEMS).read_bytes())
        fields = {row: value for row, value in old_fields.items() if int(row) not in set(gone)}
        old = load(folder)
        if old.generation != generation:
            raise VectorsGone
        parts.append(old.table[:, ~np.isin(old.table[1], np.array(gone, np.uint32))])
    watch(chunks.count())
    parts += _embed(vectors, chunks.rows() if parent is None else chunks.added(), chunks, fields, call, watch)
    rows = VectorRows(generation, np.concatenate([np.empty((4, 0), np.uint32), *parts], axis=1).astype(np.uint32))
    rows.save(folder / ROWS)
    (folder / ITEMS).unlink(missing_ok=True)
    (folder / ITEMS).write_text(json.dumps(fields, ensure_ascii=False, separators=(",", ":")), encoding="utf-8")
    return rows


def _embed(
    vectors: Vectors,
    source: Iterable[RankedChunk],
    table: ChunkTable,
    fields: dict[str, list[Any]],
    call: Call,
    watch: Callable[[int], None],
) -> Iterator[NDArray[Any]]:

    done = 0
    for window in _windows(source):
        watch(done + len(window))
        texts = [embedded(chunk) for chunk in window]
        places, cut = vectors.rows(texts, _counted(call, done, table))
        done += len(window)
        columns = [[chunk.row for chunk in window], [chunk.item for chunk in window]]
        yield np.array([*columns, np.where(places < 0, NONE, places), cut], np.int64)
        for chunk in window:
            key = str(chunk.item)
            if key not in fields:
                fields[key] = [chunk.language, chunk.media_type, chunk.doctype, list(chunk.tags), chunk.path]


def _counted(call: Call, before: int, table: ChunkTable) -> Call:
    """Return the call with progress counted over all chunks."""
    return replace(call, progress=lambda step, done, _: call.progress(step, before + done, table.count()))


def _windows(source: Iterable[RankedChunk]) -> Iterator[Sequence[RankedChunk]]:
    chunks = iter(source)
    while window := list(islice(chunks, _WINDOW)):
        yield window


class Permitted:
    """The chunks that a filter permits, cached while a run is open, since filters repeat."""

    def __init__(self, items: NDArray[np.uint32], folder: Path) -> None:
        self._of, self._folder = items, folder
        self._known: dict[Any, NDArray[np.bool_]] = {}
        self._items: dict[str, list[Any]] | None = None

    def mask(self, allow: Allow | None) -> NDArray[np.bool_] | None:
        """Return a mask of the columns of `items` that may be ranked, or None if all may."""

        if allow is None:
            return None
        key = (repr(allow.filters), allow.item_rows)
        if key not in self._known:
            if self._items is None:
                self._items = json.loads((self._folder / ITEMS).read_bytes())
            rows = [
                int(row)
                for row, described in self._items.items()
                if (allow.item_rows is None or int(row) in allow.item_rows)
                and fits_indexed(Description(*described), allow.filters)
            ]
            if len(self._known) >= 64:
                self._known.clear()
            self._known[key] = np.isin(self._of, np.array(rows, np.uint32))
        return self._known[key]
