"""A section of a site: the pages below a prefix, found from its start and its sitemap, visited one at a time.

`robots.txt` is requested first and respected, as are `noindex` and `nofollow` in pages; requests are spaced. Known
pages are requested conditionally; the links of an unchanged page come from the last visit. Known pages without links to
them are visited at the end, so that a page counts as gone only if the site confirms it."""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter, deque
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from pydantic import TypeAdapter, ValidationError

from biblicus.contracts import Given
from biblicus.disk import system
from biblicus.errors import BadData, IngestionError
from biblicus.guards import json as guarded
from biblicus.guards.network.fetch import Reply
from biblicus.guards.network.urls import Url, UrlRefused, join, parse
from biblicus.models.sources.entries import SiteEntry as Options
from biblicus.models.sources.syncing import Document, Known, Listed, Page, Row, State
from biblicus.sources import robots, sections
from biblicus.sources.door import sync_of
from biblicus.sources.naming import Paths, media_type_of
from biblicus.sources.sections import Scope, is_trap, scope_of
from biblicus.sources.web import GONE, Got, Stopped, Visitor, WebSource, got, plain

_MOST_VARIANTS = 20
"""Maximum addresses of one path with different queries."""

_MOST_NOTES = 100
_DOCUMENTS = re.compile(
    r"|text/(?!css|javascript|calendar)[\w.+-]+|application/(?:pdf|xhtml\+xml|json|x-ipynb\+json|epub\+zip|x-bibtex)"
    r"|application/vnd\.openxmlformats-officedocument\.[\w.]+document"
)
"""Media types of documents; empty if the server sends none."""

_NAME = "pages.json"
_LARGEST = 64 << 20


def build(options: Options, given: Given) -> Site:
    """Return the section."""
    return Site(options, sync_of(given))


class Site(WebSource[Options]):
    """The pages of a section. A page's id and URI are its own address."""

    def list(self, since: State) -> Iterator[Page]:
        """Visit the section. Raises `IngestionError` if the start or `robots.txt` is unavailable, `UrlRefused`."""
        cache = self.sync.reach.cache
        crawl = _Crawl(self.entry, self.sync.known, self.visitor(), Remembered.load(cache))
        try:
            for entry in crawl.run():
                yield Page([entry])
        finally:
            crawl.remembered.keep(cache)
        yield Page((), {"at": str(crawl.scope.start)} if len(str(crawl.scope.start)) <= 500 else {})


class _Due(NamedTuple):
    """An address to visit. `alone`: keep it whatever canonical address its page has."""

    url: Url
    depth: int
    alone: bool = False


@dataclass
class _Crawl:
    """One visit of the section.

    `seen`: queued addresses. `reported`: origins with a change. `bodies`: digest to address. `better`: pages skipped
    for their canonical address, by that address."""

    entry: Options
    known: Known
    visitor: Visitor
    remembered: Remembered
    rules: robots.Robots = field(default_factory=robots.Robots)
    queue: deque[_Due] = field(default_factory=deque)
    seen: set[Url] = field(default_factory=set)
    reported: set[str] = field(default_factory=set)
    bodies: dict[str, str] = field(default_factory=dict)
    better: dict[Url, _Due] = field(default_factory=dict)
    dead: set[Url] = field(default_factory=set)
    variants: Counter[str] = field(default_factory=Counter)
    barred: list[tuple[Url, str]] = field(default_factory=list)
    kept: int = 0
    notes: int = 0
    full: bool = False

    def __post_init__(self) -> None:
        self.start = plain(parse(self.entry.url))
        self.paths = Paths(self.known.rows.values())
        self.scope = Scope(self.start, self.start.host, self.start.port, "/")

    def run(self) -> Iterator[Listed]:
        """Yield the differences: first known pages outside the section, then the results of the visit."""
        self.rules = self._robots()
        reply = self._first()
        arrived = plain(parse(reply.url))
        if not (self.rules.allows(self.start.target) and self.rules.allows(arrived.target)):
            raise IngestionError(str(arrived), "the robots.txt of its host does not allow it")
        self.scope = scope_of(self.entry, self.start, arrived, reply.moved)
        self.seen.add(arrived)
        yield from self._left_out()
        try:
            yield from self._take(_Due(arrived, 0), reply)
            yield from self._visits()
        except Stopped as stopped:
            origin = str(self.queue[0].url) if self.queue else stopped.url
            left = f"; {len(self.queue)} addresses were not visited" if self.queue else ""
            yield from self._note("failed", origin, stopped.cause + left)

    def _robots(self) -> robots.Robots:
        """Return the rules of the host; if they are unavailable, nothing may be requested."""
        try:
            return self.visitor.robots(self.start)
        except IngestionError as error:
            raise IngestionError(error.url, f"{error.cause}, so that nothing of its host is asked for") from None

    def _first(self) -> Reply:
        """Get the start page, which must exist. Raises `IngestionError`."""
        if not self.rules.allows(self.start.target):
            raise IngestionError(str(self.start), "the robots.txt of its host does not allow it")
        reply = self.visitor.get(self.start, self._asked(self.known.state.get("at", str(self.start))))
        if reply.status not in (200, 304):
            raise IngestionError(reply.url, f"it answers {reply.status}", status=reply.status)
        if parse(reply.url).host != self.start.host:
            raise IngestionError(str(self.start), f"it redirects to another host, {parse(reply.url).origin}")
        return reply

    def _left_out(self) -> Iterator[Listed]:
        """Yield known pages that the entry no longer includes."""
        for origin in self.known.rows:
            address = _address(origin)
            if address is None or not (self.scope.holds(address) and self.scope.keeps(address)):
                yield from self._note("gone", origin)

    # --- visiting ---

    def _visits(self) -> Iterator[Listed]:
        yield from self._rest()
        for url in self._sitemap() if not self.full else ():
            self._push(url, 0)
        yield from self._rest()
        for origin in sorted(self.known.rows.keys() - self.reported) if not self.full else ():
            if (address := _address(origin)) is not None:
                self._push(address, self.entry.depth)
        yield from self._rest()
        for better, due in self.better.items():
            row = self.known.rows.get(str(due.url))
            yield from self._superseded(due, row, f"its own address is {better}")

    def _rest(self) -> Iterator[Listed]:
        """Visit the queue, breadth first."""
        while self.queue:
            due = self.queue.popleft()
            if self.kept >= self.entry.max_pages:
                reason = f"max_pages is {self.entry.max_pages}; {len(self.queue)} more addresses were not visited"
                yield from self._note("skipped", str(due.url), reason)
                self.queue.clear()
                self.full = True
                return
            try:
                reply = self.visitor.get(due.url, self._asked(str(due.url)))
            except Stopped:
                self.queue.appendleft(due)
                raise
            except (IngestionError, UrlRefused) as error:
                yield from self._note("failed", str(due.url), error.cause)
                self._fall_back(due.url)
                if isinstance(error, IngestionError) and error.status in (429, 503):
                    raise Stopped(error.url, "the site is busy, and the visit ends") from None
                continue
            yield from self._take(due, reply)
            self.visitor.call.progress("pages", self.kept, 0)
        for url, reason in self.barred:
            yield from self._note("skipped", str(url), reason)
        self.barred.clear()

    def _asked(self, origin: str) -> Row | None:
        """Return the known page for a conditional request, if its links are saved and its copy is there."""
        row = self.known.rows.get(origin)
        if row is None or row.gone or origin in self.known.absent:
            return None
        return row if self.remembered.fits(row) else None

    def _take(self, due: _Due, reply: Reply) -> Iterator[Listed]:
        """Process one reply: yield its document, and queue its links."""
        origin, row = str(due.url), self.known.rows.get(str(due.url))
        if reply.status == 304 and row is not None and reply.url == origin:
            self.kept += 1
            self.reported.add(origin)
            again = self.remembered.again(row)
            self.bodies.setdefault(again.body, origin)
            self._follow(due.url, again.links, due.depth)
            return
        if reply.status in GONE:
            self._fall_back(due.url)
            yield from self._superseded(due, row, f"it answers {reply.status}")
            return
        url = plain(parse(reply.url))
        if url != due.url and not self.scope.holds(url):
            yield from self._superseded(due, row, f"it redirects to {url}, outside of the section")
        elif url != due.url and url in self.seen:
            yield from self._superseded(due, row, f"it redirects to {url}")
        else:
            self.seen.add(url)
            try:
                page = got(reply)
            except IngestionError as error:
                self._fall_back(due.url)
                yield from self._note("failed", origin, error.cause)
                return
            yield from self._document(due, page, url, row)

    def _document(self, due: _Due, page: Got, url: Url, row: Row | None) -> Iterator[Listed]:
        if page.page and not page.links.robots & {"nofollow", "none"}:
            self._follow(page.base, page.links.hrefs, due.depth)
        if (canonical := page.canonical) and canonical != url and not due.alone and self._heeds(canonical, url):
            if self.better.setdefault(canonical, due) != due:
                yield from self._superseded(due, row, f"its own address is {canonical}")
            self._push(canonical, due.depth)
            return
        if reason := self._unfit(page, url):
            self._fall_back(url)
            yield from self._superseded(due, row, reason)
            return
        body = hashlib.sha256(page.data).hexdigest()
        if (first := self.bodies.setdefault(body, str(url))) != str(url):
            yield from self._superseded(due, row, f"the same as {first}")
            return
        self.kept += 1
        origin, address = str(url), str(due.url)
        was = address if row is not None and origin != address and origin not in self.known.rows else None
        self.reported.update((origin, address))
        document = page.document(origin, self.paths.of(address if was else origin, page.path))
        self.remembered.now[origin] = Seen.of(document, body, page)
        yield Listed(origin, was=was, document=document)

    def _heeds(self, canonical: Url, url: Url) -> bool:
        """Check if a page is skipped for its canonical address, unless that is no better."""
        better_page = self.better.get(url)
        circle = better_page is not None and canonical == better_page.url
        return not circle and canonical not in self.dead and self.scope.holds(canonical) and self._allowed(canonical)

    def _fall_back(self, url: Url) -> None:
        """Record an address without content: a page skipped for it is visited again and kept."""
        self.dead.add(url)
        if (due := self.better.pop(url, None)) is not None:
            self.queue.append(due._replace(alone=True))

    def _superseded(self, due: _Due, row: Row | None, reason: str) -> Iterator[Listed]:
        """Skip a page: gone if it was known. Dead links are not reported."""
        if row is not None:
            yield from self._note("gone", str(due.url))
        elif not reason.startswith("it answers"):
            yield from self._note("skipped", str(due.url), reason)

    def _unfit(self, page: Got, url: Url) -> str:
        """Return the reason why the content is no document of the source; empty if it is one."""
        if page.links.robots & {"noindex", "none"}:
            return "it asks to be left out (noindex)"
        if not self.scope.keeps(url):
            return "not among what the source includes"
        kind = media_type_of(page.type)
        return "" if page.page or _DOCUMENTS.fullmatch(kind) else f"no document ({kind})"

    # --- links ---

    def _follow(self, base: Url, hrefs: Iterable[str], depth: int) -> None:
        for href in hrefs if depth < self.entry.depth else ():
            try:
                self._push(join(base, href), depth + 1)
            except UrlRefused:
                continue

    def _push(self, url: Url, depth: int) -> None:
        """Queue an address, unless it was seen, is outside, is not allowed, or looks like a trap."""
        url = plain(url)
        if url.scheme == "http" and self.scope.start.scheme == "https" and url.port == 80:
            url = url._replace(scheme="https", port=443)
        if url in self.seen or not self.scope.holds(url):
            return
        self.seen.add(url)
        if is_trap(url):
            return
        if not self._allowed(url):
            self.barred.append((url, "robots.txt does not allow it"))
            return
        self.variants[url.path] += bool(url.query)
        if self.variants[url.path] > _MOST_VARIANTS:
            self.barred.append((url, f"more than {_MOST_VARIANTS} addresses differ in their query alone"))
            return
        self.queue.append(_Due(url, depth))

    def _allowed(self, url: Url) -> bool:
        return self.rules.allows(url.target)

    def _sitemap(self) -> Iterator[Url]:
        """Return the pages in the site's own sitemaps. Sitemaps of other hosts are not read."""
        starts = []
        for address in (*self.rules.sitemaps, "/sitemap.xml"):
            try:
                url = join(self.scope.start, address)
            except UrlRefused:
                continue
            if url.host == self.scope.start.host:
                starts.append(url)
        return sections.pages_of(starts, self._map, self.scope.holds)

    def _map(self, url: Url, accept: str) -> bytes | None:
        if not self._allowed(url):
            return None
        try:
            reply = self.visitor.get(url, accept=accept)
        except Stopped:
            raise
        except (IngestionError, UrlRefused):
            return None
        return reply.body if reply.status == 200 else None

    def _note(self, what: str, origin: str, reason: str = "") -> Iterator[Listed]:
        """Yield a change without a document, once for each origin; skips and failures up to a limit.

        A known document that is not visited counts as failed: a skipped one would be removed."""
        if origin in self.reported:
            return
        self.reported.add(origin)
        if what == "gone":
            yield Listed(origin, what="gone")
            return
        self.notes += 1
        if self.notes <= _MOST_NOTES:
            passed_over = what == "skipped" and origin not in self.known.rows
            yield Listed(origin, what="skipped" if passed_over else "failed", reason=reason)


def _address(origin: str) -> Url | None:
    try:
        return parse(origin)
    except UrlRefused:
        return None


class Seen(NamedTuple):
    """A saved page: digests of its copy and of its body, absolute links in order."""

    copy: str
    body: str
    links: list[str]

    @classmethod
    def of(cls, document: Document, body: str, got: Got) -> Seen:
        links = []
        if not got.links.robots & {"nofollow", "none"}:
            for href in got.links.hrefs:
                with suppress(UrlRefused):
                    links.append(str(join(got.base, href)))
        return cls(hashlib.sha256(document.data).hexdigest(), body, links)


@dataclass
class Remembered:
    """Pages by address. `before`: of the last visit, `now`: of this one."""

    before: Mapping[str, Seen] = field(default_factory=dict)
    now: dict[str, Seen] = field(default_factory=dict)

    @classmethod
    def load(cls, folder: Path) -> Remembered:
        """Read the saved pages; none if the file is not valid."""
        try:
            with open(folder / _NAME, "rb") as stream:
                value = guarded.read(stream.read(_LARGEST + 1), max_bytes=_LARGEST)
            return cls(TypeAdapter(dict[str, Seen]).validate_python(value))
        except (OSError, BadData, ValidationError):
            return cls()

    def fits(self, row: Row) -> bool:
        """Check if the saved page is the one of the row."""
        saved_page = self.before.get(row.origin)
        return saved_page is not None and saved_page.copy == row.sha256

    def again(self, row: Row) -> Seen:
        """Mark the page as unchanged."""
        saved_page = self.before.get(row.origin, Seen(row.sha256, row.sha256, []))
        self.now[row.origin] = saved_page
        return saved_page

    def keep(self, folder: Path) -> None:
        """Save for the next visit; pages not visited this time are kept."""
        text = json.dumps({**self.before, **self.now}, separators=(",", ":"))
        with suppress(OSError):
            folder.mkdir(parents=True, exist_ok=True)
            (folder / f"{_NAME}.new").write_text(text, encoding="utf-8")
            system.replace(folder / f"{_NAME}.new", folder / _NAME)
