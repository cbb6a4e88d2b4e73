"""Values of a sync: documents as last synced, the entries that a source lists, limits and permissions.

`sources.door.Source` is the interface of a connector. `bring.pages` compares its list with the known documents, fetches
what differs, and `bring.apply` decides where a document is stored (`imports/<source>/<path>`, made safe), keeps ids
across renames, and reports conflicts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from pathlib import Path
from typing import Literal

from biblicus.errors import IngestionError
from biblicus.models.frozen import dataclass

NAME = r"^[a-z0-9][a-z0-9_-]{0,63}$"
"""Pattern of a source's name."""
UNSYNCED = frozenset(("corpus", "declared", "file", "stdin"))
"""Kinds of items' sources that no sync has."""
State = Mapping[str, str]
"""Data for the kind's next sync: texts by name, at most a few hundred bytes in all."""


@dataclass(frozen=True, slots=True)
class Row:
    """One document of a source as last synced: a line of the committed registry.

    `path`: of its copy, relative to `imports/<source>/`. `origin`: permanent identifier in its source (a path in a
    repository, a canonical address). `uri`: the item's source URI, without anything about this machine. `sha256`: of
    the written bytes; a copy with another digest was edited. `ref`: commit or etag of the bytes. `version`: detects a
    later version cheaply (blob id, Last-Modified). `item_id`: only if it is not the one derived from the path (after a
    rename). `gone`: kept although its source no longer has it. `title`, `media_type`, `readers`,
    `tags`, `metadata`: from the source."""

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
    readers: tuple[str, ...] | None = None
    tags: tuple[str, ...] = ()
    metadata: Mapping[str, str | list[str]] = field(default_factory=dict)


@dataclass(frozen=True)
class Known:
    """State after the last sync. `rows`: by origin. `state`: as the kind returned it; empty before the first sync.

    `absent`: origins whose copies are missing and must be fetched again. `changed_entry`: the entry changed since, so
    the state alone does not decide. `is_left`: a document is missing: it failed, or another file is in its place."""

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
class Account:
    """A credential of the user's settings. `fetch.Fetcher` and `mailbox.Mailbox` send it to `host` only."""

    name: str
    host: str
    user: str
    secret: str = field(repr=False)

    def secret_for(self, host: str) -> str:
        """Return the secret for its own host. Raises `IngestionError` for any other, and for a secret or user that
        neither HTTP nor IMAP can send."""
        if host.lower() != self.host.lower():
            cause = f"the account {self.name} is for {self.host}, and is not sent to {host}"
            raise IngestionError(host, cause, "edit accounts in your own settings")
        if not f"{self.user}{self.secret}".isascii() or not f"{self.user}{self.secret}".isprintable():
            cause = f"the user or secret of the account {self.name} has characters that cannot be sent"
            raise IngestionError(host, cause, "a secret of ASCII characters in one line, as an app password")
        return self.secret


@dataclass(frozen=True)
class Reach:
    """Permissions and limits of a sync. `cache`: the kind's own folder, which the kind creates if missing.

    `local`: absolute path that the user allowed, for a local source. `private`: private addresses may be connected to.
    `share`, `account`: those of the user's settings that the entry names. `file_bytes`: larger documents are skipped.
    `total_bytes`, `seconds`: limits of one sync. `documents`: maximum number; more are refused."""

    cache: Path
    local: Path | None = None
    private: bool = False
    share: Share | None = None
    account: Account | None = None
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
    tags: tuple[str, ...] = ()
    metadata: Mapping[str, str | list[str]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Listed:
    """One entry of a source's list. `id`: its permanent identifier in the source.

    `etag`, or else `modified`: its version; a document with the known version is not fetched again. `readers`: people
    and groups who may see it; None if the source has no rights. `path`: of its copy (default: `id`). `uri`: its
    address, if the list has it. `size`: bytes, if stated. `was`: its previous id, if renamed. `what`: a document that
    is `here` or `gone`, or one that was `skipped` or `failed` for a `reason`, to follow the id in a sentence.
    `document`: its content, if it came with the list."""

    id: str
    etag: str | None = None
    modified: str | None = None
    readers: tuple[str, ...] | None = None
    path: str = ""
    uri: str | None = None
    size: int | None = None
    was: str | None = None
    what: Literal["here", "gone", "skipped", "failed"] = "here"
    reason: str = ""
    document: Document | None = None

    @property
    def version(self) -> str | None:
        """Return the version that decides if the document is fetched."""
        return self.etag or self.modified


@dataclass(frozen=True, slots=True)
class Page:
    """A part of a source's list. `state`: data for the next sync, saved once the documents are stored; None: as before.

    `complete`, of the last page: the pages list every document, so that others are gone."""

    entries: Sequence[Listed] = ()
    state: State | None = None
    complete: bool = False


@dataclass(frozen=True, slots=True)
class Provenance:
    """A registry's facts of one item: its origin, and its metadata from the source.

    `kind`: of the source. `metadata`: of the row and of the source, with `readers` if it has rights. `doctype`: by the
    source's rules."""

    kind: str
    row: Row
    metadata: Mapping[str, str | list[str]]
    tags: tuple[str, ...]
    doctype: str | None
