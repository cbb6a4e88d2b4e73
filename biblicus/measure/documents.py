"""Makes items of a dataset's documents: one text file each under `imports/<dataset>/`, with its id and title.

The front matter gives the source, so no sidecar file is needed. Import is an upsert by source: a changed document
updates its file, even if that was moved, and an equal one changes nothing. New files are first written to a staging
folder and moved when all are durable, so an invalid document changes nothing.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import secrets
import stat
import time
from dataclasses import dataclass, field
from pathlib import Path

from biblicus.contracts import Call
from biblicus.corpus.catalog import Catalog, catalog_of
from biblicus.corpus.described.describe import ITEM_ID
from biblicus.corpus.folder import CorpusFolder
from biblicus.corpus.refresh import refresh
from biblicus.disk import files, system
from biblicus.errors import BadData, StorageFailed
from biblicus.measure.formats.beir import Document, documents
from biblicus.measure.judgements import KIND, uri_of
from biblicus.models.item import Item

_TITLE_LIMIT = 300
_OPENING = b"---\n"
_METADATA_LIMIT = 32_768
_STEP = 200


@dataclass
class Imported:
    """Result of an import. `questions`: number with a relevant judgement.

    `stated`: further ones with requirements for a procedure. `registered`: True if any file is new. `documents`: their
    number in the dataset, divided into `added`, `changed`, `unchanged`. `other_ids`: items with another id than their
    document. `gone`: items of an earlier import that are no longer in the dataset; they stay. `failed`: skipped
    documents with the reason. `warnings`: files of the dataset that are also items of the corpus.
    """

    name: str
    layout: str = ""
    questions: int = 0
    registered: bool = False
    documents: int = 0
    added: int = 0
    changed: int = 0
    unchanged: int = 0
    gone: int = 0
    other_ids: int = 0
    failed: list[dict[str, str]] = field(default_factory=list)
    ms: float = 0.0
    stated: int = 0
    warnings: list[dict[str, str]] = field(default_factory=list)


def bring_documents(place: CorpusFolder, name: str, corpus: Path | None, call: Call) -> Imported:
    """Make or update the items of a dataset's documents. The caller has the lock."""
    began = time.perf_counter()
    done = Imported(name)
    if corpus is not None:
        refresh(place, call)
        staging = place.local / f"{files.TEMPORARY}{secrets.token_hex(6)}"
        try:
            staging.mkdir()
            moves = _Staging(place, name, staging, catalog_of(place), call, done).write(corpus)
            _put_in_place(place, name, staging, moves)
        except OSError as error:
            raise StorageFailed(f"imports/{name}", files.describe(error)) from error
        finally:
            system.remove_tree(staging, ignore_errors=True)
        report = refresh(place, call).report
        done.failed += [note for note in report.failed if note["path"].startswith(f"imports/{name}/")]
    done.ms = round((time.perf_counter() - began) * 1000, 1)
    return done


class _Staging:
    """Writes new and changed files to a staging folder."""

    def __init__(self, place: CorpusFolder, name: str, folder: Path, catalog: Catalog, call: Call, done: Imported):
        self.place, self.name, self.folder, self.call, self.done = place, name, folder, call, done
        prefix = uri_of(name, "")
        items = (item for item in catalog.items.values() if item.source.kind == KIND)
        self.known = {item.source.uri: item for item in items if item.source.uri.startswith(prefix)}
        self.taken = set(catalog.paths)
        self.target = place.inside(f"imports/{name}/x").parent
        self.fresh = not os.path.lexists(self.target)
        self.now = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(call.clock()))
        self.moves: list[tuple[Path, Path]] = []

    def write(self, corpus: Path) -> list[tuple[Path, Path]]:
        """Return the staged path and target of each changed file; new ones are in `new` under their own names."""
        (self.folder / "new").mkdir()
        (self.folder / "changed").mkdir()
        for document in documents(files.blocks(corpus), corpus.name):
            if self.done.documents % _STEP == 0:
                self.call.check()
                self.call.progress("documents", self.done.documents, 0)
            self.done.documents += 1
            known_item = self.known.pop(uri_of(self.name, document.document_id), None)
            if known_item is None:
                self._add(document)
            else:
                self._update(document, known_item)
        self.done.gone = len(self.known)
        return self.moves

    def _add(self, document: Document) -> None:
        file = _file_name(document.document_id)
        path = f"imports/{self.name}/{file}"
        if not self.fresh and os.path.lexists(self.target / file):
            self.done.failed.append({"path": path, "reason": "a file of this name is there, and not an item of it"})
            return
        item_id = self._free_id(document.document_id)
        self.taken.add(item_id)
        self.done.added += 1
        self.done.other_ids += item_id != document.document_id
        _create(self.folder / "new" / file, as_file(self.name, document, item_id, self.now))

    def _update(self, document: Document, item: Item) -> None:
        self.done.other_ids += item.item_id != document.document_id
        same = as_file(self.name, document, item.item_id, item.source.retrieved_at or self.now)
        if hashlib.sha256(same).hexdigest() == item.sha256:
            self.done.unchanged += 1
            return
        there = self.place.inside(item.path)
        if not is_as_imported(files.read(there)):
            self.done.failed.append({"path": item.path, "reason": "it was edited here; delete it to import it anew"})
            return
        self.done.changed += 1
        staged = self.folder / "changed" / str(len(self.moves))
        _create(staged, as_file(self.name, document, item.item_id, self.now))
        system.set_mode_of(staged, stat.S_IMODE(there.stat().st_mode))
        self.moves.append((staged, there))

    def _free_id(self, document_id: str) -> str:
        """Return the document's id if it is valid and free, else one with the dataset's name."""
        short = hashlib.sha256(document_id.encode()).hexdigest()[:12]
        for candidate in (document_id, f"{self.name}-{document_id}", f"{self.name[:48]}-{short}"):
            if ITEM_ID.fullmatch(candidate) and candidate not in self.taken:
                return candidate
        return f"{short}-{secrets.token_hex(6)}"


def _create(path: Path, data: bytes) -> None:
    descriptor = system.open_file(path, system.CREATE)
    try:
        view = memoryview(data)
        while view:
            view = view[os.write(descriptor, view) :]
    finally:
        os.close(descriptor)


def _put_in_place(place: CorpusFolder, name: str, staging: Path, moves: list[tuple[Path, Path]]) -> None:
    """Sync all files, then move them into place: a first import as one folder, in one step."""
    files.sync_tree(staging)
    target = place.inside(f"imports/{name}/x").parent
    new = os.listdir(staging / "new")
    if new and not os.path.lexists(target):
        files.make_folder(target.parent)
        files.move(staging / "new", target)
        files.sync_folder(target.parent)
    elif new:
        for file in new:
            files.move(staging / "new" / file, target / file)
        files.sync_folder(target)
    for staged, there in moves:
        files.move(staged, there)
    for folder in {there.parent for _, there in moves}:
        files.sync_folder(folder)


def _file_name(document_id: str) -> str:
    """Return a file name for a document's id: the id itself if all systems allow it."""
    if ITEM_ID.fullmatch(document_id) and not document_id.endswith("."):
        return f"{document_id}.txt"
    words = "-".join(re.findall(r"[A-Za-z0-9]+", document_id))[:40]
    return f"{words or 'document'}-{hashlib.sha256(document_id.encode()).hexdigest()[:12]}.txt"


def as_file(name: str, document: Document, item_id: str, retrieved_at: str) -> bytes:
    """Return a document's file: its text below a front matter with source, id, title and metadata. `ref` in the source
    is the digest of everything after that line, which reveals edits."""
    lines = [f"id: {json.dumps(item_id)}\n"]
    if title := _plain(document.title):
        lines.append(f"title: {json.dumps(title, ensure_ascii=False)}\n")
    lines += [_metadata(document), "---\n", document.text, "" if document.text.endswith("\n") else "\n"]
    rest = "".join(lines).encode()
    ref = hashlib.sha256(rest).hexdigest()
    uri = uri_of(name, document.document_id)
    source = f'source: {{kind: {KIND}, uri: "{uri}", ref: "sha256:{ref}", retrieved_at: "{retrieved_at}"}}\n'
    return _OPENING + source.encode() + rest


def _plain(title: str) -> str:
    """Return a title on one line, without characters that YAML refuses."""
    return "".join(filter(str.isprintable, " ".join(title.split())))[:_TITLE_LIMIT]


def _metadata(document: Document) -> str:
    """Return the document's metadata as YAML, or "" if YAML cannot represent it."""
    if not document.metadata:
        return ""
    from biblicus.guards import yaml  # lazy: few collections have any

    try:
        text = yaml.write({"metadata": dict(document.metadata)})
    except BadData:
        return ""
    return text if len(text.encode()) <= _METADATA_LIMIT else ""


_SOURCE = re.compile(rb'source: \{kind: dataset, uri: "[^"\n]*", ref: "sha256:([0-9a-f]{64})"[^\n]*\n')


def is_as_imported(data: bytes) -> bool:
    """Return True if a document's file is unchanged since its import."""
    if not data.startswith(_OPENING) or (source := _SOURCE.match(data, len(_OPENING))) is None:
        return False
    return hashlib.sha256(data[source.end() :]).hexdigest() == source[1].decode()
