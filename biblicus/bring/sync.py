"""Sync: updates the corpus with new, changed, renamed and deleted documents of its sources.

Each kind of source finds the differences (`models.sources.syncing`). Documents are staged without a lock, then moved
into place under the writers' lock (`bring.apply`), and the catalog is refreshed. A source that fails does not stop the
others."""

from __future__ import annotations

import hashlib
import os
import shutil
import time
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from importlib import import_module
from pathlib import Path
from typing import Any, Protocol, cast

from biblicus import telemetry
from biblicus.bring.allowances import Allowance, allow, allowances
from biblicus.bring.apply import SourceReport, SourceUpdate, Staged
from biblicus.config import settings_file
from biblicus.contracts import Call
from biblicus.corpus import registries as stored
from biblicus.corpus.extracted.extractions import of_default_recipe
from biblicus.corpus.folder import CorpusFolder
from biblicus.corpus.refresh import refresh
from biblicus.corpus.registries import Registry, RegistryHeader
from biblicus.corpus.report import Report
from biblicus.disk import files, seals
from biblicus.errors import (
    BiblicusError,
    Cancelled,
    CheckFailed,
    ConfigInvalid,
    DeadlineExceeded,
    LockTimeout,
    Refused,
    SourceNotAllowed,
    SourceUnlisted,
    SourceUntrusted,
    UnknownShare,
    UsageError,
)
from biblicus.models.digest import canonical
from biblicus.models.requests.bring import SyncRequest
from biblicus.models.sources.entries import Entry, FolderEntry, ShareEntry, is_local, where_of
from biblicus.models.sources.syncing import Change, Document, Known, Reach, Share, State
from biblicus.text import media

_KINDS = {
    "git": "biblicus.sources.git",
    "url": "biblicus.sources.url",
    "site": "biblicus.sources.site",
    "feed": "biblicus.sources.feed",
    "folder": "biblicus.sources.local",
    "share": "biblicus.sources.share",
}
"""Modules by kind. A fixed table: no file of a corpus names a module."""
_LEFT = "left"
"""Key in the saved state besides those of the kind: a new document was not written."""


class _Kind(Protocol):
    def sync(self, entry: Any, known: Known, reach: Reach, call: Call) -> Generator[Change, None, State]: ...


@dataclass
class SyncReport:
    """`sources`: result of each. `refresh`: refresh of the catalog afterwards; None in a dry run."""

    sources: list[SourceReport] = field(default_factory=list)
    refresh: Report | None = None
    dry_run: bool = False
    ms: float = 0.0


def sync(corpus: CorpusFolder, request: SyncRequest, call: Call) -> SyncReport:
    """Update the corpus from its sources.

    Raises `SourceUnlisted`; a source's error if every source failed or was refused; with `strict`, `CheckFailed` after
    any failure."""
    began = time.perf_counter()
    report = SyncReport(dry_run=request.dry_run)
    errors: list[BiblicusError] = []
    with telemetry.span("sync"), turn(corpus, call):
        entries = _chosen(corpus, request)
        allowed = _allowed(corpus, entries, request, call)
        for entry in entries:
            outcome = Syncing(corpus, entry, allowed.get(entry.digest), request, call)
            report.sources.append(outcome.run())
            errors += [outcome.error] if outcome.error else []
        if errors and len(errors) == len(entries):
            raise errors[0]
        if not request.dry_run:
            with corpus.writing(call):
                report.refresh = refresh(corpus, call).report
    report.ms = round((time.perf_counter() - began) * 1000, 1)
    failed = len(errors) + sum(len(source.failed) + len(source.conflicts) for source in report.sources)
    if request.strict and failed:
        raise CheckFailed(
            f"{failed} {'source or document' if failed == 1 else 'sources or documents'} failed.",
            "biblicus sources sync --json",
        )
    return report


@contextmanager
def turn(corpus: CorpusFolder, call: Call) -> Iterator[None]:
    """Run syncs one at a time; other writers do not wait for downloads."""
    with corpus.writing(call):
        files.make_folder(corpus.clones, 0o700)
    with files.locked(corpus.clones / "lock", call, corpus.settings.lock_timeout):
        yield


def _chosen(corpus: CorpusFolder, request: SyncRequest) -> Sequence[Entry]:
    entries = stored.read_list(corpus).sources
    names = [entry.name for entry in entries]
    for name in request.names:
        if name not in names:
            raise SourceUnlisted(name, names)
    if (request.allow_local or request.allow_private) and not request.names:
        option = "--allow-local" if request.allow_local else "--allow-private"
        raise UsageError("What is allowed is allowed by name.", f"biblicus sources sync NAME {option}")
    return [entry for entry in entries if not request.names or entry.name in request.names]


def _allowed(
    corpus: CorpusFolder, entries: Sequence[Entry], request: SyncRequest, call: Call
) -> Mapping[str, Allowance]:
    """Return the user's permissions, old and new. Only trusted entries can get more."""
    corpus_id = corpus.config.corpus_id
    known = allowances(corpus_id)
    if request.allow_local or request.allow_private:
        with corpus.writing(call):
            for entry in entries:
                if entry.digest in known:
                    local = str(local_place(corpus, entry)) if request.allow_local and is_local(entry) else None
                    private = request.allow_private and not is_local(entry)
                    known[entry.digest] = allow(corpus_id, entry.digest, local=local, private=private)
    return known


def local_place(corpus: CorpusFolder, entry: Entry) -> Path:
    """Return the absolute path of a local source. Raises `UsageError` if it includes the corpus or is inside it."""
    where = Path(os.path.realpath(corpus.root / where_of(entry)))
    root = Path(os.path.realpath(corpus.root))
    if isinstance(entry, FolderEntry) and (where.is_relative_to(root) or root.is_relative_to(where)):
        if not where.exists():
            written = where.relative_to(root).as_posix() if where.is_relative_to(root) else ""
            address = "." in written.partition("/")[0].strip(".") and not any(map(str.isspace, written))
            hint = f"https://{written}" if address else "https://…"  # usually an address without its scheme
            raise UsageError(f"There is no folder {where}.", f"biblicus sources add {hint}")
        raise UsageError(f"The folder {where} and the corpus hold one another.", "biblicus ingest")
    return where


# --- one source ------------------------------------------------------------------------------------------------------


class Syncing:
    """One source's sync, from its entry to its report. `error`: the reason it failed."""

    def __init__(
        self, corpus: CorpusFolder, entry: Entry, allowed: Allowance | None, request: SyncRequest, call: Call
    ) -> None:
        self.corpus, self.entry, self.allowed, self.request, self.call = corpus, entry, allowed, request, call
        self.extractions = of_default_recipe(corpus, call)
        self.report = SourceReport(entry.name, entry.kind)
        self.error: BiblicusError | None = None
        self.staging = corpus.clones / f"{entry.name}.staged"

    def run(self) -> SourceReport:
        began = time.perf_counter()
        try:
            self._sync()
        except (Cancelled, DeadlineExceeded, LockTimeout):
            raise
        except BiblicusError as error:
            self.error = error
            self.report = SourceReport(self.entry.name, self.entry.kind, error=error.as_object())
            self.report.outcome = "refused" if isinstance(error, Refused) else "failed"
        finally:
            shutil.rmtree(self.staging, ignore_errors=True)
        self.report.ms = round((time.perf_counter() - began) * 1000, 1)
        return self.report

    def _sync(self) -> None:
        reach = self.reach()
        registry = self._registry()
        known = self._known(registry)
        shutil.rmtree(self.staging, ignore_errors=True)
        staged, others, state = self._take(known, reach)
        kept = any(row.gone for row in known.rows.values())
        if registry and not (staged or others or kept) and registry.header == self._header(state):
            self.report.unchanged = len(known.rows)
            self.report.ref, self.report.commit = state.get("branch"), state.get("commit")
            return
        now = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(self.call.clock()))
        update = SourceUpdate(self.corpus, self.report, dict(known.rows), now, self.request.delete)
        if self.request.dry_run:
            self._decide(update, known, staged, others, state)
            return
        with self.corpus.writing(self.call):
            self._decide(update, known, staged, others, state)
            update.apply(self.staging)
            rows = {row.path: row for row in update.rows.values()}
            left = {_LEFT: "yes"} if update.is_left else {}
            stored.write_registry(self.corpus, Registry(self._header({**state, **left}), rows), registry)

    def _decide(
        self, update: SourceUpdate, known: Known, staged: list[Staged], others: list[Change], state: State
    ) -> None:
        gone = [Change("gone", origin) for origin, row in known.rows.items() if row.gone and self.request.delete]
        again = {document.change.origin for document in staged}
        update.decide(staged, others + [change for change in gone if change.origin not in again])
        self.report.ref, self.report.commit = state.get("branch"), state.get("commit")
        outcomes = (
            self.report.removed,
            self.report.added,
            self.report.changed,
            self.report.renamed,
            self.report.restored,
        )
        self.report.outcome = "synced" if any(outcomes) or dict(state) != dict(known.state) else "unchanged"

    def known(self) -> Known:
        """Return the state after the last sync."""
        return self._known(self._registry())

    def reach(self) -> Reach:
        """Return the limits and permissions of this source. Raises `SourceUntrusted`, `SourceNotAllowed`."""
        where = where_of(self.entry)
        if self.allowed is None:
            raise SourceUntrusted(self.entry.name, where)
        local = None
        if is_local(self.entry):
            local = local_place(self.corpus, self.entry)
            if self.allowed.local != str(local):
                raise SourceNotAllowed(self.entry.name, where)
        settings = self.corpus.settings
        return Reach(
            cache=self._cache(),
            local=local,
            private=self.allowed.private,
            share=self._share(),
            file_bytes=settings.source_file_bytes,
            total_bytes=settings.source_bytes,
            seconds=settings.source_seconds,
            documents=settings.source_documents,
        )

    def _share(self) -> Share | None:
        """Return the user's settings for the share. Raises `UnknownShare`."""
        if not isinstance(self.entry, ShareEntry):
            return None
        name, shares = self.entry.share, self.corpus.settings.shares
        if name not in shares:
            where = f"{settings_file()}: shares: {{{name}: {{by: s3, path: BUCKET/FOLDER}}}}"
            raise UnknownShare(name, sorted(shares), where)
        options = shares[name].options
        return Share(name, shares[name].by, shares[name].path, options)

    def _cache(self) -> Path:
        """Return the kind's cache folder: the sealed one of this machine, or an empty one."""
        folder, seal = self.corpus.clones / self.entry.name, self.corpus.clones / f"{self.entry.name}.seal"
        if folder.is_symlink():
            folder.unlink()
        body = seals.read_sealed(seal) if folder.is_dir() else None
        if body is None or body != _identity(folder):
            shutil.rmtree(folder, ignore_errors=True)
            files.make_folder(folder, 0o700)
            seals.write_sealed(seal, _identity(folder))
        return folder

    def _registry(self) -> Registry | None:
        """Return the registry. An unreadable one is recreated: the copies are recognized by their bytes."""
        try:
            return stored.read_registry(self.corpus, self.entry.name)
        except ConfigInvalid as error:
            self.report.failed.append({"path": f".biblicus/sources/{self.entry.name}.json", "reason": error.message})
            return None

    def _known(self, registry: Registry | None) -> Known:
        if registry is None:
            return Known()
        rows = {row.origin: row for row in registry.rows.values()}
        name = self.entry.name
        absent = frozenset(
            row.origin for row in rows.values() if not row.gone and not stored.is_there(self.corpus, name, row.path)
        )
        changed = registry.header.entry != self.entry.digest
        state = {key: value for key, value in registry.header.state.items() if key != _LEFT}
        return Known(rows, state, absent, changed, _LEFT in registry.header.state)

    def _header(self, state: State) -> RegistryHeader:
        entry = self.entry
        return RegistryHeader(
            name=entry.name,
            kind=entry.kind,
            entry=entry.digest,
            toolkit=entry.toolkit,
            category=entry.category,
            tags=entry.tags,
            doctypes=entry.doctypes,
            state=dict(sorted(state.items())),
        )

    # --- staging ---

    def _take(self, known: Known, reach: Reach) -> tuple[list[Staged], list[Change], State]:
        """Return all that the kind finds, with the bytes staged."""
        kind = cast(_Kind, import_module(_KINDS[self.entry.kind]))
        changes = kind.sync(self.entry, known, reach, self.call)
        staged: dict[str, Staged] = {}
        others: list[Change] = []
        while True:
            try:
                change = next(changes)
            except StopIteration as end:
                return list(staged.values()), others, end.value
            self.call.check()
            if change.document is None:
                others.append(change)
            elif reason := self._no_text(change.document):
                others.append(Change("skipped", change.origin, reason=reason))
            else:
                staged[change.origin] = self._stage(change, len(staged))

    def _no_text(self, document: Document) -> str | None:
        """Return the reason why a document has no readable text; None if it has."""
        media_type = document.media_type or media.media_type(document.path, document.data[:8192])
        readable = self.extractions.choose(document.path, media_type)
        return None if readable and readable not in media.SELDOM_WORDS else f"no text can be read from {media_type}"

    def _stage(self, change: Change, number: int) -> Staged:
        """Return the change without its bytes, which are written to the staging folder."""
        document = change.document
        if document is None:
            raise AssertionError("what is staged has its document")
        sha256, file = hashlib.sha256(document.data).hexdigest(), None
        if not self.request.dry_run:
            if number == 0:
                files.make_folder(self.staging, 0o700)
            file = self.staging / f"{number:06}"
            file.write_bytes(document.data)
        return Staged(replace(change, document=replace(document, data=b"")), sha256, file)


def _identity(folder: Path) -> bytes:
    """Return the identity of a folder, so that a copy is not accepted as the sealed one."""
    status = folder.stat(follow_symlinks=False)
    return canonical({"inode": status.st_ino, "device": status.st_dev})
