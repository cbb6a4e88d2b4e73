"""Automatic numbers and bullets that Word displays before paragraphs (ECMA-376, part 1, §17.9)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple
from xml.etree.ElementTree import Element

from biblicus.extraction.kit.composing import BULLET
from biblicus.extraction.office.ooxml import whole

_LEVELS = 9
_PLACE = re.compile(r"%([1-9])")
_ROMAN = (
    (1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l"), (40, "xl"), (10, "x"),
    (9, "ix"), (5, "v"), (4, "iv"), (1, "i"),
)  # fmt: skip


class _Level(NamedTuple):
    """Numbering of one list level. `text`: pattern such as `%1.%2`; `is_legal`: write all levels in digits."""

    kind: str
    text: str
    start: int
    is_legal: bool = False


class _List(NamedTuple):
    """A list: the id of its definition, and the start numbers it overrides by level."""

    definition: str
    starts: Mapping[int, int]


class Numbering:
    """Counts the paragraphs of a document's lists in order."""

    def __init__(self, numbering: Element, styles: Element) -> None:
        self._levels: dict[str, dict[int, _Level]] = {}
        self._lists: dict[str, _List] = {}
        self._of_styles: dict[str, tuple[str, int]] = {}
        self._counts: dict[str, list[int]] = {}
        self._begun: set[str] = set()
        styled: dict[tuple[str, str], int] = {}
        for node in numbering:
            if node.tag == "abstractNum":
                self._define(node, styled)
            elif node.tag == "num":
                self._add(node)
        self._read_styles(styles, styled)

    def _define(self, node: Element, styled: dict[tuple[str, str], int]) -> None:
        key = node.get("abstractNumId", "")
        levels = self._levels[key] = {}
        for level in node.findall("lvl"):
            parts = {part.tag: part.get("val", "") for part in level}
            number = whole(level.get("ilvl"))
            start = max(1, whole(parts.get("start"), 1))
            levels[number] = _Level(parts.get("numFmt", "decimal"), parts.get("lvlText", ""), start, "isLgl" in parts)
            if "pStyle" in parts:
                styled[key, parts["pStyle"]] = number

    def _add(self, node: Element) -> None:
        definition = node.find("abstractNumId")
        starts = {
            whole(override.get("ilvl")): whole(start.get("val"), 1)
            for override in node.findall("lvlOverride")
            for start in override.findall("startOverride")
        }
        if definition is not None:
            self._lists[node.get("numId", "")] = _List(definition.get("val", ""), starts)

    def _read_styles(self, styles: Element, styled: Mapping[tuple[str, str], int]) -> None:
        """Read the lists of styles, inherited from their base styles."""
        numbered_styles: dict[str, tuple[str | None, int | None]] = {}
        based: dict[str, str] = {}
        for style in styles.iter("style"):
            key, parent, numbered = style.get("styleId", ""), style.find("basedOn"), style.find("pPr/numPr")
            if parent is not None:
                based[key] = parent.get("val", "")
            if numbered is not None:
                numbered_styles[key] = _said(numbered)
        for key in (*numbered_styles, *based):
            at, steps = key, 0
            while (at not in numbered_styles or numbered_styles[at][0] is None) and at in based and steps < 20:
                at, steps = based[at], steps + 1
            name = numbered_styles.get(at, (None, None))[0]
            if name is not None and name in self._lists:
                level = numbered_styles.get(key, (None, None))[1]
                style_level = styled.get((self._lists[name].definition, key), 0)
                self._of_styles[key] = name, style_level if level is None else level

    def label(self, properties: Element | None) -> str:
        """Return the label of a paragraph with these properties: a number, `-` for a bullet, or empty."""
        if properties is None:
            return ""
        style, numbered = properties.find("pStyle"), properties.find("numPr")
        name, level = self._of_styles.get(style.get("val", ""), ("", 0)) if style is not None else ("", 0)
        if numbered is not None:
            direct, depth = _said(numbered)
            name, level = name if direct is None else direct, level if depth is None else depth
        if name == "0" or (not name and numbered is None):
            return ""
        return self._counted(name, min(level, _LEVELS - 1)) if name in self._lists else BULLET

    def _counted(self, name: str, level: int) -> str:
        definition, starts = self._lists[name]
        levels = self._levels.get(definition, {})
        counts = self._counts.setdefault(definition, [0] * _LEVELS)
        if name not in self._begun:
            self._begun.add(name)
            for at, start in starts.items():
                if at < _LEVELS:
                    counts[at:] = [start - 1, *([0] * (_LEVELS - at - 1))]
        for at in range(level + 1):
            if not counts[at] or at == level:
                counts[at] = counts[at] + 1 if counts[at] or at in starts else levels[at].start if at in levels else 1
        counts[level + 1 :] = [0] * (_LEVELS - level - 1)
        if level not in levels or levels[level].kind in ("bullet", "none"):
            return BULLET
        is_legal = levels[level].is_legal  # all levels in digits: `2.1`, not `II.1`
        text = _PLACE.sub(
            lambda place: str(counts[int(place[1]) - 1]) if is_legal else _written(counts, levels, int(place[1]) - 1),
            levels[level].text,
        ).strip()
        return text if any(map(str.isalnum, text)) else BULLET


def _said(numbered: Element) -> tuple[str | None, int | None]:
    """Return the list id and level that a paragraph or style names."""
    name, level = numbered.find("numId"), numbered.find("ilvl")
    return name.get("val", "") if name is not None else None, whole(level.get("val")) if level is not None else None


def _written(counts: list[int], levels: Mapping[int, _Level], level: int) -> str:
    """Return the number of a level in its number format."""
    number, kind = counts[level], levels[level].kind if level in levels else "decimal"
    if kind in ("lowerLetter", "upperLetter") and number:
        letters = chr(ord("a") + (number - 1) % 26) * min(1 + (number - 1) // 26, 9)
        return letters.upper() if kind == "upperLetter" else letters
    if kind in ("lowerRoman", "upperRoman") and 0 < number < 4_000:
        letters = ""
        for size, sign in _ROMAN:
            letters += sign * (number // size)
            number %= size
        return letters.upper() if kind == "upperRoman" else letters
    return f"{number:02}" if kind == "decimalZero" else str(number)
