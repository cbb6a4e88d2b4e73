"""Author, date and properties of an HTML page from its markup (`meta`, JSON-LD, microdata); nothing is guessed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from biblicus.errors import BadData
from biblicus.extraction.kit.composing import day
from biblicus.guards import json

if TYPE_CHECKING:
    from selectolax.lexbor import LexborHTMLParser

_AUTHORS = ("citation_author", "author", "dc.creator", "dcterms.creator", "article:author", "parsely-author")
_DATES = (
    *("article:published_time", "citation_publication_date", "citation_date", "dcterms.issued", "dc.date.issued"),
    *("dcterms.created", "dc.date", "dcterms.date", "date", "pubdate", "publish_date", "datepublished"),
)
_MOST = 50
_LONGEST = 300
_LARGEST = 256 << 10
"""Maximum bytes of a JSON-LD block."""


def byline(page: LexborHTMLParser) -> dict[str, str | list[str]]:
    """Return the declared `author` (a list if several) and `date` (ISO 8601, as precise as declared)."""
    metas = _metas(page)
    linked = list(_linked(page))
    authors = list(dict.fromkeys(_authors(page, metas, linked)))[:_MOST]
    date = next(filter(None, map(day, _dates(page, metas, linked))), "")
    fields = {"author": authors[0] if len(authors) == 1 else authors, "date": date}
    return {key: value for key, value in fields.items() if value}


def properties(page: LexborHTMLParser) -> dict[str, Any]:
    """Return the properties of a page that Notion exported, as front matter would have them."""
    values: dict[str, str | list[str]] = {}
    for row in page.css("header > table.properties tr.property-row")[:_MOST]:
        name, cell = row.css_first("th"), row.css_first("td")
        if name is None or cell is None or not (text := _line(cell.text())):
            continue
        chosen = [_line(value.text()) for value in cell.css(".selected-value, .user")[:_MOST]]
        date = text.removeprefix("@")
        values[_line(name.text()).lower()] = chosen or day(date) or day(f"{date} 00:00") or text
    tags = next((values.pop(key) for key in ("tags", "tag") if key in values), "")
    return {"tags": tags, "metadata": values} if tags or values else {}


def _metas(page: LexborHTMLParser) -> dict[str, list[str]]:
    """Return the contents of `meta` elements by name or property in lower case."""
    contents: dict[str, list[str]] = {}
    for element in page.css("meta[content]")[: 10 * _MOST]:
        name = (element.attributes.get("name") or element.attributes.get("property") or "").lower()
        text = _line(element.attributes.get("content") or "")
        if name and text:
            contents.setdefault(name, []).append(text)
    return contents


def _authors(page: LexborHTMLParser, metas: dict[str, list[str]], linked: list[dict[str, Any]]) -> list[str]:
    for name in _AUTHORS:
        if names := [text for text in metas.get(name, []) if "://" not in text]:
            return names
    for entry in linked:
        if names := list(_names(entry.get("author"))):
            return names
    element = page.css_first("[itemprop=author] [itemprop=name]") or page.css_first("a[rel~=author]")
    element = element or page.css_first(".page-metadata > .author")
    return [name] if element is not None and (name := _line(element.text())) else []


def _dates(page: LexborHTMLParser, metas: dict[str, list[str]], linked: list[dict[str, Any]]) -> Iterator[str]:
    for name in _DATES:
        yield from metas.get(name, [])
    for entry in linked:
        if isinstance(entry.get("datePublished"), str):
            yield entry["datePublished"]
    for element in page.css(
        "[itemprop=datePublished], time[pubdate], time.dt-published, time.published, time.entry-date"
    ):
        yield element.attributes.get("datetime") or element.attributes.get("content") or ""
    for element in page.css("#content > .page-metadata")[:1]:  # an export of Confluence
        yield f"{' '.join(element.text().split()).rpartition(' on ')[2]} 00:00"


def _linked(page: LexborHTMLParser) -> Iterator[dict[str, Any]]:
    """Yield the JSON-LD objects of the page, including those in a `@graph`."""
    for element in page.css('script[type="application/ld+json"]')[:_MOST]:
        text = element.text() or ""
        if '"author"' not in text and '"datePublished"' not in text:
            continue
        try:
            value = json.read(text, max_bytes=_LARGEST)
        except BadData:
            continue
        for entry in value[:_MOST] if isinstance(value, list) else [value]:
            if isinstance(entry, dict):
                yield entry
                graph = entry.get("@graph")
                yield from (
                    node for node in (graph if isinstance(graph, list) else [])[:_MOST] if isinstance(node, dict)
                )


def _names(author: Any) -> Iterator[str]:
    for person in author[:_MOST] if isinstance(author, list) else [author]:
        name = person.get("name") if isinstance(person, dict) else person
        if isinstance(name, str) and name.strip() and "://" not in name:
            yield _line(name)


def _line(text: str) -> str:
    return "".join(char for char in " ".join(text.split()) if char.isprintable())[:_LONGEST]
