"""Ingest: refreshes the catalog from the folder, and imports files from outside.

External files are copied to `imports/` with a sidecar that records their source. Each source has one copy: changed
content updates it. Local paths are not stored: a source's URI is its name and a digest of its location."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import filterfalse
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from biblicus import bring, telemetry
from biblicus.bring.by_content import Known
from biblicus.bring.incoming import Incoming, batches, folder_of, is_reserved, may_declare_an_id, read, stated_fields
from biblicus.contracts import Call
from biblicus.corpus import catalog as catalogs
from biblicus.corpus.catalog import Catalog, catalog_of
from biblicus.corpus.changes import file_stats
from biblicus.corpus.described.describe import derived_id
from biblicus.corpus.described.readers import hidden_from
from biblicus.corpus.described.sidecars import sidecar_of, update
from biblicus.corpus.extracted.extractions import Extractions
from biblicus.corpus.folder import CorpusFolder
from biblicus.corpus.refresh import Refreshed, refresh
from biblicus.corpus.report import Report, joined
from biblicus.disk import files, system
from biblicus.errors import (
    BiblicusError,
    CheckFailed,
    ConfigInvalid,
    DuplicateItem,
    SourceNotFound,
    UnsafeInput,
    UsageError,
)
from biblicus.errors.families import typed
from biblicus.guards.side_by_side import no_collection
from biblicus.models.extraction import Extraction
from biblicus.models.item import Item
from biblicus.models.plain import count, made_of
from biblicus.models.requests.bring import AddSourceRequest, IngestRequest, RemoveSourceRequest
from biblicus.models.sources.readers import KEY
from biblicus.sources.folder import SIDECAR
from biblicus.text import media
from biblicus.text.anchoring import content_hash
from biblicus.text.paths import from_os, is_member

_ADDRESS = re.compile(r"git\+|[a-z][a-z0-9+.-]+://")


def ingest(corpus: CorpusFolder, request: IngestRequest, call: Call) -> Report:
    """Refresh the catalog and import the sources.

    Raises `SourceNotFound`, `DuplicateItem`, `CheckFailed`, and for an address the errors of `sources.bring`."""
    began = time.perf_counter()
    if request.ignore_local_excludes:
        corpus = corpus.of_committed_rules(call)
    addresses = [source for source in request.sources if _ADDRESS.match(source)]
    if addresses:
        return _bring(corpus, request, addresses, call)
    inside, outside = _sort(corpus, request)
    notes, first = Report(), Report()
    importing: _Importing | None = None
    with telemetry.span("ingest"), corpus.writing(call), no_collection():
        if inside or outside:
            is_of_one = not inside and len(outside) == 1 and not (outside[0] and outside[0].is_dir())
            importing = _Importing(corpus, request, call, is_of_one and request.on_duplicate != "error")
        try:
            if importing is not None:
                for source in outside:
                    for some in batches(read(source, request, importing.extractions, importing.notes)):
                        importing.bring(some)
                importing.say(inside)
                notes, first = importing.notes, replace(importing.report, duplicates=importing.duplicates)
            report, catalog = importing.seen() if importing else (refresh(corpus, call).report, None)
        except BaseException:
            if importing is not None:
                importing.undo()
            raise
        if importing is not None and catalog is not None:
            importing.take_back(report, catalog)
    report = joined(first, report)
    report.skipped = notes.skipped + report.skipped
    report.failed = notes.failed + report.failed
    report.ms = round((time.perf_counter() - began) * 1000, 1)
    return _strict(request, report)


def _strict(request: IngestRequest, report: Report) -> Report:
    """Return the report. Raises `CheckFailed` after a failure that was not to happen."""
    if request.strict and report.failed:
        first_path = report.failed[0]["path"]
        raise CheckFailed(f"{count(len(report.failed), 'files')} failed; the first: {first_path}.", "biblicus ingest")
    return report


def _bring(corpus: CorpusFolder, request: IngestRequest, addresses: Sequence[str], call: Call) -> Report:
    """Add each address as a source and sync it; then ingest everything else."""

    if request.into or request.title:
        option = "--into" if request.into else "--title"
        raise UsageError(f"{option} is for files; an address becomes a source.", "biblicus sources add --help")
    if unknown := next((key for key in request.metadata if key not in ("toolkit", "category")), None):
        raise UsageError(f"The metadata of a source is its toolkit and its category, not {unknown}.")
    total: Report | None = None
    for address in addresses:
        stated = {key: request.metadata.get(key) for key in ("toolkit", "category")}
        source = made_of(AddSourceRequest, request, address=address, **stated)
        synced = bring.sources.bring(corpus, source, call)
        report = synced.refresh or Report()
        for entry in synced.sources:
            if entry.kind == "url" and entry.added and request.on_duplicate != "keep":
                report = _without_duplicate(corpus, request, address, entry.name, report, call)
            report.skipped = entry.skipped + report.skipped
            report.failed = entry.failed + entry.conflicts + report.failed
        total = joined(total, report) if total else report
    rest = tuple(source for source in request.sources if source not in addresses)
    if rest and total:
        total = joined(total, ingest(corpus, replace(request, sources=rest, strict=False), call))
    if total is None:
        raise AssertionError("there was an address")
    return _strict(request, total)


def _without_duplicate(
    corpus: CorpusFolder, request: IngestRequest, address: str, name: str, report: Report, call: Call
) -> Report:
    """Remove a new page again if it duplicates an existing item."""
    from biblicus.bring.sources import duplicate_of, remove

    if (first := duplicate_of(corpus, name, request.same)) is None:
        return report
    remove(corpus, RemoveSourceRequest(name), call)
    if request.on_duplicate == "error":
        raise DuplicateItem(address, first)
    report.added = [entry for entry in report.added if not entry["path"].startswith(f"imports/{name}/")]
    report.duplicates.append({"path": address, "of": first})
    return report


def _sort(corpus: CorpusFolder, request: IngestRequest) -> tuple[list[str], list[Path | None]]:
    """Return sources inside the corpus as relative paths, and those outside (None: standard input)."""
    inside: list[str] = []
    outside: list[Path | None] = []
    for source in request.sources:
        if source == "-":
            outside.append(None)
            continue
        path = Path(os.path.abspath(source))
        if not os.path.lexists(path):
            raise SourceNotFound(source)
        if path.is_symlink() or not (path.is_dir() or path.is_file()):
            raise UnsafeInput(f"{source} is no regular file or folder.", "biblicus ingest THE-FILE-ITSELF")
        if path == corpus.root or (corpus.root in path.parents and not corpus.hides(path)):
            inside.append(from_os(system.below(path, corpus.root)))
        elif path in corpus.root.parents:
            raise UsageError(f"{source} holds the corpus itself.", "biblicus ingest ANOTHER-FOLDER")
        else:
            outside.append(path)
    if request.title and len(request.sources) != 1:
        raise UsageError("A title needs exactly one source.", 'biblicus ingest FILE --title "…"')
    return inside, outside


class _Copy(NamedTuple):
    """A copy in the corpus: its origin as shown in reports, and the digest of its bytes."""

    shown: str
    sha256: str


class _Importing:
    """Copies files into the corpus, by source, and records duplicates.

    `is_of_one`: a single file, so that in a large corpus other files are not checked (see `refresh`) unless the result
    depends on a changed one. `report`: of refreshes before the first write."""

    def __init__(self, corpus: CorpusFolder, request: IngestRequest, call: Call, is_of_one: bool) -> None:
        self.corpus, self.request, self.call, self.is_of_one = corpus, request, call, is_of_one
        self.notes = Report()
        self.duplicates: list[dict[str, str]] = []
        self.written: dict[str, _Copy] = {}
        self.has_written = False
        self.folder = folder_of(request.into)
        self.touched: set[str] = set()
        self.extractions = Extractions(corpus, call)
        self._take(refresh(corpus, call, is_last=False, of_few=is_of_one))
        self.report = self.before.report

    def _take(self, refreshed: Refreshed) -> None:
        refreshed.catalog = refreshed.catalog or catalogs.known(self.corpus)
        catalog = refreshed.catalog or catalog_of(self.corpus)
        self.hidden = hidden_from(self.corpus, catalog, self.call.reader)
        visible = catalog.of_all.changed(dict.fromkeys(self.hidden or ()))
        self.before, self.items, self.known = refreshed, catalog.items, Known(visible)
        self.header = catalogs.read_header(self.corpus)

    def _is_settled(self, path: str | None, incoming: Incoming) -> bool:
        """Check if the catalog is current for the decision on this file; if not, refresh everything and return False.

        The decision depends on the file with the same source or content, and on all files if it declares an id."""
        is_sure = path is None or self.before.is_sure(path)
        if not self.is_of_one or (is_sure and not may_declare_an_id(incoming.data, incoming.sidecar)):
            return True
        self.is_of_one = False
        self._take(refresh(self.corpus, self.call, before=self.before, is_last=False))
        self.report = joined(self.report, self.before.report)
        return False

    def seen(self) -> tuple[Report, Catalog]:
        """Return the report and the catalog after writing."""
        if self.has_written:
            file_stats.let_calm_down(self.corpus)
        after = refresh(self.corpus, self.call, before=self.before, written=self.touched)
        report, catalog = after.report, after.catalog or catalog_of(self.corpus)
        if self.is_of_one and any(path not in catalog.entries for path in self.written):
            # the item with its id may have given it up
            after = refresh(self.corpus, self.call, before=after)
            report, catalog = joined(report, after.report), after.catalog or catalog
        return report, catalog

    def bring(self, batch: Sequence[Incoming]) -> None:
        """Add, update or keep each file."""
        if self.request.same == "text":
            self.extractions.parse({incoming.raw: incoming.data for incoming in batch if not self._is_known(incoming)})
        for incoming in batch:
            self.call.check()
            self._bring(incoming)

    def _has(self, path: str, sha256: str) -> bool:
        copy = self.written.get(path)
        return (copy.sha256 if copy else self.items[path].sha256) == sha256

    def _is_known(self, incoming: Incoming) -> bool:
        return bool(self.known.by_source(incoming.uri) or self.known.by_content(incoming.raw.sha256))

    def _bring(self, incoming: Incoming) -> None:
        if is_reserved(incoming.name):
            reason = "its name is one that Biblicus gives to its own files"
            self.notes.failed.append({"path": incoming.shown, "reason": reason})
            return
        sha256 = incoming.raw.sha256
        brought = self.known.by_source(incoming.uri)
        keys = [] if brought else self._keys(incoming)
        first = next((path for key in keys if (path := self.known.by_content(key))), None)
        if not self._is_settled(brought or first, incoming):
            self._bring(incoming)
            return
        if brought is not None and incoming.is_known_by_bytes and self._has(brought, sha256):
            first = brought  # neither a source nor a title is given for its metadata
        elif brought is not None:
            self._update(self.items[brought], incoming, sha256)
            return
        if first and (first == brought or self.request.on_duplicate != "keep"):
            if self.request.on_duplicate == "error":
                raise DuplicateItem(incoming.shown, self.written[first].shown if first in self.written else first)
            self.duplicates.append({"path": incoming.shown, "of": first})
            return
        path = self._free_path(incoming)
        self.touched.add(path)
        where = self.corpus.inside(path)
        files.make_folder(where.parent)
        self.written[path], self.has_written = _Copy(incoming.shown, sha256), True
        title_field = {"title": incoming.title} if incoming.title else {}
        fields = {**title_field, **self._source(incoming, sha256), **self._stated(path)}
        try:  # the sidecar first: alone it is no item, while a file without its sidecar would be one
            update(self.corpus, path, fields, incoming.sidecar)
        except ConfigInvalid as error:
            self.notes.failed.append({"path": incoming.shown + SIDECAR, "reason": f"left aside: {error.message}"})
            update(self.corpus, path, fields, "")
        files.write(where, incoming.data, replace=False)
        for key in keys:
            self.known.add(key, path)

    def say(self, inside: list[str]) -> None:
        """Write the metadata given on the command line to the sidecars of the items."""
        if not stated_fields(self.request, ()):
            return
        for name in inside:
            below = [path for path in self.items if path == name or name == "." or path.startswith(f"{name}/")]
            if not below:
                raise SourceNotFound(f"{name} among the corpus's items")
            for path in filterfalse(is_member, below):
                self.touched.add(path)
                update(self.corpus, path, stated_fields(self.request, self.items[path].tags))

    def take_back(self, report: Report, catalog: Catalog) -> None:
        """Delete copies that did not become items, and report the reason: ignore rules, or an id already in use."""
        items = catalog.items
        reasons = {note["path"]: note["reason"] for note in (*report.failed, *report.skipped)}
        for path, copy in self.written.items():
            if path not in items:
                files.remove(self.corpus.inside(path))
                files.remove(sidecar_of(self.corpus, path))
                report.failed = [note for note in report.failed if note["path"] != path]
                reason = reasons.get(path, "the corpus's ignore rules leave it out")
                self.notes.failed.append({"path": copy.shown, "reason": reason})

    def undo(self) -> None:
        """After a failure, delete the new copies, which are not items yet. Updated copies are kept."""
        with suppress(BiblicusError):
            if catalogs.read_header(self.corpus) != self.header:
                return
            for path, copy in self.written.items():
                with suppress(BiblicusError, OSError):
                    files.remove(sidecar_of(self.corpus, path))
                    # otherwise it is someone else's file
                    if files.sha256(where := self.corpus.inside(path)) == copy.sha256:
                        files.remove(where)

    def _update(self, known: Item, incoming: Incoming, sha256: str) -> None:
        self.touched.add(known.path)
        if known.sha256 != sha256:
            if known.source.ref != f"sha256:{known.sha256}":
                command = f"biblicus remove {typed(known.path)} --delete-file"
                reason = f"its copy {known.path} was edited here; {command} first"
                self.notes.failed.append({"path": incoming.shown, "reason": reason})
                return
            files.write(self.corpus.inside(known.path), incoming.data)
            self.has_written = True
        else:
            reason = f"unchanged since it was imported as {known.path}"
            self.notes.skipped.append({"path": incoming.shown, "reason": reason})
        fields = self._stated(known.path, known)
        if known.source.ref != f"sha256:{sha256}":
            fields |= self._source(incoming, sha256)
        if fields:
            update(self.corpus, known.path, fields)

    def _stated(self, path: str, known: Item | None = None) -> dict[str, object]:
        """Return the fields that the request states for an item.

        A reader's document has no id of its own choice, which a hidden item might have. It never widens the readers of
        the item that it updates. A new one is for that reader alone, unless the request names its readers."""
        fields, reader = stated_fields(self.request, known.tags if known else ()), self.call.reader
        if self.hidden is None or reader is None:
            return fields
        if known is not None and KEY in known.metadata:
            fields[KEY] = known.metadata[KEY]
        elif known is None and reader.name and KEY not in self.request.metadata:
            fields[KEY] = [reader.name]
        return {**fields, "id": known.item_id if known else derived_id(path)}

    def _source(self, incoming: Incoming, sha256: str) -> dict[str, object]:
        retrieved = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(self.call.clock()))
        source = {"kind": incoming.kind, "uri": incoming.uri, "ref": f"sha256:{sha256}", "retrieved_at": retrieved}
        return {"source": source}

    def _keys(self, incoming: Incoming) -> list[str]:
        """Return the digests used to find duplicates: of the bytes and, with `same: text`, of the normalized text."""
        if not incoming.data:
            return []
        keys = [incoming.raw.sha256]
        if self.request.same == "text" and self.request.on_duplicate != "keep":
            outcome = self.extractions.get(incoming.raw, incoming.data)
            keys.append((content_hash(outcome.text) if isinstance(outcome, Extraction) else None) or keys[0])
        return keys

    def _free_path(self, incoming: Incoming) -> str:
        """Return a free path in the target folder, with a usable extension and no hidden part."""
        parts = [part.lstrip(".") or "_" for part in incoming.name.split("/")]
        name = PurePosixPath(parts[-1])
        media_type = media.media_type(incoming.name, incoming.data[:8192])
        suffix = name.suffix or media.usable_extension(media_type)
        stem = name.stem if name.suffix else name.name
        variant = 1
        while True:
            parts[-1] = f"{stem}{suffix}" if variant == 1 else f"{stem}-{variant}{suffix}"
            path = "/".join([self.folder, *parts]) if self.folder else "/".join(parts)
            if not os.path.lexists(self.corpus.absolute(path)):
                return path
            variant += 1
