"""Compares systems on the same questions, and checks conditions that fail an evaluation.

Conditions: `ndcg@10 < baseline - 0.01`, `latency_p95 > 50`, `recall@100 < 0.9`. Tests are paired by question and
deterministic for a seed. Sources: the randomisation test, Smucker, Allan and Carterette, "A comparison of statistical
significance tests for information retrieval evaluation" (CIKM 2007); the percentile bootstrap of paired differences,
Efron and Tibshirani (1993, ch. 13); the correction, Holm (1979).
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, cast

from biblicus.config import nearest
from biblicus.errors import UsageError
from biblicus.lazy import NDArray, np
from biblicus.measure import answer_metrics, metrics
from biblicus.models.answers.evaluation import Difference, Gate, Row, System

CONFIDENCE = 0.95
RESAMPLES = 10_000
PERMUTATIONS = 20_000
EXACT_UP_TO = 16
"""Maximum number of differing questions for which all 2^n sign patterns are tested."""
SAME = 1e-12
"""Differences up to this are ties."""
_BLOCK = 1 << 21
"""Random numbers drawn at a time."""

FIGURES = (
    "latency_p50", "latency_p95", "latency_p99", "latency_cold", "throughput", "index_bytes", "build_ms",
    "peak_memory_bytes", *answer_metrics.FIGURES,
    *answer_metrics.PROCEDURE_FIGURES,
)  # fmt: skip
"""Figures of a system besides its rankings: ms, bytes, queries a second."""
_OTHERS = (*answer_metrics.METRICS, *answer_metrics.PROCEDURE_METRICS)
"""Metrics of answers and procedures."""
_EXAMPLE = 'biblicus eval DATASET --fail-if "ndcg@10 < baseline - 0.01"'
_SHAPE = re.compile(
    r"(?P<name>[a-z][a-z0-9_]*(?:@\d+)?) *(?P<sign><=|>=|<|>) *"
    r"(?:(?P<number>\d+(?:\.\d+)?)|baseline(?: *(?P<change>[-+*]) *(?P<by>\d+(?:\.\d+)?))?)"
)
_SIGNS: Mapping[str, Callable[[float, float], bool]] = {
    "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
}  # fmt: skip
_CHANGES: Mapping[str, Callable[[float, float], float]] = {"+": operator.add, "-": operator.sub, "*": operator.mul}


def compare(systems: Sequence[System], metrics: Sequence[str], *, seed: int = 0) -> list[Difference]:
    """Compare each further system with the first, on common questions and metrics.

    Confidence intervals are 95 %; p-values are corrected over all returned comparisons. Other pairs are not compared,
    as each comparison reduces the power of all. Put the reference system first.
    """
    if len(systems) < 2:
        return []
    base, *others = systems
    differences = []
    for other_system in others:
        pairs = _pairs(base, other_system)
        groups: dict[tuple[int, ...], list[str]] = {}
        for metric in metrics:
            having = tuple(n for n, (a, b) in enumerate(pairs) if metric in a.metrics and metric in b.metrics)
            if having:
                groups.setdefault(having, []).append(metric)
        for having, names in groups.items():
            differences += _differences([pairs[n] for n in having], names, base.name, other_system.name, seed)
    order = {metric: place for place, metric in enumerate(metrics)}
    names_in_order = [other_system.name for other_system in others]
    differences.sort(key=lambda difference: (names_in_order.index(difference.other), order[difference.metric]))
    adjusted = holm([difference.p_value for difference in differences])
    return [replace(difference, p_adjusted=value) for difference, value in zip(differences, adjusted, strict=True)]


def _pairs(base: System, other: System) -> list[tuple[Row, Row]]:
    """Return the rows of common questions sorted by question id, independent of the dataset's order."""
    theirs = {row.question_id: row for row in other.rows}
    both = [(row, theirs[row.question_id]) for row in base.rows if row.question_id in theirs]
    return sorted(both, key=lambda pair: pair[0].question_id)


def _differences(
    pairs: Sequence[tuple[Row, Row]], metrics: Sequence[str], base: str, other: str, seed: int
) -> list[Difference]:

    table = np.array(
        [[b.metrics[metric] - a.metrics[metric] for metric in metrics] for a, b in pairs], dtype=np.float64
    )
    table[np.abs(table) <= SAME] = 0.0
    low, high = intervals(table, seed)
    p_values = randomisation(table, seed)
    wins, losses = (table > 0).sum(axis=0), (table < 0).sum(axis=0)
    return [
        Difference(
            metric, base, other, float(table[:, n].mean()), float(low[n]), float(high[n]), p_values[n], p_values[n],
            int(wins[n]), int(losses[n]), int(len(table) - wins[n] - losses[n]),
        )
        for n, metric in enumerate(metrics)
    ]  # fmt: skip


def intervals(table: NDArray[np.float64], seed: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the bounds of the mean of each column of differences (questions, metrics) by percentile bootstrap."""

    count = len(table)
    draws = np.random.default_rng(seed)
    means = np.empty((RESAMPLES, table.shape[1]))
    step = max(1, _BLOCK // count)
    for start in range(0, RESAMPLES, step):
        rows = min(step, RESAMPLES - start)
        drawn = draws.integers(0, count, size=(rows, count), dtype=np.int32)
        drawn += (np.arange(rows, dtype=np.int32) * count)[:, None]
        times = np.bincount(drawn.ravel(), minlength=rows * count).reshape(rows, count)
        means[start : start + rows] = times @ table / count
    tail = (1 - CONFIDENCE) / 2
    low, high = np.quantile(means, [tail, 1 - tail], axis=0)
    return low, high


def randomisation(table: NDArray[np.float64], seed: int) -> list[float]:
    """Return the two-sided p-value of each column of differences (questions, metrics) under random signs. Exact if at
    most `EXACT_UP_TO` questions differ; else from random sign patterns including the observed one."""

    sampled = [n for n in range(table.shape[1]) if np.count_nonzero(table[:, n]) > EXACT_UP_TO]
    drawn = dict(zip(sampled, _sampled(table[:, sampled], seed), strict=True)) if sampled else {}
    return [drawn[n] if n in drawn else _exact(table[:, n]) for n in range(table.shape[1])]


def _exact(column: NDArray[np.float64]) -> float:

    sums = np.zeros(1)
    for difference in column[column != 0]:
        sums = np.concatenate((sums + difference, sums - difference))
    return float(_as_far(sums[:, None], np.array([column.sum()])).mean())


def _sampled(table: NDArray[np.float64], seed: int) -> list[float]:

    count = len(table)
    draws = np.random.default_rng(seed)
    observed = table.sum(axis=0)
    beyond = np.zeros(table.shape[1], dtype=np.int64)
    step = max(1, _BLOCK // count)
    for start in range(0, PERMUTATIONS, step):
        rows = min(step, PERMUTATIONS - start)
        bits = np.frombuffer(draws.bytes((rows * count + 7) // 8), dtype=np.uint8)
        flipped = np.unpackbits(bits, count=rows * count).reshape(rows, count).astype(np.float64)
        # A sum with some signs flipped is the total minus twice the sum of those rows.
        beyond += _as_far(observed - 2 * (flipped @ table), observed).sum(axis=0)
    return [float(value) for value in (beyond + 1) / (PERMUTATIONS + 1)]


def _as_far(sums: NDArray[np.float64], observed: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Return which sums are at least as far from 0 as the observed one, with a tolerance for rounding."""

    extreme: NDArray[np.bool_] = np.abs(sums) >= np.abs(observed) - 1e-9
    return extreme


def holm(p_values: Sequence[float]) -> list[float]:
    """Return p-values corrected for their number (Holm), which bounds the probability of any false positive."""
    order = sorted(range(len(p_values)), key=lambda n: p_values[n])
    adjusted, highest = [0.0] * len(p_values), 0.0
    for rank, n in enumerate(order):
        highest = max(highest, min(1.0, (len(p_values) - rank) * p_values[n]))
        adjusted[n] = highest
    return adjusted


@dataclass(frozen=True, slots=True)
class Change:
    """A question under two systems. `before`, `after`: the row of the base and of the other."""

    metric: str
    before: Row
    after: Row

    @property
    def difference(self) -> float:
        return self.after.metrics[self.metric] - self.before.metrics[self.metric]


def changes(base: System, other: System, metric: str) -> list[Change]:
    """Return every question that both systems answered and the metric measures, by question id."""
    pairs = _pairs(base, other)
    return [Change(metric, a, b) for a, b in pairs if metric in a.metrics and metric in b.metrics]


@dataclass(frozen=True)
class Condition:
    """A parsed condition. `number`: the limit, if it does not depend on the baseline."""

    text: str
    name: str
    sign: str
    number: float | None
    change: Literal["+", "-", "*"] | None
    by: float

    @property
    def is_metric(self) -> bool:
        return self.name not in FIGURES

    @property
    def needs_baseline(self) -> bool:
        return self.number is None

    def limit(self, baseline: float) -> float:
        """Return the limit for a baseline value."""
        if self.number is not None:
            return self.number
        return _CHANGES[self.change](baseline, self.by) if self.change else baseline


def parse_condition(text: str) -> Condition:
    """Parse a condition. Raises `UsageError`."""
    match = _SHAPE.fullmatch(" ".join(text.split()).lower())
    if match is None:
        raise UsageError(f'"{text[:80]}" is no condition.', _EXAMPLE)
    name = match["name"]
    if name not in FIGURES and name not in _OTHERS:
        kind = name.partition("@")[0]
        if kind not in (*metrics.KINDS, *metrics.ALIASES):
            metric_names = [*metrics.KINDS, *_OTHERS, *FIGURES]
            raise UsageError(f'There is no metric "{name}"{nearest(kind, metric_names)}', _EXAMPLE)
        name = metrics.parse(name).name
    number = float(match["number"]) if match["number"] else None
    change = cast('Literal["+", "-", "*"] | None', match["change"])
    return Condition(text, name, match["sign"], number, change, float(match["by"] or 0))


def check_condition(condition: Condition, system: System, baseline: System | None) -> Gate:
    """Return the result of a condition for a system; a value that was not measured fails."""
    value, before = _value(condition, system), _value(condition, baseline) if baseline else None
    if value is None or (condition.needs_baseline and before is None):
        whose = system.name if value is None or baseline is None else baseline.name
        return Gate(condition.text, system.name, False, f"{condition.name} was not measured for {whose}")
    limit = condition.limit(before or 0.0)
    holds = not _SIGNS[condition.sign](value, limit)
    detail = f"{condition.name} is {_shown(value)}, the limit {_shown(limit)}"
    if condition.needs_baseline and before is not None:
        detail += f", the baseline {_shown(before)}"
    return Gate(condition.text, system.name, holds, detail, () if holds else _worse(condition, system, baseline))


def _value(condition: Condition, system: System | None) -> float | None:
    if system is None:
        return None
    return (system.metrics if condition.is_metric else system.system).get(condition.name)


def _worse(condition: Condition, system: System, baseline: System | None) -> tuple[str, ...]:
    """Return questions whose value fell, by largest loss, ties in dataset order."""
    if baseline is None or not condition.is_metric:
        return ()
    before = {row.question_id: row.metrics.get(condition.name) for row in baseline.rows}
    losses: list[tuple[float, str]] = []
    for row in system.rows:
        was, now = before.get(row.question_id), row.metrics.get(condition.name)
        if was is not None and now is not None and now < was:
            losses.append((now - was, row.question_id))
    return tuple(question for _, question in sorted(losses, key=lambda loss: loss[0]))


def _shown(value: float) -> str:
    return f"{value:.4f}" if value < 10 else f"{value:,.1f}"


def needed(conditions: Sequence[Condition]) -> list[str]:
    """Return the ranking metrics that conditions use."""
    names = (condition.name for condition in conditions if condition.is_metric)
    return list(dict.fromkeys(name for name in names if name not in _OTHERS))
