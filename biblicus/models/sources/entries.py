"""The sources of a corpus, `.biblicus/sources.yml`: committed data that by itself causes no connection.

An entry is synced only after this user wrote it (`sources add`) or trusted it (`trust`). Access beyond public addresses
(a local path, a private address) needs a flag that is stored in the user's own state."""

from __future__ import annotations

import re
from typing import Annotated, Any, Literal
from urllib.parse import urlsplit

from pydantic import AfterValidator, BaseModel, ConfigDict, Discriminator, Field, Tag

from biblicus.models.digest import digest
from biblicus.models.fields import EVERY
from biblicus.models.item import DOCTYPES
from biblicus.models.sources.syncing import NAME

LIMIT = 500
"""Maximum number of sources of one corpus."""

_REF = re.compile(r"[0-9A-Za-z][0-9A-Za-z._/+@-]{0,199}")
_CONTROL = re.compile(r"[\x00-\x20\x7f-\x9f\u2028\u2029]")


def web_address(value: str) -> str:
    """Validate an http(s) address with a host and without credentials. Raises `ValueError`."""
    if _CONTROL.search(value) or value.startswith("-") or "\\" in value:
        raise ValueError("no address")
    parts = urlsplit(value)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ValueError("an address starts with https:// (or http://) and a host")
    if "@" in parts.netloc:
        raise ValueError("an address holds no user or password: it would be committed with the corpus")
    _ = parts.port  # raises ValueError for an invalid port
    return value


def repository(value: str) -> str:
    """Validate a repository: an https URL, or a local path. Raises `ValueError`."""
    if "://" not in value:
        return local_path(value)
    if not value.startswith("https://"):
        raise ValueError("a repository is read over https://, or from a path of this machine")
    address = web_address(value)
    if urlsplit(address).query or urlsplit(address).fragment:
        raise ValueError("a repository's address has no ? and no #")
    return address


def local_path(value: str) -> str:
    """Validate a local path, absolute or relative to the corpus's folder. Raises `ValueError`."""
    if not value or value.startswith(("-", "~")) or re.search(r"[\x00-\x1f\x7f]", value) or ":" in value.split("/")[0]:
        raise ValueError("no path")
    return value


def inner_path(value: str) -> str:
    """Validate a path inside a share, without `..`. Raises `ValueError`."""
    if _CONTROL.sub("", value.replace(" ", "")) != value.replace(" ", "") or "\\" in value or ":" in value:
        raise ValueError("no path")
    if any(part in (".", "..") for part in value.split("/")):
        raise ValueError("a path in a share has no . and no ..")
    return value.strip("/")


def connector_place(value: str) -> str:
    """Validate the address of a connector: https, http, imaps or imap, or a local path. Raises `ValueError`."""
    if "://" not in value:
        return local_path(value)
    scheme, _, rest = value.partition("://")
    web_address(f"https://{rest}" if scheme in ("imap", "imaps") else value)
    return value


def ref_name(value: str) -> str:
    """Validate a branch, a tag or a commit; command-line options are refused. Raises `ValueError`."""
    parts = value.split("/")
    bad = any(part in ("", ".", "..") or part.startswith(".") or part.endswith((".", ".lock")) for part in parts)
    if not _REF.fullmatch(value) or bad or ".." in value or "@{" in value:
        raise ValueError("no branch, tag or commit")
    return value


Address = Annotated[str, Field(min_length=1, max_length=2_000), AfterValidator(web_address)]
Repository = Annotated[str, Field(min_length=1, max_length=2_000), AfterValidator(repository)]
LocalPath = Annotated[str, Field(min_length=1, max_length=2_000), AfterValidator(local_path)]
Ref = Annotated[str, AfterValidator(ref_name)]
Glob = Annotated[str, Field(min_length=1, max_length=500)]
Globs = Annotated[tuple[Glob, ...], Field(max_length=200)]
Word = Annotated[str, Field(min_length=1, max_length=80, pattern=r"^[^\x00-\x1f\x7f]+$")]


_SECONDS = {"m": 60, "h": 3_600, "d": 86_400}


def seconds_of(every: str) -> int:
    """Return an interval such as `30m` in seconds."""
    return int(every[:-1]) * _SECONDS[every[-1]]


class _Section(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True)


class SourceDoctype(_Section):
    """Doctype of documents whose path in the source matches the glob. The first matching rule applies."""

    path: Glob
    doctype: Annotated[str, Field(pattern="^(" + "|".join(DOCTYPES) + ")$")]


class _Entry(_Section):
    """Fields of every source. `toolkit`, `category`, `tags`: metadata of each of its items.

    `include`, `exclude`: globs over paths in the source (for pages: the URL's path without its first slash); none
    included means all. `every`: sync interval while the folder is watched (`30m`, `1h`, `7d`); none: never."""

    name: Annotated[str, Field(pattern=NAME)]
    toolkit: Word | None = None
    category: Word | None = None
    tags: Annotated[tuple[Word, ...], Field(max_length=40)] = ()
    every: Annotated[str, Field(pattern=EVERY)] | None = None
    include: Globs = ()
    exclude: Globs = ()
    doctypes: Annotated[tuple[SourceDoctype, ...], Field(max_length=200)] = ()

    @property
    def digest(self) -> str:
        """Return a digest of the entry, which the user's trust refers to."""
        return digest(self.model_dump(mode="json", exclude_defaults=True))


class GitEntry(_Entry):
    """A git repository. `ref`: a branch, tag or commit; none: the repository's default branch.

    `web`: address for viewing it, if not `url` (a mirror, a local repository). `links`: form of links to files there,
    if the host's name does not determine it."""

    kind: Literal["git"]
    url: Repository
    ref: Ref | None = None
    web: Address | None = None
    links: Literal["github", "gitlab", "gitea", "bitbucket", "cgit", "plain"] | None = None


class UrlEntry(_Entry):
    """One page or file of the web."""

    kind: Literal["url"]
    url: Address


class SiteEntry(_Entry):
    """A section of a website: pages below `prefix` (none: the folder of `url`), reached from `url` and its sitemap.

    `depth`: number of links from `url`. `max_pages`: maximum number of pages."""

    kind: Literal["site"]
    url: Address
    prefix: Address | None = None
    depth: Annotated[int, Field(ge=0, le=20)] = 3
    max_pages: Annotated[int, Field(ge=1, le=10_000)] = 500


class FeedEntry(_Entry):
    """A feed: RSS or Atom. `max_entries`: number of newest entries to keep."""

    kind: Literal["feed"]
    url: Address
    max_entries: Annotated[int, Field(ge=1, le=10_000)] = 200


class FolderEntry(_Entry):
    """A local folder outside the corpus."""

    kind: Literal["folder"]
    path: LocalPath


class ShareEntry(_Entry):
    """A folder in the cloud or on a server. `share`: its name in the user's own settings; `path`: inside it."""

    kind: Literal["share"]
    share: Annotated[str, Field(pattern=NAME)]
    path: Annotated[str, Field(max_length=1_000), AfterValidator(inner_path)] = ""


class ConnectorEntry(_Entry):
    """A source of any other connector. `url`: its address or local path. `account`: a credential by name, which the
    user's own settings define. `options`: of the connector."""

    kind: Annotated[str, Field(pattern=NAME)]
    url: Annotated[str, Field(min_length=1, max_length=2_000), AfterValidator(connector_place)]
    account: Annotated[str, Field(pattern=NAME)] | None = None
    options: Annotated[dict[Annotated[str, Field(max_length=80)], Any], Field(max_length=40)] = {}


KINDS: dict[str, type[GitEntry | UrlEntry | SiteEntry | FeedEntry | FolderEntry | ShareEntry]] = {
    "git": GitEntry,
    "url": UrlEntry,
    "site": SiteEntry,
    "feed": FeedEntry,
    "folder": FolderEntry,
    "share": ShareEntry,
}
"""Kinds whose options are fields of the entry; those of others are `options` (`ConnectorEntry`)."""


def _tag(value: Any) -> str:
    kind = value.get("kind") if isinstance(value, dict) else getattr(value, "kind", None)
    return kind if isinstance(kind, str) and kind in KINDS else "connector"


Entry = GitEntry | UrlEntry | SiteEntry | FeedEntry | FolderEntry | ShareEntry | ConnectorEntry
TaggedEntry = Annotated[
    Annotated[GitEntry, Tag("git")]
    | Annotated[UrlEntry, Tag("url")]
    | Annotated[SiteEntry, Tag("site")]
    | Annotated[FeedEntry, Tag("feed")]
    | Annotated[FolderEntry, Tag("folder")]
    | Annotated[ShareEntry, Tag("share")]
    | Annotated[ConnectorEntry, Tag("connector")],
    Discriminator(_tag),
]


class SourceList(_Section):
    """Content of `.biblicus/sources.yml`."""

    sources: Annotated[tuple[TaggedEntry, ...], Field(max_length=LIMIT)] = ()

    def model_post_init(self, context: Any, /) -> None:
        names = [entry.name for entry in self.sources]
        if twice := next((name for name in names if names.count(name) > 1), None):
            raise ValueError(f'the name "{twice}" stands twice')


def where_of(entry: Entry) -> str:
    """Return the address or path of a source as in its entry."""
    if isinstance(entry, ShareEntry):
        return f"share:{entry.share}/{entry.path}".rstrip("/")
    return entry.path if isinstance(entry, FolderEntry) else entry.url


def shown(entry: Entry) -> str:
    """Return the address of a source as a user sees it before trusting it, with its connector, account and options."""
    if not isinstance(entry, ConnectorEntry):
        return where_of(entry)
    account = [f"the account {entry.account}"] if entry.account else []
    given = ", ".join([*account, *(f"{name}={value}" for name, value in entry.options.items())])
    return f"{entry.kind}: {entry.url}" + (f", with {given}" if given else "")


def is_local(entry: Entry) -> bool:
    """Return true if a source is on this machine and needs `--allow-local`."""
    return isinstance(entry, FolderEntry) or (isinstance(entry, GitEntry | ConnectorEntry) and "://" not in entry.url)
