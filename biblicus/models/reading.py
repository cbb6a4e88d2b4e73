"""Replies of reading items and verifying evidence, in the form of their JSON."""

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
    """Items by path. `next_cursor`: if there are more. `note`: which filter no item matches, with the nearest
    values."""

    items: tuple[Item, ...]
    next_cursor: str | None = field(default=None, metadata=LEFT_OUT)
    note: str = field(default="", metadata=LEFT_OUT)


@dataclass(frozen=True, slots=True)
class ItemLink:
    """A link between items.

    `path`: of the other item, or the link's target if it is no item. `line`: in the item with the link. `part`: the
    heading or block of the target."""

    path: str
    line: int
    item_id: str | None = None
    part: str | None = field(default=None, metadata=LEFT_OUT)


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown(Item):
    """An item with facts of its extraction: `pages`, `lines`, `characters` and `headings`, or `note` with the problem.

    `extractor`: the plug-in that reads it. `parent`: container of a member or attachment. `members`: number of items
    inside it. `links`, `backlinks`: its links and those to it, on request."""

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
        """Create it from an item and facts of its extraction."""
        return cls(**{entry.name: getattr(item, entry.name) for entry in fields(Item)}, **extraction)


@dataclass(frozen=True)
class Excerpt:
    """Exact text of an item. Offsets are code points, lines count from 1; `sha256` is of `text` in UTF-8.

    `citation_url`: address of these lines, if the item has one. `index_version`: of a bare query now, if there is a
    run. `boxes`: positions of words from OCR: span, page, and edges in ten-thousandths of the page's width and height.
    On request: `spots`, the parts in the format's own terms (`offset`, `kind`, `name`, `start`, `end`), and `headings`
    (`offset`, `level` from 1, `title`)."""

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
        """Raise `BadData` if the text does not match its sha256, because it was altered in transit."""
        if hashlib.sha256(self.text.encode("utf-8", "surrogatepass")).hexdigest() != self.sha256:
            raise BadData("The text that was sent is not what its sha256 says.", "the same once more")


@dataclass(frozen=True)
class FilePart:
    """Bytes of an item's current file from `start` on. `bytes`: its size. `item_sha256`: as in the catalog."""

    item_id: str
    path: str
    media_type: str
    item_sha256: str
    bytes: int
    start: int
    part_base64: str

    @property
    def part(self) -> builtins.bytes:
        """Return the bytes."""
        return b64decode(self.part_base64)


@dataclass(frozen=True)
class FailedText:
    """The error of a text in a batch."""

    error: Mapping[str, str]


@dataclass(frozen=True)
class Excerpts:
    """Exact texts in the requested order; a failed one is an error."""

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
    """A value with the number of its items. `filter`: filters that select exactly these."""

    value: str
    items: int
    filter: Mapping[str, str]


@dataclass(frozen=True)
class Facet:
    """A filterable property, its most frequent values first. `values_in_all`: number of distinct values."""

    name: str
    values: tuple[FacetValue, ...]
    values_in_all: int


@dataclass(frozen=True)
class Facets:
    """Filterable properties of items. `items`: number counted. `note`: which filter no item matches, with nearest
    values."""

    items: int
    facets: tuple[Facet, ...]
    note: str = field(default="", metadata=LEFT_OUT)


Status = Literal["ok", "moved", "unapproved", "stale", "missing", "forged"]


@dataclass(frozen=True)
class Verdict:
    """Status of one piece. `reason`: the finding. `span_start`: current position of the text, if it exists."""

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
    """Verdicts, their counts by status, and `ok` if all pieces hold (`ok` or `moved`)."""

    ok: bool
    counts: Mapping[str, int]
    evidence: tuple[Verdict, ...]

    @classmethod
    def of(cls, verdicts: tuple[Verdict, ...]) -> Verdicts:
        """Create the summary of verdicts."""
        return cls(all(verdict.holds for verdict in verdicts), _counts(verdicts), verdicts)


@dataclass(frozen=True)
class Quotation:
    """A cited quotation in a document.

    `line`: in the document. `words`: its beginning. `cited`: the item's path, or the citation itself if there is no
    such item. `found`: current line in the item. `reason`: the finding, as the rest of a sentence."""

    file: str
    line: int
    words: str
    status: Literal["ok", "moved", "stale", "missing", "unknown"]
    cited: str
    reason: str
    found: int | None = None

    @property
    def holds(self) -> bool:
        return self.status in ("ok", "moved")


@dataclass(frozen=True)
class Quotations:
    """Quotations of documents, their counts by status, and `ok` if all hold.

    `unread`: number of quotations whose cited file is no item or has no text, so that they cannot be checked.
    `unknown`: quotations whose citations have no known form. With `strict`, these and no checked quotation at all are
    failures."""

    ok: bool
    counts: Mapping[str, int]
    quotations: tuple[Quotation, ...]
    unread: int = 0
    unknown: tuple[Quotation, ...] = ()

    @classmethod
    def of(
        cls, quotations: tuple[Quotation, ...], unread: int, unknown: tuple[Quotation, ...], *, strict: bool
    ) -> Quotations:
        """Create the summary of quotations."""
        holds = all(quotation.holds for quotation in quotations)
        is_enough = not strict or (bool(quotations) and not unknown)
        return cls(holds and is_enough, _counts(quotations), quotations, unread, unknown)


def _counts(verdicts: Iterable[Verdict | Quotation]) -> dict[str, int]:
    """Return the number of each status, in order of first occurrence."""
    counts: dict[str, int] = {}
    for verdict in verdicts:
        counts[verdict.status] = counts.get(verdict.status, 0) + 1
    return counts
