"""Charts as inline SVG without scripts, fonts or external files.

Colours are the page's CSS variables (`--s0` …, `--good`).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from biblicus.measure.comparison import Change
from biblicus.measure.report.layout import text_of
from biblicus.measure.report.words import score, shortened, signed
from biblicus.models.answers.evaluation import Difference

_LONGEST = 30
"""Maximum characters of a label; longer ones are cut."""


@dataclass(frozen=True)
class Dot:
    """A system in a scatter chart."""

    name: str
    colour: int
    x: float
    y: float
    label: str


@dataclass(frozen=True)
class Course:
    """A system's values by evaluation number from 0, each with a tooltip."""

    name: str
    colour: int
    values: Sequence[tuple[int, float, str]]


@dataclass(frozen=True)
class _Axis:
    """Maps values to pixels, linearly or logarithmically."""

    low: float
    high: float
    start: float
    end: float
    log: bool = False

    def __call__(self, value: float) -> float:
        low, high, value = (math.log10(v) if self.log else v for v in (self.low, self.high, value))
        return self.start + (value - low) / ((high - low) or 1) * (self.end - self.start)

    def ticks(self, count: int = 5) -> list[float]:
        """Return round values within the range: 1, 2 and 5 times powers of ten."""
        if self.log:
            first, last = math.floor(math.log10(self.low)), math.ceil(math.log10(self.high))
            ticks = [m * 10.0**n for n in range(first, last + 1) for m in (1, 2, 5)]
            inside = [tick for tick in ticks if self.low <= tick <= self.high]
            return inside if len(inside) <= count + 2 else [tick for tick in inside if f"{tick:e}".startswith("1")]
        rough = (self.high - self.low) / count
        power = 10.0 ** math.floor(math.log10(rough))
        step = next(m * power for m in (1, 2, 5, 10) if m * power >= rough * 0.999)
        first = math.ceil(self.low / step - 1e-9)
        return [round(n * step, 12) for n in range(first, math.floor(self.high / step + 1e-9) + 1)]


def _padded(values: Sequence[float], start: float, end: float, *, positive: bool = False) -> _Axis:
    """Return an axis with margins around its values, logarithmic if they differ at least eightfold."""
    low, high = min(values), max(values)
    if positive and low > 0 and high / low >= 8:
        return _Axis(low / 1.6, high * 1.6, start, end, log=True)
    # Small differences must look small: the axis spans at least a third of a cost, or two hundredths of a metric.
    room = max((high - low) * 0.25, abs(high) * 0.15 if positive else 0.01) or 1.0
    most = 1.0 if high <= 1 and not positive else math.inf  # a metric's maximum is 1
    return _Axis(max(0.0, low - room) if low >= 0 else low - room, min(high + room, most), start, end)


def quality_against(dots: Sequence[Dot], x_name: str, y_name: str) -> str:
    """Return a chart of a metric against its cost; up and left is better."""
    width, height, left, right, top, bottom = 480, 300, 52, 18, 18, 44
    x = _padded([dot.x for dot in dots], left, width - right, positive=True)
    y = _padded([dot.y for dot in dots], height - bottom, top)
    parts = [_open(width, height, f"{y_name} against {x_name}")]
    for value in y.ticks():
        parts.append(_line(left, y(value), width - right, y(value), "grid"))
        parts.append(_text(left - 8, y(value) + 4, f"{value:g}", "tick", "end"))
    for value in x.ticks():
        parts.append(_line(x(value), top, x(value), height - bottom, "grid"))
        parts.append(_text(x(value), height - bottom + 18, f"{value:g}", "tick", "middle"))
    parts.append(_text((left + width - right) / 2, height - 8, x_name, "axis", "middle"))
    parts.append(_text(left, top - 6, f"{y_name} ↑", "axis", "start"))
    taken: list[tuple[float, float]] = []
    labels = []
    for dot in sorted(dots, key=lambda each: -each.y):
        at, up = x(dot.x), y(dot.y)
        parts.append(_circle(at, up, 7, f"dot c{dot.colour}", dot.label))
        side = "end" if at > width * 0.68 else "start"
        label = up + 4
        while any(abs(label - other_label) < 14 and abs(at - there) < 150 for there, other_label in taken):
            label += 14
        taken.append((at, label))
        labels.append(_text(at + (-12 if side == "end" else 12), label, dot.name, "label", side))
    return "".join([*parts, *labels, "</svg>"])


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


def by_question(changes: Sequence[Change], base: str, other: str, colour: int) -> str:
    """Return a chart of each question's metric for the base (x) and the other system (y); above the diagonal is better.
    Questions with equal values share a circle whose area is their number."""
    highest = max([1.0, *(c.before.metrics[c.metric] for c in changes), *(c.after.metrics[c.metric] for c in changes)])
    places: dict[tuple[float, float], list[Change]] = {}
    for change in changes:
        place = (round(change.before.metrics[change.metric], 2), round(change.after.metrics[change.metric], 2))
        places.setdefault(place, []).append(change)
    points = []
    for (before, after), members in sorted(places.items(), key=lambda entry: -len(entry[1])):
        kind = "same" if abs(after - before) < 0.005 else "better" if after > before else "worse"
        more = f" and {len(members) - 1} more" if len(members) > 1 else ""
        title = f"{members[0].before.text[:120]}{more}: {score(before)} → {score(after)}"
        points.append((before, after, min(13.0, 2.6 + math.sqrt(len(members))), kind, title))
    return _square(f"each question under {base} and {other}", highest, points, base, other, f"c{colour}")


def reliability(bins: Mapping[str, Sequence[Mapping[str, float]]], colours: Mapping[str, int]) -> str:
    """Return a chart of the share of correct answers (y) by confidence (x); the diagonal is perfect calibration. Circle
    areas are numbers of answers. `bins`: as `evaluation.answers.Bin`."""
    most = max(each["count"] for of_system in bins.values() for each in of_system)
    points = [
        (
            each["confidence"],
            each["right"],
            3 + 11 * math.sqrt(each["count"] / most),
            f"c{colours.get(name, 0)}",
            (
                f"{name}, {each['count']:,} answers at {each['low']:.1f} to {each['high']:.1f}: "
                f"{each['confidence']:.2f} on average, {each['right']:.2f} right"
            ),
        )
        for name, of_system in bins.items()
        for each in of_system
    ]
    labels = "confidence, on average", "share that is right"
    return _square("confidence against being right", 1.0, points, *labels)


def _square(
    name: str, highest: float, points: Sequence[tuple[float, float, float, str, str]], below: str, beside: str,
    kind: str = "",
) -> str:  # fmt: skip
    """Return a square chart from 0 to `highest` with its diagonal. `points`: x, y, radius, kind and tooltip."""
    size, left, right, top, bottom = 380, 46, 14, 14, 46
    x, y = _Axis(0, highest, left, size - right), _Axis(0, highest, size - bottom, top)
    parts = [_open(size, size, name)]
    for value in x.ticks():
        parts.append(_line(left, y(value), size - right, y(value), "grid"))
        parts.append(_line(x(value), top, x(value), size - bottom, "grid"))
        parts.append(_text(left - 6, y(value) + 4, f"{value:.1f}", "tick", "end"))
        parts.append(_text(x(value), size - bottom + 16, f"{value:.1f}", "tick", "middle"))
    parts.append(_line(x(0), y(0), x(highest), y(highest), "diagonal"))
    parts += [_circle(x(at), y(up), radius, f"point {each}", title) for at, up, radius, each, title in points]
    parts.append(_text((left + size - right) / 2, size - 10, below, "axis", "middle"))
    turned = f'transform="translate(13 {(top + size - bottom) / 2}) rotate(-90)" text-anchor="middle"'
    words = text_of(shortened(beside, _LONGEST))
    return "".join([*parts, f'<text class="axis {kind}" {turned}>{words}</text></svg>'])


def interval(difference: Difference, widest: float, *, sure: bool) -> str:
    """Return a difference with its confidence interval on a scale from `-widest` to `widest`."""
    x = _Axis(-widest, widest, 4, 216)
    kind = "flat" if not sure else "better" if difference.difference > 0 else "worse"
    low, high = x(difference.low), x(difference.high)
    return "".join(
        [
            _open(
                220,
                24,
                f"{signed(difference.difference)}, interval {signed(difference.low)} to {signed(difference.high)}",
            ),
            _line(4, 12, 216, 12, "grid"),
            _line(x(0), 2, x(0), 22, "base"),
            _line(low, 12, high, 12, f"whisker {kind}"),
            _circle(x(difference.difference), 12, 5, f"point {kind} solid"),
            "</svg>",
        ]
    )


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
