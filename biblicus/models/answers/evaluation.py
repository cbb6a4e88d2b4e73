"""Datasets and what measuring recipes on them gives (DESIGN §1, §7)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

Kind = Literal["human", "synthetic"]
Severity = Literal["low", "medium", "high", "critical"]
SEVERITIES: tuple[Severity, ...] = ("low", "medium", "high", "critical")


@dataclass(frozen=True, slots=True)
class Judgement:
    """What is relevant to a question, and how much. `item`: an item id or a path. `span`: code points of its
    extraction, where the judgement is finer than the item. `grade`: 0 is judged and not relevant."""

    item: str
    grade: int = 1
    span: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class Must:
    """What a procedure must do. `cite`: items, each by id or path. `contain`, `not_contain`: words that stand in its
    answer, or do not. `refuse`: whether it must refuse, or must not. `layer`: of every item that it cites. `proved`:
    it cites something, and `verify` proves all of it. `words`, `seconds`, `tokens`: at most so many."""

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
    """A rule that a procedure keeps, whatever it is asked. `says`: the rule in words. `tags`: of the questions that it
    is for; none: all."""

    name: str
    must: Must
    severity: Severity = "medium"
    says: str = ""
    tags: tuple[str, ...] = ()

    def covers(self, question: JudgedQuestion) -> bool:
        """Whether it is for this question."""
        return not self.tags or not set(self.tags).isdisjoint(question.tags)


@dataclass(frozen=True, slots=True)
class Violation:
    """What a procedure did not do and must, or did and must not. `requirement`: the key of `must`. `detail`: in words.
    `evidence`: of the answer, the words that show it. `path`: the item that it is about. `rule`, `severity`: of the
    rule that it breaks; empty where the question itself asks for it."""

    requirement: str
    detail: str
    rule: str = ""
    severity: Severity | Literal[""] = ""
    evidence: str = ""
    path: str = ""


@dataclass(frozen=True, slots=True)
class JudgedQuestion:
    """A question of a dataset with its judgements. `kind`: who wrote it. `answers`: texts of which one stands in a
    right answer. `unanswerable`: the corpus does not answer it, and an answer should be empty. `must`: what a procedure
    must do that is asked it."""

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
    """`questions`: those with at least one relevant judgement. `unjudged`: how many others there are; they are never
    scored. `digest`: sha256 over questions, judgements and rules. `unasked`: judgements whose question is not there.
    `unanswerable`: questions that the corpus does not answer; only answers are measured on them. `stated`: further
    questions of which they, or a rule, say what a procedure must do. `rules`: that every procedure keeps."""

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
    """One question's outcome. `metrics`: value by name (`ndcg@10`); `latency_ms`: of a warm query with the recipe's own
    budget. `relevant`: grade by item id, of the items judged relevant. Of a procedure: `answer`, the beginning of what
    it said; `violations`; `problem`, why it gave no reply."""

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
    """A recipe (with its run) as measured on a dataset.

    `metrics`: means over the rows. `system`: latencies in ms (`latency_p50`, `latency_p95`, `latency_p99`,
    `latency_cold`), `throughput` (queries a second), `index_bytes`, `build_ms`, `peak_memory_bytes`, `tokens`,
    `cost`, `build_tokens`, `build_cost`; what was not measured is absent. `missing`: judged items that the run does not
    have; they count as not found.
    """

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
    """One metric of two systems, paired by question: mean of `other - base` with a confidence interval, the p-value of
    a paired test, that value corrected for all comparisons made, and on how many questions the other did better,
    worse, the same."""

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
    """A condition under which a system fails. `condition`: as it was typed. `holds`: whether the system passed.
    `detail`: the values compared, in words. `worse`: ids of the questions that got worse against the baseline, the
    worst first."""

    condition: str
    system: str
    holds: bool
    detail: str
    worse: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Evaluation:
    """Everything that one `eval` found. `questions`: how many were asked. `versions`: of Biblicus and its components.
    `gates`: conditions asked for."""

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
