"""Text of charts and diagrams in Office documents, which are separate parts of the package."""

from __future__ import annotations

from collections.abc import Iterator
from xml.etree.ElementTree import Element

from biblicus.extraction.kit.composing import folded
from biblicus.extraction.office.number_formats import shown
from biblicus.extraction.office.ooxml import Package, text_of, whole

_MOST_VALUES = 60
"""Maximum values of a chart's series."""


def lines_of(package: Package, name: str, node: Element) -> Iterator[str]:
    """Yield the lines of the chart or diagram that a node refers to; none for other nodes."""
    if node.tag not in ("chart", "relIds"):
        return
    relation_ids = (node.get("r:id"), node.get("r:dm"))
    for relation in package.relations(name):
        if relation.id not in relation_ids:
            continue
        root = package.part(relation.target)
        if relation.kind == "chart":
            yield from chart_lines(root)
        else:
            yield from (text_of(point) or point.text or "" for point in root.iter("t"))


def chart_lines(chart: Element) -> Iterator[str]:
    """Yield a chart's titles and its series, each with its values by category."""
    for title in chart.iter("title"):
        yield folded(text_of(title))
    for series in chart.iter("ser"):
        label = " ".join(folded(node.text or "") for named in series.findall("tx") for node in named.iter("v"))
        categories = _points(series.find("cat"), series.find("xVal"))
        values = _points(series.find("val"), series.find("yVal"))
        pairs = [f"{categories.get(number, '')} {value}".strip() for number, value in values.items()]
        if len(pairs) > _MOST_VALUES:
            pairs[_MOST_VALUES:] = [f"and {len(pairs) - _MOST_VALUES} more"]
        if pairs:
            yield f"{label}: {', '.join(pairs)}" if label else ", ".join(pairs)


def _points(*elements: Element | None) -> dict[int, str]:
    """Return the cached values of the first given element by number. For several category levels, the outer category
    comes before the inner one."""
    points: dict[int, str] = {}
    element = next((element for element in elements if element is not None), None)
    if element is None:
        return points
    code = element.findtext(".//formatCode") or ""
    for level in list(element.iter("lvl")) or [element]:
        names = {
            whole(point.get("idx")): folded(
                shown(value.text or "", form) if (form := point.get("formatCode") or code) else value.text or ""
            )
            for point in level.iter("pt")
            for value in point.findall("v")
        }
        if not points:
            points = names
            continue
        outer = ""
        for number in points:
            outer = names.get(number, outer)
            points[number] = f"{outer} {points[number]}".strip()
    return points


def _shown(value: str, code: str) -> str:
    return shown(value, code) if code else value
