"""References given to agents: `ITEM#lines=3-9`, or as a URI, `biblicus://corpus/item/ITEM#lines=3-9`.

`#span=0-300` and `#page=2` are accepted too, and `#lines=3` and `#L3-L9` as on code hosts. Without a fragment it is the
whole item."""

from __future__ import annotations

import re
from typing import Any, NamedTuple
from urllib.parse import quote, unquote

from biblicus.errors import UsageError
from biblicus.models.requests.items import GetRequest

SCHEME = "biblicus://"
_FRAGMENT = re.compile(
    r"#(?:(?:lines?=|L)(?P<first>\d{1,12})(?:[-:]L?(?P<last>\d{1,12}))?"
    r"|span=(?P<start>\d{1,12})[-:](?P<end>\d{1,12})|page=(?P<page>\d{1,9}))$"
)
_URI = re.compile(r"biblicus://([a-z0-9-]{1,64})/item/([^#]+)(#.*)?", re.DOTALL)
SHAPE = "ID, ID#lines=1-9, ID#span=0-300, ID#page=2, or the same as biblicus://corpus/item/ID#lines=1-9"


class Reference(NamedTuple):
    """Part of an item. `corpus`: None if not given. `part`: `lines`, `span` or `page`, or empty."""

    corpus: str | None
    item: str
    part: dict[str, Any]

    def request(self) -> GetRequest:
        """Return the request for its text."""
        return GetRequest(item=self.item, **self.part)


def read(text: str) -> Reference:
    """Parse a reference. Raises `UsageError` with the format as its hint."""
    corpus = None
    uri_match = _URI.fullmatch(text)
    if uri_match:
        corpus, text = uri_match[1], unquote(uri_match[2]) + (uri_match[3] or "")
    elif text.startswith(SCHEME):
        raise UsageError(f'"{text[:200]}" is no reference of this server.', SHAPE)
    fragment = _FRAGMENT.search(text)
    item = text[: fragment.start()] if fragment else text
    if not item or len(item) > 2_000 or (uri_match and uri_match[3] and not fragment):
        raise UsageError(f'"{text[:200]}" is no reference to an item.', SHAPE)
    return Reference(corpus, item, _part(fragment) if fragment else {})


def _part(match: re.Match[str]) -> dict[str, Any]:
    if match["page"]:
        return {"page": int(match["page"])}
    if match["start"]:
        return {"span": (int(match["start"]), int(match["end"]))}
    return {"lines": (int(match["first"]), int(match["last"] or match["first"]))}


def lines(item_id: str, first: int, last: int, corpus: str | None = None) -> str:
    """Return a reference to lines."""
    return f"{uri(corpus, item_id) if corpus else item_id}#lines={first}-{last}"


def uri(corpus: str, item_id: str) -> str:
    return f"{SCHEME}{corpus}/item/{quote(item_id, safe='')}"
