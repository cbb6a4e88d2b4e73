"""Metrics of a ranking against graded judgements, equal to trec_eval's.

A ranking is a sequence of item ids, best first; judgements are grades by item id. Relevant is what has a grade above
0; gains are the grades themselves, those below 0 count as 0. Every metric lies in 0–1, higher is better.

Sources: nDCG, Järvelin and Kekäläinen (2002), with linear gains and a logarithmic discount to base 2, as trec_eval's
`ndcg_cut`; the others as in trec_eval 9: `P`, `recall`, `map_cut`, `recip_rank`, `success`.
"""

from __future__ import annotations

import math
import re
import struct
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

from biblicus.config import nearest
from biblicus.errors import UsageError
from biblicus.models.answers.evaluation import RankedItem

Grades = Mapping[str, int]
Spans = Mapping[str, Sequence[tuple[int, int]]]
"""The relevant spans of an item's extraction, by item id."""

DEFAULT = ("ndcg@10", "recall@10", "recall@100", "precision@10", "map@100", "mrr@10", "success@10")
DEPTH = 1000
"""How deep a metric without a cut-off looks, as is TREC's custom."""
_NAME = re.compile(r"([a-z_]+)(?:@([1-9][0-9]{0,3}))?")
ALIASES = {"hit": "success", "hit_rate": "success", "p": "precision", "recip_rank": "mrr"}


@dataclass(frozen=True, slots=True)
class Metric:
    """A metric with its cut-off. `name` is the canonical one: `hit@10` is `success@10`."""

    kind: str
    k: int
    name: str


def parse(name: str) -> Metric:
    """The metric of this name. Raises `UsageError`, which names the nearest known one."""
    match = _NAME.fullmatch(name.strip().lower())
    kind = ALIASES.get(match[1], match[1]) if match else ""
    if match is None or kind not in KINDS:
        given = name.strip().lower().partition("@")[0]
        raise UsageError(
            f'There is no metric "{name[:60]}"{nearest(given, [*KINDS])}', "biblicus eval DATASET --metric ndcg@10"
        )
    k = int(match[2]) if match[2] else DEPTH
    return Metric(kind, k, f"{kind}@{k}" if match[2] else kind)


def depth_of(metrics: Sequence[Metric]) -> int:
    """How many items a ranking needs for all of them."""
    return max((metric.k for metric in metrics), default=0)


def ndcg(ranked: Sequence[str], grades: Grades, k: int) -> float:
    """Normalised discounted cumulative gain of the first `k`."""
    ideal = _dcg(sorted((grade for grade in grades.values() if grade > 0), reverse=True)[:k])
    return _dcg([max(grades.get(item, 0), 0) for item in ranked[:k]]) / ideal if ideal else 0.0


def _dcg(gains: Sequence[int]) -> float:
    return sum(gain / math.log2(place + 2) for place, gain in enumerate(gains) if gain)


def recall(ranked: Sequence[str], grades: Grades, k: int) -> float:
    """The share of the relevant items among the first `k`."""
    wanted = _relevant(grades)
    return _found(ranked, grades, k) / wanted if wanted else 0.0


def precision(ranked: Sequence[str], grades: Grades, k: int) -> float:
    """The share of the first `k` places that hold a relevant item; places that a short ranking leaves empty count."""
    return _found(ranked, grades, k) / k


def average_precision(ranked: Sequence[str], grades: Grades, k: int) -> float:
    """The mean, over all relevant items, of the precision at their places; 0 for those not among the first `k`."""
    wanted, hits, total = _relevant(grades), 0, 0.0
    for place, item in enumerate(islice(ranked, k), 1):
        if grades.get(item, 0) > 0:
            hits += 1
            total += hits / place
    return total / wanted if wanted else 0.0


def reciprocal_rank(ranked: Sequence[str], grades: Grades, k: int) -> float:
    """One over the place of the first relevant item; 0 where it is not among the first `k`."""
    places = (place for place, item in enumerate(islice(ranked, k), 1) if grades.get(item, 0) > 0)
    first = next(places, None)
    return 1 / first if first else 0.0


def success(ranked: Sequence[str], grades: Grades, k: int) -> float:
    """1 where a relevant item is among the first `k`, else 0: its mean is the hit rate."""
    return 1.0 if _found(ranked, grades, k) else 0.0


def span_success(ranked: Sequence[RankedItem], spans: Spans, k: int) -> float:
    """1 where one of the first `k` items was ranked for a piece that holds at least half of a relevant span, or that
    lies within it."""
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
    """The value of each metric by name. A metric of spans is absent where the question has none."""
    ranked = [item.item_id for item in ranking]
    scores = {}
    for metric in metrics:
        if metric.kind in _BY_ITEM:
            scores[metric.name] = _BY_ITEM[metric.kind](ranked, grades, metric.k)
        elif spans:
            scores[metric.name] = span_success(ranking, spans, metric.k)
    return scores


def means(rows: Sequence[Mapping[str, float]]) -> dict[str, float]:
    """The mean of each metric over the rows that have it."""
    names = dict.fromkeys(name for row in rows for name in row)
    columns = {name: [row[name] for row in rows if name in row] for name in names}
    return {name: math.fsum(column) / len(column) for name, column in columns.items()}


def in_trec_order(scores: Mapping[str, float]) -> list[str]:
    """Item ids as trec_eval ranks them: by score in single precision, ties by id from the last to the first."""
    return sorted(scores, key=lambda item: (single_precision(scores[item]), item.encode()), reverse=True)


def single_precision(value: float) -> float:
    """The nearest number that four bytes hold."""
    single: float = struct.unpack("f", struct.pack("f", value))[0]
    return single
