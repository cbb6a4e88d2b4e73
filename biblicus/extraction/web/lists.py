"""Lists of pages: which have numbers that people see, and which those are."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from biblicus.extraction.web.page_links import is_only_a_link

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode

LISTS = frozenset(("ol", "ul", "menu", "dir"))
_BARE = re.compile(r"list-style[\w-]*:[^;]*\bnone\b")
"""The style of a list whose items nobody sees the numbers of."""
OWN_NUMBER = re.compile(r"\(?\d{1,3}[.)]\s")
"""How an item begins that bears a number in its words: that one is shown, too."""
_FEW_DIGITS = re.compile(r"[0-9]{1,4}")


def is_numbered(node: LexborNode) -> bool:
    """Whether people see the numbers of a list's items as they are counted; what only links is a menu or a table of
    contents."""
    says, first = node.attributes, node.css_first("li")
    is_counted = node.tag == "ol" and "reversed" not in says and (says.get("type") or "1") == "1"
    is_seen = is_counted and not _BARE.search(says.get("style") or "")
    return is_seen and (first is None or not is_only_a_link(first))


def number(node: LexborNode, name: str, otherwise: int) -> int:
    """The number that an attribute holds."""
    stated = node.attributes.get(name) or ""
    return int(stated) if _FEW_DIGITS.fullmatch(stated) else otherwise
