"""Builds one run's materialization: extract, chunk, fill the tables, feed the legs, in one streaming pass."""

from __future__ import annotations

import hashlib
import json
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from operator import attrgetter
from pathlib import Path

from biblicus import telemetry
from biblicus.chunking.structure import is_bare_heading
from biblicus.contracts import Call, Chunker, Leg, RankedChunk
from biblicus.corpus import catalog as catalogs
from biblicus.corpus import recipes
from biblicus.corpus.catalog import Catalog
from biblicus.corpus.extracted.extractions import Extractions, raw_of
from biblicus.corpus.folder import CorpusFolder
from biblicus.errors import ConfigInvalid
from biblicus.models.extraction import ENTRY, Extraction, Heading, NoExtraction, Span
from biblicus.models.item import Item
from biblicus.models.locator import Spot, touched
from biblicus.models.manifest import Manifest, Note
from biblicus.models.recipe import Recipe
from biblicus.runs.legs import Legs
from biblicus.stores.tables import BASE, DELTA, ChunkRow, ItemRow, TableReader, TableSizes, TableWriter
from biblicus.text import media, symbols
from biblicus.text.fitting import toolkits_of
from biblicus.text.lines import LineIndex
from biblicus.text.paths import file_of
from biblicus.text.tokens import estimate

CHUNKING_VERSION = "3"
"""Raised when spans, lines, spots, headings or contexts of the same extraction would come out otherwise."""


_CODE = "code"
"""The extractor whose headings are names in a file: rows have them with the module's."""
_BYTES_A_CHUNK = 1_000
"""What a chunk comes to, for estimates."""


@dataclass(frozen=True)
class Parts:
    """The plug-ins of a recipe: chunkers by doctype (`default` for the rest) and legs by name."""

    chunkers: Mapping[str, Chunker]
    legs: Mapping[str, Leg]

    def fingerprints(self) -> dict[str, str]:
        versions = {f"chunking.{key}": chunker.fingerprint for key, chunker in self.chunkers.items()}
        for name, leg in self.legs.items():
            versions.update({f"{name}.{key}": value for key, value in leg.fingerprints().items()})
        return {**versions, "chunks": CHUNKING_VERSION}


def parts(corpus: CorpusFolder, recipe: Recipe) -> Parts:
    """Build the plug-ins that a recipe names. Raises `ConfigInvalid` where a leg without index has others beside it."""
    build = recipe.build
    legs = Legs(corpus).of(build.legs)
    if len(legs) > 1 and (live := [name for name, leg in legs.items() if not leg.materializes]):
        raise ConfigInvalid(recipe.name, f"build.legs.{live[0]} ranks the live files and stands alone.")
    return Parts({key: recipes.plugin("chunking", choice) for key, choice in build.chunking.items()}, legs)


@dataclass
class Tally:
    """What a build came to. `digests`: each item's id and chunk digest by path. `legs`: what legs count."""

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
        """Take what a leg counted, by its name and the count's."""
        self.legs.update({f"{leg}.{name}": count for name, count in counts.items()})

    def chunks_digest(self) -> str:
        """Over each chunk's item, span and text digest, in order of path and span."""
        digest = hashlib.sha256()
        for path in sorted(self.digests):
            digest.update(self.digests[path])
        return digest.hexdigest()


class Cutter:
    """Turns items into rows."""

    def __init__(
        self, chunkers: Mapping[str, Chunker], extractions: Extractions, stamps: Mapping[str, str] | None = None
    ) -> None:
        self._chunkers = chunkers
        self._extractions = extractions
        self._stamps = stamps or {}

    def cut(self, item: Item, record: str, row: int, first_chunk: int) -> tuple[ItemRow, list[ChunkRow]]:
        """The item's row and its chunks' rows, numbered from `row` and `first_chunk`."""
        raw = raw_of(item)
        outcome = self._extractions.outcome(raw)
        key = self._extractions.extraction_id(raw)
        stamp = self._stamps.get(file_of(item.path))
        seen = (row, item.item_id, item.path, item.language, item.title, record, key)
        if isinstance(outcome, NoExtraction):
            mark = ("!" if outcome.is_failure else "-") + outcome.sentence
            return ItemRow(*seen, 0, 0, _EMPTY, mark, stamp), []
        chunks, tokens, digest = chunk_rows(outcome, self._spans(item, outcome), row, first_chunk)
        if outcome.headings and is_code(item):
            module = module_of(item.path)
            chunks = [chunk._replace(heading=".".join(filter(None, (module, chunk.heading)))) for chunk in chunks]
        return ItemRow(*seen, len(chunks), tokens, digest, None if chunks else "-empty", stamp), chunks

    def _spans(self, item: Item, extraction: Extraction) -> Iterator[Span]:
        chunker = self._chunkers.get(item.doctype) or self._chunkers["default"]
        return chunker.chunk(extraction)


def is_code(item: Item) -> bool:
    """Whether the headings of an item are names of definitions."""
    return media.choose(item.media_type) == _CODE


def module_of(path: str) -> str:
    """What a source file's definitions are qualified by: its name, or its folder's where that stands for it."""
    folder, _, name = path.rpartition("/")
    stem = name.partition(".")[0]
    return folder.rpartition("/")[2] if stem in ("__init__", "__main__") and folder else stem


_EMPTY = hashlib.sha256(b"").hexdigest()


def chunk_rows(extraction: Extraction, spans: Iterable[Span], item: int, first: int) -> tuple[list[ChunkRow], int, str]:
    """Rows for an extraction's spans, their tokens (estimate), and the digest over spans and texts."""
    text, pages, headings = extraction.text, extraction.pages, extraction.headings
    lines = LineIndex(text)
    offsets = [heading.offset for heading in headings]
    rows: list[ChunkRow] = []
    digest = hashlib.sha256()
    tokens = 0
    for ordinal, (start, end) in enumerate(spans):
        piece = text[start:end]
        line_start, line_end = lines.line_range(start, end)
        page = bisect_right(pages, start) if pages else None
        heading = _heading_over(headings, _entry_at(text, headings, bisect_right(offsets, start) - 1))
        spots = _kept(touched(extraction.spots, start, end)) if extraction.spots else None
        place = (start, end, line_start, line_end)
        rows.append(ChunkRow(first + ordinal, item, ordinal, *place, page, heading, piece, spots))
        digest.update(_digested(start, end, piece))
        tokens += estimate(piece)
    return rows, tokens, digest.hexdigest()


def _kept(spots: Sequence[Spot]) -> str:
    return json.dumps(spots, ensure_ascii=False, separators=(",", ":"))


def _entry_at(text: str, headings: Sequence[Heading], at: int) -> int:
    """The entry that a text starts with whose own section has no other words before it; else the heading at `at`."""
    while 0 <= at < len(headings) - 1 and headings[at + 1].level >= ENTRY > headings[at].level:
        if not is_bare_heading(text, headings[at].offset, headings[at + 1].offset):
            break
        at += 1
    return at


def _heading_over(headings: Sequence[Heading], at: int) -> str | None:
    """The words of the heading that a text stands under, which starts behind the one at `at`."""
    while at >= 0 and not headings[at].title and headings[at].level > 1:
        at -= 1
    return (headings[at].title or None) if at >= 0 else None


def _digested(start: int, end: int, piece: str) -> bytes:
    raw = piece.encode()
    return b"%d:%d:%d\n%b" % (start, end, len(raw), raw)


def tables_fit(reader: TableReader, manifest: Manifest) -> bool:
    """Whether a run's tables are what its manifest says: every record, and every chunk's span and text."""
    tally, records = Tally(), []
    for row in reader.all_items():
        digest = hashlib.sha256()
        for chunk in reader.chunks_of(row.row):
            digest.update(_digested(chunk.start, chunk.end, chunk.text))
        if (row.item.path, row.item.item_id) != (row.path, row.item_id):
            return False
        tally.count(row._replace(digest=digest.hexdigest()))
        records.append(row.record.encode())
    digests = catalogs.corpus_digest(records), tally.chunks_digest()
    return digests == (manifest.corpus_digest, manifest.chunks_digest)


def ranked(chunks: Iterable[ChunkRow], item_of: Callable[[int], Item]) -> Iterator[RankedChunk]:
    """What a leg sees of chunks that come item by item. `item_of`: the item of a row."""
    for row, group in groupby(chunks, key=attrgetter("item")):
        item, own = item_of(row), list(group)
        for chunk in own:
            yield _ranked(item, chunk, len(own) - 1)


def _ranked(item: Item, chunk: ChunkRow, others: int) -> RankedChunk:
    """A chunk with the title and heading that are ranked with it, where the text does not show them."""
    context = item.title
    if chunk.heading and chunk.heading != item.title and chunk.heading not in chunk.text[: len(chunk.heading) + 16]:
        context = f"{context}\n{chunk.heading}"
    return RankedChunk(
        chunk.row,
        chunk.item,
        context,
        chunk.text,
        item.language,
        item.media_type,
        item.doctype,
        item.tags,
        item.path,
        (*(symbols.terms(chunk.heading, chunk.text) if is_code(item) else ()), *map(symbols.about, toolkits_of(item))),
        item.title,
        chunk.heading or "",
        others,
    )


class BuildTable:
    """The `ChunkTable` of a run under construction.

    The first pass over `rows()` cuts and stores as it goes; later ones, of further legs, read what was stored.
    """

    def __init__(self, cutter: Cutter, catalog: Catalog, writer: TableWriter | None, tally: Tally, call: Call) -> None:
        self._cutter, self._catalog, self._writer, self._tally, self._call = cutter, catalog, writer, tally, call
        self._next_item = self._next_chunk = self._first_chunk = 0
        self._removed: list[int] = []
        self._paths: dict[int, str] = {}
        self._is_cut = False

    def after(self, next_item: int, next_chunk: int, removed: Sequence[int]) -> None:
        """Continue a parent's numbering, with these of its items gone."""
        self._next_item, self._next_chunk, self._removed = next_item, next_chunk, list(removed)
        self._first_chunk = next_chunk

    def languages(self) -> Mapping[str, float]:
        weights: Counter[str] = Counter()
        for item in self._catalog.items.values():
            weights[item.language or ""] += item.bytes
        return weights

    def count(self) -> int:
        return self._next_chunk - self._first_chunk if self._is_cut else 0

    def rows(self) -> Iterator[RankedChunk]:
        return self._stored() if self._is_cut else self._cut()

    def _cut(self) -> Iterator[RankedChunk]:
        for done, (path, item) in enumerate(self._catalog.items.items()):
            if not done % 64:
                self._call.check()
                self._call.progress("index", done, len(self._catalog.entries))
            record = self._catalog.entries[path].line.decode()
            row, chunks = self._cutter.cut(item, record, self._next_item, self._next_chunk)
            self._paths[self._next_item] = path
            self._next_item += 1
            self._next_chunk += len(chunks)
            self._tally.count(row)
            if self._writer is not None:
                self._writer.add(row, chunks)
            yield from ranked(chunks, self._item)
        self._is_cut = True

    def _stored(self) -> Iterator[RankedChunk]:
        if self._writer is None:
            return
        yield from ranked(self._writer.chunks(self._first_chunk), self._item)

    def _item(self, row: int) -> Item:
        return self._catalog.items[self._paths[row]]

    def added(self) -> Iterator[RankedChunk]:
        return self.rows()

    def removed_items(self) -> Sequence[int]:
        return self._removed


@dataclass(frozen=True)
class Work:
    """What a build works on: the catalog, the stamps seen, plug-ins and extractions."""

    catalog: Catalog
    stamps: Mapping[str, str]
    built: Parts
    extractions: Extractions
    call: Call

    def table(self, catalog: Catalog, writer: TableWriter | None, tally: Tally) -> BuildTable:
        """The chunk table of a run that gains these items."""
        cutter = Cutter(self.built.chunkers, self.extractions, self.stamps)
        return BuildTable(cutter, catalog, writer, tally, self.call)


def build_fresh(folder: Path | None, work: Work) -> Tally:
    """Build everything into `folder`, or only count where there is none (a leg without materialization)."""
    tally = Tally()
    writer = TableWriter(folder / BASE) if folder else None
    try:
        table = work.table(work.catalog, writer, tally)
        if folder is None:
            for _ in table.rows():
                pass
            return tally
        for name, leg in work.built.legs.items():
            (folder / name).mkdir()
            with telemetry.span(f"index.{name}"):  # the first leg's holds the chunking, too: one pass
                tally.add(name, leg.build(table, folder / name, None, work.call))
    finally:
        if writer is not None:
            writer.close()
    return tally


@dataclass(frozen=True)
class Plan:
    """How to bring a parent run's tables up to the items: rows that stand, item rows that go, paths that come."""

    parent: TableReader
    standing: Sequence[ItemRow]
    removed: Sequence[int]
    fresh: Sequence[str]
    sizes: TableSizes
    churn: float


def plan(parent: TableReader, work: Work) -> Plan:
    """Compare a parent's items with those of now. `churn`: the share of the base's chunks added or removed since."""
    standing: list[ItemRow] = []
    removed: list[int] = []
    sizes = parent.sizes()
    churned: float = sizes.churned
    entries = work.catalog.entries
    fresh = dict.fromkeys(entries)
    for row in parent.all_items():
        if row.path in fresh and entries[row.path].line == row.record.encode():
            standing.append(row)
            del fresh[row.path]
        else:
            removed.append(row.row)
            churned += row.chunks
    churned += sum(1 + work.catalog.items[path].bytes / _BYTES_A_CHUNK for path in fresh)
    return Plan(parent, standing, removed, list(fresh), sizes, churned / max(1, sizes.base_chunks))


def build_incremental(folder: Path, step: Plan, work: Work) -> Tally:
    """Bring `folder`, which holds the parent's files, up to the items of `work`."""
    tally = Tally()
    for row in step.standing:
        tally.count(row)
    writer, entries = TableWriter(folder / DELTA), work.catalog.entries
    try:
        writer.remove(step.removed)
        table = work.table(Catalog(work.catalog.header, {path: entries[path] for path in step.fresh}), writer, tally)
        table.after(step.sizes.next_item, step.sizes.next_chunk, step.removed)
        for name, leg in work.built.legs.items():
            with telemetry.span(f"index.{name}"):
                tally.add(name, leg.build(table, folder / name, folder / name, work.call))
    finally:
        writer.close()
    return tally
