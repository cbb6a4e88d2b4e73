"""Removal of link-only parts of HTML pages: menus, previous/next links, tables of contents, lists of other pages."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from selectolax.lexbor import LexborHTMLParser, LexborNode

_FEWEST = 2
"""Minimum links of a table of contents."""
_MENU = 4
"""Minimum links before the first heading to be a menu."""
_BESIDE = ", ".join(
    (
        *(f"a[rel~={word}]" for word in ("prev", "previous", "next", "up")),
        *(f"a[accesskey={key}]" for key in "pnuh"),
        "a[hreflang]",
    )
)
"""Links to neighbouring pages, as generators mark them up, and to translations."""
_BESIDE_SAY = 32
"""Maximum letters besides such links, for example `Next:`."""
_HIGHEST = 12
"""Maximum ancestors of a link that are examined."""
_LABEL = 24
"""Maximum letters of a label above a table of contents: `Table of Contents`, `On this page`."""
_WRAPPED = 3
"""Maximum elements around a link without other content."""
_NAVIGATION = re.compile(
    r"(?:^|[\s_-])(?:nav(?:bar|box|igation(?:-?bar)?|menu|links?|pane|tree)?|bread-?crumbs?|menu|side-?bar)(?:$|[\s_-])"
)
_MAYBE_NAVIGATION = ", ".join(
    f"[{key}*={word}]" for key in ("class", "id") for word in ("nav", "crumb", "menu", "sidebar", "side-bar")
)
"""Elements whose class or id suggests navigation."""
_LINKED, _SAYS_MORE = 0.6, 80
"""Minimum share of letters in links for navigation; minimum letters of the page outside it."""
_HEADINGS = "h1, h2, h3, h4, h5, h6"
_DROPPED = (
    "script, style, template, noscript, svg:not([role=img][aria-label]), iframe:not([srcdoc]), object, canvas, audio, "
    "video, head, annotation, "
    "button, select, textarea, nav, [role=navigation], [role=search], .navheader, "
    ".navfooter, .mw-editsection, #siteSub, #contentSub, #catlinks, .printfooter, a.headerlink, "
    "body > header, body > footer, body > * > footer, [role=contentinfo], "
    "body > #footer, body > .footer, body > * > #footer, body > * > .footer"
)
_MAIN = "main, [role=main], article"
_ENOUGH = 0.5
"""Minimum share of a page's text in its declared main element; otherwise the body is used."""


def main_element(page: LexborHTMLParser) -> LexborNode:
    """Return the element with the main content, after removing menus and other non-content."""
    body = page.body
    assert body is not None  # for the type checker; the caller has checked it
    for node in body.css(_DROPPED):
        node.decompose()
    without_marks_of_names(body)
    without_navigation(body)
    without_pages_beside(body)
    without_repetition(body)
    text_length = len(body.text())
    candidates = [node for node in body.css(_MAIN) if len(node.text()) >= _ENOUGH * text_length]
    return candidates[-1] if candidates else body


def without_navigation(body: LexborNode) -> None:
    """Remove elements that their class or id calls navigation and that are mostly links. Nothing is removed if the page
    has little other text."""
    removed = {
        node.mem_id: node
        for node in body.css(_MAYBE_NAVIGATION)
        if any(_NAVIGATION.search(node.attributes.get(key) or "") for key in ("class", "id")) and _mostly_links(node)
    }
    outermost = [node for node in removed.values() if not any(outer.mem_id in removed for outer in _around(node, body))]
    if sum(len(_letters(node)) for node in outermost) < len(_letters(body)) - _SAYS_MORE:
        _remove(removed, body)


def _mostly_links(node: LexborNode) -> bool:
    links = node.css("a[href]")
    linked = sum(len(_letters(link)) for link in links)
    return len(links) >= _FEWEST and linked >= _LINKED * len(_letters(node)) and node.css_first(_HEADINGS) is None


def without_repetition(body: LexborNode) -> None:
    """Remove tables of contents that repeat the page's headings, with their labels, and menus before the first heading.
    Menus stay if the page has less other text than they have."""
    headings = {_letters(node) for node in body.css(_HEADINGS)} - {""}
    if not headings:
        return
    removed: dict[int, LexborNode] = {}
    contents = [link for link in body.css('a[href*="#"]') if _letters(link) in headings]
    for element in _holding_only(contents, body, _FEWEST):
        around, label = _labelled(element, body), next(_beside(element))
        removed[around.mem_id] = around
        if around is element and label is not None and label.tag in ("p", "div") and _is_label(label):
            removed[label.mem_id] = label
    if menus := _holding_only(_before_headings(body), body, _MENU):
        prose_length = len(_letters(body)) - sum(len(_letters(link)) for link in body.css("a[href]"))
        if prose_length > sum(len(_letters(menu)) for menu in menus):
            removed |= {menu.mem_id: menu for menu in menus}
    _remove(removed, body)


def without_marks_of_names(body: LexborNode) -> None:
    """Remove marks beside headings and entries: permalinks (`¶`, `#`), links to source code (`[source]`), empty
    categories."""
    for link in body.css(".viewcode-link, .viewcode-back"):
        link.decompose()
    for link in body.css(", ".join(f"{heading} a[href*='#']" for heading in (*_HEADINGS.split(", "), "dt"))):
        if not any(map(str.isalnum, link.text())) and link.css_first("img") is None:
            link.decompose()
    for category in body.css("dt > span.category"):  # Texinfo; an empty category is shown as `: `
        if not any(map(str.isalnum, category.text())):
            category.decompose()


def without_pages_beside(body: LexborNode) -> None:
    """Remove lines of links to the previous, next and parent page or to translations."""
    leading: dict[int, bool] = {}  # by `mem_id` of each element examined: True if it only has such links
    removed: dict[int, LexborNode] = {}
    for link in body.css(_BESIDE):
        last = None
        for element in _around(link, body):
            if element.mem_id not in leading:
                leading[element.mem_id] = _only_leads(element)
            if not leading[element.mem_id]:
                break
            last = element
        if last is not None:
            removed[last.mem_id] = last
    _remove(removed, body)


def _remove(elements: Mapping[int, LexborNode], body: LexborNode) -> None:
    """Remove elements given by `mem_id`; nested ones go with the outer ones."""
    for element in elements.values():
        if not any(outer.mem_id in elements for outer in _around(element, body)):
            element.decompose()


def _only_leads(element: LexborNode) -> bool:
    """Return True if at least half of the links in an element lead to neighbouring pages, and it has little other
    text."""
    links = element.css("a[href]")
    other_length = len(_letters(element)) - sum(len(_letters(link)) for link in links)
    return (
        other_length <= _BESIDE_SAY and 2 * len(element.css(_BESIDE)) >= len(links) and not element.css_first(_HEADINGS)
    )


def _before_headings(body: LexborNode) -> list[LexborNode]:
    """Return the links before the first heading."""
    links = []
    for node in body.css(f"a[href], {_HEADINGS}"):
        if node.tag != "a":
            break
        links.append(node)
    return links


def _holding_only(links: Sequence[LexborNode], body: LexborNode, fewest: int) -> list[LexborNode]:
    """Return the outermost elements with at least `fewest` of these links and no other letters."""
    linked: Counter[int] = Counter()  # letters in these links by the element's `mem_id`
    around = [tuple(_around(link, body)) for link in links] if len(links) >= fewest else []
    for link, elements in zip(links, around, strict=False):
        letters = len(_letters(link))
        linked.update({element.mem_id: letters for element in elements})
    outermost: dict[int, LexborNode] = {}
    only: dict[int, bool] = {}  # by `mem_id`: True if the element has no other letters
    for elements in around:
        last = None
        for element in elements:
            place = element.mem_id
            if place not in only:
                only[place] = linked[place] == len(_letters(element))
            if not only[place]:
                break
            last = element
        if last is not None and last.mem_id not in outermost and len(last.css("a[href]")) >= fewest:
            outermost[last.mem_id] = last
    return list(outermost.values())


def _labelled(element: LexborNode, body: LexborNode) -> LexborNode:
    """Return the element around a table of contents with only a label beside it, else the table itself."""
    parent = element.parent
    if parent is None or parent.mem_id == body.mem_id or parent.css_first(_HEADINGS) is not None:
        return element
    return parent if len(_letters(parent)) - len(_letters(element)) <= _LABEL else element


def _is_label(node: LexborNode) -> bool:
    return len(_letters(node)) <= _LABEL and node.css_first(_HEADINGS) is None


def is_only_a_link(node: LexborNode) -> bool:
    """Return True if an element contains only a link and a neighbour does as well, as in a list."""
    if not _is_a_link(node):
        return False
    before, after = _beside(node)
    if node.tag == "dt":
        return after is None or after.tag == "dt" or _holds_a_list(after)
    return any(
        neighbour is not None and neighbour.tag == node.tag and _is_a_link(neighbour) for neighbour in (before, after)
    )


def _holds_a_list(node: LexborNode) -> bool:
    inner = _only_child(node)
    return inner is not None and inner.tag == "dl"


def _is_a_link(node: LexborNode) -> bool:
    inner = _only_child(node)
    for _ in range(_WRAPPED):
        if inner is None or inner.tag == "a":
            break
        inner = _only_child(inner)
    return inner is not None and inner.tag == "a" and bool(inner.attributes.get("href")) and bool(inner.text().strip())


def _only_child(node: LexborNode) -> LexborNode | None:
    """Return the only child element of a node without other text, or None."""
    only = None
    child = node.first_child
    while child is not None:
        if child.is_element_node:
            if only is not None:
                return None
            only = child
        elif child.is_text_node and (child.text_content or "").strip():
            return None
        child = child.next
    return only


def _around(link: LexborNode, body: LexborNode) -> Iterator[LexborNode]:
    element = link.parent
    for _ in range(_HIGHEST):
        if element is None or element.mem_id == body.mem_id:
            return
        yield element
        element = element.parent


def _beside(node: LexborNode) -> Iterator[LexborNode | None]:
    """Yield the nearest element before a node, then the one after it."""
    for side in ("prev", "next"):
        neighbour = getattr(node, side)
        while neighbour is not None and not neighbour.is_element_node:
            neighbour = getattr(neighbour, side)
        yield neighbour


def _letters(node: LexborNode) -> str:
    """Return the lower-case letters of an element, without digits and punctuation."""
    return "".join(filter(str.isalpha, node.text())).lower()
