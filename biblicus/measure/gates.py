"""Conditions that fail an evaluation: `ndcg@10 < baseline - 0.01`, `latency_p95 > 50`, `recall@100 < 0.9`."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, cast

from biblicus.config import nearest
from biblicus.errors import UsageError
from biblicus.measure import answer_metrics, metrics, requirements
from biblicus.models.answers.evaluation import Gate, System

FIGURES = (
    "latency_p50", "latency_p95", "latency_p99", "latency_cold", "throughput", "index_bytes", "build_ms",
    "peak_memory_bytes", *answer_metrics.FIGURES,
    *requirements.FIGURES,
)  # fmt: skip
"""Figures of a system besides its rankings: ms, bytes, queries a second."""
_OTHERS = (*answer_metrics.METRICS, *requirements.METRICS)
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


def parse(text: str) -> Condition:
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


def check(condition: Condition, system: System, baseline: System | None) -> Gate:
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
