"""Candidates as rerankers read them, and what becomes of that."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import TYPE_CHECKING, Literal, NamedTuple

from biblicus.models.frozen import dataclass

if TYPE_CHECKING:
    from biblicus.errors import BiblicusError


@dataclass(frozen=True)
class Passage:
    """A candidate as a reranker sees it: its chunk's row, its text with title and heading, its score so far.

    For the judge also `breadcrumb` (title › heading) and `body`, the text alone; the score of each stage so far; the
    item's doctype and language, empty where not known.
    """

    row: int
    text: str
    score: float
    breadcrumb: str = ""
    body: str = ""
    stages: Mapping[str, float] = field(default_factory=dict)
    doctype: str = ""
    language: str = ""


Reranking = Literal["done", "late", "busy", "none"]
"""What became of a recipe's reranking: `late` and `busy` say that there was no time for it, or nobody free."""


class NotReranked(Exception):
    """A reranker that cannot judge this time: the order stays as it was, and the result gives the `reason`, if there is
    one, and the `status`. `error`: for who needs the judgement itself, such as an evaluation; None: the order before is
    right."""

    def __init__(self, reason: str, error: BiblicusError | None, status: Reranking = "none") -> None:
        super().__init__(reason)
        self.reason, self.error, self.status = reason, error, status


class Judged(NamedTuple):
    """A model's score of each passage. `by_cosine`: they are cosines of an embedder, not logits of the judge.
    `cosines`: of each passage with the question, where the run has no vectors and there was time to make them."""

    scores: Sequence[float]
    by_cosine: bool = False
    cosines: Sequence[float] | None = None


class Judgement(NamedTuple):
    """The score of a passage after it was judged, and the judge's own logit; None where it did not read it. `cosine`:
    of the passage with the question, where that was made for this question."""

    score: float
    logit: float | None
    cosine: float | None = None
