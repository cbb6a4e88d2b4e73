"""Receive: one document over a wire becomes an item, and is indexed before the answer is given.

The same bytes again are no item but an answer that names the first; the same source again updates its item.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Literal

from biblicus.bring.ingest import STDIN, IngestRequest, by_bytes, ingest, stdin_uri
from biblicus.contracts import Call
from biblicus.corpus import events
from biblicus.corpus.folder import CorpusFolder
from biblicus.corpus.items import catalog_of
from biblicus.corpus.refresh import Report
from biblicus.errors import CheckFailed, DuplicateItem, UnfitInput
from biblicus.extraction import media
from biblicus.models import requests
from biblicus.models.item import Item
from biblicus.runs import manifests as runs
from biblicus.runs.reindex import reindex
from biblicus.stores.tables import TableReader
from biblicus.text.decoding import is_binary

ReceivedAs = Literal["added", "changed", "unchanged", "duplicate"]


@dataclass(frozen=True)
class Indexed:
    """What a document came to in a run: `chunk_ids` in order, their number, tokens (estimate)."""

    run_id: str
    index_version: str
    chunk_ids: tuple[str, ...]
    chunks: int
    tokens: int


@dataclass(frozen=True)
class Received:
    """What became of a document. `duplicate`: `item_id` and `path` are of the item that holds its bytes already.

    `ms`: of the whole. `indexed` is absent where indexing was not asked for. `event_id`: the cursor of the event that
    tells of it, where anything changed.
    """

    outcome: ReceivedAs
    item_id: str
    path: str
    ms: float
    indexed: Indexed | None = None
    event_id: str | None = None

    def as_object(self) -> dict[str, Any]:
        found = {"outcome": self.outcome, "item_id": self.item_id, "path": self.path}
        found |= {"event_id": self.event_id} if self.event_id else {}
        return {**found, **(asdict(self.indexed) if self.indexed else {}), "ms": self.ms}


def receive(place: CorpusFolder, request: requests.IngestRequest, call: Call) -> Received:
    """Ingest and index. Raises `UnfitInput`, `DuplicateItem` (with `on_duplicate: error`), `StorageFailed`, …"""
    began = time.perf_counter()
    data = _fit(place, request)
    metadata = {**request.metadata, **({"created_at": request.created_at} if request.created_at else {})}
    asked = IngestRequest(
        ("-",),
        title=request.title,
        tags=request.tags,
        metadata=metadata,
        on_duplicate=request.on_duplicate,
        stdin=data,
        stdin_name=request.filename,
        stdin_source=request.source or f"stdin:{by_bytes(data)}",
    )
    before = events.position(place)
    report = ingest(place, asked, call)
    if refused := [note["reason"] for note in report.failed if note["path"] == STDIN]:
        raise CheckFailed(f"The document was not taken: {refused[0]}.")
    outcome, item = _outcome(place, report, stdin_uri(asked))
    if outcome == "unchanged" and not request.source:  # known by nothing but its bytes
        outcome = "duplicate"
        if request.on_duplicate == "error":
            raise DuplicateItem("The document", item.path)
    event = events.of_item(place, item.item_id, before) if outcome in ("added", "changed") else None
    indexed = _index(place, item, call) if request.index else None
    ms = round((time.perf_counter() - began) * 1000, 1)
    return Received(outcome, item.item_id, item.path, ms, indexed, event.cursor if event else None)


def _fit(place: CorpusFolder, request: requests.IngestRequest) -> bytes:
    """The bytes, where they are worth an item."""
    data, settings = request.data, place.settings
    if len(data) > settings.ingest_max_bytes:
        raise UnfitInput(f"it is longer than {settings.ingest_max_bytes:,} bytes (ingest_max_bytes)")
    kind = media.media_type(request.filename or "", data[:8192])
    if (request.text is not None and is_binary(data[:8192])) or media.choose(kind) is None:
        raise UnfitInput(f"it is binary ({kind}), and no text can be read from that")
    if request.text is not None or kind.startswith("text/"):
        characters = len(data.decode("utf-8", "replace").strip())
        if characters < settings.ingest_min_characters:
            raise UnfitInput(f"it has {characters} characters, {settings.ingest_min_characters} are the least")
    return data


def _outcome(place: CorpusFolder, report: Report, uri: str) -> tuple[ReceivedAs, Item]:
    items = catalog_of(place).items
    if report.duplicates:
        return "duplicate", items[report.duplicates[0]["of"]]
    kinds: Mapping[ReceivedAs, list[dict[str, str]]] = {"added": report.added, "changed": report.changed}
    for outcome, entries in kinds.items():
        for entry in entries:
            item = items.get(entry["path"])
            if item is not None and item.source.uri == uri:
                return outcome, item
    for item in items.values():
        if item.source.uri == uri:
            return "unchanged", item
    raise UnfitInput("it is not among the items now; the corpus's ignore rules may leave it out")


def _index(place: CorpusFolder, item: Item, call: Call) -> Indexed:
    """Bring the default recipe up to date, and say what the item is in its run."""
    (report,) = reindex(place, [place.default_recipe], call).runs
    manifest = report.manifest
    folder = runs.folder(place, manifest.run_id)
    if not folder.exists():  # a recipe that keeps nothing on disk: every query reads the live files
        return Indexed(manifest.run_id, manifest.index_version, (), 0, 0)
    tables = TableReader(folder)
    try:
        row = tables.item_of(item.item_id)
        chunks = tables.chunks_of(row.row) if row is not None else []
    finally:
        tables.close()
    names = tuple(f"{item.item_id}:{chunk.ordinal}" for chunk in chunks)
    return Indexed(manifest.run_id, manifest.index_version, names, len(names), row.tokens if row else 0)
