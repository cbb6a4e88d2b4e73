"""Sync: updates the corpus with new, changed, renamed and deleted documents of its sources.

`bring.pages` finds the differences. Documents are staged without a lock, then moved into place under the writers' lock
(`bring.apply`), and the catalog is refreshed. A source that fails does not stop the others.

Permissions of a source are in the user's state folder, never in a committed file. An entry of `sources.yml` is
identified by its digest; an entry listed there was written or trusted by this user."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from types import MappingProxyType

from biblicus import telemetry
from biblicus.bring.apply import SourceReport, SourceUpdate, Staged
from biblicus.bring.pages import Listing, source_of
from biblicus.config import settings_file, user_folder
from biblicus.contracts import Call
from biblicus.corpus import registries as stored
from biblicus.corpus.extracted.extractions import of_default_recipe
from biblicus.corpus.folder import CorpusFolder
from biblicus.corpus.refresh import refresh
from biblicus.corpus.registries import Registry, RegistryHeader
from biblicus.corpus.report import Report
from biblicus.disk import files, seals
from biblicus.disk.seals import from_keyring
from biblicus.errors import (
    BiblicusError,
    Cancelled,
    CheckFailed,
    ConfigInvalid,
    DeadlineExceeded,
    IngestionError,
    LockTimeout,
    Refused,
    SourceNotAllowed,
    SourceUnlisted,
    SourceUntrusted,
    UnknownAccount,
    UnknownShare,
    UnsafeInput,
    UsageError,
)
from biblicus.guards.json import JsonRefused, read
from biblicus.models.digest import canonical
from biblicus.models.requests.bring import SyncRequest
from biblicus.models.sources.entries import Entry, FolderEntry, ShareEntry, is_local, shown, where_of
from biblicus.models.sources.syncing import Account, Document, Known, Listed, Reach, Share, State
from biblicus.sources.door import Sync
from biblicus.text import media

_LEFT = "left"
"""Key in the saved state besides those of the kind: a new document was not written, or the sync was cut."""
_CUT = "cut"
_PIECE = 1_000
"""Documents that are stored together: an interrupted sync continues after them."""
_PIECE_BYTES = 64 << 20
_MOST_FAILURES = 1_000
"""Maximum failures in a registry."""


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
    permissions = allowances(corpus_id)
    if request.allow_local or request.allow_private:
        with corpus.writing(call):
            for entry in entries:
                if entry.digest in permissions:
                    local = str(local_place(corpus, entry)) if request.allow_local and is_local(entry) else None
                    private = request.allow_private and not is_local(entry)
                    permissions[entry.digest] = allow(corpus_id, entry.digest, local=local, private=private)
    return permissions


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
        self.staged: dict[str, Staged] = {}
        self.staged_bytes = self.number = 0

    def run(self) -> SourceReport:
        began = time.perf_counter()
        try:
            self._sync()
        except (Cancelled, DeadlineExceeded, LockTimeout):
            raise
        except BiblicusError as error:
            self.error = error
            self.report.error = error.as_object()
            self.report.outcome = "refused" if isinstance(error, Refused) else "failed"
        finally:
            shutil.rmtree(self.staging, ignore_errors=True)
        self.report.ms = round((time.perf_counter() - began) * 1000, 1)
        return self.report

    def _sync(self) -> None:
        sync, registry = self.context()
        previous_sync, only = sync.known, None
        if self.request.retry_failed and registry and registry.header.state.get(_LEFT) != _CUT:
            only = frozenset(registry.header.failed)
        shutil.rmtree(self.staging, ignore_errors=True)
        listing = Listing(source_of(self.entry, sync), self.entry, sync, only)
        now = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(self.call.clock()))
        update = SourceUpdate(self.corpus, self.report, dict(previous_sync.rows), now, self.request.delete)
        others: list[Listed] = []
        try:
            for change in listing.changes():
                self._sort(change, others)
                if len(self.staged) >= _PIECE or self.staged_bytes >= _PIECE_BYTES:
                    self._store(update, [], {**previous_sync.state, _LEFT: _CUT}, registry)
        except IngestionError:
            self._store(update, [], {**previous_sync.state, _LEFT: _CUT}, registry, _first(listing.failed))
            raise
        failed = _first(listing.failed)
        state = listing.state
        has_gone_rows = any(row.gone for row in previous_sync.rows.values())
        self.report.ref, self.report.commit = state.get("branch"), state.get("commit")
        changed = self.staged or others or has_gone_rows or update.is_applied
        if registry and not changed and registry.header == self._header(state, failed):
            self.report.unchanged = len(previous_sync.rows)
            return
        if only is None:
            again = {*self.staged}
            gone = [origin for origin, row in previous_sync.rows.items() if row.gone and self.request.delete]
            others += [Listed(origin, what="gone") for origin in gone if origin not in again]
        self._store(update, others, state, registry, failed)
        outcomes = ("removed", "added", "changed", "renamed", "restored")
        is_new = any(getattr(self.report, name) for name in outcomes) or dict(state) != dict(previous_sync.state)
        self.report.outcome = "synced" if is_new else "unchanged"

    def _sort(self, change: Listed, others: list[Listed]) -> None:
        """Stage the document of a change, if its text can be read."""
        if change.document is None:
            others.append(change)
        elif reason := self._no_text(change.document):
            others.append(replace(change, what="skipped", reason=reason, document=None))
        else:
            self.staged_bytes += len(change.document.data)
            self.staged[change.id] = self._stage(change, change.document)

    def _store(
        self,
        update: SourceUpdate,
        others: list[Listed],
        state: State,
        registry: Registry | None,
        failed: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        """Move what is staged into place, and write the registry. A dry run only decides."""
        staged = list(self.staged.values())
        if self.request.dry_run:
            if others or staged or update.rows:
                update.decide(staged, others)
            return
        with self.corpus.writing(self.call):
            update.decide(staged, others)
            update.apply(self.staging)
            rows = {row.path: row for row in update.rows.values()}
            left = {_LEFT: "yes"} if update.is_left else {}
            stored.write_registry(self.corpus, Registry(self._header({**state, **left}, failed), rows), registry)
        self.staged, self.staged_bytes = {}, 0

    def context(self) -> tuple[Sync, Registry | None]:
        """Return the context of the connector, and the registry. Raises the errors of `reach`."""
        reach = self.reach()
        registry = self._registry()
        return Sync(url=where_of(self.entry), known=self._known(registry), reach=reach, call=self.call), registry

    def reach(self) -> Reach:
        """Return the limits and permissions of this source. Raises `SourceUntrusted`, `SourceNotAllowed`."""
        where = shown(self.entry)
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
            account=self._account(),
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
        return Share(name, shares[name].by, shares[name].path, shares[name].options)

    def _account(self) -> Account | None:
        """Return the user's credential for the entry, from the settings or the keyring. Raises `UnknownAccount`."""
        name = getattr(self.entry, "account", None)
        if name is None:
            return None
        accounts = self.corpus.settings.accounts
        account = accounts.get(name)
        secret = (account.secret or from_keyring(f"account:{name}")) if account else None
        if account is None or not secret:
            raise UnknownAccount(name, sorted(accounts), str(settings_file()))
        return Account(name, account.host, account.user, secret)

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
        is_left = _LEFT in registry.header.state or bool(registry.header.failed)
        return Known(rows, state, absent, changed, is_left)

    def _header(self, state: State, failed: Mapping[str, str]) -> RegistryHeader:
        return RegistryHeader(
            entry=self.entry.digest,
            state=dict(sorted(state.items())),
            failed=dict(sorted(failed.items())),
            **self.entry.model_dump(include={"name", "kind", "toolkit", "category", "tags", "doctypes"}),
        )

    # --- staging ---

    def _no_text(self, document: Document) -> str | None:
        """Return the reason why a document has no readable text; None if it has."""
        media_type = document.media_type or media.media_type(document.path, document.data[:8192])
        readable = self.extractions.choose(document.path, media_type)
        return None if readable and readable not in media.SELDOM_WORDS else f"no text can be read from {media_type}"

    def _stage(self, change: Listed, document: Document) -> Staged:
        """Return the change without its bytes, which are written to the staging folder."""
        sha256, file = hashlib.sha256(document.data).hexdigest(), None
        if not self.request.dry_run:
            files.make_folder(self.staging, 0o700)
            self.number += 1
            file = self.staging / f"{self.number:06}"
            file.write_bytes(document.data)
        return Staged(replace(change, document=None), replace(document, data=b""), sha256, file)


def _first(failed: Mapping[str, str]) -> dict[str, str]:
    return dict(list(failed.items())[:_MOST_FAILURES])


def _identity(folder: Path) -> bytes:
    """Return the identity of a folder, so that a copy is not accepted as the sealed one."""
    status = folder.stat(follow_symlinks=False)
    return canonical({"inode": status.st_ino, "device": status.st_dev})


@dataclass(frozen=True)
class Allowance:
    """Permissions of one entry."""

    local: str | None = None
    private: bool = False


def _file(corpus_id: str) -> Path:
    return user_folder("state") / "sources" / f"{corpus_id}.json"


def allowances(corpus_id: str) -> dict[str, Allowance]:
    """Return the permissions by digest of an entry. An unreadable file grants none."""
    try:
        data = read(files.read(_file(corpus_id), limit=files.SMALL), max_bytes=files.SMALL)
        return {str(digest): Allowance(**fields) for digest, fields in data["entries"].items()}
    except (OSError, UnsafeInput, JsonRefused, TypeError, KeyError, AttributeError):
        return {}


def allow(corpus_id: str, digest: str, *, local: str | None = None, private: bool = False) -> Allowance:
    """Record that this user trusts an entry, and its permissions. Requires the corpus's lock."""
    entries = allowances(corpus_id)
    before = entries.get(digest, Allowance())
    entries[digest] = replace(before, local=local or before.local, private=private or before.private)
    _write(corpus_id, entries)
    return entries[digest]


def keep(corpus_id: str, digests: Iterable[str]) -> None:
    """Remove all other entries. Requires the corpus's lock."""
    kept_digests = set(digests)
    entries = allowances(corpus_id)
    if entries.keys() - kept_digests:
        _write(corpus_id, {digest: allowance for digest, allowance in entries.items() if digest in kept_digests})


def _write(corpus_id: str, known: dict[str, Allowance]) -> None:
    path = _file(corpus_id)
    files.make_folder(path.parent, 0o700)
    document = {"entries": {digest: asdict(allowance) for digest, allowance in sorted(known.items())}}
    files.write(path, json.dumps(document, indent=1).encode() + b"\n", mode=0o600)
