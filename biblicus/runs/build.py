"""Build one run's materialization in one streaming pass: extract, chunk, fill the tables, feed the legs."""

from __future__ import annotations

import hashlib
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from biblicus import telemetry
from biblicus.contracts import Call, Leg, Made, RankedChunk
from biblicus.corpus import catalog as catalogs
from biblicus.corpus.catalog import Catalog
from biblicus.corpus.editorial.approvals import read_approved
from biblicus.corpus.extracted.extractions import Extractions, raw_of
from biblicus.errors import UnsafeInput
from biblicus.guards.side_by_side import Executor, is_much
from biblicus.models.extraction import Extraction
from biblicus.models.item import Item
from biblicus.models.manifest import Manifest, Note
from biblicus.runs.cutting import Cutter, Cutting, digested, ranked
from biblicus.runs.parts import Parts
from biblicus.stores.filling import TableWriter
from biblicus.stores.packing import ChunkRow
from biblicus.stores.tables import BASE, DELTA, ItemRow, TableReader, TableSizes
from biblicus.text.paths import file_of

_BATCH_ITEMS = 64
_BATCH_BYTES = 1 << 20
"""Bytes of items in a helper's batch."""
_BYTES_A_CHUNK = 1_000
"""Bytes of text for each chunk, for estimates."""


@dataclass
class Tally:
    """Counts of a build. `digests`: item id and chunk digest by path. `legs`: counts of the legs."""

    items: int = 0
    chunks: int = 0
    tokens: int = 0
    skipped: list[Note] = field(default_factory=list)
    failed: list[Note] = field(default_factory=list)
    digests: dict[str, bytes] = field(default_factory=dict)
    languages: Counter[str] = field(default_factory=Counter)
    legs: dict[str, int] = field(default_factory=dict)

    def count(self, row: ItemRow) -> None:
        self.items += 1
        self.chunks += row.chunks
        self.languages[row.language or ""] += row.chunks
        self.tokens += row.tokens
        self.digests[row.path] = f"{row.item_id}:{row.digest}\n".encode()
        if row.note:
            (self.failed if row.note[0] == "!" else self.skipped).append(Note(path=row.path, reason=row.note[1:]))

    def add(self, leg: str, counts: Mapping[str, int]) -> None:
        """Add the counts of a leg."""
        self.legs.update({f"{leg}.{name}": count for name, count in counts.items()})

    def chunks_digest(self) -> str:
        """Return the digest over each chunk's item, span and text, in order of path and span."""
        digest = hashlib.sha256()
        for path in sorted(self.digests):
            digest.update(self.digests[path])
        return digest.hexdigest()


def tables_fit(reader: TableReader, manifest: Manifest) -> bool:
    """Return true if a run's tables match its manifest: every record, and every chunk's span and text."""
    tally, records = Tally(), []
    for row in reader.all_items():
        digest = hashlib.sha256()
        for chunk in reader.chunks_of(row.row):
            digest.update(digested(chunk.start, chunk.end, chunk.text))
        if (row.item.path, row.item.item_id) != (row.path, row.item_id):
            return False
        tally.count(row._replace(digest=digest.hexdigest()))
        records.append(row.record.encode())
    digests = catalogs.corpus_digest(records), tally.chunks_digest()
    return digests == (manifest.corpus_digest, manifest.chunks_digest)


@dataclass(frozen=True)
class Work:
    """Inputs of a build: the catalog, stamps of files, plug-ins and extractions. `helpers`: processes that chunk
    many items."""

    catalog: Catalog
    stamp_of: Callable[[str], str | None]
    built: Parts
    extractions: Extractions
    call: Call
    helpers: Executor | None = None

    def table(self, catalog: Catalog, writer: TableWriter | None, tally: Tally) -> BuildTable:
        """Return the chunk table of a run that gains these items."""
        return BuildTable(self, catalog, writer, tally)


class BuildTable:
    """The `ChunkTable` of a run under construction.

    The first pass over `rows()` or `each()` chunks and stores the items; passes of further legs read the stored
    rows."""

    def __init__(self, work: Work, catalog: Catalog, writer: TableWriter | None, tally: Tally) -> None:
        self._work, self._catalog, self._writer, self._tally, self._call = work, catalog, writer, tally, work.call
        self._cutter = Cutter(work.built.chunkers, work.extractions)
        self._next_item = self._next_chunk = self._first_chunk = 0
        self._removed: list[int] = []
        self._paths: dict[int, str] = {}
        self._is_cut = False
        self._cutting = 0.0
        self._source: TableReader | None = None

    def after(self, next_item: int, next_chunk: int, removed: Sequence[int]) -> None:
        """Continue a parent's numbering, without its removed items."""
        self._next_item, self._next_chunk, self._removed = next_item, next_chunk, list(removed)
        self._first_chunk = next_chunk

    def over(self, tables: TableReader) -> None:
        """Take all items and chunks from another run's tables instead of chunking."""
        self._source, self._is_cut = tables, True
        for row in tables.all_items():
            self._tally.count(row)
            self._paths[row.row] = row.path
        self._next_chunk = self._tally.chunks

    def tell(self) -> None:
        """Record the time that chunking took in this process."""
        if not self._source:
            telemetry.took("chunking", self._cutting, {"biblicus.chunks": self._next_chunk - self._first_chunk})

    def index(self, folder: Path, legs: Mapping[str, Leg], *, is_fresh: bool = True) -> None:
        """Build legs in a run's folder, each in one of its own; unless fresh, its parent's files are there."""
        for name, leg in legs.items():
            within = folder / name
            if is_fresh:
                within.mkdir()
            with telemetry.span(f"index.{name}"):  # the first leg's time includes chunking: one pass
                self._tally.add(name, leg.build(self, within, None if is_fresh else within, self._call))

    def languages(self) -> Mapping[str, float]:
        weights: Counter[str] = Counter()
        for entry in self._catalog.entries.values():
            size, language = catalogs.size_and_language(entry.line)
            weights[language or ""] += size
        return weights

    def count(self) -> int:
        return self._next_chunk - self._first_chunk if self._is_cut else 0

    def rows(self) -> Iterator[RankedChunk]:
        if self._is_cut:
            yield from self._stored()
            return
        for path, item in self._catalog.items.items():
            yield from self._cut(path, item)
        self._is_cut = True

    def each(self, make: Callable[[RankedChunk], Made], *, added: bool) -> Iterator[tuple[int, int, Made]]:
        if self._is_cut or not self._has_helpers():
            for chunk in self.rows():
                yield chunk.row, chunk.item, make(chunk)
            return
        yield from self._cut_by_helpers(make)
        self._is_cut = True

    def prepare(self) -> None:
        """Start the helpers before any thread, if there is enough work."""
        if self._work.helpers and self._has_helpers():
            self._work.helpers.start()

    def _has_helpers(self) -> bool:
        helpers = self._work.helpers
        if helpers and helpers.is_far:
            return bool(self._catalog.entries)
        return bool(helpers and helpers.count) and is_much(len(self._catalog.entries), sum(self._sizes()))

    def _sizes(self) -> Iterator[int]:
        return (catalogs.size_and_language(entry.line)[0] for entry in self._catalog.entries.values())

    def _cut(self, path: str, item: Item) -> Iterator[RankedChunk]:
        """Chunk an item in this process."""
        began = time.perf_counter()
        row, chunks = self._cutter.cut(item, self._record(path), self._next_item, self._next_chunk)
        self._cutting += time.perf_counter() - began
        self._add(row._replace(stamp=self._work.stamp_of(file_of(path))), chunks)
        return ranked(chunks, lambda number: item, self._work.built.contexts or {})

    def _record(self, path: str) -> str:
        return self._catalog.entries[path].line.decode()

    def _add(self, row: ItemRow, chunks: Sequence[ChunkRow]) -> None:
        if not len(self._paths) % _BATCH_ITEMS:
            self._call.check()
            self._call.progress("index", len(self._paths), len(self._catalog.entries))
        self._paths[row.row] = row.path
        self._next_item += 1
        self._next_chunk += len(chunks)
        self._tally.count(row)
        if self._writer is not None:
            self._writer.add(row, chunks)

    def _cut_by_helpers(self, make: Callable[[RankedChunk], Made]) -> Iterator[tuple[int, int, Made]]:
        """Yield all items in order, each chunked by the helper that has its text."""
        helpers, extractions = self._work.helpers, self._work.extractions
        assert helpers is not None
        corpus, choices = extractions.corpus, self._work.built.choices
        context_of = self._work.built.contexts or {}
        batches = list(self._dealt(extractions.elsewhere))
        task = Cutting(corpus.alone(), choices, extractions.options, make, context_of)
        lines: Iterator[tuple[int, Any]]
        lines = ((number, [self._catalog.entries[path].line for path in paths]) for number, paths in batches)
        if helpers.is_far:
            task = task.far(self._work.built.chunkers, corpus.settings.max_text_bytes)
            lines = ((number, [self._sent(path) for path in paths]) for number, paths in batches)
        for (_, paths), results in zip(batches, helpers.each(task, lines), strict=True):
            for path, result in zip(paths, results, strict=True):
                if result is None or (helpers.is_far and not self._is_proved(path, *result)):
                    for chunk in self._cut(path, self._catalog.items[path]):
                        yield chunk.row, chunk.item, make(chunk)
                else:
                    yield from self._taken(path, *result)

    def _sent(self, path: str) -> tuple[bytes, bytes | Extraction | None]:
        """Return the data of an item for a remote worker: its record, and its file's bytes or its extracted text."""
        entry, extractions = self._catalog.entries[path], self._work.extractions
        raw = raw_of(self._catalog.items[path])
        if raw.transcript.path:
            return entry.line, None
        if not extractions.is_guarded(path, entry.media_type):
            with suppress(OSError, UnsafeInput):
                limit = extractions.corpus.settings.max_text_bytes
                return entry.line, read_approved(extractions.corpus, path, raw.sha256, limit)
            return entry.line, None
        outcome = extractions.get(raw)
        return entry.line, outcome if isinstance(outcome, Extraction) else None

    def _is_proved(
        self, path: str, facts: Sequence[Any], chunks: Sequence[Sequence[Any]], made: Sequence[Made]
    ) -> bool:
        """Return true if a remote result belongs to the item's current extraction and its digest matches its chunks."""
        _, _, key, _, digest, _ = facts
        hasher = hashlib.sha256()
        for chunk in chunks:
            hasher.update(digested(chunk[1], chunk[2], chunk[7]))
        expected = self._work.extractions.extraction_id(raw_of(self._catalog.items[path]))
        return (key, digest, len(made)) == (expected, hasher.hexdigest(), len(chunks))

    def _taken(
        self, path: str, facts: Sequence[Any], chunks: Sequence[Sequence[Any]], made: Sequence[Made]
    ) -> Iterator[tuple[int, int, Made]]:
        """Add an item that a helper chunked."""
        item, first = self._next_item, self._next_chunk
        language, title, key, tokens, digest, note = facts
        identity = (item, self._catalog.entries[path].item_id, path, language, title, self._record(path), key)
        row = ItemRow(*identity, len(chunks), tokens, digest, note, self._work.stamp_of(file_of(path)))
        self._add(row, [ChunkRow(number, item, *chunk) for number, chunk in enumerate(chunks, first)])
        yield from ((number, item, document) for number, document in enumerate(made, first))

    def _dealt(self, elsewhere: Mapping[str, int]) -> Iterator[tuple[int, list[str]]]:
        """Yield batches of neighbouring paths whose texts one helper has."""
        number, size = -1, 0
        paths: list[str] = []
        for path, bytes_ in zip(self._catalog.entries, self._sizes(), strict=True):
            holder = elsewhere.get(path)
            is_full = len(paths) >= _BATCH_ITEMS or size >= _BATCH_BYTES
            if paths and (is_full or holder not in (None, number)):
                yield number, paths
                paths, size = [], 0
            if not paths:
                number = number + 1 if holder is None else holder
            paths.append(path)
            size += bytes_
        if paths:
            yield number, paths

    def _stored(self) -> Iterator[RankedChunk]:
        chunks: Iterator[ChunkRow] = iter(())
        if self._source is not None:
            chunks = self._source.all_chunks()
        elif self._writer is not None:
            chunks = self._writer.chunks(self._first_chunk)
        yield from ranked(chunks, self._item, self._work.built.contexts or {})

    def _item(self, row: int) -> Item:
        return self._catalog.items[self._paths[row]]

    def added(self) -> Iterator[RankedChunk]:
        return self.rows()

    def removed_items(self) -> Sequence[int]:
        return self._removed


def _nothing(chunk: RankedChunk) -> None:
    """Do nothing with a chunk that is only counted."""


def build_fresh(folder: Path | None, work: Work) -> Tally:
    """Build everything into `folder`; None: only count (a leg without materialization)."""
    tally = Tally()
    writer = TableWriter(folder / BASE) if folder else None
    try:
        table = work.table(work.catalog, writer, tally)
        table.prepare()
        if folder is None:
            for _ in table.each(_nothing, added=False):
                pass
            return tally
        table.index(folder, work.built.legs)
        table.tell()
    finally:
        if writer is not None:
            writer.close()
    return tally


def build_beside(folder: Path, tables: TableReader, shared: Mapping[str, int], work: Work) -> Tally:
    """Build the missing legs in `folder` over another run's tables.

    `shared`: counts of the legs linked from that run."""
    tally = Tally(legs=dict(shared))
    table = work.table(work.catalog, None, tally)
    with closing(tables):
        table.over(tables)
        table.index(folder, {name: leg for name, leg in work.built.legs.items() if not (folder / name).exists()})
    return tally


@dataclass(frozen=True)
class Plan:
    """Plan to update a parent run's tables: unchanged items (see `compared`), removed rows, and new paths."""

    parent: TableReader
    standing: Sequence[ItemRow]
    removed: Sequence[int]
    fresh: Sequence[str]
    sizes: TableSizes
    churn: float


def plan(parent: TableReader, work: Work) -> Plan:
    """Compare a parent's items with the current ones. `churn`: share of the base's chunks added or removed since."""
    unchanged_rows: list[ItemRow] = []
    removed: list[int] = []
    sizes = parent.sizes()
    churned: float = sizes.churned
    lines = {path: entry.line for path, entry in work.catalog.entries.items()}
    fresh = dict.fromkeys(lines)
    for row, is_same in parent.compared(lines):
        if is_same and row.path in fresh:
            unchanged_rows.append(row)
            del fresh[row.path]
        else:
            removed.append(row.row)
            churned += row.chunks
    churned += sum(1 + work.catalog.items[path].bytes / _BYTES_A_CHUNK for path in fresh)
    return Plan(parent, unchanged_rows, removed, list(fresh), sizes, churned / max(1, sizes.base_chunks))


def build_incremental(folder: Path, step: Plan, work: Work) -> Tally:
    """Update `folder`, which contains the parent's files, to the current items."""
    tally = Tally()
    for row in step.standing:
        tally.count(row)
    writer, entries = TableWriter(folder / DELTA), work.catalog.entries
    try:
        writer.remove(step.removed)
        table = work.table(Catalog(work.catalog.header, {path: entries[path] for path in step.fresh}), writer, tally)
        table.after(step.sizes.next_item, step.sizes.next_chunk, step.removed)
        table.index(folder, work.built.legs, is_fresh=False)
        table.tell()
    finally:
        writer.close()
    return tally
