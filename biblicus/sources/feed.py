"""A feed, entry by entry. Entries are kept after they leave the feed.

An entry is written as a page with title, author and date. If the feed has only a summary, and the entry's page is on
the feed's own host, that page is fetched, as politely as for a site."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from html import escape, unescape

from biblicus.contracts import Given
from biblicus.errors import IngestionError
from biblicus.guards import feeds
from biblicus.guards.feeds import FeedEntry, NoFeed
from biblicus.guards.network.fetch import Reply
from biblicus.guards.network.urls import Url, UrlRefused, join, parse
from biblicus.models.sources.entries import FeedEntry as Options
from biblicus.models.sources.syncing import Document, Known, Listed, Page, Row, State
from biblicus.sources import robots
from biblicus.sources.door import sync_of
from biblicus.sources.naming import Paths, charset_of, is_html, slug
from biblicus.sources.web import GONE, Got, Stopped, Visitor, WebSource, etag_of, got, plain
from biblicus.text.decoding import decode
from biblicus.text.fitting import matches_path

_ACCEPT = "application/atom+xml, application/rss+xml, application/xml;q=0.9, */*;q=0.5"
_LONGEST = 300
"""Maximum characters of a title, and of an author's name."""
_FIRST_WORDS = 60
"""Maximum characters of the first words of an entry without title."""
_TAG = re.compile(r"<[^<>]{0,2000}>")


def build(options: Options, given: Given) -> Feed:
    """Return the feed."""
    return Feed(options, sync_of(given))


class Feed(WebSource[Options]):
    """The newest entries of a feed. An entry's id is its own in the feed; its URI is its link."""

    def list(self, since: State) -> Iterator[Page]:
        return _Reading(self.entry, self.sync.known, self.visitor()).run()


@dataclass
class _Reading:
    """One visit of the feed."""

    entry: Options
    known: Known
    visitor: Visitor
    rules: robots.Robots | None = None
    failed: bool = False

    def run(self) -> Iterator[Page]:
        self.url = plain(parse(self.entry.url))
        self.paths = Paths(self.known.rows.values())
        reply = self._feed(self.url, self._asked())
        if reply.status == 304:
            return
        entries, reply = self._entries(reply)
        self.url = parse(reply.url)
        try:
            for post in _newest(entries, self.entry.max_entries):
                yield Page([*self._entry(post)])
        except Stopped as stopped:
            yield Page([Listed(self.entry.url, what="failed", reason=stopped.cause)], {"at": reply.url})
            return
        settled = {"at": reply.url}
        if not self.failed:  # otherwise the next sync must read the feed again
            settled |= {"etag": etag_of(reply) or "", "modified": reply.headers.get("last-modified", "")}
        yield Page((), {key: value for key, value in settled.items() if value and len(value) <= 500})

    def _asked(self) -> Row | None:
        """Return the last reply's version for a conditional request, if all its documents are here."""
        state = self.known.state
        if not self.known.is_whole or "at" not in state:
            return None
        return Row("", state["at"], "", "", ref=state.get("etag"), version=state.get("modified"))

    def _feed(self, url: Url, known: Row | None) -> Reply:
        reply = self.visitor.get(url, known, accept=_ACCEPT)
        if reply.status != 304 or known is None:
            got(reply)  # raises for an error
        return reply

    def _entries(self, reply: Reply) -> tuple[list[FeedEntry], Reply]:
        """Return the feed's entries; for a page that links to a feed on its own host, that feed's entries."""
        body = got(reply)
        if body.page and body.links.feeds:
            url = join(body.base, body.links.feeds[0])
            if url.host == body.url.host:
                reply = self._feed(url, None)
        try:
            text = decode(reply.body, charset_of(reply.headers.get("content-type", ""))).text
            return _known_apart(feeds.read(text).entries), reply
        except NoFeed as error:
            what = "a page" if is_html(reply.body, reply.headers.get("content-type", "")) else error.cause
            raise IngestionError(reply.url, f"it is no feed ({what})") from None

    def _entry(self, post: FeedEntry) -> Iterator[Listed]:
        row = self.known.rows.get(post.key)
        fresh = row is None or row.version != post.digest or row.gone or post.key in self.known.absent
        if not fresh and not self.known.changed_entry:
            return
        if not self._wanted(post):
            return
        try:
            yield Listed(post.key, document=self._document(post))
        except Stopped:
            raise
        except (IngestionError, UrlRefused) as error:
            self.failed = True
            yield Listed(post.key, what="failed", reason=error.cause)

    def _wanted(self, post: FeedEntry) -> bool:
        """Check the source's globs against the path of the entry's link."""
        link = self._link(post)
        path = link.path[1:] if link else ""
        include, exclude = self.entry.include, self.entry.exclude
        return (not include or matches_path(path, include)) and not matches_path(path, exclude)

    def _link(self, post: FeedEntry) -> Url | None:
        try:
            return plain(join(self.url, post.link)) if post.link else None
        except UrlRefused:
            return None

    def _document(self, post: FeedEntry) -> Document:
        """Return the entry's page if it must be fetched, or the feed's content. Raises as `Visitor.get` and `got`
        do."""
        link = self._link(post)
        page = self._page(post, link)
        uri = str(link) if link else f"{self.url}#{slug(post.key) or post.digest}"
        stated = (("author", post.author), ("date", post.date[:10]))
        metadata: dict[str, str | list[str]] = {key: value for key, value in stated if value}
        name = "-".join(filter(None, (post.date[:10], slug(_called(post)) or post.digest)))
        if page is None:
            document = Document(f"{name}.html", as_page(post, uri).encode("utf-8", "replace"), uri)
        else:
            document = page.document(uri, name + "." + page.path.rpartition(".")[2])
            metadata = {**document.metadata, **metadata}
        path = self.paths.of(post.key, document.path)
        return replace(document, path=path, ref=None, version=post.digest, title=post.title or None, metadata=metadata)

    def _page(self, post: FeedEntry, link: Url | None) -> Got | None:
        """Return the entry's own page, if the feed has only a summary, and host and robots allow it."""
        if post.whole or link is None or (link.host, link.port) != (self.url.host, self.url.port):
            return None
        if self.rules is None:
            self.rules = self._robots()
        if not self.rules.allows(link.target):
            return None
        reply = self.visitor.get(link)
        if reply.status in GONE and post.content:
            return None
        return got(reply)

    def _robots(self) -> robots.Robots:
        try:
            return self.visitor.robots(self.url)
        except Stopped:
            raise
        except IngestionError:
            return robots.NOTHING


def _known_apart(entries: Sequence[FeedEntry]) -> list[FeedEntry]:
    """Return the first entry of each key. Entries without one, or with a link shared by several titles, get their
    own key."""
    entries = [replace(entry, title=entry.title[:_LONGEST], author=entry.author[:_LONGEST]) for entry in entries]
    titles: dict[str, set[str]] = {}
    for entry in entries:
        titles.setdefault(entry.key, set()).add(entry.title)
    once: dict[str, FeedEntry] = {}
    for entry in entries:
        is_shared = entry.key == entry.link and len(titles[entry.key]) > 1
        entry_digest = replace(entry, date="", content="").digest if is_shared else entry.digest
        key = f"sha256:{entry_digest}" if is_shared or not entry.key else entry.key
        once.setdefault(key, replace(entry, key=key))
    return list(once.values())


def _newest(entries: list[FeedEntry], most: int) -> list[FeedEntry]:
    """Return at most `most` entries in feed order: the newest if all have dates, otherwise the first."""
    if len(entries) <= most:
        return entries
    if all(entry.date for entry in entries):
        last = {entry.key for entry in sorted(entries, key=lambda entry: entry.date, reverse=True)[:most]}
        return [entry for entry in entries if entry.key in last]
    return entries[:most]


def _called(post: FeedEntry) -> str:
    """Return its title or, as for posts of social networks, its first words."""
    words = " ".join(unescape(_TAG.sub(" ", post.content)).split())
    short = words if len(words) <= _FIRST_WORDS else words[:_FIRST_WORDS].rpartition(" ")[0] or words[:_FIRST_WORDS]
    return post.title or short or post.key


def as_page(post: FeedEntry, uri: str) -> str:
    """Return an entry as a page: the feed's content, with title, author and date."""
    head = [f"<title>{escape(_called(post))}</title>", f'<link rel="canonical" href="{escape(uri)}">']
    head += [f'<meta name="author" content="{escape(post.author)}">'] if post.author else []
    head += [f'<meta name="date" content="{escape(post.date)}">'] if post.date else []
    body = post.content if _TAG.sub("", post.content).strip() else f"<p>{escape(_called(post))}</p>"
    lines = ["<!doctype html>", "<html><head>", '<meta charset="utf-8">', *head, "</head><body><article>"]
    title = [f"<h1>{escape(post.title)}</h1>"] if post.title else []
    return "\n".join([*lines, *title, body, "</article></body></html>", ""])
