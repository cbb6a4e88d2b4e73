"""Data in the head and tags of an HTML page: links, canonical address, robots rules, feeds, licence.

A single-pass tag scanner with linear time, since untrusted pages are parsed in this process. It builds no tree, and
skips comments, scripts and raw text, as a browser does."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from html import unescape

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9-]{0,30}")
_UNQUOTED = re.compile(r"""[^>"']*""")
_ATTRIBUTE = re.compile(r"""([^\s"'>/=]{1,60})(?:\s*=\s*("[^"]*"|'[^']*'|[^\s"'>]+))?""")
_RAW = {
    name: re.compile(rf"</{name}(?=[\s/>])", re.IGNORECASE)
    for name in ("script", "style", "textarea", "title", "xmp", "iframe", "noembed", "noframes", "template")
}
_WANTED = frozenset(("a", "area", "base", "link", "meta"))
_MOST_LINKS = 5_000
_LONGEST_PAGE = 2 << 20
"""Maximum characters scanned."""

_FEEDS = frozenset(("application/rss+xml", "application/atom+xml"))


@dataclass
class PageLinks:
    """Values as written in the page, with entities resolved. `robots`: words such as `noindex`, for all robots named.

    `hrefs`: in order, each with the offset of its first tag, without `rel=nofollow`."""

    hrefs: dict[str, int] = field(default_factory=dict)
    base: str | None = None
    canonical: str | None = None
    licence: str | None = None
    feeds: list[str] = field(default_factory=list)
    robots: set[str] = field(default_factory=set)


def links_of(page: str, robot: str) -> PageLinks:
    """Scan a page. `robot`: our name in `meta` tags, besides `robots`."""
    links = PageLinks()
    for tag, start, attributes in _tags(page[:_LONGEST_PAGE]):
        href = attributes.get("href", "").strip()
        if tag == "meta":
            if attributes.get("name", "").lower() in ("robots", robot):
                links.robots |= set(re.split(r"[\s,]+", attributes.get("content", "").lower()))
        elif not href:
            continue
        elif tag == "base":
            links.base = links.base or href
        elif tag == "link":
            _take_link(links, href, attributes)
        elif "nofollow" not in _words(attributes.get("rel")) and len(links.hrefs) < _MOST_LINKS:
            links.hrefs.setdefault(href, start)
        if tag in ("a", "area", "link") and href and "license" in _words(attributes.get("rel")):
            links.licence = links.licence or href
    return links


def _take_link(links: PageLinks, href: str, attributes: Mapping[str, str]) -> None:
    rel = _words(attributes.get("rel"))
    if "canonical" in rel:
        links.canonical = links.canonical or href
    elif "alternate" in rel and attributes.get("type", "").strip().lower() in _FEEDS:
        links.feeds.append(href)


def _words(value: str | None) -> set[str]:
    return set((value or "").lower().split())


def _tags(page: str) -> Iterator[tuple[str, int, dict[str, str]]]:
    """Yield the relevant start tags in order, with their offsets."""
    place = 0
    while (start := page.find("<", place)) >= 0:
        if page.startswith("<!--", start):
            end = page.find("-->", start + 4)
            if end < 0:
                return
            place = end + 3
            continue
        name = _NAME.match(page, start + 1)
        if name is None:
            place = start + 1
            continue
        tag = name[0].lower()
        end = _end_of_tag(page, name.end())
        if end < 0:
            return
        if tag in _WANTED:
            yield tag, start, _attributes(page[name.end() : end])
        place = end + 1
        if tag in _RAW:
            closing = _RAW[tag].search(page, place)
            if closing is None:
                return
            place = closing.end()


def _end_of_tag(page: str, place: int) -> int:
    """Return the position of a tag's `>` outside quoted values; -1 if there is none."""
    while True:
        place = _UNQUOTED.match(page, place).end()  # type: ignore[union-attr]  # it matches the empty text, too
        if place >= len(page):
            return -1
        if page[place] == ">":
            return place
        place = page.find(page[place], place + 1) + 1
        if not place:
            return -1


def _attributes(text: str) -> dict[str, str]:
    values: dict[str, str] = {}
    for name, value in _ATTRIBUTE.findall(text):
        if value[:1] in ('"', "'"):
            value = value[1:-1]
        values.setdefault(name.lower(), unescape(value))
    return values
