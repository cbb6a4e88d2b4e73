"""Live files as tables, which `scan` ranks at query time, for small corpora."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from biblicus.contracts import Call
from biblicus.corpus import catalog as catalogs
from biblicus.corpus.extracted import transcripts
from biblicus.corpus.extracted.contents import Contents
from biblicus.corpus.extracted.extractions import Extractions, raw_of
from biblicus.corpus.folder import CorpusFolder
from biblicus.errors import UnsafeInput
from biblicus.models.item import Item
from biblicus.models.requests.query import Filters
from biblicus.runs.cutting import Cutter
from biblicus.search.evidence import CHANGED
from biblicus.stores.packing import ChunkRow
from biblicus.stores.tables import Facets, ItemRow, LayerRow, Place, place_of
from biblicus.text.fitting import fits_by_item, toolkits_of


class LiveTables:
    """The catalog's items with their present content; deleted ones are absent.

    An item that changed since the last refresh is ranked with its present text and marked `stale` by the searcher,
    because its record has the catalog's hash.
    """

    def __init__(self, corpus: CorpusFolder, cutter: Cutter, extractions: Extractions, call: Call) -> None:
        self._items: dict[int, ItemRow] = {}
        self._chunks: dict[int, ChunkRow] = {}
        self._known: dict[int, Item] = {}
        catalog = catalogs.read(corpus)
        known_items = dict(catalog.items.items()) if catalog else {}
        with Contents(corpus, call) as contents:
            now = [_now(corpus, contents, known_item) for known_item in known_items.values()]
        live = [item for item in now if item is not None]
        guarded = [raw_of(item) for item in live if extractions.is_guarded(item.path, item.media_type)]
        for raw, outcome in extractions.guarded(raw for raw in guarded if not extractions.is_cached(raw)):
            extractions.remember(raw, outcome)
        for row, item in enumerate(live):
            call.check()
            record = catalogs.line_of(item).decode()
            entry, chunks = cutter.cut(item, record, row, len(self._chunks))
            changed = item != known_items[item.path]
            self._items[row] = entry._replace(stamp=CHANGED if changed else entry.stamp)
            self._known[row] = item
            self._chunks.update((chunk.row, chunk) for chunk in chunks)

    def item(self, row: int) -> Item:
        return self._known[row]

    def all_chunks(self) -> Iterator[ChunkRow]:
        return iter(self._chunks.values())

    def chunks(self, rows: Sequence[int]) -> dict[int, ChunkRow]:
        return {row: self._chunks[row] for row in rows}

    def items(self, rows: Sequence[int]) -> dict[int, ItemRow]:
        return {row: self._items[row] for row in rows}

    def places(self, rows: Sequence[int]) -> dict[int, Place]:
        return {row: place_of(self._chunks[row], self._items[self._chunks[row].item]) for row in rows}

    def rows_where(self, filters: Filters) -> frozenset[int]:
        return frozenset(row for row, item in self._known.items() if fits_by_item(item, filters))

    def has_bare(self) -> bool:
        return any(not row.chunks for row in self._items.values())

    def without_text(self, beginnings: Sequence[Sequence[str]]) -> list[ItemRow]:
        return [row for row in self._items.values() if not row.chunks]

    def facets(self) -> Iterator[Facets]:
        items = self._known.items()
        return (Facets(row, item.item_id, item.path, item.doctype, toolkits_of(item)) for row, item in items)

    def in_layers(self, layers: Sequence[str]) -> list[LayerRow]:
        return [
            LayerRow(row, item.path, item.sha256, item.layer, item.approval, item.metadata.get("expires"))
            for row, item in self._known.items()
            if item.layer in layers
        ]

    def contexts(self, paths: Sequence[str]) -> dict[str, tuple[int, object]]:
        contexts = {item.path: (row, item.metadata.get("context")) for row, item in self._known.items()}
        return {path: contexts[path] for path in paths if contexts.get(path, (0, None))[1] is not None}

    def toolkits(self) -> frozenset[str]:
        return frozenset(name for item in self._known.values() for name in toolkits_of(item))

    def records(self) -> None:
        """Return None: the items are the catalog's."""

    def close(self) -> None:
        """Do nothing: no file is open."""


def _now(corpus: CorpusFolder, contents: Contents, item: Item) -> Item | None:
    """Return the item with the present hashes of its file and transcript, or None if the file is gone."""
    try:
        sha256, size = contents.facts(item.path, item.sha256 if item.approval else "")
    except (OSError, UnsafeInput):
        return None
    item = item if item.approval else transcripts.renewed(corpus, item)
    return item if sha256 == item.sha256 else replace(item, sha256=sha256, bytes=size)
