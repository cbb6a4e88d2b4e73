"""Sitemaps: pages listed by the site itself. XML or one address a line, compressed or not, and their indexes."""

from __future__ import annotations

import zlib
from collections import deque
from collections.abc import Callable, Iterable, Iterator

from biblicus.guards import xml
from biblicus.guards.network.urls import Url, UrlRefused, join
from biblicus.text.decoding import decode

MOST_FILES = 50
_MOST_PAGES = 50_000
_LARGEST = 50 << 20
"""Maximum bytes of a sitemap, uncompressed, as in the protocol."""

_ACCEPT = "application/xml, text/xml, text/plain;q=0.5"


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
