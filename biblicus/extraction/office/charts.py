"""Text of charts and diagrams in Office documents, which are separate parts of the package."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from xml.etree.ElementTree import Element

from biblicus.extraction.kit.composing import folded
from biblicus.extraction.office.number_formats import shown
from biblicus.extraction.office.ooxml import Package, text_of, whole

_GENERAL = "general"
_MOST_VALUES = 60
"""Maximum values of a chart's series."""


CodeOf = Callable[[str], str]
"""Number format of the first cell in a range such as `Q!$B$2:$B$9`; empty if unknown."""


def lines_of(package: Package, name: str, node: Element, code_of: CodeOf = lambda cells: "") -> Iterator[str]:
    """Yield the lines of the chart or diagram that a node refers to; none for other nodes."""
    if node.tag not in ("chart", "relIds"):
        return
    relation_ids = (node.get("r:id"), node.get("r:dm"))
    for relation in package.relations(name):
        if relation.id not in relation_ids:
            continue
        root = package.part(relation.target)
        if relation.kind == "chart":
            yield from chart_lines(root, code_of)
        else:
            yield from (text_of(point) or point.text or "" for point in root.iter("t"))


def chart_lines(chart: Element, code_of: CodeOf) -> Iterator[str]:
    """Yield a chart's titles and its series, each with its values by category."""
    for title in chart.iter("title"):
        yield folded(text_of(title))
    codes = _axis_codes(chart)
    for series in chart.iter("ser"):
        label = " ".join(folded(node.text or "") for named in series.findall("tx") for node in named.iter("v"))
        of_labels = series.find("dLbls/numFmt")
        labels, values_code = codes.get(series, ("", ""))
        values_code = values_code or _code(of_labels)
        categories = _points(code_of, labels, series.find("cat"), series.find("xVal"))
        values = _points(code_of, values_code, series.find("val"), series.find("yVal"))
        pairs = [f"{categories.get(number, '')} {value}".strip() for number, value in values.items()]
        if len(pairs) > _MOST_VALUES:
            pairs[_MOST_VALUES:] = [f"and {len(pairs) - _MOST_VALUES} more"]
        if pairs:
            yield f"{label}: {', '.join(pairs)}" if label else ", ".join(pairs)


def _axis_codes(chart: Element) -> dict[Element, tuple[str, str]]:
    """Return the number formats of the axes of categories and of values for each series."""
    axes = {
        node.get("val", ""): (axis.tag, _code(axis.find("numFmt")))
        for axis in chart.iter()
        if axis.tag in ("catAx", "dateAx", "valAx")
        for node in axis.findall("axId")
    }
    codes: dict[Element, tuple[str, str]] = {}
    for plot in chart.iter():
        named = (
            [axes.get(node.get("val", ""), ("", "")) for node in plot.findall("axId")]
            if plot.find("ser") is not None
            else []
        )
        codes |= dict.fromkeys(plot.findall("ser"), (named[0][1], named[1][1]) if len(named) > 1 else ("", ""))
    return codes


def _code(form: Element | None) -> str:
    """Return the code of a number format; empty for the general format, or if the values have their own."""
    code = "" if form is None or form.get("sourceLinked") in ("1", "true") else form.get("formatCode", "")
    return "" if code.lower() == _GENERAL else code


def _points(code_of: CodeOf, otherwise: str, *elements: Element | None) -> dict[int, str]:
    """Return the cached values of the first given element by number. For several category levels, the outer category
    comes before the inner one. `otherwise`: number format of values without one."""
    points: dict[int, str] = {}
    element = next((element for element in elements if element is not None), None)
    if element is None:
        return points
    code = element.findtext(".//formatCode") or _GENERAL
    if code.lower() == _GENERAL and element.find("strRef") is None:
        code = otherwise or code_of(element.findtext(".//f") or "") or code
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
