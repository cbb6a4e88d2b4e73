"""Conclusions of an evaluation, independent of layout: best system, verdict, changed questions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from biblicus.measure.comparison import SAME, Change, changes
from biblicus.measure.metrics import means
from biblicus.measure.report.words import is_sure, p_value, score, signed
from biblicus.models.answers.evaluation import SEVERITIES, Difference, Evaluation, RankedItem, Row, System

SHOWN = 8
"""Maximum questions shown as better, and as worse."""
DEPTH = 5
"""Maximum items shown of a ranking."""


@dataclass(frozen=True)
class Pair:
    """A system against the base by one metric. `changes`: all common questions."""

    base: System
    other: System
    metric: str
    difference: Difference | None
    changes: Sequence[Change]

    @property
    def better(self) -> list[Change]:
        """Questions on which the other is better, largest difference first."""
        changes = [change for change in self.changes if change.difference > SAME]
        return sorted(changes, key=lambda change: (-change.difference, change.before.question_id))

    @property
    def worse(self) -> list[Change]:
        """Questions on which the other is worse, largest difference first."""
        changes = [change for change in self.changes if change.difference < -SAME]
        return sorted(changes, key=lambda change: (change.difference, change.before.question_id))


class Findings:
    """Conclusions of an evaluation."""

    def __init__(self, evaluation: Evaluation) -> None:
        self.evaluation = evaluation
        self.systems = list(evaluation.systems)
        self.metrics = list(dict.fromkeys(name for system in self.systems for name in system.metrics))
        self.metric = self.metrics[0] if self.metrics else ""
        self._differences = {(difference.other, difference.metric): difference for difference in evaluation.comparisons}

    def difference(self, system: System, metric: str) -> Difference | None:
        """Return the difference of a system to the base, if compared."""
        return self._differences.get((system.name, metric))

    @cached_property
    def best(self) -> System:
        """The best system by the first metric; of equals the first."""
        return max(self.systems, key=lambda system: system.metrics.get(self.metric, 0.0))

    @cached_property
    def pairs(self) -> list[Pair]:
        """Each further system against the first."""
        base, *others = self.systems
        return [
            Pair(
                base, system, self.metric, self.difference(system, self.metric), changes(base, system, self.metric)
            )
            for system in others
        ]  # fmt: skip

    @cached_property
    def figures(self) -> list[str]:
        """The figures that any system has, in their usual order."""
        return list(dict.fromkeys(name for system in self.systems for name in system.system))

    @property
    def verdict(self) -> str:
        """The conclusion in one sentence."""
        base, metric = self.systems[0], self.metric
        if len(self.systems) == 1:
            return f"{base.name} reaches {metric} {score(base.metrics.get(metric))}."
        value = score(self.best.metrics.get(metric))
        if self.best is base:
            behind = [pair.other.name for pair in self.pairs if is_sure(pair.difference)]
            if not behind:
                return f"No system is ahead of {base.name} ({metric} {value}), nor behind it by more than chance."
            rest = "; the others may be as good." if len(behind) < len(self.pairs) else "."
            return f"{base.name} is ahead by {metric} {value}, of {_and(behind)} by more than chance{rest}"
        difference = self.difference(self.best, metric)
        if difference is None:
            return f"{self.best.name} is ahead by {metric} {value}; nothing is known of chance."
        p = _equals(p_value(difference.p_adjusted))
        between = f"95 % interval {signed(difference.low)} to {signed(difference.high)}, p {p}"
        distance = f"{signed(difference.difference)} to {base.name}"
        if is_sure(difference):
            return f"{self.best.name} is best by {metric} {value}: {distance} ({between})."
        return f"{self.best.name} is ahead by {metric} {value}, {distance}, which may be chance ({between})."

    @cached_property
    def broken(self) -> list[tuple[System, Row]]:
        """Questions on which a procedure failed, worst first: missing reply, then by severity."""
        rows = [(system, row) for system in self.systems for row in system.rows if row.problem or row.violations]
        return sorted(rows, key=lambda pair: _weight(pair[1]), reverse=True)

    @cached_property
    def groups(self) -> Mapping[str, Mapping[str, tuple[int, float]]]:
        """Count and mean of the first metric by tag (and kind, if mixed), then by system."""
        rows = [row for system in self.systems for row in system.rows]
        mixed = len({row.kind for row in rows}) > 1
        names = sorted({name for row in rows for name in _groups_of(row, mixed)})
        return {name: {system.name: self._mean(system, name, mixed) for system in self.systems} for name in names}

    def _mean(self, system: System, group: str, mixed: bool) -> tuple[int, float]:
        rows = [row.metrics for row in system.rows if group in _groups_of(row, mixed)]
        return len(rows), means(rows).get(self.metric, 0.0)

    def shown_items(self) -> Iterator[tuple[System, RankedItem]]:
        """Yield the ranked items whose text a report shows."""
        for pair in self.pairs:
            for change in (*pair.better[:SHOWN], *pair.worse[:SHOWN]):
                for system, row in ((pair.base, change.before), (pair.other, change.after)):
                    yield from ((system, item) for item in row.ranking[:DEPTH])


def _weight(row: Row) -> int:
    severities = [SEVERITIES.index(violation.severity) + 1 if violation.severity else 0 for violation in row.violations]
    return len(SEVERITIES) + 1 if row.problem else max(severities, default=0)


def shortcomings(row: Row) -> list[str]:
    """Return the reasons why a procedure's row fails, a sentence each."""
    if row.problem:
        return [f"no reply: {row.problem}"]
    return [
        f"{f'{violation.rule} ({violation.severity})' if violation.rule else violation.requirement}: {violation.detail}"
        for violation in row.violations
    ]


def _groups_of(row: Row, mixed: bool) -> tuple[str, ...]:
    return (*row.tags, row.kind) if mixed else row.tags


def rank_of_first(row: Row) -> int | None:
    """Return the rank of the first relevant item in a row's ranking, or None."""
    return next((rank for rank, item in enumerate(row.ranking, 1) if row.relevant.get(item.item_id, 0) > 0), None)


def _and(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def _equals(text: str) -> str:
    return text if text.startswith("<") else f"= {text}"
