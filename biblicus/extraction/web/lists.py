"""Numbering of HTML lists."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from biblicus.extraction.web.page_links import is_only_a_link

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode

LISTS = frozenset(("ol", "ul", "menu", "dir"))
_BARE = re.compile(r"list-style[\w-]*:[^;]*\bnone\b")
"""Style of a list without visible numbers."""
OWN_NUMBER = re.compile(r"\(?\d{1,3}[.)]\s")
"""An item that starts with a number of its own, which is kept."""


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
