"""The Protocols: everything that a plug-in author must know, on one page.

A plug-in is a module with `Options` (a record, or a pydantic model, `extra="forbid"`) and `build(options, given)`, the
same for all kinds. Ours live under `biblicus/<kind>/<name>.py`; a third party's enters by the entry point group
`biblicus.<kind>`, through the same door (`biblicus.plugins`). Resolved options enter the manifest; what is `Given`
never.

A third party's extraction plug-in also has `MEDIA_TYPES`, which it reads where a recipe names it, or `EXTENSIONS`, and
perhaps `members`: see docs/plugins.md.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, NoReturn, Protocol, TypeVar, runtime_checkable

from biblicus.errors import Cancelled, DeadlineExceeded
from biblicus.models.answers.passage import Judged as Judged
from biblicus.models.answers.passage import Judgement as Judgement
from biblicus.models.answers.passage import NotReranked as NotReranked
from biblicus.models.answers.passage import Passage as Passage
from biblicus.models.answers.passage import Reranking as Reranking
from biblicus.models.digest import file_digest
from biblicus.models.frozen import dataclass

if TYPE_CHECKING:
    from numpy import bool_, float32, int64
    from numpy.typing import NDArray

    from biblicus.models.answers.answer import Drafted
    from biblicus.models.evidence import Result
    from biblicus.models.extraction import Extraction, NoExtraction, Span
    from biblicus.models.question import Allow, Question
    from biblicus.models.recognition.scan import Reading, Scan
    from biblicus.models.recognition.transcript import Transcript

Progress = Callable[[str, int, int], None]
"""Called as `progress(step, done, total)`; `total` is 0 where it is not known."""


def _silent(step: str, done: int, total: int) -> None:
    """The progress of a caller who does not watch."""


Hear = Callable[[str], None]
"""Hears a reply while it is written, piece by piece. `""`: what was heard is void, since the model is asked again."""


def silent(piece: str) -> None:
    """The `Hear` of a caller who does not listen, who is not told anything else either."""


@dataclass(frozen=True)
class Call:
    """What every operation and plug-in gets from its caller: deadline, cancellation, progress and clock.

    `deadline` is a `time.monotonic()` value; `clock` gives the seconds since the epoch (tests set it). `guest`: who
    asks is perhaps not on this machine. `tell`: what a person should know before something long begins. `passwords`:
    that a person typed, for files that ask for one. `layers`: the only ones that the asker may see; empty: all. `hear`:
    hears what a language model writes for an answer. `through`: the services that handed the question on. `patient`:
    whoever measures waits for what others do without where time is short. A call never leaves its process.
    """

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

    def check(self) -> None:
        """Raise `Cancelled` or `DeadlineExceeded` where it is time to stop."""
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
    """What a plug-in gets beside its options: the same for every kind, each field filled for those who need it.

    For models: `device`, where they compute, and `digest`, a file's sha256, remembered while the file stays as it is.
    For legs: `vectors`, those of a model, by its name in the user's configuration.
    For rerankers: `chunk_vectors`, of chunks by their rows (n, dim), which raises `UsageError` where no leg of the run
    has any; `pairs(model, question, passages, call)`, how well each passage fits the question, by a cross-encoder of
    the user's configuration; `named_llm(name)`, a language model of the user's configuration; `judge(question,
    passages, call)`, the score of each by the judge, which raises `NotReranked`.
    For answerers: `llm`, None where the user named none; one that needs it raises `LLMError`.
    For language models: `hear`.
    For extractors: `ocr`, where the recipe turns it on for scans; `passwords` to try; `extractor(name, **options)`,
    which makes the extractor of another format that stands within a file.
    """

    device: Device = "auto"
    digest: Callable[[Path], str] = file_digest
    vectors: Callable[[str], Vectors] = _withheld
    chunk_vectors: Callable[[Sequence[int]], NDArray[float32]] = _withheld
    pairs: Callable[[str, str, Sequence[str], Call], Sequence[float]] = _withheld
    named_llm: Callable[[str], LLMClient] = _withheld
    judge: Callable[[str, Sequence[Passage], Call], Judged] = _withheld
    llm: LLMClient | None = None
    hear: Hear = silent
    ocr: OcrStage | None = None
    passwords: tuple[str, ...] = field(default=(), repr=False)
    extractor: Callable[..., Extractor] = _withheld


@dataclass(frozen=True)
class MediaHint:
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


class OcrEngine(Protocol):
    """Reads what a picture shows. Runs in a guarded worker, and is made outside it for its fingerprint: what is large
    is loaded with the first picture.

    `fingerprint`: name and versions of whatever decides a reading. `sure_from`: how sure it must be of a line, 0 to 1,
    so that the line counts. `seconds_a_page`: about how long it takes on one core, to be told beforehand. `program`:
    the one that it starts; the guarded worker starts no other.
    """

    fingerprint: str
    sure_from: float
    seconds_a_page: float
    program: str

    def read(self, image: bytes) -> Iterator[Scan]:
        """The pages of a picture as PNG, JPEG, TIFF, WebP or PNM holds it. Raise `ExtractionFailed`."""


class OcrStage(Protocol):
    """OCR as a recipe wants it: see `extraction.ocr.stage`."""

    name: str
    every_page: bool

    @property
    def fingerprint(self) -> str: ...

    def read(self, image: bytes, first_page: int = 1) -> Iterator[Reading]: ...


class Transcriber(Protocol):
    """Hears what is said in a recording. It may ask a server of the user's own configuration, and nothing else.

    `fingerprint`: model and options, whatever decides a transcript. `place`: where recordings are sent, to be told
    before; empty where they stay on this machine.
    """

    fingerprint: str
    place: str

    def transcribe(self, audio: bytes, name: str, call: Call) -> Transcript:
        """What is said. `name`: the file's. Raises `TranscriberUnavailable`."""


class Chunker(Protocol):
    """Text to spans: ascending, non-empty, exact code points, never across a page, slide, sheet, chapter or message,
    never inside `masked`."""

    fingerprint: str

    def chunk(self, extraction: Extraction) -> Iterator[Span]: ...


@dataclass(slots=True, unsafe_hash=True)
class RankedChunk:
    """What a leg sees of a chunk (not frozen: that takes ten times as long). `row`: its number in the run's table;
    `item`: the row of its item. `context`: title and heading, ranked with the text but no part of the span. The five
    from `language` on serve filters. `symbols`: terms for its toolkits. `title`, `heading`: what its item and its
    section are called. `others`: how many other chunks its item has. `sections`: those its entry stands in."""

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

    `rows()` yields all of them; the first pass may produce them while it is read, so that a leg's indexing overlaps
    with extraction. `added()` and `removed_items()` are the difference to the parent run, for incremental builds.
    `languages()` weighs the languages of all items (by bytes; the empty code: unknown) before any chunk is made.
    """

    def languages(self) -> Mapping[str, float]: ...
    def count(self) -> int:
        """Chunks of `rows()`, or of `added()` in an incremental build; 0 before the first pass is over."""

    def rows(self) -> Iterator[RankedChunk]: ...
    def added(self) -> Iterator[RankedChunk]: ...
    def each(self, make: Callable[[RankedChunk], Made], *, added: bool) -> Iterator[tuple[int, int, Made]]:
        """For each chunk of `added()` where so, else of `rows()`: its row, its item's row, and what `make` gives. That
        may be called in another process: it can be pickled, and gives plain tuples, texts and numbers."""

    def removed_items(self) -> Sequence[int]: ...


class Embedder(Protocol):
    """Texts to vectors: float32, L2-normalised, deterministic for a model and a text.

    `fingerprint`: name, digest of the weights, pooling, limit: whatever decides a vector; cheap to ask for.
    `max_tokens`: of the model, its own marks included; 0 where no limit is known. An embedder may also have
    `languages`, a frozenset of the codes (ISO 639-1) of those that its model knows: fusion then trusts it there, and
    little elsewhere; and `at_once`, how many texts it wants to be handed together, None where that is left to others.
    """

    @property
    def dim(self) -> int: ...

    @property
    def fingerprint(self) -> str: ...

    @property
    def max_tokens(self) -> int: ...

    def embed(self, texts: Sequence[str], call: Call) -> NDArray[float32]:
        """Vectors of shape (n, dim). A row of NaN: this text could not be embedded, however often it was tried."""

    def question(self, text: str, call: Call) -> NDArray[float32]:
        """The vector (dim,) of one question, by the fastest way to the same numbers."""

    def count(self, texts: Sequence[str]) -> list[int]:
        """Tokens of each text, by the model's own tokenizer. Longer texts than `max_tokens` are cut by the model."""


class Vectors(Protocol):
    """The vectors of one model over one corpus: each text is embedded once, and every run refers to its row.
    `languages`: those that the model knows, None where it does not tell."""

    @property
    def fingerprint(self) -> str: ...

    @property
    def languages(self) -> frozenset[str] | None: ...

    def rows(
        self, texts: Sequence[str], call: Call, paths: Sequence[str] = ()
    ) -> tuple[NDArray[int64], NDArray[bool_]]:
        """The row of each text in `matrix`; what is not there yet is embedded and kept. -1: it could not be. Also,
        which are longer than the model's limit, so that their vectors miss their ends. `paths`: of each text's item.
        """

    def generation(self) -> str:
        """Names the numbering of the rows; another one after unused vectors were dropped."""

    def matrix(self, generation: str) -> NDArray[float32]:
        """All vectors (n, dim), mapped into memory. Raises `VectorsGone` where that numbering is no more."""

    def question(self, text: str, call: Call) -> NDArray[float32]:
        """A question's vector (dim,)."""

    def passing(self, texts: Sequence[str], call: Call) -> NDArray[float32]:
        """Vectors (n, dim) of texts that are compared once and not kept; zeros for one that could not be embedded."""


class Hit(NamedTuple):
    """A chunk row and the leg's score for it, higher is better."""

    row: int
    score: float


@dataclass(frozen=True)
class Held:
    """One of the best chunks: its text with title and heading, and this leg's score where it has one."""

    text: str
    score: float | None


Fingerprints = Mapping[str, str]
"""Component name to version: what decides a leg's result (analyzer, engine, model)."""


class LegReader(Protocol):
    """An opened leg of a sealed run. Safe for use by several threads."""

    def search(self, question: Question, allow: Allow | None, k: int, call: Call) -> list[Hit]:
        """The best `k` chunks and every further one that ties with the last, score descending."""

    by_words: bool
    """Whether `support` is the share of the question's words. A reader may also have `languages` (see `Vectors`);
    by words, `rarity(question)`, how rare these are among its chunks (a `Rarity`): what answers are doubted by; by
    meaning, `likeness(question, texts, call)`, how like it each text is (a cosine): what answers are chosen by."""

    def scores(self, question: Question, rows: Sequence[int]) -> Mapping[int, float]:
        """This leg's score for chunks that another leg found. A leg may leave out what it cannot cheaply tell."""

    def floor(self, question: Question) -> float:
        """The score of a chunk that has nothing to do with the question: where fusion counts from."""

    def support(self, question: Question, best: Sequence[Held]) -> float:
        """The bounded measure (0–1) of how much of the question the best of these holds; decides `insufficient`. Of a
        share of words, what one word gives is taken off for that."""

    def close(self) -> None: ...


class Reranker(Protocol):
    """Puts candidates into a better order.

    `candidates`: how many it is shown; no others are returned.
    """

    candidates: int

    def rerank(self, question: Question, passages: Sequence[Passage], call: Call) -> list[float]:
        """A score for each passage, higher is better; given best first. Raises `NotReranked`."""


@runtime_checkable
class JudgingReranker(Protocol):
    """Puts the first `candidates` into a better order; the others follow in the order before."""

    candidates: int

    def judged(self, question: Question, passages: Sequence[Passage], call: Call) -> list[Judgement]:
        """A judgement of each passage; given best first. Raises `NotReranked`."""

    def logits(self, question: Question, texts: Sequence[tuple[str, str]], call: Call) -> Sequence[float]:
        """Return the model's score of each (breadcrumb, text). Raises `Unavailable` where there is no time."""


@runtime_checkable
class VectorReader(Protocol):
    """A reader of a leg that ranks by vectors."""

    def vectors(self, rows: Sequence[int]) -> NDArray[float32]:
        """The vectors (n, dim) of chunks; zeros for one that has none."""


class Leg(Protocol):
    """A way to rank: builds its part of a materialization and opens it again.

    `materializes`: whether it keeps anything on disk; one that does not is a `LiveLeg`.
    `drifts`: whether an incremental build may score otherwise than a fresh one. One with `is_whole` keeps all that it
    needs under a run's seal: whether the run stands is known without opening it.
    `parent` is None for a fresh build; else `folder` holds the parent's files, shared by hard link: new files may be
    added and names replaced, but no file may be changed in place.
    """

    materializes: bool
    drifts: bool

    def fingerprints(self) -> Fingerprints: ...

    def build(self, chunks: ChunkTable, folder: Path, parent: Path | None, call: Call) -> Mapping[str, int]:
        """Counts for the manifest, of what a user should know: `truncated`, `unembedded`; empty where there is none."""

    def open(self, folder: Path) -> LegReader: ...


@runtime_checkable
class LiveLeg(Leg, Protocol):
    """A leg that keeps nothing, ranks the live files, and stands alone."""

    def over(self, chunks: Sequence[RankedChunk]) -> LegReader:
        """A reader over chunks in memory."""


class Answerer(Protocol):
    """Makes an answer of evidence, and of nothing else."""

    def answer(self, question: str, result: Result, call: Call) -> Drafted:
        """Statements whose citations are exact words of `result.evidence`. Nothing that answers: an empty draft."""


class LLMResult(NamedTuple):
    """Text of a language model. `raw`: the provider's own reply; `tokens`: `input` and `output`, where it told.
    `forget`: for a caller who can make nothing of the text, so that it is not given again from memory."""

    text: str
    raw: Mapping[str, Any] = MappingProxyType({})
    tokens: Mapping[str, int] = MappingProxyType({})
    forget: Callable[[], None] = lambda: None

    @classmethod
    def of(cls, reply: Any) -> LLMResult:
        """Return a client's reply as one of these; it needs a `text` and nothing else."""
        return cls(reply.text, **{name: said for name in cls._fields[1:] if (said := getattr(reply, name, None))})


class LLMClient(Protocol):
    """A language model that the user's configuration names.

    `name`: the model, as told in answers.
    """

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
        """One reply. With a schema its text is JSON that fits it. Raises `LLMError`."""
