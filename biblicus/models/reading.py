"""What reading an item gives: the item in full, exact text, a node of the tree."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from biblicus.models.item import Item


@dataclass(frozen=True)
class Shown:
    """An item with what its extraction came to: `pages`, `lines`, `characters` and `headings`, or `note` why not."""

    item: Item
    extraction_id: str
    note: str | None
    pages: int
    lines: int
    characters: int
    headings: int


@dataclass(frozen=True)
class Excerpt:
    """Exact text of an item. Offsets are code points, lines count from 1; `sha256` is of `text` in UTF-8.

    `citation_url`: what to open for these lines, where the item has an address.
    """

    item_id: str
    path: str
    text: str
    sha256: str
    item_sha256: str
    extraction_id: str
    span_start: int
    span_end: int
    line_start: int
    line_end: int
    page: int | None
    citation_url: str | None = None


@dataclass(frozen=True)
class Node:
    """A folder or item of the tree. `items` and `bytes` are those of everything below a folder."""

    path: str
    kind: str
    items: int
    bytes: int
    title: str | None = None
    item_id: str | None = None


Status = Literal["ok", "moved", "stale", "missing", "forged"]
PROVING = (
    "item_id",
    "path",
    "text",
    "hash",
    "item_sha256",
    "extraction_id",
    "run_id",
    "span_start",
    "span_end",
    "line_start",
    "line_end",
    "page",
)
"""Fields of a piece of evidence by which it is proved."""


@dataclass(frozen=True)
class Verdict:
    """One piece's status. `reason` says what was found; `span_start` is where the text is now, if it is."""

    rank: int
    item_id: str
    path: str
    status: Status
    reason: str
    span_start: int | None = None

    @property
    def holds(self) -> bool:
        return self.status in ("ok", "moved")
