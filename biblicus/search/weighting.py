"""Stage `weights`: multiplies scores by the weights of items, and determines which chunks must be fetched for it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from math import inf

from biblicus.contracts import Hit
from biblicus.models.frozen import dataclass
from biblicus.models.question import Allow
from biblicus.models.requests.query import Filters, QueryRequest
from biblicus.models.weights import NAMED, Weighing, bounded
from biblicus.retrieval.fusion import FUSED, Fused
from biblicus.retrieval.ranking import rounded
from biblicus.stores.tables import Facets, Place
from biblicus.text.fitting import matches_path
from biblicus.text.terms.identifiers import toolkit_words

WEIGHTS = "weights"
"""Name of the stage with the weighted score."""
_ALONE = 2_000
"""Maximum raised items that are searched separately; if there are more, more chunks are fetched instead."""


@dataclass(frozen=True)
class Weighed:
    """Multipliers of a run's items by item id, if not 1. `raised`: rows of items with a multiplier above 1."""

    multipliers: Mapping[str, float]
    raised: frozenset[int]

    @property
    def most(self) -> float:
        return max(1.0, *self.multipliers.values()) if self.multipliers else 1.0

    @property
    def alone(self) -> bool:
        """True if the raised items are few enough for a separate search."""
        return 0 < len(self.raised) <= _ALONE

    def score(self, score: float, item_id: str) -> float:
        """Return a weighted score. Negative scores are divided, so that a higher weight never lowers one."""
        multiplier = self.multipliers.get(item_id, 1.0)
        return rounded(score * multiplier if score >= 0 else score / multiplier)

    def applied(self, found: Sequence[Fused], places: Mapping[int, Place]) -> list[Fused]:
        """Return chunks with weighted scores, best first; chunks without a known place are unchanged."""
        again = []
        for row, score, stages, item in found:
            weighted = self.score(score, places[row].item_id) if row in places else score
            again.append(Fused(row, weighted, {**stages, WEIGHTS: weighted}, item))
        return sorted(again, key=lambda one: (-one.score, one.row))


def weighed(weighing: Weighing, items: Iterable[Facets]) -> Weighed:
    """Return the multipliers of a weighting for these items."""
    multipliers: dict[str, float] = {}
    raised: set[int] = set()
    for item in items:
        multiplier = bounded(_product(weighing, item))
        if multiplier != 1:
            multipliers[item.item_id] = multiplier
            if multiplier > 1:
                raised.add(item.row)
    return Weighed(multipliers, frozenset(raised))


def _product(weighing: Weighing, item: Facets) -> float:
    product = weighing.by_item.get(item.item_id, 1.0) * weighing.rules.doctypes.get(item.doctype, 1.0)
    if weighing.by_extension:
        suffixes = item.path.rpartition("/")[2].lower().split(".")[1:]
        for count in range(1, len(suffixes) + 1):
            product *= weighing.by_extension.get(".".join(suffixes[-count:]), 1.0)
    if not weighing.toolkits.isdisjoint(item.toolkits):
        product *= NAMED
    for glob, multiplier in weighing.by_path:
        if matches_path(item.path, [glob]):
            product *= multiplier
    return product


def named(question: str, toolkits: Iterable[str]) -> frozenset[str]:
    """Return the toolkits whose names occur in a question, ignoring case and hyphens."""
    text = f" {' '.join(toolkit_words(question))} "
    return frozenset(name for name in toolkits if (words := toolkit_words(name)) and f" {' '.join(words)} " in text)


def spelled(query: QueryRequest, toolkits: Iterable[str]) -> QueryRequest:
    """Return the query with its toolkit filters in the run's spelling: `MulensModel` as `mulensmodel`."""
    spellings = {" ".join(toolkit_words(name)): name for name in toolkits}
    return replace(query, toolkit=tuple(spellings.get(" ".join(toolkit_words(name)), name) for name in query.toolkit))


def unweighted(stages: Mapping[str, float]) -> float:
    """Return the score of a chunk before weighting."""
    return stages[FUSED] if FUSED in stages else next(iter(stages.values()))


def unseen(kinds: Sequence[tuple[Sequence[float], bool, float]]) -> float:
    """Return the maximum score of a chunk that was not fetched. Each list: its scores, True if it is complete, and the
    maximum weight of its items."""
    return max((max(0.0, min(scores)) * most for scores, is_all, most in kinds if scores and not is_all), default=-inf)


def among(raised: frozenset[int], allow: Allow | None) -> Allow:
    """Return the filter restricted to these items."""
    if allow is None:
        return Allow(Filters(), raised)
    return Allow(allow.filters, raised if allow.item_rows is None else raised & allow.item_rows)


def joined(hits: Sequence[Hit], more: Sequence[Hit]) -> Sequence[Hit]:
    """Return two hit lists of a leg as one, best first."""
    if not more:
        return hits
    rows = {hit.row for hit in hits}
    return sorted([*hits, *(hit for hit in more if hit.row not in rows)], key=lambda hit: -hit.score)
