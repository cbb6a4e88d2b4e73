"""Candidates for rerankers, and their results."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import TYPE_CHECKING, Literal, NamedTuple

from biblicus.models.frozen import dataclass

if TYPE_CHECKING:
    from biblicus.errors import BiblicusError


@dataclass(frozen=True)
class Passage:
    """A candidate for a reranker: its chunk's row, its text with title and heading, its score so far.

    For the judge: `breadcrumb` (title › heading) and `body`, the text alone; the score of each stage so far; the item's
    doctype and language, empty if unknown."""

    row: int
    text: str
    score: float
    breadcrumb: str = ""
    body: str = ""
    stages: Mapping[str, float] = field(default_factory=dict)
    doctype: str = ""
    language: str = ""


Reranking = Literal["done", "late", "busy", "none"]
"""Result of a reranking: `late`: no time; `busy`: no free model; `none`: not available."""


class NotReranked(Exception):
    """A reranker cannot judge now: the order stays, and the result has the `reason`, if any, and the `status`.

    `error`: for callers that need the judgement, such as an evaluation; None: the previous order is right."""

    def __init__(self, reason: str, error: BiblicusError | None, status: Reranking = "none") -> None:
        super().__init__(reason)
        self.reason, self.error, self.status = reason, error, status


class Judged(NamedTuple):
    """A model's score of each passage.

    `by_cosine`: they are cosines of an embedder, not logits of the judge. `cosines`: of each passage with the question,
    if the run has no vectors and there was time to compute them."""

    scores: Sequence[float]
    by_cosine: bool = False
    cosines: Sequence[float] | None = None


class Judgement(NamedTuple):
    """The final score of a passage, and the judge's logit; None if it did not read the passage.
    `cosine`: with the question, if it was computed for this query."""

    score: float
    logit: float | None
    cosine: float | None = None
