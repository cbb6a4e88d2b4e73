"""HTML elements: invisible and deleted ones, code blocks, terms of definition lists, list numbers, the
page's title and language."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import chain
from typing import TYPE_CHECKING, Literal, NamedTuple
from xml.etree.ElementTree import Element

from biblicus.extraction.web.page_links import is_only_a_link
from biblicus.models.extraction import CAPTION, Heading

if TYPE_CHECKING:
    from selectolax.lexbor import LexborHTMLParser, LexborNode

SPANS = frozenset(("span", "font", "a", "b", "i", "em", "strong", "small", "big", "code", "var"))
UNSEEN = frozenset(("del", "s", "strike", "script", "style", "template", "head"))
"""Elements without visible text."""
_PART_OF_SIZE = re.compile(r"(-?)(?=[0.]*[1-9])[\d.]+(?:em|ex|%)")
"""A length by which text is raised or lowered, as a part of its size."""
_RULE, _LONGEST_STYLE = re.compile(r"(?<![^{}])([^{}]*+)\{([^{}]*+)\}"), 2000
_ASIDE = re.compile(r"/\*.*?(?:\*/|\Z)|@[^{};@]{0,300}\{(?>(?:[^{}]*\{[^{}]*\})*)[^{}]*\}", re.DOTALL)
"""Comments of a style sheet, and rules for print, small screens and the like."""
_NAME, _MOST_RULES = re.compile(r"^(?>(?:[\w>.#-]+\s+){0,2})[\w>.#-]*[.#]([\w-]+)$"), 200
"""A selector that ends in a class or name, with few elements around it, since Lexbor tries all ways through nested
ones; and the maximum number of selectors that are tried."""
_CLASS, _BY_RULE = re.compile(r"[\w-]+"), "by-rule"
"""A part of a selector, and the value of the attribute `hidden` by a rule."""
_NO_SIZE = re.compile(r"[0.]+(?:[a-z]+|%)?\Z")
_COLOR = re.compile(r"#?[0-9a-f]{6}\b|#[0-9a-f]{3}\b|rgb\([\d, ]+\)|[a-z]+\b(?!\()")
_WHITE, _BLACK = "#ffffff", "#000000"
_COLORS = {"white": _WHITE, "black": _BLACK}
_BEFORE_A_NAME, _JOINS = "sig-prename", (".", ":", "/", "#", "\\", "$", ">", "-")
"""Sphinx's class for the prefix of a name or the suffix of an option; last characters of a prefix."""
LONGEST_TERM, _SHORTEST_DEFINITION = 200, 40
"""Maximum characters of a term, and minimum characters of its definition; shorter ones are fields and values."""
_CODE = re.compile(r"\b(?:highlight|code\w*|programlisting|screen|synopsis|source\w*|(?:language|lang|brush)\S*)\b")
_CODED = re.compile(r"[;{}=]|\w\(|^\s*(?:--|//|[#$%>]\s)")
_OF_CODE = 3
"""Minimum share of lines with code characters (one in so many) in unmarked preformatted text that is code."""
_FENCE = "```"
_DEEPEST_FORMULA = 40
LISTS = frozenset(("ol", "ul", "menu", "dir"))
_BARE = re.compile(r"list-style[\w-]*:[^;]*\bnone\b")
"""Style of a list without visible numbers."""
OWN_NUMBER = re.compile(r"\(?\d{1,3}[.)]\s")
"""An item that starts with a number of its own, which is kept."""
HEADINGS = frozenset(("h1", "h2", "h3", "h4", "h5", "h6"))
_AHEAD = 200  # number of blocks in which a page's title is searched
_SITE = re.compile(r"\s*[-\u2013\u2014|\u00b7:\u00bb]\s")
_LANGUAGE = re.compile(r"([a-zA-Z]{2})(?:[-_]|\Z)")


class Look(NamedTuple):
    """The style of a text as far as it affects visibility. `is_plain`: there is no style sheet, so that attributes
    decide. `background`: empty if unknown."""

    is_plain: bool
    is_gone: bool = False
    is_invisible: bool = False
    has_no_size: bool = False
    color: str = _BLACK
    background: str = _WHITE
    font: str = ""

    @property
    def hides(self) -> bool:
        """Return True if text with this style is invisible."""
        return self.is_gone or self.is_invisible or self.has_no_size or self.color == self.background != ""

    def of(self, node: LexborNode) -> Look:
        """Return the style of an element within this one, from its attributes only; classes are ignored."""
        attributes = node.attributes
        look = self if self.is_plain else self._replace(background="")
        stated = {"background": attributes.get("bgcolor") or "", "color": attributes.get("color") or ""}
        stated.update(declarations(attributes.get("style") or ""))
        if "hidden" in attributes or _is_gone(stated):
            look = look._replace(is_gone=True)
        if font := attributes.get("face") or stated.get("font-family"):
            look = look._replace(font=font.partition(",")[0].strip(" '\""))
        for name, written in stated.items():
            value = written.lower()
            if not value or value == "inherit":
                continue
            if name == "visibility":
                look = look._replace(is_invisible=value in ("hidden", "collapse"))
            elif name == "font-size":
                look = look._replace(has_no_size=_NO_SIZE.match(value) is not None)
            elif name == "color":
                look = look._replace(color=_color(value))
            elif name in ("background", "background-color") and value not in ("transparent", "none"):
                look = look._replace(background="" if "url" in value else _color(value))
        return look


@lru_cache(maxsize=1_024)
def declarations(style: str) -> Mapping[str, str]:
    """Return the values of a style by the names of their properties in lower case, without `!important`; cached, since
    elements share styles and most have none."""
    parts = (part.partition(":") for part in style.split(";"))
    return {name.strip().lower(): value.partition("!")[0].strip() for name, colon, value in parts if colon}


def _is_gone(stated: Mapping[str, str]) -> bool:
    """Return true for the style of hidden elements, such as the preview text of a mail."""
    is_flat = stated.get("max-height", "").lower() in ("0", "0px")
    return is_flat or stated.get("display", "").lower() == "none" or stated.get("mso-hide", "").lower() == "all"


def _is_struck(stated: Mapping[str, str]) -> bool:
    lines = (stated.get("text-decoration", ""), stated.get("text-decoration-line", "")) if stated else ()
    return any("line-through" in line.lower() for line in lines)


def _shows(stated: Mapping[str, str]) -> bool:
    return stated.get("display", "none").lower() != "none" or stated.get("visibility", "").lower() == "visible"


def is_unseen(node: LexborNode) -> bool:
    """Return True if an element has no text: deleted or struck out ones, scripts."""
    return node.tag in UNSEEN or _is_struck(_declared(node))


def vertical(node: LexborNode) -> str:
    """Return `super` or `sub` by the style of an element; else an empty string."""
    return _moved(_declared(node))


def _declared(node: LexborNode) -> Mapping[str, str]:
    return declarations(node.attributes.get("style") or "")


def _moved(stated: Mapping[str, str]) -> str:
    """Return `super`, `sub` or an empty string by the declarations of a style."""
    for name in ("vertical-align", "top", "bottom") if stated else ():
        value = stated.get(name, "").lower()
        if name == "vertical-align" and value in ("super", "sub"):
            return value
        length = _PART_OF_SIZE.match(value)
        if length and (name == "vertical-align" or stated.get("position", "").lower() == "relative"):
            return "sub" if bool(length[1]) is (name != "top") else "super"
    return ""


def apply_rules(page: LexborHTMLParser) -> None:
    """Mark the elements that the page's own style sheets raise, lower, strike or hide, the latter as `hidden` unless
    that is more than half of the page. A class or name that a rule shows elsewhere or a script names is switched by the
    reader; a script that is not in the page may switch any."""
    sheets = [(sheet.attributes.get("media") or "all", sheet.text()) for sheet in page.css("style")]
    written = [_RULE.findall(_ASIDE.sub("", text)) for media, text in sheets if _is_of_screens(media)]
    rules = [(selectors, declarations(style)) for selectors, style in chain(*written) if len(style) <= _LONGEST_STYLE]
    hiding = [(selectors, stated) for selectors, stated in rules if _hides(stated) or _moved(stated)]
    telling = [(_tight(one), stated) for selectors, stated in hiding for one in selectors.split(",")][:_MOST_RULES]
    if not telling or page.body is None:
        return
    from selectolax.lexbor import SelectolaxError

    switching = [selectors for selectors, stated in rules if _shows(stated)]
    switching += [script.text() for script in page.css("script")]
    is_closed = page.css_first("script[src]") is None
    switched = {name for text in switching for name in _CLASS.findall(text)}
    for selector, stated in telling:
        name, place = _NAME.search(selector), _moved(stated)
        if name is None or not (place or (is_closed and name[1] not in switched)):
            continue
        try:
            nodes = page.body.css(selector)
        except SelectolaxError:
            continue
        for node in nodes:
            if place:
                node.attrs["style"] = f"{node.attributes.get('style') or ''};vertical-align:{place}"
            elif "hidden" not in node.attributes and not _shows(_declared(node)):
                node.attrs["hidden"] = _BY_RULE
    hidden = page.body.css(f"[hidden={_BY_RULE}]:not([hidden={_BY_RULE}] *)")
    shown = len(page.body.text()) - sum(len(node.text()) for node in page.body.css("script, style"))
    if 2 * sum(len(node.text()) for node in hidden) > shown:
        for node in page.body.css(f"[hidden={_BY_RULE}]"):
            del node.attrs["hidden"]


def _hides(stated: Mapping[str, str]) -> bool:
    return _is_gone(stated) or _is_struck(stated) or stated.get("visibility", "").lower() == "hidden"


def _is_of_screens(media: str) -> bool:
    return any(word in media.lower() for word in ("all", "screen"))


def _tight(selector: str) -> str:
    """Return a selector without blanks around `>`."""
    return ">".join(part.strip() for part in selector.split(">"))


def caption(node: LexborNode) -> LexborNode | None:
    """Return the caption of a table, or of a figure with a table or code, if it has words."""
    name = {"table": "caption", "figure": "figcaption"}.get(node.tag or "")
    if not name or (node.tag == "figure" and node.css_first("table, pre") is None):
        return None
    children = (child for child in node.iter() if child.tag == name)
    return next((child for child in children if child.text().strip()), None)


def box(node: LexborNode) -> str:
    """Return the sign of a check box before a text, ticked or empty."""
    after = node.next
    if node.attributes.get("type") != "checkbox" or after is None or not after.is_text_node or not after.text().strip():
        return ""
    return "☑ " if "checked" in node.attributes else "☐ "


def move_captions(page: LexborHTMLParser) -> None:
    """Move captions that Word writes as paragraphs into the table below or above, or to the picture above."""
    for node in page.css("p[class*=aption]"):
        below, above = _sibling(node, "next"), _sibling(node, "prev")
        inside = [next(place.iter(), place) if place.tag == "div" else place for place in (below, above) if place]
        table = next((place for place in inside if place.tag == "table"), None)
        if table is not None and table.css_first("caption") is None:
            table.insert_child(page.create_node("caption"))  # a copy is inserted
            target = table.css_first("caption") or table
        elif table is None and above is not None and above.css_first("img") is not None and not above.text().strip():
            target = above
            target.insert_child(page.create_node("br"))
        else:
            continue
        for child in list(node.iter(include_text=True)):
            target.insert_child(child)
        node.decompose()


def _sibling(node: LexborNode, side: Literal["prev", "next"]) -> LexborNode | None:
    """Return the element before or after another."""
    sibling: LexborNode | None = getattr(node, side)
    while sibling is not None and not sibling.is_element_node:
        sibling = getattr(sibling, side)
    return sibling


def look_of(page: LexborHTMLParser) -> Look:
    """Return the initial style of a page."""
    return Look(page.css_first("style, link[rel=stylesheet]") is None)


def _color(value: str) -> str:
    """Return a colour as `#rrggbb` if it is numeric, white or black; else its name, or an empty string."""
    match = _COLOR.search(value)
    color = match[0] if match else ""
    if color.startswith("rgb"):
        return "#" + "".join(f"{min(int(part), 255):02x}" for part in re.findall(r"\d+", color)[:3])
    if color.startswith("#") and len(color) == 4:
        return "#" + "".join(digit * 2 for digit in color[1:])
    return _COLORS.get(color, f"#{color}" if re.fullmatch("[0-9a-f]{6}", color) else color)


def element_of(node: LexborNode, depth: int = 0) -> Element:
    """Return a formula's HTML node as an XML element."""
    element = Element(node.tag or "", {key: value or "" for key, value in node.attributes.items()})
    element.text = "" if depth and node.css_first("*") not in (None, node) else " ".join(node.text().split())
    if depth < _DEEPEST_FORMULA:
        element.extend(element_of(child, depth + 1) for child in node.iter() if child.is_element_node)
    return element


def is_code(pre: LexborNode) -> bool:
    """Return True if preformatted text is code, by its markup or characters, and no letter or poem."""
    text = pre.text()
    if not text.strip() or _FENCE in text:
        return False
    classes = [node.attributes.get("class") or "" for node in (pre, pre.parent) if node is not None]
    if pre.css_first("code") is not None or any(map(_CODE.search, classes)):
        return True
    lines = [line for line in text.splitlines() if line.strip()]
    return _OF_CODE * sum(_CODED.search(line) is not None for line in lines) >= len(lines)


def is_entry(term: LexborNode) -> bool:
    """Return True if a term is the first before a definition that is long enough and no field's value."""
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
    """Return the further terms directly after a term, which share its definition."""
    terms = []
    while (after := _element(term, "next")) is not None and after.tag == "dt":
        terms.append(defined(after) or " ".join(after.text().split())[:LONGEST_TERM])
        term = after
    return terms


def defined(term: LexborNode) -> str:
    """Return the names that a Sphinx or Texinfo term defines (`+short, +noshort`), without kind and arguments. The
    result is empty for other terms."""
    parts = term.css(".sig-prename, .sig-name")
    around = term.parent.attributes.get("class") if term.parent is not None else None
    if not parts and around and around.startswith(("def", "first-def")):
        parts = term.css("strong")[:1]
    names, before = [], ""
    for part in parts:
        words = "".join(part.text().split())
        if _BEFORE_A_NAME in (part.attributes.get("class") or ""):
            before = words if words[-1:] in _JOINS else ""  # otherwise it follows an option
        elif words:
            names.append(before + words)
            before = ""
    return ", ".join(names)[:LONGEST_TERM]


def _element(node: LexborNode, side: Literal["prev", "next"]) -> LexborNode | None:
    """Return the nearest element before or after a node, skipping empty anchors."""
    neighbour: LexborNode | None = getattr(node, side)
    while neighbour is not None and (
        not neighbour.is_element_node or (neighbour.tag == "a" and not neighbour.text().strip())
    ):
        neighbour = getattr(neighbour, side)
    return neighbour


def is_numbered(node: LexborNode) -> bool:
    """Return True if a list's numbers are visible and it is no menu or table of contents of links."""
    says, first = node.attributes, node.css_first("li")
    is_counted = node.tag == "ol" and "reversed" not in says and (says.get("type") or "1") == "1"
    is_seen = is_counted and not _BARE.search(says.get("style") or "")
    return is_seen and (first is None or not is_only_a_link(first))


def number(node: LexborNode, name: str, otherwise: int) -> int:
    """Return the number in an attribute, or `otherwise`."""
    attribute = node.attributes.get(name) or ""
    return int(attribute) if attribute.isdecimal() and len(attribute) < 5 else otherwise


def title(page: LexborHTMLParser) -> str | None:
    """Return the title of a page, at most 300 characters, or None."""
    element = page.css_first("head > title") or page.css_first("title")
    named = page.css_first('meta[property="og:title"]')
    space = page.css_first("#breadcrumbs > .first a")
    for candidate in (element.text() if element else None, named.attributes.get("content") if named else None):
        if candidate and (words := " ".join(candidate.split())):
            return (words.removeprefix(f"{space.text().strip()} : ") if space else words)[:300]
    return None


def without_site(stated: str | None, headings: Sequence[Heading]) -> str | None:
    """Return the title of a page without the name of its site; without a title, the first heading."""
    if stated is None:
        return next((heading.title for heading in headings if heading.level != CAPTION), None)
    for heading in headings:
        if heading.level == 1 and stated.startswith(heading.title) and _SITE.match(stated, len(heading.title)):
            return heading.title
    return stated


def language(page: LexborHTMLParser) -> str | None:
    """Return the declared language of a page as ISO 639-1, or None."""
    declared = page.root.attributes.get("lang") if page.root is not None else None
    match = _LANGUAGE.match(declared or "")
    return match[1].lower() if match else None


def titled(main: LexborNode, stated: str | None) -> int | None:
    """Return the `mem_id` of the block before the first heading whose text is the page's title, or None."""
    if not stated:
        return None
    for looked, node in enumerate(main.css(f"div, p, center, {', '.join(HEADINGS)}")):
        if node.tag in HEADINGS or looked == _AHEAD:
            return None
        child = node.first_child
        if child is not None and child.is_text_node and child.next is None and " ".join(node.text().split()) == stated:
            return node.mem_id
    return None
