"""An item: one raw file of the corpus, with metadata and provenance."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Any, NamedTuple

from biblicus.models.frozen import dataclass
from biblicus.models.plain import LEFT_OUT

CONVERSATION = "conversation"
"""Doctype of a saved conversation, whose answers are not used as a source for other answers."""
DOCTYPES = (
    "paper", "readme", "notebook", "doc", "code", "data", "image", "audio", "video", "message", CONVERSATION, "other",
)  # fmt: skip

DATES = ("date", "created_at", "updated")
"""Metadata keys for an item's date: the first one whose value begins with an ISO 8601 day, month or year."""


@dataclass(frozen=True, slots=True)
class Source:
    """Origin of an item. `kind`: `corpus` for a file created in the corpus, else `file`, `stdin`, …

    `uri`: a relative URI reference for `corpus`, else its original address. `ref`: a commit or etag. `retrieved_at`:
    UTC, ISO 8601 to the second; absent for `corpus`."""

    kind: str
    uri: str
    ref: str | None = None
    retrieved_at: str | None = None


@dataclass(frozen=True, slots=True)
class Item:
    """One row of the catalog. `path` is relative POSIX, `sha256` and `bytes` are of the raw file.

    `content_hash` is of the normalised text (`text.anchoring`), as `sha256:…`; None without text. `metadata`: further
    values from front matter or sidecar, as JSON; texts are kept as written. `layer`: if the corpus has layers.
    `approval`: id of the log entry that approves these bytes, followed by ` pending` if the item is hidden while an
    edit is unapproved."""

    item_id: str
    path: str
    media_type: str
    bytes: int
    sha256: str
    title: str
    language: str | None
    doctype: str
    tags: tuple[str, ...]
    source: Source
    metadata: Mapping[str, Any] = field(default_factory=dict)
    content_hash: str | None = None
    layer: str | None = field(default=None, metadata=LEFT_OUT)
    approval: str | None = field(default=None, metadata=LEFT_OUT)


class Differences(NamedTuple):
    """Paths of items that are new, changed or removed."""

    new: frozenset[str] = frozenset()
    changed: frozenset[str] = frozenset()
    removed: frozenset[str] = frozenset()


NO_DIFFERENCES = Differences()
