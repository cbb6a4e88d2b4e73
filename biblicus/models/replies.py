"""Replies as they cross a wire, where the package has no model of its own: what OpenAPI and tool schemas show.

They describe; nothing is validated against them on its way out. Fields that may be absent have a default.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from pydantic import BaseModel, Field

from biblicus.models.evidence import Dropped, Evidence
from biblicus.models.item import Item

Category = Literal["not_found", "bad_request", "unauthorized", "conflict", "unavailable", "internal"]


class ErrorObject(BaseModel):
    """What went wrong, as `--json` prints it. `hint`: the next command to type, or a short remedy."""

    code: str
    message: str
    hint: str


class First(BaseModel):
    """The item that already holds the same bytes."""

    item_id: str
    path: str


class Problem(BaseModel):
    """An error (RFC 9457)."""

    type: str = Field(description="urn:biblicus:error: and the code.")
    title: str
    status: int
    detail: str
    category: Category
    error: ErrorObject
    trace_id: str = Field(description="What the service's log has on this.")
    duplicate_of: First | None = Field(None, description="Where a document was a duplicate.")


class ItemPage(BaseModel):
    """Items by path. `next_cursor`: where there are more."""

    items: list[Item]
    next_cursor: str | None = None


class FailedText(BaseModel):
    """In the place of a text that could not be given."""

    error: ErrorObject


class TextReply(BaseModel):
    """Exact text of an item. Offsets are code points, lines count from 1; `sha256` is of `text` in UTF-8."""

    item_id: str
    path: str
    text: str
    sha256: str
    item_sha256: str
    extraction_id: str
    span_start: int
    span_end: int
    line_start: int
    line_end: int
    page: int | None
    citation_url: str | None


class TextsReply(BaseModel):
    """In the order asked."""

    results: list[TextReply | FailedText]


class SourceReply(BaseModel):
    """Where an item came from."""

    kind: str
    uri: str
    ref: str | None
    retrieved_at: str | None


class ItemReply(BaseModel):
    """An item, and what its text came to; `note` says why there is none."""

    item_id: str
    path: str
    media_type: str
    bytes: int
    sha256: str
    title: str
    language: str | None
    doctype: str
    tags: list[str]
    source: SourceReply
    metadata: dict[str, Any]
    extraction_id: str
    note: str | None
    pages: int
    lines: int
    characters: int
    headings: int


class NodeReply(BaseModel):
    """A folder or item. `items` and `bytes` are those of everything below a folder."""

    path: str
    kind: Literal["folder", "item"]
    items: int
    bytes: int
    title: str | None
    item_id: str | None


class TreeReply(BaseModel):
    """Folders and items, sorted. `truncated`: there are more."""

    nodes: list[NodeReply]
    truncated: bool = False
    next_cursor: str | None = None


class StatsReply(BaseModel):
    """What a corpus holds, counted."""

    name: str
    corpus_id: str
    corpus_digest: str
    items: int
    bytes: int
    media_types: dict[str, int]
    doctypes: dict[str, int]
    languages: dict[str, int]
    tags: dict[str, int]
    runs: dict[str, dict[str, Any]]


class ServedCorpus(BaseModel):
    """A corpus by the name it is served under; `error` where it cannot be read."""

    corpus: str
    writable: bool
    index_version: str | None = None
    run_id: str | None = None
    built_at: str | None = None
    error: ErrorObject | None = None


class CorporaReply(BaseModel):
    """The corpora that the asker may know of."""

    corpora: list[ServedCorpus]


class AnsweredCorpus(BaseModel):
    """A corpus that answered, and from which run. `evidence`: how much it gave to the fusion."""

    corpus: str
    corpus_id: str
    run_id: str
    recipe_id: str
    index_version: str
    as_of: str
    insufficient: bool
    evidence: int


class FailedCorpus(BaseModel):
    """A corpus that could not answer, and why."""

    corpus: str
    error: ErrorObject


@dataclass(frozen=True)
class EntryReply(Evidence):
    """A numbered piece of a pack: evidence, made of the ranked `chunks`. `shortened`: it ends before they do;
    `widened`: neighbours stand around them."""

    number: int = 1
    chunks: tuple[str, ...] = ()
    shortened: bool = False
    widened: bool = False


class PackBudget(BaseModel):
    """What a pack was allowed, and how many tokens it counts."""

    tokens: int
    used: int
    tokenizer: str
    share: float
    neighbours: int
    order: str


class PackReply(BaseModel):
    """Evidence made ready for a prompt. `text`: what to put there; `marker`: stands in every head, and in no document;
    `dropped`: what was found and is not in it, or only in part."""

    query: str
    format: str
    text: str
    marker: str
    entries: list[EntryReply]
    dropped: list[Dropped]
    budget: PackBudget
    corpus_id: str
    run_id: str
    recipe_id: str
    index_version: str
    insufficient: bool
    timings: dict[str, float]


@dataclass(frozen=True)
class CitationReply(Evidence):
    """The exact words that a statement stands on: evidence. `preview`: the words in short."""

    preview: str = ""


class StatementReply(BaseModel):
    """One claim. `quoted`: its text is the cited words themselves. `supported`: 0-1, how much of it they hold."""

    text: str
    citations: list[CitationReply]
    quoted: bool
    supported: float


class LeftOutReply(BaseModel):
    """A statement that was made and left out, and why."""

    text: str
    reason: str


class AnswerReply(BaseModel):
    """Statements with their citations, and as one text. `confidence`: 0-1, that it is right. `evidence_strength`: 0-1,
    how much of the question the evidence holds. `usage`: of a model. With a persona also how it came to the answer."""

    question: str
    answer: str
    statements: list[StatementReply]
    insufficient: bool
    confidence: float
    evidence_strength: float
    reasoning_summary: str
    answerer: str
    usage: dict[str, int]
    timings: dict[str, float]
    left_out: list[LeftOutReply]
    searched: dict[str, Any]
    model: str | None = None
    prompt: str | None = None
    debug: dict[str, Any] | None = None
    persona: str | None = None
    persona_digest: str | None = None
    plan: dict[str, Any] | None = None
    manual: list[Evidence] | None = None
    queries: list[dict[str, Any]] | None = None
    assessment: dict[str, Any] | None = None
    unused: list[str] | None = None


class FusedReply(BaseModel):
    """Evidence of several corpora, fused by rank; every piece names its `corpus`."""

    query: str
    corpora: list[AnsweredCorpus]
    failed: list[FailedCorpus]
    evidence: list[dict[str, Any]]
    insufficient: bool
    timings: dict[str, float]


class ReceivedReply(BaseModel):
    """What became of a document. `event_id`: the cursor of the event that tells of it. The last five: where it was
    indexed at once; `tokens` is an estimate."""

    outcome: Literal["added", "changed", "unchanged"]
    item_id: str
    path: str
    ms: float
    event_id: str | None = None
    run_id: str | None = None
    index_version: str | None = None
    chunk_ids: list[str] | None = None
    chunks: int | None = None
    tokens: int | None = None


class StepReply(BaseModel):
    """How far a job is. `total` is 0 where it is not known."""

    step: str
    done: int
    total: int


class JobReply(BaseModel):
    """A job. Times: UTC seconds since the epoch."""

    job_id: str
    verb: str
    corpus: str
    state: Literal["queued", "running", "done", "failed", "cancelled"]
    created_at: float
    ended_at: float | None = None
    progress: StepReply | None = None
    result: dict[str, Any] | None = None
    error: ErrorObject | None = None


class ReadyReply(BaseModel):
    """Whether questions are answered. `failed`: corpora that cannot be read."""

    ready: bool
    corpora: int
    failed: int


class AliveReply(BaseModel):
    """The process answers."""

    alive: bool


class Capability(BaseModel):
    """What can be asked. `trust`: `member` reads, `trusted` ingests. `request`, `response`: JSON Schemas."""

    capability: str
    method: Literal["GET", "POST"]
    path: str
    trust: Literal["member", "trusted"]
    max_concurrent: int
    timeout_seconds: float
    errors: list[Category]
    params: dict[str, Any]
    idempotent: bool
    request: dict[str, Any]
    response: dict[str, Any]


class CapabilitiesReply(BaseModel):
    """What the service offers to agents and brokers."""

    capabilities: list[Capability]
