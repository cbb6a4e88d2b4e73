"""`.biblicus/sources.yml`: what the corpus draws from. Inert data, committed; nothing in it causes a connection.

An entry is synced only after this user wrote it (`sources add`) or trusted it (`trust`), and what reaches beyond public
addresses (a path of this machine, a private address) needs a flag that is kept in the user's own state.
"""

from __future__ import annotations

import re
from typing import Annotated, Any, Literal
from urllib.parse import urlsplit

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from biblicus.models.digest import digest
from biblicus.models.fields import EVERY
from biblicus.models.item import DOCTYPES
from biblicus.models.sources.syncing import NAME

LIMIT = 500
"""Sources of one corpus."""

_REF = re.compile(r"[0-9A-Za-z][0-9A-Za-z._/+@-]{0,199}")
_CONTROL = re.compile(r"[\x00-\x20\x7f-\x9f\u2028\u2029]")


def web_address(value: str) -> str:
    """An http(s) address with a host and without credentials. Raises `ValueError`."""
    if _CONTROL.search(value) or value.startswith("-") or "\\" in value:
        raise ValueError("no address")
    parts = urlsplit(value)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ValueError("an address starts with https:// (or http://) and a host")
    if "@" in parts.netloc:
        raise ValueError("an address holds no user or password: it would be committed with the corpus")
    _ = parts.port  # raises ValueError where it is none
    return value


def repository(value: str) -> str:
    """A repository: https:// and a host, or a path of this machine. Raises `ValueError`."""
    if "://" not in value:
        return local_path(value)
    if not value.startswith("https://"):
        raise ValueError("a repository is read over https://, or from a path of this machine")
    address = web_address(value)
    if urlsplit(address).query or urlsplit(address).fragment:
        raise ValueError("a repository's address has no ? and no #")
    return address


def local_path(value: str) -> str:
    """A path of this machine, relative to the corpus's folder or absolute. Raises `ValueError`."""
    if not value or value.startswith(("-", "~")) or re.search(r"[\x00-\x1f\x7f]", value) or ":" in value.split("/")[0]:
        raise ValueError("no path")
    return value


def inner_path(value: str) -> str:
    """A path inside of something, without `..`. Raises `ValueError`."""
    if _CONTROL.sub("", value.replace(" ", "")) != value.replace(" ", "") or "\\" in value or ":" in value:
        raise ValueError("no path")
    if any(part in (".", "..") for part in value.split("/")):
        raise ValueError("a path in a share has no . and no ..")
    return value.strip("/")


def ref_name(value: str) -> str:
    """A branch, a tag or a commit. Raises `ValueError` for what no git ref looks like, options among it."""
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
    """An interval in seconds."""
    return int(every[:-1]) * _SECONDS[every[-1]]


class _Section(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True)


class SourceDoctype(_Section):
    """Documents whose path in the source fits the glob have this doctype. The first rule that fits decides."""

    path: Glob
    doctype: Annotated[str, Field(pattern="^(" + "|".join(DOCTYPES) + ")$")]


class _Entry(_Section):
    """What every source may say. `toolkit`, `category`: metadata of each of its items; `tags`: theirs, too.

    `include`, `exclude`: globs over paths in the source (for pages: the path of the address, without its first slash).
    Nothing included: all. `every`: how often who follows the folder syncs it (`30m`, `1h`, `7d`); none: never.
    """

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
        """Of all that the entry says: what a user trusts."""
        return digest(self.model_dump(mode="json", exclude_defaults=True))


class GitEntry(_Entry):
    """A git repository. `ref`: a branch, tag or commit; none: the default branch, as the repository names it.

    `web`: where it is looked at, if not at `url` (a mirror, a repository on this machine). `links`: how pages about a
    file are addressed there, where the host's name does not tell.
    """

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
    """A section of a site: pages below `prefix` (none: the folder of `url`) that `url` and its sitemap lead to.

    `depth`: links away from `url`. `max_pages`: no more than these are kept.
    """

    kind: Literal["site"]
    url: Address
    prefix: Address | None = None
    depth: Annotated[int, Field(ge=0, le=20)] = 3
    max_pages: Annotated[int, Field(ge=1, le=10_000)] = 500


class FeedEntry(_Entry):
    """A feed: RSS, Atom or JSON Feed. `max_entries`: the newest ones that are kept."""

    kind: Literal["feed"]
    url: Address
    max_entries: Annotated[int, Field(ge=1, le=10_000)] = 200


class FolderEntry(_Entry):
    """A folder of this machine, outside the corpus."""

    kind: Literal["folder"]
    path: LocalPath


class ShareEntry(_Entry):
    """A folder in the cloud or on a server. `share`: its name among the user's own settings; `path`: in it."""

    kind: Literal["share"]
    share: Annotated[str, Field(pattern=NAME)]
    path: Annotated[str, Field(max_length=1_000), AfterValidator(inner_path)] = ""


Entry = GitEntry | UrlEntry | SiteEntry | FeedEntry | FolderEntry | ShareEntry


class SourceList(_Section):
    """`.biblicus/sources.yml`."""

    sources: Annotated[tuple[Annotated[Entry, Field(discriminator="kind")], ...], Field(max_length=LIMIT)] = ()

    def model_post_init(self, context: Any, /) -> None:
        names = [entry.name for entry in self.sources]
        if twice := next((name for name in names if names.count(name) > 1), None):
            raise ValueError(f'the name "{twice}" stands twice')


def where_of(entry: Entry) -> str:
    """The address or path of a source, as its entry says it."""
    if isinstance(entry, ShareEntry):
        return f"share:{entry.share}/{entry.path}".rstrip("/")
    return entry.path if isinstance(entry, FolderEntry) else entry.url


def is_local(entry: Entry) -> bool:
    """Whether a source lies on this machine, so that it needs `--allow-local`."""
    return isinstance(entry, FolderEntry) or (isinstance(entry, GitEntry) and "://" not in entry.url)
