"""A figure: what was measured against the bar it must reach and the aim it should."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

Unit = Literal[
    "×", "%", "s", "MB", "nDCG@10", "gain", "recall@10", "share", "modules", "tokens", "ms", "/s", "error", "requests"
]
_MORE_IS_BETTER = frozenset({"nDCG@10", "gain", "recall@10", "share", "/s"})

_WRITTEN: dict[str, Callable[[float], str]] = {
    "×": lambda value: f"{value:.2f}×",
    "%": lambda value: f"{value:.1f} %",
    "s": lambda value: f"{value:.2f} s",
    "MB": lambda value: f"{value:.0f} MB",
    "nDCG@10": lambda value: f"{value:.3f}",
    "gain": lambda value: f"{value:+.3f}",
    "recall@10": lambda value: f"{value:.3f}",
    "share": lambda value: f"{value:.2f}",
    "modules": lambda value: "none" if not value else f"{value:.0f}",
    "tokens": lambda value: f"{value:,.0f} tokens",
    "ms": lambda value: f"{value:.1f} ms",
    "/s": lambda value: f"{value:.0f}/s",
    "error": lambda value: f"{value:.3f}",
    "requests": lambda value: f"{value:.0f}",
}


@dataclass(frozen=True)
class Figure:
    """One row. `command`: the word that measures it; `detail`: the absolute values behind it; `on`: the day it was
    measured, as ISO 8601 has it.

    Lower is better, except for what is gained or found. Where there is no `aim`, the bar is all that is asked.
    """

    command: str
    name: str
    unit: Unit
    measured: float
    bar: float
    aim: float | None = None
    detail: str = ""
    on: str = ""

    @property
    def is_reached(self) -> bool:
        """Whether the bar holds, for the value as measured, not as rounded for print."""
        return self._holds(self.bar)

    @property
    def verdict(self) -> str:
        """`miss`, `ok`, or `aim` where even that is reached."""
        if not self.is_reached:
            return "miss"
        return "aim" if self.aim is not None and self._holds(self.aim) else "ok"

    def cells(self) -> tuple[str, ...]:
        """Name, bar, aim, measured, verdict, detail and day, as a person reads them."""
        sign = "≥" if self.unit in _MORE_IS_BETTER else "≤"
        write = _WRITTEN[self.unit]
        bar = write(self.bar) if self.unit == "modules" else f"{sign} {write(self.bar)}"
        aim = write(self.aim) if self.aim is not None else ""
        return (self.name, bar, aim, write(self.measured), self.verdict, self.detail, self.on)

    def as_object(self) -> dict[str, Any]:
        """For `--json`."""
        own = ("command", "name", "unit", "measured", "bar", "aim", "detail", "on")
        return {**{name: getattr(self, name) for name in own}, "verdict": self.verdict}

    def _holds(self, limit: float) -> bool:
        return self.measured >= limit if self.unit in _MORE_IS_BETTER else self.measured <= limit


def table(figures: Sequence[Figure], before: Sequence[Figure] = ()) -> str:
    """The figures in columns, for a terminal, each beside what the same one was `before`."""
    were = {(figure.command, figure.name): figure.cells()[3] for figure in before}
    rows: list[tuple[str, ...]] = [("figure", "bar", "aim", "measured", "before", "", "")]
    for figure in figures:
        *cells, verdict, detail, _ = figure.cells()
        rows.append((*cells, were.get((figure.command, figure.name), ""), verdict, detail))
    widths = [max(len(row[at]) for row in rows) for at in range(6)]
    lines = [
        "  ".join([*(cell.ljust(width) for cell, width in zip(row, widths, strict=False)), row[6]]) for row in rows
    ]
    return "\n".join(line.rstrip() for line in lines)
