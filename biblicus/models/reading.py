"""What reading items and proving evidence gives: replies in the shape of their JSON."""

from __future__ import annotations

import builtins
import hashlib
from base64 import b64decode
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from typing import Any, Literal

from biblicus.errors import BadData
from biblicus.models.item import Item
from biblicus.models.locator import Locator
from biblicus.models.plain import LEFT_OUT


@dataclass(frozen=True, slots=True)
class ItemPage:
    """Items by path. `next_cursor`: where there are more. `note`: which filter no item fits, and the nearest values."""

    items: tuple[Item, ...]
    next_cursor: str | None = field(default=None, metadata=LEFT_OUT)
    note: str = field(default="", metadata=LEFT_OUT)


@dataclass(frozen=True, slots=True)
class ItemLink:
    """A link of one item to another. `path`: of the other item, or what the link names where that is no item; `line`:
    of the item that holds the link; `part`: the heading or the block that is meant."""

    path: str
    line: int
    item_id: str | None = None
    part: str | None = field(default=None, metadata=LEFT_OUT)


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown(Item):
    """An item with what its extraction came to: `pages`, `lines`, `characters` and `headings`, or `note` why not.

    `extractor`: the plug-in that reads it. `parent`: what holds it, of a member of an archive or an attachment.
    `members`: how many items it holds. `links`: what it links to, and `backlinks`: what links to it, where that was
    asked for.
    """

    extraction_id: str
    note: str | None
    extractor: str | None = field(default=None, metadata=LEFT_OUT)
    pages: int = 0
    lines: int = 0
    characters: int = 0
    headings: int = 0
    parent: str | None = field(default=None, metadata=LEFT_OUT)
    members: int | None = field(default=None, metadata=LEFT_OUT)
    links: tuple[ItemLink, ...] = field(default=(), metadata=LEFT_OUT)
    backlinks: tuple[ItemLink, ...] = field(default=(), metadata=LEFT_OUT)

    @classmethod
    def of(cls, item: Item, **extraction: Any) -> Shown:
        """The item with what is said of its extraction."""
        return cls(**{entry.name: getattr(item, entry.name) for entry in fields(Item)}, **extraction)


@dataclass(frozen=True)
class Excerpt:
    """Exact text of an item. Offsets are code points, lines count from 1; `sha256` is of `text` in UTF-8.

    `citation_url`: what to open for these lines, where the item has an address. `index_version`: what a bare query
    would be answered from now, where there is a run. `boxes`: where words stand that were read off a picture: span,
    page, and edges in ten-thousandths of the page's width and height. `spots`: where they were asked for, what begins
    where in the format's own terms: `offset`, `kind`, `name`, `start`, `end`; and `headings`: `offset`, `level` (from
    1), `title`.
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
    locator: Locator | None = None
    citation_url: str | None = None
    index_version: str | None = None
    boxes: tuple[Mapping[str, int], ...] = field(default=(), metadata=LEFT_OUT)
    spots: tuple[Mapping[str, Any], ...] = field(default=(), metadata=LEFT_OUT)
    headings: tuple[Mapping[str, Any], ...] = field(default=(), metadata=LEFT_OUT)

    def __post_init__(self) -> None:
        """Raises `BadData` where the text is not what its sha256 says: it came over a wire, and was changed there."""
        if hashlib.sha256(self.text.encode("utf-8", "surrogatepass")).hexdigest() != self.sha256:
            raise BadData("The text that was sent is not what its sha256 says.", "the same once more")


@dataclass(frozen=True)
class FilePart:
    """Bytes of an item's file as it is now, from `start` on. `bytes`: how many it has. `item_sha256`: of the file when
    the catalog last saw it."""

    item_id: str
    path: str
    media_type: str
    item_sha256: str
    bytes: int
    start: int
    part_base64: str

    @property
    def part(self) -> builtins.bytes:
        """The bytes themselves."""
        return b64decode(self.part_base64)


@dataclass(frozen=True)
class FailedText:
    """In the place of a text that could not be given."""

    error: Mapping[str, str]


@dataclass(frozen=True)
class Excerpts:
    """Exact texts in the order asked; one that could not be given is an error in its place."""

    results: tuple[Excerpt | FailedText, ...]


@dataclass(frozen=True)
class Node:
    """A folder or item of the tree. `items` and `bytes` are those of everything below a folder."""

    path: str
    kind: Literal["folder", "item"]
    items: int
    bytes: int
    title: str | None = None
    item_id: str | None = None


@dataclass(frozen=True)
class Tree:
    """Folders and items, sorted. `truncated`: there are more, after `next_cursor`."""

    nodes: tuple[Node, ...]
    truncated: bool = field(default=False, metadata=LEFT_OUT)
    next_cursor: str | None = field(default=None, metadata=LEFT_OUT)


@dataclass(frozen=True)
class FacetValue:
    """A value that items have. `items`: how many. `filter`: the filters that keep just those."""

    value: str
    items: int
    filter: Mapping[str, str]


@dataclass(frozen=True)
class Facet:
    """What items can be filtered by, its most frequent values first. `values_in_all`: how many different ones there
    are."""

    name: str
    values: tuple[FacetValue, ...]
    values_in_all: int


@dataclass(frozen=True)
class Facets:
    """By which values items can be filtered. `items`: how many were counted. `note`: which filter no item fits, and the
    nearest values."""

    items: int
    facets: tuple[Facet, ...]
    note: str = field(default="", metadata=LEFT_OUT)


Status = Literal["ok", "moved", "unapproved", "stale", "missing", "forged"]
PROVING = (
    "item_id",
    "path",
    "text",
    "hash",
    "item_sha256",
    "extraction_id",
    "run_id",
    "corpus_id",
    "corpus",
    "span_start",
    "span_end",
    "line_start",
    "line_end",
    "page",
    "locator",
    "layer",
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


@dataclass(frozen=True)
class Verdicts:
    """Whether all pieces hold (`ok` or `moved`), how many there are of each status, and the verdicts."""

    ok: bool
    counts: Mapping[str, int]
    evidence: tuple[Verdict, ...]

    @classmethod
    def of(cls, verdicts: tuple[Verdict, ...]) -> Verdicts:
        """The verdicts, summed up."""
        return cls(all(verdict.holds for verdict in verdicts), _counts(verdicts), verdicts)


@dataclass(frozen=True)
class Quotation:
    """A passage that a document quotes with its citation. `line`: of the document. `words`: how it begins. `cited`: the
    item's path, or what is cited where there is no such item. `found`: on which line of the item it begins now.
    `reason`: what is to be told, as the rest of a sentence."""

    file: str
    line: int
    words: str
    status: Literal["ok", "moved", "stale", "missing"]
    cited: str
    reason: str
    found: int | None = None

    @property
    def holds(self) -> bool:
        return self.status in ("ok", "moved")


@dataclass(frozen=True)
class Quotations:
    """Whether all passages stand that documents quote with their citations, how many of each status, and each of them.

    `unread`: how many cite files that are no items, or hold no text, so that nothing can be said of them.
    """

    ok: bool
    counts: Mapping[str, int]
    quotations: tuple[Quotation, ...]
    unread: int = 0

    @classmethod
    def of(cls, quotations: tuple[Quotation, ...], unread: int) -> Quotations:
        """The quotations, summed up."""
        return cls(all(quotation.holds for quotation in quotations), _counts(quotations), quotations, unread)


def _counts(verdicts: Iterable[Verdict | Quotation]) -> dict[str, int]:
    """How many there are of each status, in the order of their first."""
    counts: dict[str, int] = {}
    for verdict in verdicts:
        counts[verdict.status] = counts.get(verdict.status, 0) + 1
    return counts
