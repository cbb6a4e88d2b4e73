"""The Protocols: everything that a plug-in author must know, on one page.

A plug-in is a module with `Options` (a record, or a pydantic model, `extra="forbid"`) and `build(options, given)`, the
same for all kinds. Built-in ones are `biblicus/<kind>/<name>.py`; third-party ones are found by the entry point group
`biblicus.<kind>` (`biblicus.plugins`). Resolved options are stored in the manifest; `Given` is not.

A third-party extraction plug-in also has `MEDIA_TYPES`, which it reads if a recipe names it, or `EXTENSIONS`, and
optionally `members`: see docs/plugins.md."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, NoReturn, Protocol, TypeVar, runtime_checkable

from biblicus.errors import Cancelled, DeadlineExceeded
from biblicus.lazy import NDArray, np
from biblicus.models.answers.passage import Judged as Judged
from biblicus.models.answers.passage import Judgement as Judgement
from biblicus.models.answers.passage import NotReranked as NotReranked
from biblicus.models.answers.passage import Passage as Passage
from biblicus.models.answers.passage import Reranking as Reranking
from biblicus.models.digest import file_digest
from biblicus.models.frozen import dataclass
from biblicus.models.sources.readers import Reader

if TYPE_CHECKING:
    from biblicus.models.answers.answer import Drafted
    from biblicus.models.evidence import Result
    from biblicus.models.extraction import Extraction, NoExtraction, Span
    from biblicus.models.question import Allow, Question
    from biblicus.models.recognition import Reading, Scan, Transcript

Progress = Callable[[str, int, int], None]
"""Called as `progress(step, done, total)`; `total` is 0 if unknown."""


def _silent(step: str, done: int, total: int) -> None:
    """Ignore progress."""


Hear = Callable[[str], None]
"""Receives a reply piece by piece while it is written. `""`: discard all earlier pieces, the model is asked again."""


def silent(piece: str) -> None:
    """Ignore the pieces of a reply, or a message."""


@dataclass(frozen=True)
class Call:
    """Context of every operation and plug-in: deadline, cancellation, progress and clock.

    `deadline` is a `time.monotonic()` value; `clock` returns seconds since the epoch (tests set it). `guest`: the
    client may be on another machine. `tell`: show a message before long work. `passwords`: typed by the user, for
    locked files. `layers`: the only ones visible to the client; empty: all. `hear`: receives a language model's text
    for an answer. `through`: services that forwarded the request. `patient`: wait for optional parts even if time is
    short, for measurements. `reader`: who asks; None: the owner, who sees all. A call never leaves its process."""

    deadline: float | None = None
    cancel: threading.Event = field(default_factory=threading.Event)
    progress: Progress = _silent
    clock: Callable[[], float] = time.time
    guest: bool = False
    tell: Callable[[str], None] = silent
    passwords: tuple[str, ...] = field(default=(), repr=False)
    layers: tuple[str, ...] = ()
    hear: Hear = silent
    through: tuple[str, ...] = ()
    patient: bool = False
    reader: Reader | None = None

    def check(self) -> None:
        """Raise `Cancelled` or `DeadlineExceeded` if the call must stop."""
        if self.cancel.is_set():
            raise Cancelled
        if self.deadline is not None and time.monotonic() > self.deadline:
            raise DeadlineExceeded


Made = TypeVar("Made")

Device = Literal["auto", "cpu", "cuda"]


def _withheld(*asked: object) -> NoReturn:
    raise TypeError("A plug-in of this kind is not given that.")


@dataclass(frozen=True, kw_only=True)
class Given:
    """Context of a plug-in besides its options: the same for every kind, each field set for the kinds that need it.

    For models: `device`, where they compute, and `digest`, a file's sha256, cached while the file is unchanged. For
    legs: `vectors`, those of a model, by its name in the user's configuration. For rerankers: `pairs(model,
    question, passages, call)`, scores of a configured cross-encoder; `judge(question, passages, call)`, scores of the
    judge, which raises `NotReranked`. For answerers: `llm`, or None if
    the user configured none; an answerer that needs it raises `LLMError`. For language models: `hear`. For extractors:
    `ocr`, if the recipe enables it for scans; `passwords` to try; `extractor(name, **options)`, which creates the
    extractor of another format embedded in a file. For sources: `sync`, a
    `sources.door.Sync`."""

    device: Device = "auto"
    digest: Callable[[Path], str] = file_digest
    vectors: Callable[[str], Vectors] = _withheld
    pairs: Callable[[str, str, Sequence[str], Call], Sequence[float]] = _withheld
    judge: Callable[[str, Sequence[Passage], Call], Judged] = _withheld
    llm: LLMClient | None = None
    hear: Hear = silent
    ocr: OcrStage | None = None
    passwords: tuple[str, ...] = field(default=(), repr=False)
    extractor: Callable[..., Extractor] = _withheld
    sync: object = None


@dataclass(frozen=True)
class MediaHint:
    """Known facts of raw bytes: relative path and media type."""

    path: str
    media_type: str


class Extractor(Protocol):
    """Raw bytes to text. Deterministic for the same bytes, version and options; never accesses files or network.

    `fingerprint`: name, version of the code and of its parser. `guarded`: parse in a worker process (binary formats);
    plain text is decoded in-process."""

    fingerprint: str
    guarded: bool

    def extract(self, raw: bytes, hint: MediaHint) -> Extraction | NoExtraction:
        """Return the text, or why there is none. Raise `ExtractionFailed` for a broken file."""


class OcrEngine(Protocol):
    """Reads text from images. Runs in a guarded worker, and is also created outside for its fingerprint, so it must
    load large files only with the first image.

    `fingerprint`: name and versions of everything that affects a reading. `sure_from`: minimum confidence, 0 to 1, of a
    line. `seconds_a_page`: rough time on one core, for announcements. `program`: the only one that it starts."""

    fingerprint: str
    sure_from: float
    seconds_a_page: float
    program: str

    def read(self, image: bytes) -> Iterator[Scan]:
        """Yield the pages of an image (PNG, JPEG, TIFF, WebP or PNM). Raise `ExtractionFailed`."""


class OcrStage(Protocol):
    """OCR as a recipe configures it: see `extraction.ocr.stage`."""

    name: str
    every_page: bool

    @property
    def fingerprint(self) -> str: ...

    def read(self, image: bytes, first_page: int = 1) -> Iterator[Reading]: ...


class Transcriber(Protocol):
    """Transcribes recordings. It may use only a server of the user's own configuration.

    `fingerprint`: model and options, everything that affects a transcript. `place`: where recordings are sent, for
    announcements; empty if they stay on this machine."""

    fingerprint: str
    place: str

    def transcribe(self, audio: bytes, name: str, call: Call) -> Transcript:
        """Return the transcript. `name`: of the file. Raises `TranscriberUnavailable`."""


class Chunker(Protocol):
    """Text to spans: ascending, non-empty, exact code points. Spans never cross a page, slide, sheet, chapter or
    message, and never overlap `masked`."""

    fingerprint: str

    def chunk(self, extraction: Extraction) -> Iterator[Span]: ...


@dataclass(slots=True, unsafe_hash=True)
class RankedChunk:
    """A chunk as a leg sees it (not frozen, which would take ten times as long).

    `row`: its number in the run's table. `item`: the row of its item. `context`: title and heading, ranked with the
    text but not part of the span. `language` to `path`: for filters. `symbols`: terms of its toolkits. `title`,
    `heading`: of its item and section. `others`: number of other chunks of its item. `sections`: titles above its
    entry."""

    row: int
    item: int
    context: str
    text: str
    language: str | None
    media_type: str
    doctype: str
    tags: tuple[str, ...]
    path: str
    symbols: tuple[str, ...] = ()
    title: str = ""
    heading: str = ""
    others: int = 0
    sections: tuple[str, ...] = ()


class ChunkTable(Protocol):
    """The chunks of a run under construction.

    `rows()` yields all of them; the first pass may produce them on demand, so that a leg's indexing overlaps with
    extraction. `added()` and `removed_items()` are the difference from the parent run, for incremental builds.
    `languages()` returns the bytes of each language over all items (empty code: unknown), before any chunk is made."""

    def languages(self) -> Mapping[str, float]: ...
    def count(self) -> int:
        """Return the number of chunks of `rows()`, or of `added()` in an incremental build; 0 before the first pass
        ends."""

    def rows(self) -> Iterator[RankedChunk]: ...
    def added(self) -> Iterator[RankedChunk]: ...
    def each(self, make: Callable[[RankedChunk], Made], *, added: bool) -> Iterator[tuple[int, int, Made]]:
        """Yield (row, item row, `make(chunk)`) for each chunk of `added()` or `rows()`.
        `make` may run in another process: it must be picklable and return plain tuples, texts and numbers."""

    def removed_items(self) -> Sequence[int]: ...


class Embedder(Protocol):
    """Texts to vectors: float32, L2-normalised, deterministic for a model and a text.

    `fingerprint`: name, digest of the weights, pooling, limit: everything that affects a vector; cheap to read.
    `max_tokens`: of the model, special tokens included; 0 if unknown. Optional attributes: `languages`, a frozenset of
    ISO 639-1 codes that the model knows, outside of which fusion gives it little weight; `at_once`, the preferred
    number of texts in a call, or None."""

    @property
    def dim(self) -> int: ...

    @property
    def fingerprint(self) -> str: ...

    @property
    def max_tokens(self) -> int: ...

    def embed(self, texts: Sequence[str], call: Call) -> NDArray[np.float32]:
        """Return vectors of shape (n, dim). A row of NaN: this text cannot be embedded."""

    def question(self, text: str, call: Call) -> NDArray[np.float32]:
        """Return the vector (dim,) of one question, by the fastest method with the same result."""

    def count(self, texts: Sequence[str]) -> list[int]:
        """Return the token count of each text by the model's own tokenizer. The model truncates at `max_tokens`."""


class Vectors(Protocol):
    """The vectors of one model over one corpus: each text is embedded once, and runs refer to its row.
    `languages`: of the model; None if unknown."""

    @property
    def fingerprint(self) -> str: ...

    @property
    def languages(self) -> frozenset[str] | None: ...

    def rows(self, texts: Sequence[str], call: Call) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
        """Return each text's row in `matrix`, embedding missing ones (-1: failed), and true for each text the model
        truncates."""

    def generation(self) -> str:
        """Return an id of the row numbering, which changes after unused vectors were dropped."""

    def matrix(self, generation: str) -> NDArray[np.float32]:
        """Return all vectors (n, dim), memory-mapped. Raises `VectorsGone` if that numbering no longer exists."""

    def question(self, text: str, call: Call) -> NDArray[np.float32]:
        """Return a question's vector (dim,)."""

    def passing(self, texts: Sequence[str], call: Call) -> NDArray[np.float32]:
        """Return vectors (n, dim) of texts without storing them; zeros for a text that could not be embedded."""


class Hit(NamedTuple):
    """A chunk row and the leg's score for it, higher is better. `item`: row of its item, -1 if unknown."""

    row: int
    score: float
    item: int = -1


@dataclass(frozen=True)
class Held:
    """One of the best chunks: its text with title and heading, and this leg's score, if any."""

    text: str
    score: float | None


Fingerprints = Mapping[str, str]
"""Component name to version: everything that affects a leg's result (analyzer, engine, model)."""


class LegReader(Protocol):
    """An opened leg of a sealed run. Thread-safe."""

    def search(self, question: Question, allow: Allow | None, k: int, call: Call) -> list[Hit]:
        """Return the best `k` chunks and all ties with the last, score descending."""

    by_words: bool
    """True if `support` is the share of the question's words. Optional members of a reader: `languages` (see
    `Vectors`); for a lexical leg, `rarity(question)`, a `Rarity` of its words in the chunks; for a vector leg,
    `likeness(question, texts, call)`, the cosine of each text."""

    def scores(self, question: Question, rows: Sequence[int]) -> Mapping[int, float]:
        """Return this leg's scores for chunks that another leg found. Scores that are expensive to compute may be
        left out."""

    def floor(self, question: Question) -> float:
        """Return the score of a chunk unrelated to the question, the zero of fusion."""

    def support(self, question: Question, best: Sequence[Held]) -> float:
        """Return the share (0–1) of the question that the best of these chunks covers; determines `insufficient`.
        From a share of words, the share of one word is subtracted."""

    def close(self) -> None: ...


class Reranker(Protocol):
    """Reorders candidates. `candidates`: number of passages to rerank; others are dropped."""

    candidates: int

    def rerank(self, question: Question, passages: Sequence[Passage], call: Call) -> list[float]:
        """Return a score for each passage, higher is better; they arrive best first. Raises `NotReranked`."""


@runtime_checkable
class JudgingReranker(Protocol):
    """Improves the order of the first `candidates`; the others follow in their previous order."""

    candidates: int

    def judged(self, question: Question, passages: Sequence[Passage], call: Call) -> list[Judgement]:
        """Return a judgement of each passage; they arrive best first. Raises `NotReranked`."""

    def logits(self, question: Question, texts: Sequence[tuple[str, str]], call: Call) -> Sequence[float]:
        """Return the model's score of each (breadcrumb, text). Raises `Unavailable` if there is no time."""


@runtime_checkable
class VectorReader(Protocol):
    """A leg reader with vectors."""

    def vectors(self, rows: Sequence[int]) -> NDArray[np.float32]:
        """Return the vectors (n, dim) of chunks; zeros for a chunk without one."""


class Leg(Protocol):
    """A way to rank: builds its part of a materialization and opens it again.

    `materializes`: it stores files; one that does not is a `LiveLeg`. `drifts`: an incremental build may score
    differently from a fresh one. A leg with `is_whole` stores everything under the run's seal, so the run can be
    checked without opening it. `parent` is None for a fresh build; else `folder` contains the parent's files as hard
    links: new files may be added and names replaced, but no file may be changed in place."""

    materializes: bool
    drifts: bool

    def fingerprints(self) -> Fingerprints: ...

    def build(self, chunks: ChunkTable, folder: Path, parent: Path | None, call: Call) -> Mapping[str, int]:
        """Build the leg; return counts for the manifest that matter to users: `truncated`, `unembedded`."""

    def open(self, folder: Path) -> LegReader: ...


@runtime_checkable
class LiveLeg(Leg, Protocol):
    """A leg that stores nothing, ranks the live files, and is the only leg."""

    def over(self, chunks: Sequence[RankedChunk]) -> LegReader:
        """Return a reader over chunks in memory."""


class Answerer(Protocol):
    """Makes an answer from evidence alone."""

    def answer(self, question: str, result: Result, call: Call) -> Drafted:
        """Return statements that cite exact words of `result.evidence`; an empty draft if nothing answers."""


class LLMResult(NamedTuple):
    """Text of a language model.

    `raw`: the provider's own reply. `tokens`: `input` and `output`, if reported."""

    text: str
    raw: Mapping[str, Any] = MappingProxyType({})
    tokens: Mapping[str, int] = MappingProxyType({})

    @classmethod
    def of(cls, reply: Any) -> LLMResult:
        """Convert a client's reply; it needs a `text` and nothing else."""
        return cls(reply.text, **{name: said for name in cls._fields[1:] if (said := getattr(reply, name, None))})


class LLMClient(Protocol):
    """A language model of the user's configuration. `name`: the model's, as in answers."""

    @property
    def name(self) -> str: ...

    async def generate(
        self,
        user_prompt: str,
        *,
        system_prompt: str | None = None,
        json_schema: Mapping[str, Any] | None = None,
        max_tokens: int = 1024,
        temperature: float = 0.0,
    ) -> LLMResult:
        """Return one reply. With a schema its text is JSON that matches it. Raises `LLMError`."""
