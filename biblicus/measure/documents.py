"""Documents of a dataset: makes items of them, and finds the items that judgements name.

Each document is a text file under `imports/<dataset>/`. The front matter gives the source, so no sidecar file is
needed. Import is an upsert by source: a changed document updates its file, even if that was moved, and an equal one
changes nothing. New files are first written to a staging folder and moved when all are durable, so an invalid document
changes nothing.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import secrets
import stat
import time
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import quote

from biblicus import guards
from biblicus.contracts import Call
from biblicus.corpus.catalog import Catalog, catalog_of
from biblicus.corpus.described.describe import ITEM_ID
from biblicus.corpus.folder import CorpusFolder
from biblicus.corpus.refresh import refresh
from biblicus.disk import files, system
from biblicus.errors import BadData, StorageFailed
from biblicus.measure.formats import Document, beir_documents
from biblicus.models.answers.evaluation import Dataset, JudgedQuestion
from biblicus.models.item import Item

_TITLE_LIMIT = 300
_OPENING = b"---\n"
_METADATA_LIMIT = 32_768
_STEP = 200

KIND = "dataset"
"""Kind of source of items made from a dataset's documents."""

Known = Iterable[tuple[str, str, str]]
"""Items as (id, path, source URI)."""


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
        for document in beir_documents(files.blocks(corpus), corpus.name):
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

    try:
        text = guards.yaml.write({"metadata": dict(document.metadata)})
    except BadData:
        return ""
    return text if len(text.encode()) <= _METADATA_LIMIT else ""


_SOURCE = re.compile(rb'source: \{kind: dataset, uri: "[^"\n]*", ref: "sha256:([0-9a-f]{64})"[^\n]*\n')


def is_as_imported(data: bytes) -> bool:
    """Return True if a document's file is unchanged since its import."""
    if not data.startswith(_OPENING) or (source := _SOURCE.match(data, len(_OPENING))) is None:
        return False
    return hashlib.sha256(data[source.end() :]).hexdigest() == source[1].decode()


def uri_of(dataset: str, document_id: str) -> str:
    """Return the source URI of an item made from a dataset's document."""
    return f"{KIND}:{quote(dataset)}/{quote(document_id, safe='')}"


@dataclass(frozen=True)
class Answers:
    """A question's judgements by item id: grades (the highest if an item has several) and relevant spans.

    Missing items stay under a name that no item has, so they count as not found.
    """

    grades: Mapping[str, int]
    spans: Mapping[str, tuple[tuple[int, int], ...]]


class Judgements:
    """A dataset's judgements by item id. `missing`: names of items that are not among those given."""

    def __init__(self, dataset: Dataset, items: Known) -> None:
        names = {judgement.item for question in dataset.questions for judgement in question.judgements}
        self._ids = resolved(dataset.name, names, items)
        self.missing = sorted(name for name, item_id in self._ids.items() if item_id is None)

    def of(self, question: JudgedQuestion) -> Answers:
        """Return the judgements of one question."""
        grades: dict[str, int] = {}
        spans: dict[str, tuple[tuple[int, int], ...]] = {}
        for judgement in question.judgements:
            item_id = self._ids[judgement.item] or absent(judgement.item)
            grades[item_id] = max(grades.get(item_id, judgement.grade), judgement.grade)
            if judgement.span is not None and judgement.grade > 0:
                spans[item_id] = (*spans.get(item_id, ()), judgement.span)
        return Answers(grades, spans)


def absent(name: str) -> str:
    """Return a placeholder id for a missing item."""
    return f"\0{name}"


def resolved(dataset: str, names: Collection[str], items: Known) -> dict[str, str | None]:
    """Return the item id, or None, for each name in a dataset's judgements or in a run on it. The dataset's own
    documents have priority: two datasets may both contain a document "1", but only one item can have that id."""
    sources = {uri_of(dataset, name): name for name in names}
    by_source: dict[str, str] = {}
    by_id: dict[str, str] = {}
    by_path: dict[str, str] = {}
    for item_id, path, uri in items:
        if (name := sources.get(uri)) is not None:
            by_source[name] = item_id
        if item_id in names:
            by_id[item_id] = item_id
        if path in names:
            by_path[path] = item_id
    return {name: by_source.get(name) or by_id.get(name) or by_path.get(name) for name in names}


def catalogued(catalog: Catalog) -> list[tuple[str, str, str]]:
    """Return the items of a catalog as (id, path, source URI)."""
    return [(item.item_id, path, item.source.uri) for path, item in catalog.items.items()]
