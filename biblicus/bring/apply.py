"""Applies the result of a sync to the corpus: decides for each document, then writes in a crash-safe order.

New bytes are first written to a separate folder, made durable and renamed into place; then removed documents are
deleted; then the registry is written, which is the commit point. After an interruption the next sync finds its own
files by their bytes. A copy edited here is never overwritten or deleted: it is reported as a conflict."""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path

from biblicus.corpus import catalog as catalogs
from biblicus.corpus.changes.synced import IMPORTS
from biblicus.corpus.described.describe import derived_id
from biblicus.corpus.folder import CorpusFolder
from biblicus.corpus.registries import copy_of
from biblicus.disk import files
from biblicus.errors import StorageFailed, UnsafeInput
from biblicus.models.plain import made_of
from biblicus.models.sources.syncing import Document, Listed, Row
from biblicus.sources.folder import SIDECAR
from biblicus.sources.naming import Names, unsafe

_EDITED = "it was edited here, and is left as it is; delete it and sync again to have the source's"

_FOREIGN = "a file of another origin is there, and is left as it is; move it and sync again to have the source's"


@dataclass
class SourceReport:
    """Result of a sync.

    `removed` comes first: documents deleted here because the source no longer has them; `kept`: the same, but kept
    (`--no-delete`). `restored`: copies that were missing. `conflicts`: unchanged documents, with the reason. `outcome`:
    `synced`, `unchanged`, or `failed` or `refused` with the `error`. `ref`, `commit`: of a repository."""

    name: str
    kind: str
    outcome: str = "unchanged"
    ref: str | None = None
    commit: str | None = None
    removed: list[dict[str, str]] = field(default_factory=list)
    kept: list[dict[str, str]] = field(default_factory=list)
    added: list[dict[str, str]] = field(default_factory=list)
    changed: list[dict[str, str]] = field(default_factory=list)
    renamed: list[dict[str, str]] = field(default_factory=list)
    restored: list[dict[str, str]] = field(default_factory=list)
    unchanged: int = 0
    conflicts: list[dict[str, str]] = field(default_factory=list)
    skipped: list[dict[str, str]] = field(default_factory=list)
    failed: list[dict[str, str]] = field(default_factory=list)
    error: dict[str, str] | None = None
    ms: float = 0.0


@dataclass(frozen=True, slots=True)
class Staged:
    """A document found: its change, itself without bytes, their digest, and the file with them (None in a dry run)."""

    change: Listed
    document: Document
    sha256: str
    file: Path | None


@dataclass
class SourceUpdate:
    """Update of one source's documents. `rows`: by origin, for the registry.

    `is_left`: a new document was not written, because a file of another origin is in the way. `is_applied`: a part of
    the documents was stored already."""

    corpus: CorpusFolder
    report: SourceReport
    rows: dict[str, Row]
    now: str
    delete: bool
    moves: list[tuple[Path, str]] = field(default_factory=list)
    removals: list[str] = field(default_factory=list)
    sidecars: list[tuple[str, str]] = field(default_factory=list)
    is_left: bool = False
    is_applied: bool = False

    @property
    def name(self) -> str:
        return self.report.name

    # --- deciding ---

    def decide(self, staged: list[Staged], others: list[Listed]) -> None:
        """Decide for each document. Writes nothing."""
        self._settle_gone(staged, others)
        renamed = {
            change.was: row
            for document in staged
            if (change := document.change).was and (row := self.rows.get(change.was))
        }
        ids = self._ids(renamed) if renamed else {}
        names = Names()
        origins = {document.change.id for document in staged}
        if any(document.change.id not in self.rows for document in staged):
            for row in self.rows.values():
                if row.origin not in origins and row.origin not in renamed:
                    names.clash(row.path)
        for was in renamed:
            del self.rows[was]
        self._used = {row.item_id for row in self.rows.values() if row.item_id} | set(ids.values())
        for document in sorted(staged, key=lambda document: document.change.id):
            before = renamed.get(document.change.was or "") or self.rows.get(document.change.id)
            self._found(document, before, names, ids.get(document.change.was or ""))
        self.report.unchanged = len(self.rows) - len(self.report.added) - len(self.report.changed)
        self.report.unchanged -= len(self.report.renamed) + len(self.report.restored) + len(self.report.kept)
        for entries in (self.report.removed, self.report.kept, self.report.skipped, self.report.failed):
            entries.sort(key=lambda entry: entry["path"])

    def forget(self) -> None:
        """Remove all documents."""
        for row in list(self.rows.values()):
            self._gone(row)

    def _settle_gone(self, staged: list[Staged], others: list[Listed]) -> None:
        """Process known documents that are gone, and those skipped or failed."""
        origins = {document.change.id for document in staged} | {
            document.change.was for document in staged if document.change.was
        }
        gone = set()
        for change in others:
            if change.what in ("skipped", "failed"):
                entries = self.report.skipped if change.what == "skipped" else self.report.failed
                entries.append({"path": change.id, "reason": change.reason})
            if change.what in ("gone", "skipped") and change.id in self.rows and change.id not in origins:
                gone.add(change.id)
        for origin in sorted(gone):
            self._gone(self.rows[origin])

    def _gone(self, row: Row) -> None:
        note = {"path": self._shown(row.path)}
        if not self.delete:
            if not row.gone:
                self.rows[row.origin] = replace(row, gone=True)
            self.report.kept.append(note)
            return
        del self.rows[row.origin]
        if self._is_edited(row):
            reason = "its source has it no more; it was edited here, and is yours now"
            self.report.conflicts.append({**note, "reason": reason})
            return
        self.removals.append(row.path)
        self.report.removed.append(note)

    def _found(self, one: Staged, row: Row | None, names: Names, item_id: str | None) -> None:
        document = one.document
        note = {"path": self._shown(document.path)}
        reason = unsafe(document.path) or names.clash(document.path)
        if reason is not None:
            self.report.skipped.append({"path": one.change.id, "reason": reason})
            if row is not None:
                self.rows[one.change.id] = row
                self._gone(row)
            return
        new = self._row(one, row, item_id)
        there = self._digest(document.path)
        stays = row is not None and row.path == document.path
        edited = row is not None and self._is_edited(row)
        if there not in (None, one.sha256, row.sha256 if row and stays else None) or (edited and there != one.sha256):
            self.report.conflicts.append({**note, "reason": _EDITED if row is not None else _FOREIGN})
            if row is not None:
                self.rows[row.origin] = row
            self.is_left = self.is_left or row is None
            return
        self.rows[new.origin] = new
        if there != one.sha256 and one.file is not None:
            self.moves.append((one.file, document.path))
        self._tell(note, row, new, missing=there is None and stays)
        if row is not None and not stays:
            self.removals.append(row.path)
            self.sidecars.append((row.path, document.path))

    def _tell(self, shown: dict[str, str], row: Row | None, new: Row, *, missing: bool) -> None:
        """Add a document to the matching list of the report."""
        if row is None:
            self.report.added.append(shown)
        elif row.path != new.path:
            self.report.renamed.append({**shown, "from": self._shown(row.path)})
        elif row.sha256 != new.sha256:
            self.report.changed.append(shown)
        elif missing:
            self.report.restored.append(shown)

    def _row(self, one: Staged, row: Row | None, item_id: str | None) -> Row:
        document = one.document
        item_id = item_id or (row.item_id if row else self._free_id(document.path))
        own = {"origin": one.change.id, "item_id": item_id, "metadata": dict(document.metadata)}
        new = made_of(Row, document, one, one.change, retrieved_at=self.now, **own)
        same = row is not None and replace(new, retrieved_at=row.retrieved_at, version=row.version) == row
        return replace(new, retrieved_at=row.retrieved_at) if row is not None and same else new

    # --- ids ---

    def _ids(self, renamed: Mapping[str, Row]) -> dict[str, str]:
        """Return the item id of each renamed document, by its old origin: from its row, the catalog, or its path."""
        catalog = catalogs.read(self.corpus)
        ids = {}
        for was, row in renamed.items():
            entry = catalog.entries.get(self._shown(row.path)) if catalog else None
            ids[was] = row.item_id or (entry.item_id if entry else derived_id(self._shown(row.path)))
        return ids

    def _free_id(self, path: str) -> str | None:
        """Return an id for a new document if the id of its path is used by another one; otherwise None."""
        variant = 0
        while (item_id := derived_id(self._shown(path), variant)) in self._used:
            variant += 1
        if variant:
            self._used.add(item_id)
        return item_id if variant else None

    # --- looking ---

    def _shown(self, path: str) -> str:
        return f"{IMPORTS}/{self.name}/{path}"

    def _digest(self, path: str) -> str | None:
        """Return the digest of the file at a path; None if there is none and the path is free."""
        where = copy_of(self.corpus, self.name, path)
        if not os.path.lexists(where):
            top = self.corpus.root
            above = next(folder for folder in where.parents if folder == top or os.path.lexists(folder))
            return None if above.is_dir() else "none"
        try:
            return files.sha256(where)
        except (OSError, UnsafeInput):
            return "none"

    def _is_edited(self, row: Row) -> bool:
        return self._digest(row.path) not in (None, row.sha256)

    # --- doing ---

    def apply(self, staging: Path) -> None:
        """Move the files into place and delete removed ones. Requires the lock; the caller writes the registry.

        Raises `StorageFailed`, `UnsafeInput`; the registry still describes the old state then."""
        if self.moves:
            files.sync_tree(staging)
        folders: set[Path] = set()
        try:
            for file, path in self.moves:
                target = copy_of(self.corpus, self.name, path)
                if target.parent not in folders:
                    files.make_folder(target.parent)
                    folders.add(target.parent)
                files.move(file, target)
            for old, new in self.sidecars:
                self._move_sidecar(old, new)
            taken = {path for _, path in self.moves}
            for path in self.removals:
                where = copy_of(self.corpus, self.name, path)
                if path not in taken:
                    files.unlink(where)
                    folders.add(where.parent)
            for folder in sorted(folders, reverse=True):
                self._close_folder(folder)
            self.moves, self.sidecars, self.removals, self.is_applied = [], [], [], True
        except OSError as error:
            raise StorageFailed(f"{IMPORTS}/{self.name}", files.describe(error)) from error

    def _move_sidecar(self, old: str, new: str) -> None:
        """Move the user's metadata file with a renamed document."""
        before, after = copy_of(self.corpus, self.name, old + SIDECAR), copy_of(self.corpus, self.name, new + SIDECAR)
        if before.is_file() and not os.path.lexists(after):
            files.move(before, after)

    def _close_folder(self, folder: Path) -> None:
        """Make a folder durable, or remove it and its empty parents."""
        top = self.corpus.root / IMPORTS / self.name
        while folder.is_relative_to(top):
            try:
                folder.rmdir()
            except FileNotFoundError:
                pass
            except OSError:
                files.sync_folder(folder)
                return
            folder = folder.parent
        with suppress(FileNotFoundError):
            files.sync_folder(folder)
