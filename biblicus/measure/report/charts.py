"""Charts as inline SVG without scripts, fonts or external files.

Colours are the page's CSS variables (`--s0` …, `--good`).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from biblicus.measure.report.words import shortened, signed, text_of
from biblicus.models.answers.evaluation import Difference

_LONGEST = 30
"""Maximum characters of a label; longer ones are cut."""


@dataclass(frozen=True)
class _Axis:
    """Maps values to pixels."""

    low: float
    high: float
    start: float
    end: float

    def __call__(self, value: float) -> float:
        return self.start + (value - self.low) / ((self.high - self.low) or 1) * (self.end - self.start)

    def ticks(self, count: int = 5) -> list[float]:
        """Return round values within the range: multiples of 1, 2 or 5 times a power of ten."""
        rough = (self.high - self.low) / count
        power = 10.0 ** math.floor(math.log10(rough))
        step = next(m * power for m in (1, 2, 5, 10) if m * power >= rough * 0.999)
        first = math.ceil(self.low / step - 1e-9)
        return [round(n * step, 12) for n in range(first, math.floor(self.high / step + 1e-9) + 1)]


def reliability(bins: Mapping[str, Sequence[Mapping[str, float]]], colours: Mapping[str, int]) -> str:
    """Return a chart of the share of correct answers (y) by confidence (x); the diagonal is perfect calibration. Circle
    areas are numbers of answers. `bins`: as `evaluation.answers.Bin`."""
    size, left, right, top, bottom = 380, 46, 14, 14, 46
    x, y = _Axis(0, 1, left, size - right), _Axis(0, 1, size - bottom, top)
    parts = [_open(size, size, "confidence against being right")]
    for value in x.ticks():
        parts.append(_line(left, y(value), size - right, y(value), "grid"))
        parts.append(_line(x(value), top, x(value), size - bottom, "grid"))
        parts.append(_text(left - 6, y(value) + 4, f"{value:.1f}", "tick", "end"))
        parts.append(_text(x(value), size - bottom + 16, f"{value:.1f}", "tick", "middle"))
    parts.append(_line(x(0), y(0), x(1), y(1), "diagonal"))
    most = max(each["count"] for of_system in bins.values() for each in of_system)
    for name, of_system in bins.items():
        for each in of_system:
            title = f"{name}, {each['count']:,} answers at {each['low']:.1f} to {each['high']:.1f}: "
            title += f"{each['confidence']:.2f} on average, {each['right']:.2f} right"
            radius = 3 + 11 * math.sqrt(each["count"] / most)
            parts.append(
                _circle(x(each["confidence"]), y(each["right"]), radius, f"point c{colours.get(name, 0)}", title)
            )
    parts.append(_text((left + size - right) / 2, size - 10, "confidence, on average", "axis", "middle"))
    turned = f'transform="translate(13 {(top + size - bottom) / 2}) rotate(-90)" text-anchor="middle"'
    return "".join([*parts, f'<text class="axis" {turned}>share that is right</text></svg>'])


def interval(difference: Difference, widest: float, *, sure: bool) -> str:
    """Return a difference with its confidence interval on a scale from `-widest` to `widest`."""
    x = _Axis(-widest, widest, 4, 216)
    kind = "flat" if not sure else "better" if difference.difference > 0 else "worse"
    low, high = x(difference.low), x(difference.high)
    name = f"{signed(difference.difference)}, interval {signed(difference.low)} to {signed(difference.high)}"
    lines = (
        _line(4, 12, 216, 12, "grid") + _line(x(0), 2, x(0), 22, "base") + _line(low, 12, high, 12, f"whisker {kind}")
    )
    return _open(220, 24, name) + lines + _circle(x(difference.difference), 12, 5, f"point {kind} solid") + "</svg>"


def _open(width: int, height: int, name: str) -> str:
    return f'<svg viewBox="0 0 {width} {height}" role="img" aria-label="{text_of(name)}">'


def _line(x1: float, y1: float, x2: float, y2: float, kind: str) -> str:
    return f'<line class="{kind}" x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"/>'


def _text(x: float, y: float, words: str, kind: str, anchor: str) -> str:
    label_text = text_of(shortened(words, _LONGEST))
    return f'<text class="{kind}" x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{label_text}</text>'


def _circle(x: float, y: float, radius: float, kind: str, title: str = "") -> str:
    inside = f"<title>{text_of(title)}</title>" if title else ""
    return f'<circle class="{kind}" cx="{x:.1f}" cy="{y:.1f}" r="{radius:.1f}">{inside}</circle>'
