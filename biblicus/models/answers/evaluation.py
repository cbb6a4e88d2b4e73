"""Datasets and what measuring recipes on them gives (DESIGN §1, §7)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

Kind = Literal["human", "synthetic"]


@dataclass(frozen=True, slots=True)
class Judgement:
    """What is relevant to a question, and how much. `item`: an item id or a path. `span`: code points of its
    extraction, where the judgement is finer than the item. `grade`: 0 is judged and not relevant."""

    item: str
    grade: int = 1
    span: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class JudgedQuestion:
    """A question of a dataset with its judgements. `kind`: who wrote it. `answers`: texts of which one stands in a
    right answer. `unanswerable`: the corpus does not answer it, and an answer should be empty."""

    question_id: str
    text: str
    judgements: tuple[Judgement, ...] = ()
    tags: tuple[str, ...] = ()
    kind: Kind = "human"
    answers: tuple[str, ...] = ()
    unanswerable: bool = False


@dataclass(frozen=True, slots=True)
class Dataset:
    """`questions`: those with at least one relevant judgement. `unjudged`: how many others there are; they are never
    scored. `digest`: sha256 over questions and judgements. `unasked`: judgements whose question is not there.
    `unanswerable`: questions that the corpus does not answer; only answers are measured on them."""

    name: str
    questions: Sequence[JudgedQuestion]
    digest: str
    unjudged: int = 0
    unasked: int = 0
    unanswerable: Sequence[JudgedQuestion] = ()


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
    budget. `relevant`: grade by item id, of the items judged relevant."""

    question_id: str
    text: str
    metrics: Mapping[str, float]
    ranking: Sequence[RankedItem]
    latency_ms: float = 0.0
    tags: tuple[str, ...] = ()
    kind: Kind = "human"
    relevant: Mapping[str, int] = field(default_factory=dict)


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
    """Everything that one `eval` found. `versions`: of Biblicus and its components. `gates`: conditions asked for."""

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
