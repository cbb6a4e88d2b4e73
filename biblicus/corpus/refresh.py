"""Refresh the catalog from the folder: items added, changed, renamed and removed, and files left out with reasons.

Runs under the writers' lock. The folder is compared with the last refresh: unchanged files are not opened, listed or
parsed, and if nothing changed, the catalog is not even read."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property, partial
from importlib.util import find_spec
from typing import Any, NamedTuple

from biblicus import telemetry
from biblicus.contracts import Call
from biblicus.corpus import catalog as catalogs
from biblicus.corpus.catalog import Catalog, Header, catalog_of, named
from biblicus.corpus.changes import file_stats, known_folder
from biblicus.corpus.changes.file_stats import FileFacts, calm_stamp
from biblicus.corpus.changes.folder_scan import FolderScan, looked_at, walked
from biblicus.corpus.changes.known_folder import KnownFolder
from biblicus.corpus.changes.pending import NOTHING, LastRefresh
from biblicus.corpus.changes.synced import synced
from biblicus.corpus.editorial import log as editorial
from biblicus.corpus.extracted.extractions import Extractions, of_default_recipe
from biblicus.corpus.extracted.plugged import plugged
from biblicus.corpus.folder import CorpusFolder
from biblicus.corpus.report import ALIKE, Report
from biblicus.disk import files
from biblicus.errors import AmbiguousItem, ItemNotFound
from biblicus.extraction.kit.extras import parsers_here
from biblicus.guards.side_by_side import Executor, no_collection
from biblicus.models.digest import digest
from biblicus.models.item import Item
from biblicus.models.manifest import Note
from biblicus.sources import ignoring
from biblicus.sources.folder import SIDECAR
from biblicus.text import media
from biblicus.text.paths import file_of

VERSION = "53"
"""Increase it when descriptions of the same bytes change; every item is then described anew."""


class Kept(NamedTuple):
    """Result of a refresh.

    `scan`: its inputs and its report, as in `file_stats.load_scan`. `rows`: further facts of files; None if not read.
    `is_stored`: all of it is on disk."""

    scan: Mapping[str, Any]
    folder: KnownFolder
    rows: Mapping[str, FileFacts] | None
    is_stored: bool


@dataclass
class Refreshed:
    """The report, the catalog's header, the catalog itself if it was read, and the extractions in memory.

    `started_ns`: start of the refresh. `helpers`: processes that keep the texts of many files. `kept`: the state of the
    files."""

    report: Report
    header: Header
    catalog: Catalog | None
    extractions: Extractions
    started_ns: int
    helpers: Executor | None
    kept: Kept

    def is_sure(self, path: str) -> bool:
        """Return true if an item's file and sidecar are unchanged since the catalog. After a refresh `of_few` they
        may differ."""
        file, corpus = file_of(path), self.extractions.corpus
        paths = (file, file + SIDECAR)
        return all(files.stamp(corpus.place(at), follow=False) == self.kept.folder.stamp(at) for at in paths)

    @cached_property
    def stamp_of(self) -> Callable[[str], str | None]:
        """Return a function that gives a file's stamp as runs store it."""
        return partial(calm_stamp, self.kept.folder.files(), self.started_ns)


def refresh(
    corpus: CorpusFolder,
    call: Call,
    without: Collection[str] = (),
    *,
    retry_failed: bool = False,
    helpers: Executor | None = None,
    before: Refreshed | None = None,
    written: Collection[str] | None = None,
    is_last: bool = True,
    of_few: bool = False,
) -> Refreshed:
    """Update the catalog from the folder. The caller holds the lock.

    `without`: paths to treat as missing, because they are deleted next. `retry_failed`: parse failed files again.
    `helpers`: processes that keep the texts of many files. `before`: result of the previous refresh under the same
    lock. `written`: the files written since; only their folders are checked. `is_last`: no refresh follows, so store
    the state. `of_few`: the command concerns few files; in a large corpus, edits in place are left to the next
    refresh."""
    with telemetry.span("refresh"), no_collection():
        refreshed = _Refreshing(corpus, call, without, retry_failed, helpers, before, written, is_last, of_few).run()
    refreshed.report.leave_to(of_default_recipe(corpus, call))
    return refreshed


def refreshed_for(corpus: CorpusFolder, names: Sequence[str], call: Call) -> tuple[Refreshed, list[Item]]:
    """Refresh before an operation on some items, and return these. In a large corpus only their files are checked, if
    they are unchanged and named by path or id. Raises the errors of `named`."""
    refreshed = refresh(corpus, call, is_last=False, of_few=True)
    with suppress(ItemNotFound, AmbiguousItem):
        items = _named(refreshed, names)
        of_whole = all(name in (item.path, item.item_id) for name, item in zip(names, items, strict=True))
        if of_whole and all(refreshed.is_sure(item.path) for item in items):
            return refreshed, items
    refreshed = refresh(corpus, call, before=refreshed, is_last=False)
    return refreshed, _named(refreshed, names)


def _named(refreshed: Refreshed, names: Sequence[str]) -> list[Item]:
    catalog = refreshed.catalog = refreshed.catalog or catalog_of(refreshed.extractions.corpus)
    return [named(catalog, name) for name in names]


@dataclass
class _Refreshing:
    """One refresh. The parameters are those of `refresh`."""

    corpus: CorpusFolder
    call: Call
    without: Collection[str]
    retry_failed: bool
    helpers: Executor | None
    before: Refreshed | None
    written: Collection[str] | None
    is_last: bool
    of_few: bool

    def __post_init__(self) -> None:
        corpus, before = self.corpus, self.before
        self.began, self.started_ns = time.perf_counter(), time.time_ns()
        self.written = self.written if before else None
        self.is_far = self.helpers is not None and self.helpers.is_far
        self.extractions = Extractions(corpus, self.call, dict(plugged(corpus).options), self.retry_failed)
        self.extractions.executor = self.helpers if self.is_far else None
        self.synced = synced(corpus)
        self.approvals = editorial.read(corpus)
        self.header = catalogs.read_header(corpus)
        self.depends = {
            "basis": basis_of(corpus),
            "limits": digest(self.extractions.limits, 16),  # under which a file may fail
            "synced": self.synced.digest + self.approvals.digest,
        }
        self.scan = before.kept.scan if before else file_stats.load_scan(corpus)
        self.folder = before.kept.folder if before else known_folder.load(corpus)
        self.rows = before.kept.rows if before else None

    def run(self) -> Refreshed:
        present = self._looked_at() if self._stands() else None
        if present is not None and present.folder is self.folder and self.header:
            return self._unchanged(self.header)
        if present is None or self._rows() is None:
            present = walked(self.corpus, self.started_ns, self.without)
        litter = () if self.corpus.is_cached else present.litter
        for name in litter:  # of a dead writer, in folders of sidecars and imports
            files.remove(self.corpus.root / name)
        return self._passed(present)

    # --- what stands ---

    def _is_same(self, *names: str) -> bool:
        """Return true if these inputs are the same as in the last refresh."""
        return all(self.scan.get(name) == self.depends[name] for name in names)

    def _fits(self) -> bool:
        """Return true if the stored state is complete and belongs to the current catalog."""
        digest = self.header.corpus_digest if self.header else None
        return (
            self.folder is not None
            and bool(self.folder.mark)
            and self.folder.mark == self.scan.get("mark")
            and self.folder.corpus_digest == self.scan.get("corpus_digest") == digest
            and all(map(os.path.lexists, file_stats.kept(self.corpus)))
            and self._is_same("basis")
        )

    def _stands(self) -> bool:
        """Return true if only differences need to be examined."""
        failed = self.scan["report"]["failed"] if self._fits() else []
        tries = self.extractions.retry_failed or not self._is_same("limits")
        is_whole = self.folder is not None and self.folder.is_whole
        return is_whole and self._fits() and self._is_same("synced") and not (failed and tries)

    def _looked_at(self) -> FolderScan | None:
        assert self.folder is not None
        wary, only = self.scan["wary"], () if self.of_few and self.folder.is_large else None
        arguments = self.corpus, self.folder, self._skipped, wary, self.started_ns, self.written, self.without
        present = looked_at(*arguments, only)
        return present if present and not present.failed else None

    def _skipped(self) -> list[Note]:
        """Return the files skipped for their name or place; other files are reported anew."""
        rows = self._rows() or {}
        return [Note(**note) for note in self.scan["report"]["skipped"] if note["path"] not in rows]

    def _rows(self) -> Mapping[str, FileFacts] | None:
        if self.rows is None:
            self.rows = file_stats.load_rows(self.corpus, self.scan.get("mark", ""))
        return self.rows

    # --- what comes of it ---

    def _unchanged(self, header: Header) -> Refreshed:
        report = Report(**self.scan["report"])
        assert self.folder is not None
        is_stored = self.before is None or self.before.kept.is_stored
        state = Kept(self.scan, self.folder, self.rows, is_stored)
        if not is_stored and self.is_last:
            state = self._store(state)
        return self._refreshed(report, header, self.before.catalog if self.before else None, state)

    def _passed(self, present: FolderScan) -> Refreshed:
        from biblicus.corpus.passes import Pass  # lazy: usually nothing changed

        last = self.before.catalog if self.before and self.before.catalog else catalogs.known(self.corpus)
        last_refresh = NOTHING
        if last and self.folder and self._fits() and (rows := self._rows()) is not None:
            last_refresh = LastRefresh(self.folder.files(), self.folder.sidecars(), last.entries, rows)
        report = self.scan.get("report", {})
        pass_ = Pass(
            *(self.corpus, self.call, present, self.started_ns, self.extractions, self.synced, self.approvals),
            *(last, last_refresh),
            tries_failed=self.extractions.retry_failed or not self._is_same("limits"),
            are_rules_new=present.rules is not None and present.rules != self.scan.get("ignored"),
            had_alike=any(note["reason"].endswith(ALIKE) for note in report.get("warnings", ())),
        )
        helpers = None if self.is_far else self.helpers  # remote workers have no files to examine
        report, catalog = pass_.run(report.get("strayed", {}), helpers)
        state = self._kept(present, pass_.rows, report, catalog)
        if self.is_last or catalog.header != self.header:
            state = self._store(state)
        return self._refreshed(report, catalog.header, catalog, state)

    def _kept(self, present: FolderScan, rows: Mapping[str, FileFacts], report: Report, catalog: Catalog) -> Kept:
        again: dict[str, Any] = {
            "unchanged": report.unchanged + len(report.added) + len(report.changed) + len(report.renamed),
            "skipped": report.skipped,
            "failed": report.failed,
            "warnings": [note for note in report.warnings if not note["reason"].startswith("ambiguous")],
            "strayed": report.strayed,
        }
        mark = os.urandom(8).hex()
        scan = {
            **self.depends,
            "ignored": self.scan["ignored"] if present.rules is None else present.rules,
            "corpus_digest": catalog.header.corpus_digest,
            "items": len(catalog.entries),
            "mark": mark,
            "wary": sorted({path for path, facts in rows.items() if not facts.is_calm}),
            "report": again,
        }
        folder = replace(present.folder, corpus_digest=catalog.header.corpus_digest, mark=mark)
        return Kept(scan, folder, rows, False)

    def _store(self, kept: Kept) -> Kept:
        file_stats.store(self.corpus, kept.scan, kept.rows)
        known_folder.store(self.corpus, kept.folder)
        return kept._replace(is_stored=True)

    def _refreshed(self, report: Report, header: Header, catalog: Catalog | None, kept: Kept) -> Refreshed:
        report.known = file_stats.notes_of(self.scan)
        report.ms = round((time.perf_counter() - self.began) * 1000, 1)
        started_ns = self.started_ns if self.written is None or not self.before else self.before.started_ns
        return Refreshed(report, header, catalog, self.extractions, started_ns, self.helpers, kept)


def basis_of(corpus: CorpusFolder) -> str:
    """Return a digest of rules, limits, parser versions and plug-ins that affect descriptions."""
    rules = [rule.model_dump() for rule in corpus.config.doctypes]
    settings = corpus.settings
    members = [corpus.config.archive_depth, settings.archive_members, settings.archive_bytes, settings.archive_ratio]
    layers = [[layer.model_dump() for layer in corpus.config.layers]] if corpus.config.layers else []
    inline = ["inline tags"] if corpus.config.inline_tags else []
    inline += ["machine-made"] if corpus.config.machine_made else []
    inline += [] if find_spec("pycld2") else ["py3langid"]
    versions = [VERSION, ignoring.VERSION, media.VERSION]
    plugins = [[list(version) for version in fingerprints]] if (fingerprints := plugged(corpus).versions) else []
    return digest([*versions, parsers_here(), rules, settings.max_text_bytes, members, *inline, *layers, *plugins], 16)
