"""Styles and elements of OpenDocument: hidden text, superscript, titles, page numbers."""

from __future__ import annotations

from collections.abc import Iterator
from xml.etree.ElementTree import Element

from biblicus.extraction.kit.composing import folded
from biblicus.extraction.kit.symbol_fonts import is_symbol_font
from biblicus.extraction.office.ooxml import whole

_TITLE = "Title"
_MOST_VALUES = 60
"""Maximum rows of a chart's values."""


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


def title_styles(root: Element) -> frozenset[str]:
    """Return the names of title paragraph styles: `Title` and the styles derived from it."""
    based = (style.get("name", "") for style in root.iter("style") if style.get("parent-style-name") == _TITLE)
    return frozenset((_TITLE, *based))


def looks(*roots: Element) -> dict[str, str]:
    """Return the effect of each text style that changes meaning: `hidden`, `struck`, `super`, `sub`, a symbol font."""
    looks: dict[str, str] = {}
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
            if look or is_symbol_font(font):
                looks[style.get("name", "")] = look or font
    return looks


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
