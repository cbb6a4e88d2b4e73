"""Examines raw files: digest, media type, extraction and description; many at once on all cores.

A few files are examined in this process. Many are dealt out to processes of our own, which only run our pure decoding
of text; parsers of binary formats have their guarded workers (`extraction.workers`), here as there.
"""

from __future__ import annotations

import gc
import hashlib
import multiprocessing
import os
import threading
from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from typing import NamedTuple

from biblicus.contracts import Call
from biblicus.corpus.describe import Declared, Description, describe, read_sidecar
from biblicus.corpus.extracted import transcripts
from biblicus.corpus.extracted.extractions import Extractions, Outcome, Raw
from biblicus.corpus.extracted.transcripts import Transcript
from biblicus.corpus.folder import CorpusFolder
from biblicus.disk import files
from biblicus.errors import UnsafeInput
from biblicus.models.syncing import Provenance
from biblicus.text import media

_HEAD = 8192
_MANY_FILES = 1_000
_MANY_BYTES = 8 << 20
_BATCH_FILES = 64
_BATCH_BYTES = 4 << 20


class Wanted(NamedTuple):
    """A file to examine. `sidecar`: it has one. `synced`: what its source's registry says of it. `transcript`: the path
    of what is said in it, where it is a recording."""

    path: str
    size: int
    sidecar: bool
    synced: Provenance | None = None
    transcript: str = ""


class Examined(NamedTuple):
    """What came of one file: an error, or its raw facts; no outcome where a guarded worker must parse it."""

    path: str
    raw: Raw | None = None
    outcome: Outcome | None = None
    description: Description | None = None
    error: str | None = None


def examine_all(
    corpus: CorpusFolder, extractions: Extractions, wanted: Sequence[Wanted], call: Call
) -> Iterator[Examined]:
    """Every file's examination, in order."""
    done = 0
    for batch in _batches(corpus, extractions, wanted):
        call.check()
        done += len(batch)
        call.progress("read", done, len(wanted))
        yield from batch


def _batches(corpus: CorpusFolder, extractions: Extractions, wanted: Sequence[Wanted]) -> Iterator[list[Examined]]:
    processes = corpus.settings.workers or os.cpu_count() or 1
    many = len(wanted) > _MANY_FILES or sum(file.size for file in wanted) > _MANY_BYTES
    if processes == 1 or not many:
        for batch in _dealt(wanted):
            yield [_examine(corpus, extractions, file) for file in batch]
        return
    context = multiprocessing.get_context("fork" if _may_fork() else "spawn")
    with ProcessPoolExecutor(processes, context, _start, (corpus, extractions.retry_failed)) as pool:
        running: deque[Future[list[Examined]]] = deque()
        for batch in _dealt(wanted):
            running.append(pool.submit(_examine_batch, batch))
            if len(running) > 2 * processes:  # bounds what waits in memory
                yield running.popleft().result()
        while running:
            yield running.popleft().result()


def _may_fork() -> bool:
    """Forking is cheap and safe only where no other thread can hold a lock."""
    return os.uname().sysname == "Linux" and threading.active_count() == 1


def _dealt(wanted: Sequence[Wanted]) -> Iterator[list[Wanted]]:
    batch: list[Wanted] = []
    size = 0
    for file in wanted:
        batch.append(file)
        size += file.size
        if len(batch) >= _BATCH_FILES or size >= _BATCH_BYTES:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


class _Process:
    """What a process keeps between batches."""

    extractions: Extractions | None = None


def _start(corpus: CorpusFolder, retry_failed: bool) -> None:
    gc.disable()  # short-lived, and nothing here makes cycles
    _Process.extractions = Extractions(corpus, Call(), retry_failed=retry_failed)


def _examine_batch(batch: Sequence[Wanted]) -> list[Examined]:
    extractions = _Process.extractions
    if extractions is None:
        raise AssertionError("the process was not started by _batches")
    return [_examine(extractions.corpus, extractions, file) for file in batch]


def _examine(corpus: CorpusFolder, extractions: Extractions, file: Wanted) -> Examined:
    try:
        raw, data = _read(corpus, file)
    except (OSError, UnsafeInput) as error:
        return Examined(file.path, error=files.describe(error) if isinstance(error, OSError) else str(error))
    outcome = extractions.get(raw, data)
    if outcome is None:
        return Examined(file.path, raw)
    return described(corpus, raw, outcome, file.sidecar, file.synced)


def _read(corpus: CorpusFolder, file: Wanted) -> tuple[Raw, bytes | None]:
    """Digest and media type of a file; its bytes too where it is small enough to be text."""
    where = corpus.absolute(file.path)
    data = None
    if file.size <= corpus.settings.max_text_bytes:
        data = files.read(where)
        sha256, head = hashlib.sha256(data).hexdigest(), data[:_HEAD]
    else:
        sha256 = files.sha256(where)
        with files.opened(where) as descriptor:
            head = files.head(descriptor, _HEAD)
    declared_type = _sidecar(corpus, file.path, file.sidecar).values.get("media_type")
    served = file.synced.row.media_type if file.synced else None
    media_type = declared_type or served or media.media_type(file.path, head)
    size = file.size if data is None else len(data)
    transcript = transcripts.NONE
    if file.transcript:
        transcript = Transcript(file.transcript, files.sha256(corpus.absolute(file.transcript)))
    return Raw(file.path, sha256, media_type, size, transcript), data


def _sidecar(corpus: CorpusFolder, path: str, present: bool) -> Declared:
    return read_sidecar(corpus, path) if present else Declared()


def described(
    corpus: CorpusFolder, raw: Raw, outcome: Outcome, sidecar: bool, synced: Provenance | None = None
) -> Examined:
    """The examination of a file whose outcome is known."""
    declared = _sidecar(corpus, raw.path, sidecar)
    description = describe(
        corpus, raw.path, raw.bytes, raw.sha256, raw.media_type, outcome, declared, synced, raw.transcript
    )
    return Examined(raw.path, raw, outcome, description)
