"""Lists of a Word document, which give its paragraphs their numbers and bullets (ECMA-376, part 1, §17.9)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from xml.etree.ElementTree import Element

from biblicus.extraction.kit.composing import BULLET
from biblicus.extraction.kit.list_numbers import LEVELS, Level, ListNumbers, NumberedList
from biblicus.extraction.office.ooxml import whole

_LONGEST_CHAIN = 20
"""Maximum styles from which a style inherits."""


class Numbering:
    """Counts the paragraphs of a document's lists in order. `styles`: by id, each with its base styles."""

    def __init__(self, numbering: Element, styles: Mapping[str, Sequence[Element]]) -> None:
        self._levels: dict[str, dict[int, Level]] = {}
        self._lists: dict[str, NumberedList] = {}
        self._of_styles: dict[str, tuple[str, int]] = {}
        self._numbers = ListNumbers()
        styled: dict[tuple[str, str], int] = {}
        for node in numbering:
            if node.tag == "abstractNum":
                self._define(node, styled)
            elif node.tag == "num":
                self._add(node)
        self._read_styles(styles, styled)

    def _define(self, node: Element, styled: dict[tuple[str, str], int]) -> None:
        key = node.get("abstractNumId", "")
        levels = dict(map(_level, node.findall("lvl")))
        self._levels[key] = {number: level for number, level in levels.items() if number < LEVELS}
        for level in node.findall("lvl"):
            if (style := level.find("pStyle")) is not None:
                styled[key, style.get("val", "")] = whole(level.get("ilvl"))

    def _add(self, node: Element) -> None:
        definition = node.find("abstractNumId")
        if definition is None:
            return
        key = definition.get("val", "")
        levels, restarts = dict(self._levels.get(key, {})), set[int]()
        for override in node.findall("lvlOverride"):
            levels |= map(_level, override.findall("lvl"))
            if (start := override.find("startOverride")) is not None:
                number = whole(override.get("ilvl"))
                levels[number] = levels.get(number, Level())._replace(start=whole(start.get("val"), 1))
                restarts.add(number)
        self._lists[node.get("numId", "")] = NumberedList(key, levels, frozenset(restarts))

    def _read_styles(self, styles: Mapping[str, Sequence[Element]], styled: Mapping[tuple[str, str], int]) -> None:
        """Read the lists of styles, inherited from their base styles."""
        for key, chain in styles.items():
            stated = [_said(numbered) for style in chain for numbered in style.findall("pPr/numPr")]
            name = next((name for name, _ in stated if name is not None), None)
            if name in self._lists:
                level = _said(own)[1] if (own := chain[0].find("pPr/numPr")) is not None else None
                style_level = styled.get((self._lists[name].key, key), 0)
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
        return self._numbers.item(name, self._lists[name], level) if name in self._lists else BULLET


def _said(numbered: Element) -> tuple[str | None, int | None]:
    """Return the list id and level that a paragraph or style names."""
    name, level = numbered.find("numId"), numbered.find("ilvl")
    return name.get("val", "") if name is not None else None, whole(level.get("val")) if level is not None else None


def _level(node: Element) -> tuple[int, Level]:
    """Return the number of a list level, and its numbering."""
    parts = {part.tag: part.get("val", "") for part in node}
    kind, text = parts.get("numFmt", "decimal"), parts.get("lvlText", "")
    is_legal = parts.get("isLgl", "0" if "isLgl" not in parts else "1") not in ("0", "false", "off")
    return whole(node.get("ilvl")), Level(kind, text, whole(parts.get("start"), 1), is_legal)


def inherited(styles: Element) -> dict[str, list[Element]]:
    """Return the styles by id, each followed by its base styles."""
    known = {style.get("styleId", ""): [style] for style in styles.iter("style")}
    for chain in known.values():
        while len(chain) < _LONGEST_CHAIN and (base := chain[-1].find("basedOn")) is not None:
            if base.get("val", "") not in known:
                break
            chain.append(known[base.get("val", "")][0])
    return known
