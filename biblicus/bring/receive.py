"""Receive: adds one document sent over the network as an item, and indexes it before the reply.

A duplicate (the same text, or the same bytes if only these count) adds no item; the reply names the existing one. A
document from the same source updates its item. Items that the call's reader may not see are treated as missing: the
document gets a folder of its own, and the reply has nothing that depends on them."""

from __future__ import annotations

import hashlib
import re
import secrets
import time
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass, fields, replace
from typing import Any, Literal

from biblicus.bring.incoming import STDIN, is_reserved, known_by_bytes, stdin_uri
from biblicus.bring.ingest import ingest
from biblicus.chunking.boundaries import regions
from biblicus.contracts import Call
from biblicus.corpus import catalog as catalogs
from biblicus.corpus.catalog import catalog_of
from biblicus.corpus.described.readers import hidden_from
from biblicus.corpus.events import reading as events
from biblicus.corpus.extracted.contents import Contents
from biblicus.corpus.extracted.extractions import Extractions, Raw, of_default_recipe
from biblicus.corpus.folder import CorpusFolder
from biblicus.corpus.report import Report
from biblicus.errors import CheckFailed, StoreUnavailable, UnfitInput
from biblicus.extraction.members import OPENED
from biblicus.models.extraction import NoExtraction
from biblicus.models.item import Item
from biblicus.models.plain import made_of
from biblicus.models.requests.bring import IngestRequest, ReceiveRequest
from biblicus.runs.reindex import index_changes
from biblicus.text import media
from biblicus.text.decoding import is_binary
from biblicus.text.paths import MEMBER

_URI = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+:\S+")
"""A source URI, which identifies a document; any other word (note, web, cli) is stored as metadata."""

_REMEDIES = {
    "needs ocr": "ocrmypdf IN.pdf OUT.pdf (pip install ocrmypdf), then send OUT.pdf; where you keep the corpus: "
    "biblicus recipes new lexical --ocr rapidocr --language en",
    "encrypted": "qpdf --decrypt --password=… IN.pdf OUT.pdf, then send OUT.pdf",
}
"""Hints for sending a document without text again."""

ReceivedAs = Literal["added", "changed", "unchanged", "duplicate"]


@dataclass(frozen=True)
class Received:
    """Result for a document. `duplicate`: `item_id` and `path` are those of the existing item.

    `ms`: total duration. `event_id`: the cursor of its event, if anything changed. The last five describe it and its
    members in a run, if it was indexed at once (`chunk_ids` in order, `tokens` an estimate)."""

    outcome: ReceivedAs
    item_id: str
    path: str
    ms: float
    event_id: str | None = None
    run_id: str | None = None
    index_version: str | None = None
    chunk_ids: tuple[str, ...] | None = None
    chunks: int | None = None
    tokens: int | None = None

    def as_object(self) -> dict[str, Any]:
        """Return the JSON object, without absent values."""
        return {entry.name: value for entry in fields(self) if (value := getattr(self, entry.name)) is not None}


def receive(corpus: CorpusFolder, request: ReceiveRequest, call: Call) -> Received:
    """Ingest and index. Raises `UnfitInput`, `DuplicateItem` (with `on_duplicate: error`), `StorageFailed`, …"""
    began = time.perf_counter()
    data = _fit(corpus, request, call)
    uri = request.source if request.source and _URI.fullmatch(request.source) else None
    word = {"source": request.source} if request.source and not uri else {}
    creation = {"created_at": request.created_at} if request.created_at else {}
    metadata = {**word, **creation, **request.metadata}
    named = {"stdin_name": request.filename, "stdin_source": uri or known_by_bytes(data)}
    ingest_request = made_of(IngestRequest, request, sources=("-",), metadata=metadata, text=data, **named)
    is_limited = hidden_from(corpus, catalog_of(corpus), call.reader) is not None
    if is_limited:
        ingest_request = replace(ingest_request, into=f"imports/{secrets.token_hex(6)}")
    before = events.position(corpus)
    report = ingest(corpus, ingest_request, call)
    if refused := [note["reason"] for note in report.failed if note["path"] == STDIN]:
        raise CheckFailed(f"The document was not added: {refused[0]}.")
    outcome, item = _outcome(corpus, report, ingest_request, call)
    is_event = outcome in ("added", "changed") and not is_limited
    event = events.of_item(corpus, item.item_id, before) if is_event else None
    try:
        indexed = _index(corpus, item, call) if request.index else {}
    except StoreUnavailable as error:
        cause = f"{error.cause}; {item.path} is kept, and the next reindex indexes it"
        raise StoreUnavailable(error.name, cause, "biblicus reindex when it runs") from None
    ms = round((time.perf_counter() - began) * 1000, 1)
    if is_limited:
        indexed.update(run_id=None, index_version=None)
    return Received(outcome, item.item_id, item.path, ms, event.cursor if event else None, **indexed)


def _fit(corpus: CorpusFolder, request: ReceiveRequest, call: Call) -> bytes:
    data, settings = request.data, corpus.settings
    if is_reserved(request.filename or ""):
        raise UnfitInput(f"{request.filename} is a name that Biblicus gives to its own files")
    if len(data) > settings.ingest_max_bytes:
        raise UnfitInput(f"it is longer than {settings.ingest_max_bytes:,} bytes (ingest_max_bytes)")
    name = request.filename or ""
    kind = media.media_type(name, data[:8192]) if name else media.of_bytes(data)
    extractions = of_default_recipe(corpus, call)
    if (request.text is not None and is_binary(data[:8192])) or not extractions.choose(name, kind):
        raise UnfitInput(f"it is binary ({kind}), and no text can be read from that", "its text, or a PDF of it")
    if request.text is not None or kind.startswith("text/"):
        characters = len(data.decode("utf-8", "replace").strip())
        if characters < settings.ingest_min_characters:
            raise UnfitInput(f"it has {characters} characters, {settings.ingest_min_characters} are the least")
    raw = Raw(name, hashlib.sha256(data).hexdigest(), kind, len(data))
    outcome = extractions.of_bytes(raw, data)
    if outcome == OPENED:
        _check_members(corpus, extractions, raw, data, call)
        return data
    if isinstance(outcome, NoExtraction):
        raise UnfitInput(f"no text can be read from it: {outcome.sentence}", _REMEDIES.get(outcome.status, ""))
    if not any(outcome.text[start:end].strip() for start, end in regions(outcome, cross_pages=True)):
        raise UnfitInput("it holds no text")
    return data


def _check_members(corpus: CorpusFolder, extractions: Extractions, raw: Raw, data: bytes, call: Call) -> None:
    """Raise `UnfitInput` if no member of an archive has text."""
    reasons: list[str] = []
    with Contents(corpus, call) as contents:
        for member in contents.unpacked(raw.path, data):
            path = raw.path + MEMBER + member.name
            sha256, kind = member.sha256, media.media_type(member.name, member.data)
            outcome = member.left or extractions.of_bytes(Raw(path, sha256, kind, member.bytes), member.data)
            if not isinstance(outcome, NoExtraction) and outcome.text.strip():
                return
            reasons += [outcome.sentence] if isinstance(outcome, NoExtraction) else []
    why = f"; the first member is {reasons[0]}" if reasons else ""
    raise UnfitInput(f"no member of the archive gives a text{why}")


def _outcome(corpus: CorpusFolder, report: Report, request: IngestRequest, call: Call) -> tuple[ReceivedAs, Item]:
    catalog, uri = catalog_of(corpus), stdin_uri(request)
    items, hidden = catalog.items, hidden_from(corpus, catalog, call.reader) or frozenset()
    if request.into:
        hidden = frozenset(path for path in hidden if not path.startswith(f"{request.into}/"))
    if report.duplicates:
        return "duplicate", items[report.duplicates[0]["of"]]
    kinds: Mapping[ReceivedAs, list[dict[str, str]]] = {"added": report.added, "changed": report.changed}
    for outcome, entries in kinds.items():
        for entry in entries:
            item = items.get(entry["path"])
            if item is not None and item.source.uri == uri and item.path not in hidden:
                return outcome, item
    for path, _ in sorted(catalog.of_all.holding(catalogs.quoted(uri))):
        if items[path].source.uri == uri and path not in hidden:
            return "unchanged", items[path]
    raise UnfitInput("it is not among the items now; the corpus's ignore rules may leave it out")


def _index(corpus: CorpusFolder, item: Item, call: Call) -> dict[str, Any]:
    """Index the default recipe, and return the item's data in its run."""
    manifest = index_changes(corpus, call, corpus.chosen_recipe).runs[0].manifest
    of_run = {"run_id": manifest.run_id, "index_version": manifest.index_version}
    if not corpus.store.holds(manifest.run_id):  # a recipe without stored index: every query reads the current files
        return {**of_run, "chunk_ids": (), "chunks": 0, "tokens": 0}
    with closing(corpus.store.tables(manifest.run_id)) as tables:
        rows = tables.items_of(item.path)
        names = tuple(f"{row.item_id}:{chunk.ordinal}" for row in rows for chunk in tables.chunks_of(row.row))
    return {**of_run, "chunk_ids": names, "chunks": len(names), "tokens": sum(row.tokens for row in rows)}
