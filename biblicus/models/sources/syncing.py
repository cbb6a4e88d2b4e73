"""Interface that every kind of source implements for syncing.

A kind is a module under `biblicus/sources/` with

    def sync(entry: …Entry, known: Known, reach: Reach, call: Call) -> Generator[Change, None, State]

* It yields differences from `known`, in any order: `found` (new or changed, with its `Document`), `gone`, `skipped`,
  `failed`. **Unmentioned documents stay unchanged.** `found` with the known bytes counts as unchanged. A known document
  that is `skipped` is removed for that reason. A rename is a `found` whose `was` is the known origin.
* It returns the state for the next sync, short texts (`commit`, `etag`, …), which the committed registry stores and
  `known.state` returns. Its `licence` becomes metadata of every item. If the state is unchanged and `known.is_whole`,
  it may return at once and yield nothing.
* It writes only below `reach.cache`, its own folder, which may vanish between syncs, and connects only as `reach`
  allows. A failure of the whole source is raised as a `BiblicusError`; a document that fails is a `failed` change, and
  its copy is kept.
* It calls `call.check()` often, and never trusts a name: `bring.sync` decides where a document is stored
  (`imports/<source>/<document.path>`, made safe), writes it, keeps ids across renames, and reports conflicts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from pathlib import Path
from typing import Literal

from biblicus.models.frozen import dataclass

KINDS = ("git", "url", "site", "feed", "folder", "share")
NAME = r"^[a-z0-9][a-z0-9_-]{0,63}$"
"""Pattern of a source's name."""
State = Mapping[str, str]
"""Data for the kind's next sync: texts by name, at most a few hundred bytes in all."""


@dataclass(frozen=True, slots=True)
class Row:
    """One document of a source as last synced: a line of the committed registry.

    `path`: of its copy, relative to `imports/<source>/`. `origin`: permanent identifier in its source (a path in a
    repository, a canonical address). `uri`: the item's source URI, without anything about this machine. `sha256`: of
    the written bytes; a copy with another digest was edited. `ref`: commit or etag of the bytes. `version`: detects a
    later version cheaply (blob id, Last-Modified). `item_id`: only if it is not the one derived from the path (after a
    rename). `gone`: kept although its source no longer has it. `title`, `media_type`, `metadata`: from the source."""

    path: str
    origin: str
    uri: str
    sha256: str
    ref: str | None = None
    version: str | None = None
    retrieved_at: str | None = None
    item_id: str | None = None
    gone: bool = False
    title: str | None = None
    media_type: str | None = None
    metadata: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Known:
    """State after the last sync. `rows`: by origin. `state`: as the kind returned it; empty before the first sync.

    `absent`: origins whose copies are missing and must be fetched again. `changed_entry`: the entry changed since, so
    the state alone does not decide. `is_left`: a new document was not written, because another file is in its place."""

    rows: Mapping[str, Row] = field(default_factory=dict)
    state: State = field(default_factory=dict)
    absent: frozenset[str] = frozenset()
    changed_entry: bool = False
    is_left: bool = False

    @property
    def is_whole(self) -> bool:
        """Return true if an equal state means that there is nothing to do."""
        return bool(self.state) and not self.absent and not self.changed_entry and not self.is_left


@dataclass(frozen=True)
class Share:
    """A share of the user's settings. `by`: its kind in fsspec. `options`: may be secret."""

    name: str
    by: str
    path: str
    options: Mapping[str, object] = field(repr=False)


@dataclass(frozen=True)
class Reach:
    """Permissions and limits of a sync. `cache`: the kind's own folder, which the kind creates if missing.

    `local`: absolute path that the user allowed, for a local source. `private`: private addresses may be connected to.
    `share`: settings of the named share. `file_bytes`: larger documents are skipped. `total_bytes`, `seconds`: limits
    of one sync. `documents`: maximum number; more are refused."""

    cache: Path
    local: Path | None = None
    private: bool = False
    share: Share | None = None
    file_bytes: int = 16 << 20
    total_bytes: int = 2 << 30
    seconds: float = 900.0
    documents: int = 100_000


@dataclass(frozen=True, slots=True)
class Document:
    """A current document of a source; fields as in `Row`. `path`: of its copy below `imports/<source>/`: relative POSIX
    in stored form (`text.paths`), with a usable extension."""

    path: str
    data: bytes
    uri: str
    ref: str | None = None
    version: str | None = None
    title: str | None = None
    media_type: str | None = None
    metadata: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Change:
    """One difference.

    `document`: of `found`. `was`: its previous origin, if renamed. `reason`: of `skipped` and `failed`, to follow the
    origin in a sentence."""

    what: Literal["found", "gone", "skipped", "failed"]
    origin: str
    document: Document | None = None
    was: str | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Provenance:
    """A registry's facts of one item: its origin, and its metadata from the source.

    `kind`: of the source. `metadata`: of the row and of the source. `doctype`: by the source's rules."""

    kind: str
    row: Row
    metadata: Mapping[str, str]
    tags: tuple[str, ...]
    doctype: str | None
