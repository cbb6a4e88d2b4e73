"""Datasets of a corpus: finds them by name or path, reads, registers and lists them."""

from __future__ import annotations

import os
import re
import secrets
import shutil
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from biblicus.contracts import Call
from biblicus.corpus.catalog import catalog_of
from biblicus.corpus.folder import FOLDER, CorpusFolder
from biblicus.disk import files
from biblicus.errors import (
    BiblicusError,
    ConfigInvalid,
    DatasetNotFound,
    SourceNotFound,
    StorageFailed,
    UnsafeInput,
    UsageError,
)
from biblicus.errors.families import typed
from biblicus.measure import formats
from biblicus.measure.documents import Imported, Judgements, bring_documents, catalogued
from biblicus.models.answers.evaluation import NOTHING, Dataset, JudgedQuestion
from biblicus.models.fields import NoRequest
from biblicus.models.requests.measure import DatasetRequest, ImportDatasetRequest
from biblicus.sources.folder import walk
from biblicus.text.paths import from_os

Layout = Literal["beir", "questions"]
QUESTIONS = "questions.jsonl"
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")


@dataclass(frozen=True)
class Kept:
    """The files of a dataset. `qrels`: by split."""

    name: str
    layout: Layout
    folder: Path
    asked: Path
    qrels: dict[str, Path] = field(default_factory=dict)
    corpus: Path | None = None

    @property
    def files(self) -> list[Path]:
        """The files of the dataset, except the documents."""
        return [self.asked, *self.qrels.values()]


def kept(where: Path, name: str, shown: str) -> Kept:
    """Return the dataset in a folder or file, by file names. `shown`: the place in messages. Raises `ConfigInvalid` if
    there is no dataset."""
    if where.is_file():
        return Kept(name, "questions", where.parent, where)
    if (where / "queries.jsonl").is_file():
        splits = {path.stem: path for path in sorted((where / "qrels").glob("*.tsv"))}
        if not splits:
            raise ConfigInvalid(shown, "there is no qrels/*.tsv beside queries.jsonl.")
        corpus = where / "corpus.jsonl"
        return Kept(name, "beir", where, where / "queries.jsonl", splits, corpus if corpus.is_file() else None)
    if (where / QUESTIONS).is_file():
        return Kept(name, "questions", where, where / QUESTIONS)
    raise ConfigInvalid(shown, f"there is neither queries.jsonl nor {QUESTIONS}.")


def locate(place: CorpusFolder, name: str) -> Kept:
    """Return the dataset registered under a name, or else the one at a path. Raises `DatasetNotFound`."""
    folder = place.datasets / name
    if _NAME.fullmatch(name) and folder.is_dir():
        return kept(folder, name, _shown(name))
    there = Path(name)
    if there.is_dir() or there.is_file():
        return kept(there, name_of(there), name)
    raise DatasetNotFound(name, registered(place))


def _shown(name: str) -> str:
    return f"{FOLDER}/datasets/{name}"


def name_of(path: Path) -> str:
    """Return the name of a dataset at a path: the folder's name, or the file's without its extension."""
    return path.absolute().name if path.is_dir() else path.stem


def registered(place: CorpusFolder) -> list[str]:
    """Return the names of the corpus's registered datasets."""
    with suppress(FileNotFoundError, NotADirectoryError):
        return sorted(path.name for path in place.datasets.iterdir() if path.is_dir() and _NAME.fullmatch(path.name))
    return []


def load(
    place: CorpusFolder,
    name: str,
    split: str | None = None,
    *,
    judged: bool = True,
    silence: bool = False,
    stated: bool = False,
) -> Dataset:
    """Return a dataset by name or path. Raises `DatasetNotFound`, `ConfigInvalid`, `UsageError`.

    `split`: name of a set of judgements, `test` by default. `judged`: fail without judgements; otherwise questions
    without any are `unanswerable`. `silence`: unanswerable questions suffice, as for measuring answers. `stated`:
    questions with requirements for a procedure suffice, too.
    """
    source = locate(place, name)
    dataset = read(source, split, judged=judged)
    enough = dataset.questions or ((silence or stated) and dataset.unanswerable) or (stated and dataset.stated)
    if judged and not enough:
        hint = f"biblicus eval {name} --procedure answer" if dataset.stated else ""
        raise ConfigInvalid(source.asked.name, formats.UNJUDGED, hint)
    return dataset


def read(dataset: Kept, split: str | None = None, *, judged: bool = True) -> Dataset:
    """Read a dataset's files."""
    file_name = dataset.asked.name
    if dataset.layout == "questions":
        if split is not None:
            raise UsageError(f"{dataset.name} has no splits.", f"biblicus eval {dataset.name}")
        lines = formats.questions(_blocks(dataset.asked), file_name)
        return formats.assemble(dataset.name, lines, where=file_name, judged=judged)
    chosen = _split(dataset, split)
    grades = formats.beir_judgements(_blocks(chosen), chosen.name)
    stream = formats.beir_questions(_blocks(dataset.asked), file_name)
    return formats.assemble(dataset.name, stream, grades, where=chosen.name, judged=judged)


def _split(dataset: Kept, split: str | None) -> Path:
    if split is None and len(dataset.qrels) == 1:
        return next(iter(dataset.qrels.values()))
    split_name = "test" if split is None else split
    if split_name not in dataset.qrels:
        raise UsageError(
            f'{dataset.name} has no split "{split_name}"; known: {", ".join(dataset.qrels)}.',
            f"biblicus eval {dataset.name} --split {next(iter(dataset.qrels))}",
        )
    return dataset.qrels[split_name]


def _blocks(path: Path) -> Iterable[bytes]:
    try:
        yield from files.blocks(path)
    except OSError as error:
        raise ConfigInvalid(path.name, f"it cannot be read: {files.describe(error)}.") from error
    except UnsafeInput as error:
        raise ConfigInvalid(path.name, "it is not a regular file.") from error


# --- registration ---

_IS_ITEM = (
    "is an item of the corpus too, which its questions find: name it in .biblicusignore, or move it, then reindex"
)


def bring(place: CorpusFolder, request: ImportDatasetRequest, call: Call) -> Imported:
    """Register a dataset under its folder's name, and make items of its documents if it has some.

    All files are validated first, so an invalid dataset changes nothing. Raises `SourceNotFound`, `ConfigInvalid`,
    `UsageError`.
    """
    path, where = request.path, Path(request.path)
    if not where.exists():
        raise SourceNotFound(path, "biblicus datasets import PATH")
    chosen = request.name or name_of(where)
    if not _NAME.fullmatch(chosen):
        raise UsageError(f'"{chosen}" is no name for a dataset.', f"biblicus datasets import {typed(path)} --name NAME")
    source = kept(where, chosen, path)
    checked = [read(source, split) for split in source.qrels] or [read(source)]
    with place.writing(call):
        result = bring_documents(place, chosen, source.corpus, call)
        result.layout = source.layout
        result.questions = max(len(dataset.questions) for dataset in checked)
        result.stated = max(len(dataset.stated) for dataset in checked)
        result.registered = _register(place, source, chosen)
    result.warnings = _found_too(place, source)
    return result


def _found_too(place: CorpusFolder, source: Kept) -> list[dict[str, str]]:
    """Return warnings for dataset files that are also items of the corpus: each question would find itself."""
    root = place.root.resolve()
    places = [path.resolve() for path in (*source.files, source.corpus) if path is not None]
    within = [from_os(path.relative_to(root).as_posix()) for path in places if path.is_relative_to(root)]
    present = walk(place.root, place.own_rules(), max_bytes=place.settings.max_file_bytes).files if within else {}
    return [{"path": path, "reason": _IS_ITEM} for path in within if path in present]


def _register(place: CorpusFolder, dataset: Kept, name: str) -> bool:
    """Copy the questions and judgements; return True if anything changed."""
    target = place.datasets / name
    if target.resolve() == dataset.folder.resolve():
        return False
    if dataset.layout == "questions":
        source_files = {QUESTIONS: dataset.asked}
    else:
        source_files = {path.relative_to(dataset.folder).as_posix(): path for path in dataset.files}
    stored = {path.relative_to(target).as_posix(): path for path in target.rglob("*") if path.is_file()}
    if stored.keys() == source_files.keys() and all(
        files.sha256(stored[at]) == files.sha256(source_files[at]) for at in source_files
    ):
        return False
    with _replaced(place, name) as staging:
        for relative, path in source_files.items():
            files.make_folder((staging / relative).parent)
            files.write(staging / relative, files.blocks(path))
    return True


@contextmanager
def _replaced(place: CorpusFolder, name: str) -> Iterator[Path]:
    """Yield a staging folder that replaces the dataset's folder by one rename. Needs the lock; raises `StorageFailed`.
    After a crash the next writer removes the staging folder."""
    target = place.inside(f"{_shown(name)}/{QUESTIONS}").parent
    staging, before = (target.with_name(f"{files.TEMPORARY}{secrets.token_hex(6)}") for _ in range(2))
    try:
        files.make_folder(staging)
        yield staging
        if os.path.lexists(target):
            files.move(target, before)
        try:
            files.move(staging, target)
        except OSError:
            if os.path.lexists(before):
                files.move(before, target)
            raise
        files.sync_folder(target.parent)
    except StorageFailed as error:
        raise StorageFailed(_shown(name), error.cause, error.what) from error
    except OSError as error:
        raise StorageFailed(_shown(name), files.describe(error)) from error
    finally:
        for folder in (staging, before):
            shutil.rmtree(folder, ignore_errors=True)


def write(place: CorpusFolder, name: str, asked: Iterable[JudgedQuestion]) -> Path:
    """Register synthetic questions as JSON lines and return the file. Never replaces a dataset. The caller has the
    lock. Raises `UsageError`."""
    if not _NAME.fullmatch(name):
        raise UsageError(f'"{name}" is no name for a dataset.', "biblicus datasets list")
    path = place.inside(f"{_shown(name)}/{QUESTIONS}")
    if path.parent.exists():
        raise UsageError(f'The dataset "{name}" exists.', f"biblicus datasets show {name}")
    with _replaced(place, name) as staging:
        files.write(staging / QUESTIONS, (formats.line_of(question).encode() for question in asked))
    return path


# --- listing ---


@dataclass(frozen=True)
class DatasetEntry:
    """A dataset in the list. `splits`: names of its sets of judgements.

    `missing`: number of judged items that are not in the corpus, or None if the dataset cannot be read, with the reason
    in `problem`. `musts`: questions with requirements for a procedure. `rules`: number of its rules.
    """

    name: str
    layout: str
    splits: tuple[str, ...] = ()
    questions: int = 0
    unjudged: int = 0
    judgements: int = 0
    spans: int = 0
    synthetic: int = 0
    missing: int | None = None
    digest: str = ""
    problem: str | None = None
    musts: int = 0
    rules: int = 0


def show(place: CorpusFolder, request: DatasetRequest, call: Call) -> DatasetEntry:
    """Return a dataset's counts, and the number of its judged items that are not in the corpus."""
    source = locate(place, request.name)
    dataset = read(source, request.split)
    all_questions = [*dataset.questions, *dataset.unanswerable, *dataset.stated]
    judged = [judgement for question in dataset.questions for judgement in question.judgements]
    spans = sum(judgement.span is not None for judgement in judged)
    synthetic = sum(question.kind == "synthetic" for question in dataset.questions)
    missing = len(Judgements(dataset, catalogued(catalog_of(place))).missing)
    musts, rules = sum(question.must != NOTHING for question in all_questions), len(dataset.rules)
    counts = len(dataset.questions), dataset.unjudged, len(judged), spans, synthetic, missing
    about = dataset.name, source.layout, tuple(source.qrels)
    return DatasetEntry(*about, *counts, dataset.digest, musts=musts, rules=rules)


@dataclass(frozen=True)
class Datasets:
    """The registered datasets."""

    datasets: tuple[DatasetEntry, ...]


def list_datasets(place: CorpusFolder, request: NoRequest, call: Call) -> Datasets:
    """Return all registered datasets; an unreadable one has a `problem`."""
    entries = []
    for name in registered(place):
        try:
            entries.append(show(place, DatasetRequest(name), call))
        except BiblicusError as error:
            entries.append(DatasetEntry(name, "", problem=error.message))
    return Datasets(tuple(entries))
