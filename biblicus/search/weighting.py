"""The stage `weights`: scores times what their items weigh, and which chunks must be looked at for that to be right."""

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
from biblicus.text.globs import matches_path
from biblicus.text.terms.identifiers import toolkit_words

WEIGHTS = "weights"
"""The stage whose score this gives."""
_ALONE = 2_000
"""Raised items that are asked for by themselves; where there are more, more of all chunks are fetched instead."""


@dataclass(frozen=True)
class Weighed:
    """The multipliers of one run's items, by item id, where they are not 1. `raised`: the rows of those above 1."""

    multipliers: Mapping[str, float]
    raised: frozenset[int]

    @property
    def most(self) -> float:
        return max(1.0, *self.multipliers.values()) if self.multipliers else 1.0

    @property
    def alone(self) -> bool:
        """Whether the raised items are few enough to be asked for by themselves."""
        return 0 < len(self.raised) <= _ALONE

    def score(self, score: float, item_id: str) -> float:
        """A score as it counts. One below 0 is divided, so that what weighs more never falls."""
        multiplier = self.multipliers.get(item_id, 1.0)
        return rounded(score * multiplier if score >= 0 else score / multiplier)

    def applied(self, found: Sequence[Fused], places: Mapping[int, Place]) -> list[Fused]:
        """Chunks with their weighted scores, best first. One whose place is not known stays as it is."""
        again = []
        for row, score, stages in found:
            weighted = self.score(score, places[row].item_id) if row in places else score
            again.append(Fused(row, weighted, {**stages, WEIGHTS: weighted}))
        return sorted(again, key=lambda one: (-one.score, one.row))


def weighed(weighing: Weighing, items: Iterable[Facets]) -> Weighed:
    """What a weighing comes to for these items."""
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
    """Those of the toolkits whose names stand in a question, whatever their capitals and hyphens."""
    asked = f" {' '.join(toolkit_words(question))} "
    return frozenset(name for name in toolkits if (words := toolkit_words(name)) and f" {' '.join(words)} " in asked)


def spelled(query: QueryRequest, toolkits: Iterable[str]) -> QueryRequest:
    """The question with the names of toolkits that it filters by as the run spells them: `MulensModel` as
    `mulensmodel`."""
    known = {" ".join(toolkit_words(name)): name for name in toolkits}
    return replace(query, toolkit=tuple(known.get(" ".join(toolkit_words(name)), name) for name in query.toolkit))


def unweighted(stages: Mapping[str, float]) -> float:
    """The score that a chunk had before it was weighed."""
    return stages[FUSED] if FUSED in stages else next(iter(stages.values()))


def unseen(kinds: Sequence[tuple[Sequence[float], bool, float]]) -> float:
    """The most that a chunk could score that was not fetched. Of each list: its scores, whether it is all there is, and
    what its items weigh at most. A chunk has no better score than the last that was fetched before it."""
    return max((max(0.0, min(scores)) * most for scores, is_all, most in kinds if scores and not is_all), default=-inf)


def among(raised: frozenset[int], allow: Allow | None) -> Allow:
    """What is allowed, of these items alone."""
    if allow is None:
        return Allow(Filters(), raised)
    return Allow(allow.filters, raised if allow.item_rows is None else raised & allow.item_rows)


def joined(hits: Sequence[Hit], more: Sequence[Hit]) -> Sequence[Hit]:
    """Two lists of one leg as one, best first."""
    if not more:
        return hits
    known = {hit.row for hit in hits}
    return sorted([*hits, *(hit for hit in more if hit.row not in known)], key=lambda hit: -hit.score)
