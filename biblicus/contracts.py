"""The Protocols: everything that a plug-in author must know, on one page.

A plug-in is a module with `Options` (a pydantic model, `extra="forbid"`) and `build(options)`. Ours live under
`biblicus/<kind>/<name>.py`; a third party's enters by the entry point group `biblicus.<kind>`, through the same door
(`biblicus.plugins`). Resolved options enter the run's manifest. Kinds: `extraction`, `chunking`, `retrieval`.

An extraction plug-in of a third party also has `MEDIA_TYPES`: the types that it reads where a recipe names it.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple, Protocol

from biblicus.errors import Cancelled, DeadlineExceeded
from biblicus.models.extraction import Extraction, NoExtraction, Span
from biblicus.models.question import Allow, Question

Progress = Callable[[str, int, int], None]
"""Called as `progress(step, done, total)`; `total` is 0 where it is not known."""


def _silent(step: str, done: int, total: int) -> None:
    """The progress of a caller who does not watch."""


@dataclass(frozen=True)
class Call:
    """What every operation and plug-in gets from its caller: deadline, cancellation, progress and clock.

    `deadline` is a `time.monotonic()` value; `clock` gives the seconds since the epoch (tests set it).
    """

    deadline: float | None = None
    cancel: threading.Event = field(default_factory=threading.Event)
    progress: Progress = _silent
    clock: Callable[[], float] = time.time

    def check(self) -> None:
        """Raise `Cancelled` or `DeadlineExceeded` where it is time to stop."""
        if self.cancel.is_set():
            raise Cancelled
        if self.deadline is not None and time.monotonic() > self.deadline:
            raise DeadlineExceeded


class MediaHint(NamedTuple):
    """What is known of raw bytes before they are read: relative path and media type."""

    path: str
    media_type: str


class Extractor(Protocol):
    """Raw bytes to text. Deterministic for the same bytes, version and options; never touches files or network.

    `fingerprint`: name, version of the code and of the parser behind it. `guarded`: parse in a worker process (binary
    formats); plain text is decoded in-process.
    """

    fingerprint: str
    guarded: bool

    def extract(self, raw: bytes, hint: MediaHint) -> Extraction | NoExtraction:
        """The text, or why there is none. Raise `ExtractionFailed` for a broken file."""


class Chunker(Protocol):
    """Text to spans: ascending, non-empty, exact code points, never across a page, never inside `masked`."""

    fingerprint: str

    def chunk(self, extraction: Extraction) -> Iterator[Span]: ...


class RankedChunk(NamedTuple):
    """What a leg sees of a chunk. `row`: its number in the run's chunk table; `item`: the row of its item.

    `context`: title and heading, ranked with the text but no part of the span. The last five serve filters.
    """

    row: int
    item: int
    context: str
    text: str
    language: str | None
    media_type: str
    doctype: str
    tags: tuple[str, ...]
    path: str


class ChunkTable(Protocol):
    """The chunks of a run under construction.

    `rows()` yields all of them; the first pass may produce them while it is read, so that a leg's indexing overlaps
    with extraction. `added()` and `removed_items()` are the difference to the parent run, for incremental builds.
    `languages()` weighs the languages of all items (by bytes; the empty code: unknown) before any chunk is made.
    """

    def languages(self) -> Mapping[str, float]: ...

    def rows(self) -> Iterator[RankedChunk]: ...

    def added(self) -> Iterator[RankedChunk]: ...

    def removed_items(self) -> Sequence[int]: ...


class Hit(NamedTuple):
    """A chunk row and the leg's score for it, higher is better."""

    row: int
    score: float


Fingerprints = Mapping[str, str]
"""Component name to version: what decides a leg's result (analyzer, engine, model)."""


class LegReader(Protocol):
    """An opened leg of a sealed run. Safe for use by several threads."""

    def search(self, question: Question, allow: Allow | None, k: int, call: Call) -> list[Hit]:
        """The best `k` chunks and every further one that ties with the last, score descending."""

    def support(self, question: Question, texts: Sequence[str]) -> float:
        """The bounded measure (0–1) of how much of the question the best of `texts` holds; decides `insufficient`."""

    def close(self) -> None: ...


class Leg(Protocol):
    """A way to rank: builds its part of a materialization and opens it again.

    `materializes`: whether it keeps anything on disk; a leg that does not ranks the live files.
    `parent` is None for a fresh build; else `folder` holds the parent's files, shared by hard link: new files may be
    added and names replaced, but no file may be changed in place.
    """

    materializes: bool

    def fingerprints(self) -> Fingerprints: ...

    def build(self, chunks: ChunkTable, folder: Path, parent: Path | None, call: Call) -> None: ...

    def open(self, folder: Path) -> LegReader: ...
