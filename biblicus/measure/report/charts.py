"""Charts as inline SVG without scripts, fonts or external files.

Colours are the page's CSS variables (`--s0` …, `--good`).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from biblicus.measure.report.words import shortened, signed, text_of
from biblicus.models.answers.evaluation import Difference

_LONGEST = 30
"""Maximum characters of a label; longer ones are cut."""


@dataclass(frozen=True)
class Course:
    """A system's values by evaluation number from 0, each with a tooltip."""

    name: str
    colour: int
    values: Sequence[tuple[int, float, str]]


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


def _padded(values: Sequence[float], start: float, end: float) -> _Axis:
    """Return an axis of a metric with margins around its values. Small differences must look small: it spans at least
    two hundredths."""
    low, high = min(values), max(values)
    room = max((high - low) * 0.25, 0.01)
    most = 1.0 if high <= 1 else math.inf  # a metric's maximum is 1
    return _Axis(max(0.0, low - room) if low >= 0 else low - room, min(high + room, most), start, end)


def over_time(courses: Sequence[Course], count: int, name: str) -> str:
    """Return a chart of the systems over `count` evaluations, the oldest on the left."""
    width, height, left, right, top, bottom = 960, 260, 52, 170, 26, 14
    x = _Axis(0, max(1, count - 1), left, width - right)
    y = _padded([value for course in courses for _, value, _ in course.values], height - bottom, top)
    parts = [_open(width, height, name)]
    for value in y.ticks():
        parts.append(_line(left, y(value), width - right, y(value), "grid"))
        parts.append(_text(left - 8, y(value) + 4, f"{value:g}", "tick", "end"))
    parts += [_line(x(number), height - bottom, x(number), height - bottom + 4, "base") for number in range(count)]
    parts.append(_text(left, top - 10, f"{name} ↑", "axis", "start"))
    ends: list[float] = []
    for course in sorted(courses, key=lambda one: -one.values[-1][1]):
        points = [(x(number), y(value), title) for number, value, title in course.values]
        for (at, up, _), (further, then, _) in pairwise(points):
            parts.append(_line(at, up, further, then, f"course c{course.colour}"))
        parts += [_circle(at, up, 4, f"dot c{course.colour}", title) for at, up, title in points]
        label = points[-1][1] + 4
        while any(abs(label - other_label) < 14 for other_label in ends):
            label += 14
        ends.append(label)
        parts.append(_text(points[-1][0] + 10, label, course.name, "label", "start"))
    return "".join([*parts, "</svg>"])


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
