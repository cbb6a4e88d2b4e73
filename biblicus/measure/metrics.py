"""Ranking metrics with graded judgements, equal to those of trec_eval.

A ranking is a sequence of item ids, best first; judgements are grades by item id. Items with a grade above 0 are
relevant; gains are the grades, with negative ones as 0. All metrics are in 0–1, higher is better.

Sources: nDCG, Järvelin and Kekäläinen (2002), with linear gains and a logarithmic discount to base 2, as trec_eval's
`ndcg_cut`; the others as in trec_eval 9: `P`, `recall`, `map_cut`, `recip_rank`, `success`.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

from biblicus.config import nearest
from biblicus.errors import UsageError
from biblicus.models.answers.evaluation import RankedItem

Grades = Mapping[str, int]
Spans = Mapping[str, Sequence[tuple[int, int]]]
"""The relevant spans of an item's extraction by item id."""

DEFAULT = ("ndcg@10", "recall@10", "recall@100", "precision@10", "map@100", "mrr@10", "success@10")
DEPTH = 1000
"""Depth of a metric without a cut-off, as usual at TREC."""
_NAME = re.compile(r"([a-z_]+)(?:@([1-9][0-9]{0,3}))?")
ALIASES = {"hit": "success", "hit_rate": "success", "p": "precision", "recip_rank": "mrr"}


@dataclass(frozen=True, slots=True)
class Metric:
    """A metric with its cut-off. `name`: canonical, for example `success@10` for `hit@10`."""

    kind: str
    k: int
    name: str


def parse(name: str) -> Metric:
    """Return the metric of this name. Raises `UsageError`, which suggests the nearest known one."""
    match = _NAME.fullmatch(name.strip().lower())
    kind = ALIASES.get(match[1], match[1]) if match else ""
    if match is None or kind not in KINDS:
        kind_name = name.strip().lower().partition("@")[0]
        raise UsageError(
            f'There is no metric "{name[:60]}"{nearest(kind_name, [*KINDS])}', "biblicus eval DATASET --metric ndcg@10"
        )
    k = int(match[2]) if match[2] else DEPTH
    return Metric(kind, k, f"{kind}@{k}" if match[2] else kind)


def depth_of(metrics: Sequence[Metric]) -> int:
    """Return the number of ranked items that all the metrics need."""
    return max((metric.k for metric in metrics), default=0)


def ndcg(ranked: Sequence[str], grades: Grades, k: int) -> float:
    """Return the normalised discounted cumulative gain of the first `k`."""
    ideal = _dcg(sorted((grade for grade in grades.values() if grade > 0), reverse=True)[:k])
    return _dcg([max(grades.get(item, 0), 0) for item in ranked[:k]]) / ideal if ideal else 0.0


def _dcg(gains: Sequence[int]) -> float:
    return sum(gain / math.log2(place + 2) for place, gain in enumerate(gains) if gain)


def recall(ranked: Sequence[str], grades: Grades, k: int) -> float:
    """Return the share of the relevant items among the first `k`."""
    relevant_count = _relevant(grades)
    return _found(ranked, grades, k) / relevant_count if relevant_count else 0.0


def precision(ranked: Sequence[str], grades: Grades, k: int) -> float:
    """Return the share of relevant items in the first `k` positions; missing ones of a short ranking count."""
    return _found(ranked, grades, k) / k


def average_precision(ranked: Sequence[str], grades: Grades, k: int) -> float:
    """Return the mean over all relevant items of the precision at their ranks; 0 for those beyond `k`."""
    relevant_count, hits, total = _relevant(grades), 0, 0.0
    for place, item in enumerate(islice(ranked, k), 1):
        if grades.get(item, 0) > 0:
            hits += 1
            total += hits / place
    return total / relevant_count if relevant_count else 0.0


def reciprocal_rank(ranked: Sequence[str], grades: Grades, k: int) -> float:
    """Return one over the rank of the first relevant item; 0 if it is not among the first `k`."""
    places = (place for place, item in enumerate(islice(ranked, k), 1) if grades.get(item, 0) > 0)
    first = next(places, None)
    return 1 / first if first else 0.0


def success(ranked: Sequence[str], grades: Grades, k: int) -> float:
    """Return 1 if a relevant item is among the first `k`, else 0; the mean is the hit rate."""
    return 1.0 if _found(ranked, grades, k) else 0.0


def span_success(ranked: Sequence[RankedItem], spans: Spans, k: int) -> float:
    """Return 1 if one of the first `k` items was ranked by a chunk inside a relevant span or with at least half of
    it."""
    for item in islice(ranked, k):
        for start, end in spans.get(item.item_id, ()):
            shared = min(end, item.end) - max(start, item.start)
            if shared > 0 and shared * 2 >= min(end - start, 2 * (item.end - item.start)):
                return 1.0
    return 0.0


def _found(ranked: Sequence[str], grades: Grades, k: int) -> int:
    return sum(grades.get(item, 0) > 0 for item in islice(ranked, k))


def _relevant(grades: Grades) -> int:
    return sum(grade > 0 for grade in grades.values())


_BY_ITEM: Mapping[str, Callable[[Sequence[str], Grades, int], float]] = {
    "ndcg": ndcg,
    "recall": recall,
    "precision": precision,
    "map": average_precision,
    "mrr": reciprocal_rank,
    "success": success,
}
KINDS = (*_BY_ITEM, "span_success")


def score(metrics: Sequence[Metric], ranking: Sequence[RankedItem], grades: Grades, spans: Spans) -> dict[str, float]:
    """Return the value of each metric by name; span metrics are absent for questions without spans."""
    ranked = [item.item_id for item in ranking]
    scores = {}
    for metric in metrics:
        if metric.kind in _BY_ITEM:
            scores[metric.name] = _BY_ITEM[metric.kind](ranked, grades, metric.k)
        elif spans:
            scores[metric.name] = span_success(ranking, spans, metric.k)
    return scores


def means(rows: Sequence[Mapping[str, float]]) -> dict[str, float]:
    """Return the mean of each metric over the rows that have it."""
    names = dict.fromkeys(name for row in rows for name in row)
    columns = {name: [row[name] for row in rows if name in row] for name in names}
    return {name: math.fsum(column) / len(column) for name, column in columns.items()}
