"""What a sync is made of: the shape that every kind of source implements.

A kind is a module under `biblicus/sources/` with

    def sync(entry: …Entry, known: Known, reach: Reach, call: Call) -> Generator[Change, None, State]

* It yields differences to `known`, in any order: `found` (new or changed, with its `Document`), `gone`, `skipped`,
  `failed`. **What it does not mention stays as it is.** `found` with the bytes that are known already is fine (it
  counts as unchanged). A known document that is `skipped` is gone, for that reason. A rename is a `found` whose `was`
  names the known origin.
* It returns the state that the next sync starts from, inert texts (`commit`, `etag`, …), kept in the committed registry
  and given back as `known.state`. `licence` in it becomes metadata of every item. A kind that finds the state as it
  left it, and `known.is_whole`, may return at once, with nothing yielded.
* It writes nothing but below `reach.cache`, a folder of its own that may vanish between two syncs, and reaches only
  what `reach` allows. What makes the whole source fail is raised as a `BiblicusError`; one document that fails is a
  `failed` change, and its copy is kept.
* It asks `call.check()` often, and never trusts a name: `bring.sync` decides where a document lies
  (`imports/<source>/<document.path>`, made safe), writes it, keeps ids over renames, and tells conflicts.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from pathlib import Path
from typing import Literal

from biblicus.models.frozen import dataclass

KINDS = ("git", "url", "site", "feed", "folder", "share")
NAME = r"^[a-z0-9][a-z0-9_-]{0,63}$"
"""The pattern of a source's name."""
State = Mapping[str, str]
"""What a kind wants to know next time: inert texts by name, at most a few hundred bytes in all."""


@dataclass(frozen=True, slots=True)
class Row:
    """One document of a source as it was last synced: a line of the registry, committed.

    `path`: of its copy, relative to `imports/<source>/`. `origin`: what it is in its source, and stays while the
    document is the same (a path in a repository, a canonical address). `uri`: the item's source URI, without anything
    of this machine. `sha256`: of the bytes that were written; a copy with others was edited here. `ref`: the commit or
    etag that the bytes were taken at. `version`: what tells a later version cheaply (a blob's id, Last-Modified).
    `item_id`: only where it is not the one that the path would give (after a rename). `gone`: its source has it no
    more, and it was kept. `title`, `media_type`, `metadata`: what the source says beside the bytes.
    """

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
    """What the last sync left. `rows`: by origin. `state`: what the kind returned; empty before the first sync.

    `absent`: origins whose copies are missing here: to be found again. `changed_entry`: the entry says otherwise than
    at the last sync, so that the state alone does not decide. `is_left`: something new was not put in place, since a
    file of another origin was there.
    """

    rows: Mapping[str, Row] = field(default_factory=dict)
    state: State = field(default_factory=dict)
    absent: frozenset[str] = frozenset()
    changed_entry: bool = False
    is_left: bool = False

    @property
    def is_whole(self) -> bool:
        """Whether equal state means that there is nothing to do."""
        return bool(self.state) and not self.absent and not self.changed_entry and not self.is_left


@dataclass(frozen=True)
class Share:
    """A share as the user's settings have it. `by`: fsspec's name of its kind. `options`: may be secret."""

    name: str
    by: str
    path: str
    options: Mapping[str, object] = field(repr=False)


@dataclass(frozen=True)
class Reach:
    """What a sync may reach and use. `cache`: the kind's own folder (made by the kind where it is missing).

    `local`: the absolute path that the user allowed, for a source on this machine. `private`: addresses that are not
    publicly routable may be asked. `share`: what the user's settings say of the one that is named. `file_bytes`: larger
    documents are skipped. `total_bytes`, `seconds`: bounds of one sync. `documents`: more than these are refused.
    """

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
    """A document of a source as it is now. `path`: where its copy should lie below `imports/<source>/`: relative
    POSIX in stored form (`text.paths`), with a usable extension. The rest as in `Row`; `retrieved_at` is the frame's.
    """

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
    """One difference. `document`: of `found`. `was`: its known origin before it was renamed there. `reason`: of
    `skipped` and `failed`, words that go on after the origin."""

    what: Literal["found", "gone", "skipped", "failed"]
    origin: str
    document: Document | None = None
    was: str | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Provenance:
    """What a registry says of one item: where it came from, and what its source says of it.

    `kind`: of the source. `metadata`: of the row and of the source. `doctype`: by the source's rules.
    """

    kind: str
    row: Row
    metadata: Mapping[str, str]
    tags: tuple[str, ...]
    doctype: str | None
