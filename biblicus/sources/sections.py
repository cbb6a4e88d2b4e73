"""Section of a site: its addresses, those that lead nowhere, and the pages that its sitemaps list.

Sitemaps are XML or one address a line, compressed or not; indexes of sitemaps are followed."""

from __future__ import annotations

import zlib
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from biblicus.errors import IngestionError, UsageError
from biblicus.guards import xml
from biblicus.guards.network.urls import Url, UrlRefused, join, parse
from biblicus.models.sources.entries import SiteEntry
from biblicus.text.decoding import decode
from biblicus.text.fitting import matches_path

_LONGEST = 500
"""Maximum characters of an address: longer ones usually grow endlessly."""
_DEEPEST = 20
"""Maximum folders in an address."""
_REPEATED = 2
_WEB = frozenset((80, 443))
MOST_FILES = 50
_MOST_PAGES = 50_000
_LARGEST = 50 << 20
"""Maximum bytes of a sitemap, uncompressed, as in the protocol."""
_ACCEPT = "application/xml, text/xml, text/plain;q=0.5"


@dataclass(frozen=True)
class Scope:
    """A host, a folder on it, and the entry's globs. `start` always belongs to it."""

    start: Url
    host: str
    port: int
    folder: str
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()

    def holds(self, url: Url) -> bool:
        """Check if an address is visited."""
        if (url.host, 0 if url.port in _WEB else url.port) != (self.host, 0 if self.port in _WEB else self.port):
            return False
        return (self._inside(url) or url == self.start) and not matches_path(url.path[1:], self.exclude)

    def keeps(self, url: Url) -> bool:
        """Check if the content of a visited address becomes a document of the source."""
        return self._inside(url) and (not self.include or matches_path(url.path[1:], self.include))

    def _inside(self, url: Url) -> bool:
        return (url.path + "/").startswith(self.folder)


def scope_of(entry: SiteEntry, listed: Url, arrived: Url, moved: bool) -> Scope:
    """Return the section after the reply of its start. `arrived`: the final address; `moved`: after a permanent
    redirect.

    Without a prefix it is the folder of the start. A temporary redirect elsewhere fails the sync: otherwise a
    maintenance notice would replace the section. Raises `IngestionError`, `UsageError`."""
    if entry.prefix:
        prefix = parse(entry.prefix)
        if prefix.host != listed.host:
            raise UsageError(f"The prefix of {entry.name} is on another host than its address.", "edit sources.yml")
        folder = _folder(prefix.path)
    else:
        folder = _folder_of(listed)
        if arrived.path == listed.path + "/" or (moved and not (arrived.path + "/").startswith(folder)):
            folder = _folder_of(arrived)
        elif not (arrived.path + "/").startswith(folder):
            raise IngestionError(str(listed), f"it redirects out of its section for now, to {arrived}")
    return Scope(arrived, arrived.host, arrived.port, folder, entry.include, entry.exclude)


def _folder(path: str) -> str:
    return path if path.endswith("/") else path + "/"


def _folder_of(url: Url) -> str:
    return url.path.rpartition("/")[0] + "/"


def is_trap(url: Url) -> bool:
    """Check if an address seems generated in a loop: very long, very deep, or with repeated folders."""
    folders = [part for part in url.path.split("/") if part]
    repeated = len(folders) > 2 * _REPEATED and max(Counter(folders).values()) > _REPEATED
    return len(str(url)) > _LONGEST or len(folders) > _DEEPEST or repeated


def pages_of(
    starts: Iterable[Url], fetch: Callable[[Url, str], bytes | None], fits: Callable[[Url], bool]
) -> Iterator[Url]:
    """Yield the pages of the sitemaps in order, without duplicates. `fits` filters pages and sitemaps.

    `fetch`: returns a sitemap's bytes for an address and accepted types, or None."""
    waiting = deque((start, 0) for start in starts)
    read: set[Url] = set()
    pages: set[Url] = set()
    while waiting and len(read) < MOST_FILES:
        url, depth = waiting.popleft()
        if url in read:
            continue
        read.add(url)
        raw = fetch(url, _ACCEPT)
        if raw is None:
            continue
        for inner, page in _entries(raw, url):
            if inner and depth < 2 and page.host == url.host:
                waiting.append((page, depth + 1))
            elif not inner and page not in pages and fits(page):
                pages.add(page)
                yield page
                if len(pages) >= _MOST_PAGES:
                    return


def _entries(raw: bytes, url: Url) -> Iterator[tuple[bool, Url]]:
    """Yield each address, and if it is another sitemap. Invalid sitemaps have none."""
    if raw.startswith(b"\x1f\x8b"):
        try:
            raw = zlib.decompressobj(zlib.MAX_WBITS | 16).decompress(raw, _LARGEST)
        except zlib.error:
            return
    text = decode(raw).text
    for inner, address in _from_xml(text) if text.lstrip().startswith("<") else _from_lines(text):
        try:
            yield inner, join(url, address.strip())
        except UrlRefused:
            continue


def _from_xml(text: str) -> Iterator[tuple[bool, str]]:
    try:
        root = xml.read(text, max_bytes=_LARGEST)
    except xml.XmlRefused:
        return
    index = root.tag.rpartition("}")[2] == "sitemapindex"
    for entry in root:
        for part in entry:
            if part.tag.rpartition("}")[2] == "loc" and part.text:
                yield index, part.text


def _from_lines(text: str) -> Iterator[tuple[bool, str]]:
    for line in text.splitlines()[:_MOST_PAGES]:
        if line.lstrip().startswith(("http://", "https://")):
            yield False, line
