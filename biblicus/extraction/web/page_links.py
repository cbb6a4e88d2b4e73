"""What an HTML page only links: menus, the pages before and after it, a table of its own contents, and lists of other
pages marked up as blocks."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode

_FEWEST = 2
"""Links of a table of contents at least."""
_MENU = 4
"""Links of a menu at least."""
_BESIDE = ", ".join(
    (
        *(f"a[rel~={word}]" for word in ("prev", "previous", "next", "up")),
        *(f"a[accesskey={key}]" for key in "pnuh"),
        "a[hreflang]",
    )
)
"""Links to the pages beside one, as generators mark them up, and to the same page in other languages."""
_BESIDE_SAY = 32
"""Letters beside such links at most: `Next:`, what the whole is called."""
_HIGHEST = 12
"""Elements above a link that may hold nothing but links at most."""
_LABEL = 24
"""Letters of what stands above a table of contents at most: `Table of Contents`, `On this page`."""
_WRAPPED = 3
"""Elements around a link at most that hold nothing else."""
_NAVIGATION = re.compile(
    r"(?:^|[\s_-])(?:nav(?:bar|box|igation(?:-?bar)?|menu|links?|pane|tree)?|bread-?crumbs?|menu|side-?bar)(?:$|[\s_-])"
)
_MAYBE_NAVIGATION = ", ".join(
    f"[{key}*={word}]" for key in ("class", "id") for word in ("nav", "crumb", "menu", "sidebar", "side-bar")
)
"""What may be called navigation."""
_LINKED, _SAYS_MORE = 0.6, 80
"""The share of the letters of navigation that stand in links at least; letters of a page beside it at least."""
_HEADINGS = "h1, h2, h3, h4, h5, h6"
_NOT_LETTERS = re.compile(r"[\W\d_]+")


def without_navigation(body: LexborNode) -> None:
    """Removes what generators call navigation by its class or id and that does little but link, where the page says
    more than that."""
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
    """Removes what repeats the page's own headings as links to them, with a short label right above, and menus: what
    only links to other places before the first heading of a page that says more."""
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
        said = len(_letters(body)) - sum(len(_letters(link)) for link in body.css("a[href]"))
        if said > sum(len(_letters(menu)) for menu in menus):
            removed |= {menu.mem_id: menu for menu in menus}
    _remove(removed, body)


def without_marks_of_names(body: LexborNode) -> None:
    """Removes what headings and entries bear beside their names: links to themselves (`¶`, `#`), those between an entry
    and its source code (`[source]`, `[docs]`), the `: ` of a category that is empty."""
    for link in body.css(".viewcode-link, .viewcode-back"):
        link.decompose()
    for link in body.css(", ".join(f"{heading} a[href*='#']" for heading in (*_HEADINGS.split(", "), "dt"))):
        if not any(map(str.isalnum, link.text())) and link.css_first("img") is None:
            link.decompose()
    for category in body.css("dt > span.category"):  # of Texinfo; of a function without one it is `: `
        if not any(map(str.isalnum, category.text())):
            category.decompose()


def without_pages_beside(body: LexborNode) -> None:
    """Removes the lines that lead to the pages before, after and above one, or to it in another language."""
    leading: dict[int, bool] = {}  # of each element looked at, by its place in memory: whether that is all it does
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
    """Removes elements, by their places in memory: what lies within another goes with it."""
    for element in elements.values():
        if not any(outer.mem_id in elements for outer in _around(element, body)):
            element.decompose()


def _only_leads(element: LexborNode) -> bool:
    """Whether half of the links in an element lead to pages beside this one, and little else stands there."""
    links = element.css("a[href]")
    beside = len(_letters(element)) - sum(len(_letters(link)) for link in links)
    return beside <= _BESIDE_SAY and 2 * len(element.css(_BESIDE)) >= len(links) and not element.css_first(_HEADINGS)


def _before_headings(body: LexborNode) -> list[LexborNode]:
    """The links before the first heading."""
    links = []
    for node in body.css(f"a[href], {_HEADINGS}"):
        if node.tag != "a":
            break
        links.append(node)
    return links


def _holding_only(links: Sequence[LexborNode], body: LexborNode, fewest: int) -> list[LexborNode]:
    """The outermost elements that hold so many of these links and no other letters."""
    linked: Counter[int] = Counter()  # of each element, by its place in memory: the letters in these links
    around = [tuple(_around(link, body)) for link in links] if len(links) >= fewest else []
    for link, elements in zip(links, around, strict=False):
        letters = len(_letters(link))
        linked.update({element.mem_id: letters for element in elements})
    outermost: dict[int, LexborNode] = {}
    only: dict[int, bool] = {}  # of each element that was looked at: whether it holds nothing else
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
    """The element around a table of contents that holds only a label beside it; else the table itself."""
    parent = element.parent
    if parent is None or parent.mem_id == body.mem_id or parent.css_first(_HEADINGS) is not None:
        return element
    return parent if len(_letters(parent)) - len(_letters(element)) <= _LABEL else element


def _is_label(node: LexborNode) -> bool:
    return len(_letters(node)) <= _LABEL and node.css_first(_HEADINGS) is None


def is_only_a_link(node: LexborNode) -> bool:
    """Whether an element holds a link and nothing else, and one beside it does as well: an entry of a list."""
    if not _is_a_link(node):
        return False
    before, after = _beside(node)
    if node.tag == "dt":
        return after is None or after.tag == "dt" or _holds_a_list(after)
    return any(other is not None and other.tag == node.tag and _is_a_link(other) for other in (before, after))


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
    """The element in a node that has nothing else in it but white space."""
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
    """The nearest element before a node, then the one after it."""
    for side in ("prev", "next"):
        other = getattr(node, side)
        while other is not None and not other.is_element_node:
            other = getattr(other, side)
        yield other


def _letters(node: LexborNode) -> str:
    """The letters of an element, small, without numbers and marks."""
    return _NOT_LETTERS.sub("", node.text()).lower()
