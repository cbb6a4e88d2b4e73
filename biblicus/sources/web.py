"""Shared code of web sources: polite and conditional requests, and their content."""

from __future__ import annotations

import re
import time
from dataclasses import dataclass, field
from itertools import count
from typing import Generic, NamedTuple, TypeVar
from urllib.parse import parse_qsl, urlencode

from biblicus.contracts import Call
from biblicus.errors import IngestionError
from biblicus.guards.network.fetch import AGENT, Fetcher, Limits, Reply
from biblicus.guards.network.transport import Retry, retry_after
from biblicus.guards.network.urls import Url, UrlRefused, join, parse
from biblicus.models.sources.syncing import Document, Listed, Reach, Row
from biblicus.sources import robots
from biblicus.sources.door import Sync
from biblicus.sources.links import PageLinks, links_of
from biblicus.sources.naming import charset_of, is_html, media_type_of, path_of
from biblicus.sources.robots import Robots
from biblicus.text.decoding import decode, is_binary

GONE = frozenset((404, 410))
_BUSY = frozenset((429, 503))
_RETRY = Retry(attempts=3, first=1.0)
_SECONDS = 60.0
"""Maximum seconds for one address, redirects included."""

_TRACKING = re.compile(
    r"utm_\w+|fbclid|gclid|dclid|msclkid|mc_[ce]id|igshid|yclid|_ga|_gl|ref_src"
    r"|phpsessid|jsessionid|aspsessionid\w*|sessionid|sid",
    re.IGNORECASE,
)
"""Tracking and session parameters, which do not affect the page."""

_BOM = b"\xef\xbb\xbf"
Options = TypeVar("Options")


class Stopped(IngestionError):
    """A visit reached its time or byte limit."""

    code = "ingestion_stopped"


@dataclass
class Visitor:
    """Requests addresses one after the other. `pause`: minimum seconds between two requests to a host.

    `reach` limits it: private addresses, bytes of one document, seconds of the whole visit."""

    reach: Reach
    call: Call
    pause: float = 0.0
    fetcher: Fetcher | None = None
    bytes: int = 0
    _last: dict[str, float] = field(default_factory=dict)
    _end: float = 0.0

    def __post_init__(self) -> None:
        self._end = time.monotonic() + self.reach.seconds
        limits = Limits(bytes=self.reach.file_bytes, seconds=min(_SECONDS, self.reach.seconds))
        self.fetcher = self.fetcher or Fetcher(limits, self.reach.private, account=self.reach.account)

    def get(self, url: Url, row: Row | None = None, *, accept: str | None = None) -> Reply:
        """Return the reply, whatever its status; busy replies are retried.

        `row`: the known document; the request is conditional then. `row.version` and `row.ref` apply to the address
        `row.origin`.

        Raises `IngestionError`, `UrlRefused`, `Stopped`."""
        sent = {**({} if accept is None else {"Accept": accept}), **condition(row)}
        for attempt in count(1):
            self._pace(url)
            assert self.fetcher is not None
            reply = self.fetcher.get(str(url), self.call, sent, only_at=row.origin if row else None)
            self.bytes += len(reply.body)
            if reply.status not in _BUSY:
                return reply
            seconds = retry_after(reply.headers, self.call.clock())
            if (pause := _RETRY.pause(attempt, passing=True, unanswered=False, asked=seconds)) is None:
                wish = f" and asks to be left alone for {seconds:.0f} s" if seconds else ""
                raise IngestionError(reply.url, f"it answers {reply.status}{wish}", status=reply.status, pause=seconds)
            self._sleep(url, pause)
        raise AssertionError("unreachable")

    def robots(self, url: Url) -> Robots:
        """Return the rules of a host, and keep to its pace: none for a 4xx reply. Raises `IngestionError`."""
        reply = self.get(url._replace(target="/robots.txt"), accept="text/plain")
        if reply.status >= 500:
            raise IngestionError(reply.url, f"it answers {reply.status}", status=reply.status)
        rules = robots.parse(reply.body, AGENT) if reply.status == 200 else Robots()
        self.pause = max(self.pause, rules.delay)
        return rules

    def _check(self, url: Url) -> None:
        self.call.check()
        if time.monotonic() >= self._end:
            raise Stopped(str(url), f"the time for one sync is over ({self.reach.seconds:.0f} s)")
        if self.bytes > self.reach.total_bytes:
            raise Stopped(str(url), f"one sync reads no more than {self.reach.total_bytes:,} bytes")

    def _pace(self, url: Url) -> None:
        """Wait until the host may be requested again."""
        self._check(url)
        if url.host in self._last and (due := self._last[url.host] + self.pause - time.monotonic()) > 0:
            self._sleep(url, due)
        self._last[url.host] = time.monotonic()

    def _sleep(self, url: Url, seconds: float) -> None:
        self.call.cancel.wait(max(0.0, min(seconds, self._end - time.monotonic())))
        self._check(url)


@dataclass(frozen=True)
class WebSource(Generic[Options]):
    """A source whose list comes with the content of its documents.

    `pause`: minimum seconds between two requests to a public host."""

    entry: Options
    sync: Sync
    fetcher: Fetcher | None = None
    pause: float = 1.0

    def visitor(self) -> Visitor:
        reach = self.sync.reach
        return Visitor(reach, self.sync.call, 0.0 if reach.private else self.pause, self.fetcher)

    def fetch(self, entry: Listed) -> str:
        """Return why there is no document: it would be in the list."""
        return "it has no content"


def condition(row: Row | None) -> dict[str, str]:
    """Return headers for a conditional request (RFC 9110, 13)."""
    headers = {}
    if row is not None and row.ref:
        headers["If-None-Match"] = row.ref
    if row is not None and row.version:
        headers["If-Modified-Since"] = row.version
    return headers


class Got(NamedTuple):
    """A body and its metadata. `links` is empty unless it is a page."""

    url: Url
    data: bytes
    type: str
    etag: str | None
    modified: str | None
    links: PageLinks
    page: bool

    @property
    def base(self) -> Url:
        """Return the base address of its links."""
        if self.links.base:
            try:
                return join(self.url, self.links.base)
            except UrlRefused:
                pass
        return self.url

    @property
    def canonical(self) -> Url | None:
        """Return the page's canonical address, if trusted: on its own host, and not the first page for every page."""
        if not self.links.canonical:
            return None
        try:
            address = join(self.base, self.links.canonical)
        except UrlRefused:
            return None
        believed = address.host == self.url.host and (address.target != "/" or is_index(self.url))
        return plain(address) if believed else None

    def metadata(self) -> dict[str, str]:
        """Return metadata of the page besides its text."""
        if not self.links.licence:
            return {}
        try:
            return {"licence": str(join(self.base, self.links.licence))}
        except UrlRefused:
            return {}

    @property
    def path(self) -> str:
        """Return the preferred path of its copy."""
        return path_of(self.url, self.data, self.type)

    def document(self, uri: str, path: str) -> Document:
        """Return the body as a document of a source."""
        return Document(
            path,
            in_own_words(self.data, self.type),
            uri,
            ref=self.etag,
            version=self.modified,
            metadata=self.metadata(),
        )


def got(reply: Reply) -> Got:
    """Return the content of a 200 reply. Raises `IngestionError` for any other status, or an empty body."""
    if reply.status != 200:
        raise IngestionError(reply.url, f"it answers {reply.status}", status=reply.status)
    if not reply.body.strip():
        raise IngestionError(reply.url, "its answer is empty", status=reply.status)
    kind = reply.headers.get("content-type", "")
    page = is_html(reply.body, kind)
    text = decode(reply.body, charset_of(kind)).text if page else ""
    links = links_of(text, AGENT) if page else PageLinks()
    links.robots |= _robots_header(reply.headers.get("x-robots-tag", ""))
    modified = reply.headers.get("last-modified", "")
    return Got(
        parse(reply.url),
        reply.body,
        kind,
        etag_of(reply),
        modified if re.fullmatch(r"[A-Za-z]{3}, [\w: -]{20,26}", modified) else None,
        links,
        page,
    )


def etag_of(reply: Reply) -> str | None:
    """Return the etag of a reply, if it is one."""
    etag = reply.headers.get("etag", "")
    return etag if re.fullmatch(r'(?:W/)?"[\x21\x23-\x7e]{0,200}"', etag) else None


def _robots_header(value: str) -> set[str]:
    """Return the words of an `X-Robots-Tag` for every robot, or for us."""
    rules: set[str] = set()
    for part in value.lower().split(","):
        who, colon, what = part.rpartition(":")
        if not colon or who.strip() == AGENT:
            rules.add(what.strip())
    return rules


def in_own_words(data: bytes, content_type: str) -> bytes:
    """Return a body that is readable without its headers: converted to UTF-8 if only the header had its charset."""
    charset = charset_of(content_type)
    textual = media_type_of(content_type).startswith("text/") or is_html(data, content_type)
    if charset is None or not textual or is_binary(data[:4096]):
        return data
    decoded = decode(data, charset)
    return (
        data if decoded.lossy or decoded.text == decode(data).text else _BOM + decoded.text.encode("utf-8", "replace")
    )


def plain(url: Url) -> Url:
    """Return the address without tracking parameters."""
    if not url.query:
        return url
    pairs = parse_qsl(url.query, keep_blank_values=True, max_num_fields=200) if url.query.count("&") < 200 else []
    plain_pairs = [(key, value) for key, value in pairs if not _TRACKING.fullmatch(key)]
    if len(plain_pairs) == len(pairs):
        return url
    query = urlencode(plain_pairs)
    return parse(url.origin + url.path + (f"?{query}" if query else ""))


def is_index(url: Url) -> bool:
    """Check if an address is the first page of a site."""
    return re.fullmatch(r"/(?:index\.\w{1,5})?", url.path) is not None and not url.query
