"""Styles and elements of OpenDocument: hidden text, superscript, titles, page numbers, and the numbers and bullets
of lists and headings (ODF 1.3, part 3, §5.3 and §16.30)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import NamedTuple
from xml.etree.ElementTree import Element

from biblicus.extraction.kit.characters import is_symbol_font
from biblicus.extraction.kit.composing import BULLET, folded
from biblicus.extraction.kit.list_numbers import LEVELS, Level, ListNumbers
from biblicus.extraction.office.ooxml import whole

_NUMBER_STYLES = frozenset(("number-style", "percentage-style", "currency-style", "date-style", "time-style"))
_DATE_PARTS = {"year": "yyyy", "month": "mm", "day": "dd", "hours": "hh", "minutes": "mm", "seconds": "ss"}
_MOST_DECIMALS, _MOST_VALUES = 20, 60
"""Maximum decimal places of a number, and rows of a chart's values."""
LISTS = frozenset(("list", "ordered-list", "unordered-list"))
_STYLES = frozenset(("list-style", "outline-style"))
_KINDS = {"a": "lowerLetter", "A": "upperLetter", "i": "lowerRoman", "I": "upperRoman", "1": "decimal"}


def is_calc(root: Element) -> bool:
    """Return True if an OpenOffice.org 1 file is a spreadsheet."""
    return root.get("class") == "spreadsheet"


def hidden_styles(root: Element) -> frozenset[str]:
    """Return the names of styles of hidden tables and slides."""
    return frozenset(
        style.get("name", "")
        for style in root.iter("style")
        for properties in style
        if properties.get("display") == "false" or properties.get("visibility") == "hidden"
    )


def derived(name: str, *roots: Element) -> frozenset[str]:
    """Return the names of the styles with a name, such as `title`, and of those derived from it."""
    styles = (style for root in roots for style in root.iter("style"))
    bases = {style.get("name", ""): style.get("parent-style-name", "") for style in styles}
    names = {name.capitalize(), *(style for style in (*bases, *bases.values()) if style.lower() == name)}
    derived_styles: dict[str, list[str]] = {}
    for style, base in bases.items():
        derived_styles.setdefault(base, []).append(style)
    pending = [*names]
    while pending:
        more = set(derived_styles.get(pending.pop(), ())) - names
        names |= more
        pending += more
    return frozenset(names)


def looks(*roots: Element) -> dict[str, str]:
    """Return the effect of each text style that changes meaning: `hidden`, `struck`, `super`, `sub`, a symbol font."""
    looks: dict[str, str] = {}
    faces = {
        face.get("name", ""): face.get("font-family", "").strip("'")
        for root in roots
        for face in root.iter("font-face")
    }
    for style in (style for root in roots for style in root.iter("style")):
        for properties in style:
            place = properties.get("text-position", "").partition(" ")[0]
            percent = place.rstrip("%").removeprefix("-")
            if place not in ("super", "sub") and percent.isdigit() and int(percent):
                place = "sub" if place.startswith("-") else "super"
            look = "hidden" if properties.get("display") == "none" else place if place in ("super", "sub") else ""
            if properties.get("text-line-through-style", "none") != "none" and not look:
                look = "struck"
            font = properties.get("font-name", "")
            font = faces.get(font, font) or properties.get("font-family", "").strip("'")
            if look or is_symbol_font(font):
                looks[style.get("name", "")] = look or font
    return looks


def chart_codes(root: Element) -> dict[int, str]:
    """Return the number formats of the columns of a chart's table, from 1, as format codes of Excel."""
    codes = {style.get("name", ""): _code(style) for style in root.iter() if style.tag in _NUMBER_STYLES}
    of_styles = {style.get("name", ""): codes.get(style.get("data-style-name", ""), "") for style in root.iter("style")}
    axes = {axis.get("name", ""): of_styles.get(axis.get("style-name", ""), "") for axis in root.iter("axis")}
    series = [
        of_styles.get(part.get("style-name", "")) or axes.get(part.get("attached-axis", "primary-y"), "")
        for part in root.iter("series")
    ]
    return dict(enumerate((axes.get("primary-x", ""), *series), 1))


def _code(style: Element) -> str:
    """Return a number style as a format code, or an empty string for the general format."""
    code = ""
    for part in style:
        if part.tag == "number":
            if "decimal-places" not in part.attrib:
                return ""
            whole_places = "#,##0" if part.get("grouping") == "true" else "0"
            code += f"{whole_places}.{'0' * min(whole(part.get('decimal-places')), _MOST_DECIMALS)}".rstrip(".")
        elif part.tag in ("text", "currency-symbol"):
            words = (part.text or "").replace('"', "")
            code += '"%"'.join(f'"{word}"' for word in words.split("%")).replace('"%"', "%") if words else ""
        else:
            code += _DATE_PARTS.get(part.tag, "")
    return code


def of(table: Element, tag: str, wrappers: tuple[str, ...]) -> Iterator[Element]:
    for child in table:
        if child.tag == tag:
            yield child
        elif child.tag in wrappers:
            yield from of(child, tag, wrappers)


def is_page_number(paragraph: Element) -> bool:
    """Return True if a paragraph contains a page number and no other text."""
    return any(True for _ in paragraph.iter("page-number")) and not any(
        words.strip() for node in paragraph.iter() if node.tag != "page-number" for words in (node.text or "",)
    )


def shortened(values: str) -> str:
    """Return the first rows of a chart's values, with the number of rows omitted."""
    names, *lines = values.split("\n")
    if len(lines) > _MOST_VALUES:
        lines[_MOST_VALUES:] = [f"and {len(lines) - _MOST_VALUES} more"]
    return "\n".join((names, *lines))


def image(node: Element) -> str:
    """Return an image's description as `[Image: …]`, or an empty string."""
    words = folded(node.text or "")
    return f"[Image: {words}]" if words else ""


def count(text: str | None) -> int:
    return max(1, whole(text, 1))


class _Open(NamedTuple):
    """An open list. `key`: of its numbers, which several lists share if they continue each other."""

    style: str
    key: str
    level: int


class Lists:
    """Counts the items of a document's lists, and its headings. `roots`: of the styles, the most specific last."""

    def __init__(self, *roots: Element) -> None:
        self._styles = {
            style.get("name", "") if style.tag == "list-style" else "": dict(_levels(style))
            for root in roots
            for style in root.iter()
            if style.tag in _STYLES
        }
        self._numbers = ListNumbers()
        self._open: list[_Open] = []
        self._keys: dict[str, str] = {}  # by id of a list, and by style the key of the last list

    @contextmanager
    def within(self, node: Element) -> Iterator[None]:
        """Count the items inside as those of the list `node`."""
        style = node.get("style-name", "")
        if self._open:
            above = self._open[-1]
            key, level = (above.key if style in ("", above.style) else f"{above.key}/{style}"), above.level + 1
            style = style or above.style
        else:
            before = node.get("continue-list") or (style if node.get("continue-numbering") == "true" else "")
            key, level = self._keys.get(before) or f"{len(self._keys)} {style}", 0
        self._keys[node.get("id") or key] = self._keys[style] = key
        self._open.append(_Open(style, key, level))
        try:
            yield
        finally:
            self._open.pop()

    def label(self, item: Element) -> str:
        """Count an item of the innermost list and return its number, or `-` for a bullet."""
        if not self._open:
            return BULLET
        style, key, level = self._open[-1]
        return self._numbers.label(key, self._styles.get(style, {}), level, _start(item))

    def number(self, heading: Element, level: int) -> str:
        """Count a heading outside lists and return its number; empty if the outline has none. `level`: from 1."""
        levels = self._styles.get("", {})
        if level - 1 not in levels or heading.get("is-list-header") == "true":
            return ""
        return self._numbers.label("", levels, level - 1, _start(heading)).strip(BULLET)


def _start(node: Element) -> int | None:
    return whole(node.get("start-value"), 1) if "start-value" in node.attrib else None


def _levels(style: Element) -> Iterator[tuple[int, Level]]:
    """Yield the levels of a list style or the outline, from 0. Numbers of upper levels precede that of the level."""
    kinds: dict[int, str] = {}
    for node in style:
        level = whole(node.get("level")) - 1
        if not 0 <= level < LEVELS:
            continue
        kinds[level] = _kind(node.attrib) if "num-format" in node.attrib else "bullet"
        shown = range(max(0, level + 1 - whole(node.get("display-levels"), 1)), level + 1)
        places = [f"%{at + 1}" for at in shown if kinds.get(at) not in ("none", "bullet")]
        text = f"{node.get('num-prefix', '')}{'.'.join(places)}{node.get('num-suffix', '')}"
        yield level, Level(kinds[level], text, whole(node.get("start-value"), 1))


def _kind(attributes: Mapping[str, str]) -> str:
    form = attributes["num-format"]
    return _KINDS.get(form, "decimal") if form else "none"
