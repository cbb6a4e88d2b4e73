"""An item: one raw file of the corpus, with metadata and provenance."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

DOCTYPES = (
    "paper", "readme", "notebook", "doc", "code", "data", "image", "audio", "video", "message", "other",
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

    `metadata` holds what front matter or a sidecar says beyond the named fields: JSON values, texts kept as written.
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

    @property
    def toolkits(self) -> tuple[str, ...]:
        """What the item is about, as its metadata has it: one text or a list."""
        value = self.metadata.get("toolkit")
        return tuple(name for name in (value if isinstance(value, list) else [value]) if isinstance(name, str))
