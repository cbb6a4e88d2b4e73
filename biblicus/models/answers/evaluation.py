"""Datasets, and evaluations of recipes on them (DESIGN §1, §7)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

Kind = Literal["human", "synthetic"]
Severity = Literal["low", "medium", "high", "critical"]
SEVERITIES: tuple[Severity, ...] = ("low", "medium", "high", "critical")


@dataclass(frozen=True, slots=True)
class Judgement:
    """Relevance of an item to a question.

    `item`: an id or a path. `span`: code points of its extraction, if only a part is relevant. `grade`: 0 means judged
    as not relevant."""

    item: str
    grade: int = 1
    span: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class Must:
    """Requirements on a procedure's answer.

    `cite`: items by id or path. `contain`, `not_contain`: required and forbidden words. `refuse`: it must, or must not,
    refuse. `layer`: of every cited item. `proved`: it cites something, and `verify` confirms all of it. `words`,
    `seconds`, `tokens`: maximum values."""

    cite: tuple[str, ...] = ()
    contain: tuple[str, ...] = ()
    not_contain: tuple[str, ...] = ()
    refuse: bool | None = None
    layer: str | None = None
    proved: bool = False
    words: int | None = None
    seconds: float | None = None
    tokens: int | None = None


NOTHING = Must()


@dataclass(frozen=True, slots=True)
class Rule:
    """A requirement on all answers of a procedure. `says`: the rule in words. `tags`: of the questions it covers;
    none: all."""

    name: str
    must: Must
    severity: Severity = "medium"
    says: str = ""
    tags: tuple[str, ...] = ()

    def covers(self, question: JudgedQuestion) -> bool:
        """Return true if the rule covers this question."""
        return not self.tags or not set(self.tags).isdisjoint(question.tags)


@dataclass(frozen=True, slots=True)
class Violation:
    """A requirement that an answer does not meet.

    `requirement`: key of `must`. `detail`: in words. `evidence`: the words of the answer that show it. `path`: the item
    concerned. `rule`, `severity`: of the broken rule; empty if the question itself has the requirement."""

    requirement: str
    detail: str
    rule: str = ""
    severity: Severity | Literal[""] = ""
    evidence: str = ""
    path: str = ""


@dataclass(frozen=True, slots=True)
class JudgedQuestion:
    """A question of a dataset with its judgements.

    `kind`: its author. `answers`: texts, one of which a right answer contains. `unanswerable`: the corpus does not
    answer it; the answer should be empty. `must`: requirements on a procedure's answer."""

    question_id: str
    text: str
    judgements: tuple[Judgement, ...] = ()
    tags: tuple[str, ...] = ()
    kind: Kind = "human"
    answers: tuple[str, ...] = ()
    unanswerable: bool = False
    must: Must = NOTHING


@dataclass(frozen=True, slots=True)
class Dataset:
    """Questions for an evaluation.

    `questions`: with at least one relevant judgement. `unjudged`: number of others, which are not scored. `digest`:
    sha256 over questions, judgements and rules. `unasked`: judgements without a question. `unanswerable`: questions
    that the corpus does not answer, for evaluating answers. `stated`: further questions with requirements on
    procedures. `rules`: for every procedure."""

    name: str
    questions: Sequence[JudgedQuestion]
    digest: str
    unjudged: int = 0
    unasked: int = 0
    unanswerable: Sequence[JudgedQuestion] = ()
    stated: Sequence[JudgedQuestion] = ()
    rules: Sequence[Rule] = ()


@dataclass(frozen=True, slots=True)
class RankedItem:
    """An item in a ranking, by its best chunk. `start`, `end`: that chunk's span in the item's extraction."""

    item_id: str
    path: str
    score: float
    chunk_id: str
    start: int
    end: int
    stage_scores: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Row:
    """Result of one question.

    `metrics`: value by name (`ndcg@10`). `latency_ms`: of a warm query with the recipe's own budget. `relevant`: grade
    by item id, of relevant items. For a procedure: `answer`, its beginning; `violations`; `problem`, why there was no
    reply."""

    question_id: str
    text: str
    metrics: Mapping[str, float]
    ranking: Sequence[RankedItem]
    latency_ms: float = 0.0
    tags: tuple[str, ...] = ()
    kind: Kind = "human"
    relevant: Mapping[str, int] = field(default_factory=dict)
    answer: str = ""
    violations: Sequence[Violation] = ()
    problem: str = ""


@dataclass(frozen=True, slots=True)
class System:
    """Measurements of a recipe (with its run) on a dataset.

    `metrics`: means over the rows. `system`: latencies in ms (`latency_p50`, `latency_p95`, `latency_p99`,
    `latency_cold`), `throughput` (queries a second), `index_bytes`, `build_ms`, `peak_memory_bytes`;
    unmeasured values are absent. `missing`: judged items that the run lacks; they count as not found."""

    name: str
    recipe_id: str
    run_id: str
    index_version: str
    metrics: Mapping[str, float]
    system: Mapping[str, float]
    rows: Sequence[Row] = ()
    missing: int = 0


@dataclass(frozen=True, slots=True)
class Difference:
    """Comparison of one metric of two systems, paired by question.

    `difference`: mean of `other - base`, with the confidence interval `low` to `high`. `p_value`: of a paired test;
    `p_adjusted`: corrected for all comparisons. `wins`, `losses`, `ties`: questions on which the other did better,
    worse, equally."""

    metric: str
    base: str
    other: str
    difference: float
    low: float
    high: float
    p_value: float
    p_adjusted: float
    wins: int
    losses: int
    ties: int


@dataclass(frozen=True, slots=True)
class Gate:
    """A condition under which a system fails.

    `condition`: as typed. `holds`: the system passed. `detail`: the compared values, in words. `worse`: ids of
    questions that got worse against the baseline, the worst first."""

    condition: str
    system: str
    holds: bool
    detail: str
    worse: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Evaluation:
    """Result of an `eval`. `questions`: their number. `versions`: of Biblicus and its components. `gates`: the
    conditions."""

    dataset: str
    dataset_digest: str
    questions: int
    unjudged: int
    created_at: str
    systems: Sequence[System]
    comparisons: Sequence[Difference] = ()
    versions: Mapping[str, str] = field(default_factory=dict)
    settings: Mapping[str, Any] = field(default_factory=dict)
    gates: Sequence[Gate] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ProcedureQuestion:
    """Input of a command on standard input, one JSON object.

    `question`: in words. `corpus`: the folder. `recipe`, `run`: for the search; one of them is null. `seconds`: time
    limit. The requirements on the answer are not included."""

    schema_version: Literal[1] = 1
    question: str
    corpus: str
    recipe: str | None
    run: str | None
    seconds: float


Count = Annotated[int, Field(ge=0)]


class ProcedureUsage(BaseModel):
    """Usage of a language model: number of requests, tokens read and tokens written."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, defer_build=True)

    requests: Count = 0
    input_tokens: Count = 0
    output_tokens: Count = 0


class ProcedureReply(BaseModel):
    """Output of a command on standard output, one JSON object, before it exits with code 0.

    `answer`: its text. `citations`: its evidence: pieces from `query`, `context`, `answer` or a tool of `mcp`, which
    are verified, or names of items (id, path, a `ref` of `mcp`), which are not. `refused`: it refuses to answer; an
    empty answer counts as refused. `usage`: of a language model, if known."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, defer_build=True)

    answer: str
    citations: list[str | dict[str, Any]] = []
    refused: bool = False
    usage: ProcedureUsage | None = None
    schema_version: Literal[1] = 1
