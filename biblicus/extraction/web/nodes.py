"""Elements of pages: which nobody sees, which are code, and the terms of lists with definitions."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Literal
from xml.etree.ElementTree import Element

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode

_UNSEEN = frozenset(("del", "s", "strike", "script", "style", "template", "head"))
_HIDING = re.compile(
    r"(?i)(?:display\s*:\s*none|visibility\s*:\s*hidden|mso-hide\s*:\s*all|max-height\s*:\s*0(?:px)?\s*(?:;|!|$))"
)
"""The style of what is not shown, such as a letter's first words for lists of mail."""
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


def is_unseen(node: LexborNode) -> bool:
    """Whether nobody sees an element, or sees that it no longer counts."""
    attributes = node.attributes
    style = attributes.get("style")
    return node.tag in _UNSEEN or "hidden" in attributes or (style is not None and _HIDING.search(style) is not None)


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
