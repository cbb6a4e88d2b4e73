"""Title and language of an HTML page."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from biblicus.models.extraction import CAPTION, Heading

if TYPE_CHECKING:
    from selectolax.lexbor import LexborHTMLParser, LexborNode

HEADINGS = frozenset(("h1", "h2", "h3", "h4", "h5", "h6"))
_AHEAD = 200  # number of blocks in which a page's title is searched
_SITE = re.compile(r"\s*[-\u2013\u2014|\u00b7:\u00bb]\s")
_LANGUAGE = re.compile(r"([a-zA-Z]{2})(?:[-_]|\Z)")


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
