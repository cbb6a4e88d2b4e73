"""An item: one raw file of the corpus, with metadata and provenance."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Any, NamedTuple

from biblicus.models.frozen import dataclass
from biblicus.models.plain import LEFT_OUT

CONVERSATION = "conversation"
"""The doctype of a kept conversation: its answers are no source of others."""
DOCTYPES = (
    "paper", "readme", "notebook", "doc", "code", "data", "image", "audio", "video", "message", CONVERSATION, "other",
)  # fmt: skip

DATES = ("date", "created_at", "updated")
"""Metadata that may tell an item's day: the first of these that begins with an ISO 8601 day, month or year."""


@dataclass(frozen=True, slots=True)
class Source:
    """Where an item came from. `kind` is `corpus` for a file born in the corpus, else `file`, `stdin`, …

    `uri`: a relative URI reference for `corpus`, else the address it was brought from. `ref`: a commit or etag.
    `retrieved_at`: UTC, ISO 8601 to the second; absent for `corpus`.
    """

    kind: str
    uri: str
    ref: str | None = None
    retrieved_at: str | None = None


@dataclass(frozen=True, slots=True)
class Item:
    """One row of the catalog. `path` is relative POSIX, `sha256` is of the raw bytes, `bytes` their number.

    `content_hash` is of the normalised text (`text.sameness`), as `sha256:…`; None where there is no text.
    `metadata` holds what front matter or a sidecar says beyond the named fields: JSON values, texts kept as written.
    `layer`: where the corpus has layers. `approval`: the line of the editorial log that approves these bytes;
    with ` pending` where the item is left out while its file has an edit that nobody approved.
    """

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
    """Paths of items that are new, changed or gone."""

    new: frozenset[str] = frozenset()
    changed: frozenset[str] = frozenset()
    removed: frozenset[str] = frozenset()


NO_DIFFERENCES = Differences()
