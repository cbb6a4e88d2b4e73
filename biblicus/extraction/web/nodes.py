"""Elements of pages: which are hidden or deleted, which are code, and the terms of lists with definitions."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Literal, NamedTuple
from xml.etree.ElementTree import Element

if TYPE_CHECKING:
    from selectolax.lexbor import LexborHTMLParser, LexborNode

UNSEEN = frozenset(("del", "s", "strike", "script", "style", "template", "head"))
"""Elements whose words are no text, or deleted."""
_GONE = re.compile(r"(?i)(?:display\s*:\s*none|mso-hide\s*:\s*all|max-height\s*:\s*0(?:px)?\s*(?:;|!|$))")
"""The style of what is not shown, such as a letter's first words for lists of mail."""
_STATED = re.compile(r"(?:^|;)\s*(visibility|font-size|color|background(?:-color)?)\s*:\s*([^;!]*)", re.IGNORECASE)
_NO_SIZE = re.compile(r"[0.]+(?:[a-z]+|%)?\Z")
_COLOR = re.compile(r"#?[0-9a-f]{6}\b|#[0-9a-f]{3}\b|rgb\([\d, ]+\)|[a-z]+\b(?!\()")
_WHITE, _BLACK = "#ffffff", "#000000"
_COLORS = {"white": _WHITE, "black": _BLACK}
_OF_TEXINFO = re.compile(r"(?:first-)?def")
"""Classes of the lists in which Texinfo defines functions and variables."""
_BEFORE_A_NAME, _JOINS = "sig-prename", (".", ":", "/", "#", "\\", "$", ">", "-")
"""The class of what Sphinx has before a name, and of what it has behind an option's; how the first ends."""
LONGEST_TERM, _SHORTEST_DEFINITION = 200, 40
"""Characters of what an entry of a list of terms is called, and says, that is one: not a field and its value."""
_CODE = re.compile(r"\b(?:highlight|code\w*|programlisting|screen|synopsis|source\w*|(?:language|lang|brush)\S*)\b")
_CODED = re.compile(r"[;{}=]|\w\(|^\s*(?:--|//|[#$%>]\s)")
_OF_CODE = 3
"""One line in so many holds signs of code at least, where a page does not say what preformatted text is."""
_FENCE = "```"
_DEEPEST_FORMULA = 40


class Look(NamedTuple):
    """The style of a text, as far as it may hide it. `is_plain`: the page has no style sheet, so attributes
    alone decide. `background`: empty where it is not known."""

    is_plain: bool
    is_gone: bool = False
    is_invisible: bool = False
    has_no_size: bool = False
    color: str = _BLACK
    background: str = _WHITE

    @property
    def hides(self) -> bool:
        """Return true if nobody sees such a text."""
        return self.is_gone or self.is_invisible or self.has_no_size or self.color == self.background != ""

    def of(self, node: LexborNode) -> Look:
        """Return the look of an element within this one, from its attributes alone: classes are not read."""
        attributes = node.attributes
        look, style = self if self.is_plain else self._replace(background=""), attributes.get("style") or ""
        if "hidden" in attributes or _GONE.search(style):
            look = look._replace(is_gone=True)
        stated = [(name.lower(), value.strip().lower()) for name, value in _STATED.findall(style)]
        for name in ("bgcolor", "color"):
            if value := attributes.get(name):
                stated.insert(0, (name, value.lower()))
        for name, value in stated:
            if value == "inherit":
                continue
            if name == "visibility":
                look = look._replace(is_invisible=value in ("hidden", "collapse"))
            elif name == "font-size":
                look = look._replace(has_no_size=_NO_SIZE.match(value) is not None)
            elif name == "color":
                look = look._replace(color=_color(value))
            elif value not in ("transparent", "none"):
                look = look._replace(background="" if "url" in value else _color(value))
        return look


def look_of(page: LexborHTMLParser) -> Look:
    """Return the look of a page's text before any element changes it."""
    return Look(page.css_first("style, link[rel=stylesheet]") is None)


def _color(value: str) -> str:
    """Return a color as `#rrggbb` where it is told by numbers, white or black; else the word for it, or nothing."""
    match = _COLOR.search(value)
    color = match[0] if match else ""
    if color.startswith("rgb"):
        return "#" + "".join(f"{min(int(part), 255):02x}" for part in re.findall(r"\d+", color)[:3])
    if color.startswith("#") and len(color) == 4:
        return "#" + "".join(digit * 2 for digit in color[1:])
    return _COLORS.get(color, f"#{color}" if re.fullmatch("[0-9a-f]{6}", color) else color)


def element_of(node: LexborNode, depth: int = 0) -> Element:
    """A formula of a page as an element of XML."""
    element = Element(node.tag or "", {key: value or "" for key, value in node.attributes.items()})
    element.text = "" if depth and node.css_first("*") not in (None, node) else " ".join(node.text().split())
    if depth < _DEEPEST_FORMULA:
        element.extend(element_of(child, depth + 1) for child in node.iter() if child.is_element_node)
    return element


def is_code(pre: LexborNode) -> bool:
    """Whether preformatted text is code, as generators of pages mark it or by its signs, and not a letter or a poem."""
    text = pre.text()
    if not text.strip() or _FENCE in text:
        return False
    classes = [node.attributes.get("class") or "" for node in (pre, pre.parent) if node is not None]
    if pre.css_first("code") is not None or any(map(_CODE.search, classes)):
        return True
    lines = [line for line in text.splitlines() if line.strip()]
    return _OF_CODE * sum(_CODED.search(line) is not None for line in lines) >= len(lines)


def is_entry(term: LexborNode) -> bool:
    """Whether a term is the first of those that a definition follows which says something: not a field's name."""
    words = " ".join(term.text().split())
    before, after = _element(term, "prev"), _element(term, "next")
    if not words or len(words) > LONGEST_TERM or words.endswith(":") or (before is not None and before.tag == "dt"):
        return False
    while after is not None and after.tag == "dt":
        after = _element(after, "next")
    if after is None or after.tag != "dd":
        return False
    length = len(" ".join(after.text().split()))
    linked = sum(len(" ".join(link.text().split())) for link in after.css("a[href]"))
    return length >= _SHORTEST_DEFINITION and length - linked >= _SHORTEST_DEFINITION // 2


def terms_after(term: LexborNode) -> list[str]:
    """The terms right after one, which share what they mean with it."""
    terms = []
    while (after := _element(term, "next")) is not None and after.tag == "dt":
        terms.append(defined(after) or " ".join(after.text().split())[:LONGEST_TERM])
        term = after
    return terms


def defined(term: LexborNode) -> str:
    """The name that a term of Sphinx or Texinfo defines, or the names (`+short, +noshort`), without what kind of thing
    it is and its arguments; empty for other terms."""
    parts = term.css(".sig-prename, .sig-name")
    around = term.parent.attributes.get("class") if term.parent is not None else None
    if not parts and around and _OF_TEXINFO.match(around):
        parts = term.css("strong")[:1]
    names, before = [], ""
    for part in parts:
        words = "".join(part.text().split())
        if _BEFORE_A_NAME in (part.attributes.get("class") or ""):
            before = words if words[-1:] in _JOINS else ""  # else it is what stands behind an option
        elif words:
            names.append(before + words)
            before = ""
    return ", ".join(names)[:LONGEST_TERM]


def _element(node: LexborNode, side: Literal["prev", "next"]) -> LexborNode | None:
    """The nearest element before or after a node; not a mere place that links lead to."""
    beside: LexborNode | None = getattr(node, side)
    while beside is not None and (not beside.is_element_node or (beside.tag == "a" and not beside.text().strip())):
        beside = getattr(beside, side)
    return beside
