"""Parse feeds as data: RSS of any version, Atom, and exported notes of Evernote.

Entries are returned as texts; nothing is fetched. Elements are matched by their local names, because feeds mix
versions and namespaces."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from html import escape, unescape
from xml.etree.ElementTree import Element, tostring

from biblicus.errors import BadData
from biblicus.guards import xml

_LARGEST = 32 << 20
_PROLOG = re.compile(r"\A\s*(?:<\?xml[^>]*>|<!DOCTYPE[^>]*>|\s)*", re.IGNORECASE)
_OF_NOTES = re.compile(r"<!DOCTYPE\s+en-export\b[^<>\[\]]*>", re.IGNORECASE)
"""Document type of an Evernote export. Its DTD is neither fetched nor needed."""
_TASK = re.compile(r"<en-todo\b[^<>]*>(?:\s*</en-todo>)?", re.IGNORECASE)
_HTML = frozenset(("html", "text/html", "xhtml", "application/xhtml+xml"))


class NoFeed(BadData):
    """The document is no feed, or a broken one."""

    def __init__(self, cause: str) -> None:
        super().__init__(f"It is no feed: {cause}.")
        self.cause = cause


@dataclass(frozen=True)
class FeedEntry:
    """One entry of a feed.

    `key`: its identifier in the feed, or empty. `date`: a day or a time in UTC, ISO 8601. `content`: HTML.
    `whole`: the feed marks the content as complete, not as a summary. `topics`: its categories."""

    key: str
    link: str = ""
    title: str = ""
    author: str = ""
    date: str = ""
    content: str = ""
    whole: bool = False
    topics: Sequence[str] = ()

    @property
    def digest(self) -> str:
        """Return a short hash of the entry's content."""
        content = repr((self.link, self.title, self.author, self.date, self.content))
        return hashlib.sha256(content.encode("utf-8", "replace")).hexdigest()[:16]


@dataclass(frozen=True)
class Feed:
    """A feed and its entries, in the feed's order. `language`: as declared. `about`: its description as HTML."""

    title: str
    entries: Sequence[FeedEntry]
    language: str = ""
    about: str = ""


def read(text: str) -> Feed:
    """Parse a feed. Raises `NoFeed`."""
    if len(text) > _LARGEST:
        raise NoFeed(f"it is larger than {_LARGEST:,} bytes")
    feed = _from_xml(text.lstrip("\ufeff \t\r\n"))
    return replace(feed, entries=[entry for entry in feed.entries if entry != FeedEntry("")])


# --- XML -------------------------------------------------------------------------------------------------------------


def _from_xml(text: str) -> Feed:
    root = _parsed(_OF_NOTES.sub("", text, count=1))
    kind = _local(root)
    if kind in ("rss", "RDF"):
        channel = next((part for part in root if _local(part) == "channel"), root)
        entries = [_rss(item) for item in root.iter() if _local(item) == "item"]
        about = _text(channel, "description", lines=True)
        return Feed(_plain(_text(channel, "title")), entries, _text(channel, "language"), about)
    if kind == "feed":
        parts = {_local(part): part for part in reversed(list(root))}
        language = root.get("{http://www.w3.org/XML/1998/namespace}lang", "")
        entries = [_atom(entry) for entry in root if _local(entry) == "entry"]
        about = _construct(parts.get("subtitle")) or _construct(parts.get("tagline"))
        return Feed(_plain(_construct(parts.get("title"))), entries, language, about)
    if kind == "en-export":
        return Feed("", [_note(note) for note in root if _local(note) == "note"])
    raise NoFeed(f"its first element is {kind[:40]!a}")


def _parsed(text: str) -> Element:
    try:
        return xml.read(text, max_bytes=_LARGEST)
    except xml.XmlRefused as first:
        if "entity" not in first.message:
            raise NoFeed(first.message.rstrip(".")) from None
    try:
        return xml.read(text, max_bytes=_LARGEST, named_entities=True)
    except xml.XmlRefused as error:
        raise NoFeed(error.message.rstrip(".")) from None


def _rss(item: Element) -> FeedEntry:
    link = _text(item, "link") or next((part.get("href", "") for part in item if _local(part) == "link"), "")
    guid = next((part for part in item if _local(part) == "guid"), None)
    named = " ".join((guid.text or "").split()) if guid is not None else ""
    if not link and guid is not None and guid.get("isPermaLink", "true") == "true" and "://" in named:
        link = named
    about = next((value for key, value in item.attrib.items() if key.endswith("}about")), "")
    full_text = _text(item, "encoded", lines=True)
    return FeedEntry(
        _key(named or about or link or _text(item, "title")),
        link,
        _plain(_text(item, "title")),
        _words(_text(item, "creator") or _name_in(_text(item, "author"))),
        _date(_text(item, "pubDate") or _text(item, "date")),
        full_text or _text(item, "description", lines=True) or _shown(item),
        bool(full_text),
        _topics(item),
    )


def _atom(entry: Element) -> FeedEntry:
    links = [part for part in entry if _local(part) == "link"]
    link = next((part.get("href", "") for part in links if part.get("rel", "alternate") == "alternate"), "")
    parts = {_local(part): part for part in reversed(list(entry))}
    author = next((_text(part, "name") for part in entry if _local(part) == "author"), "")
    content = _construct(parts.get("content"))
    return FeedEntry(
        _key(_text(entry, "id") or link),
        link.strip(),
        _plain(_construct(parts.get("title"))),
        _words(author),
        _date(_text(entry, "published") or _text(entry, "updated")),
        content or _construct(parts.get("summary")) or _shown(entry),
        bool(content),
        _topics(entry),
    )


def _note(note: Element) -> FeedEntry:
    """Parse a note of an Evernote export, whose content is an XML document of its own."""
    content = _TASK.sub(lambda match: "- ☑ " if "true" in match[0] else "- ☐ ", _text(note, "content", lines=True))
    attributes = next((part for part in note if _local(part) == "note-attributes"), note)
    return FeedEntry(
        _key(_text(note, "title")),
        _text(attributes, "source-url"),
        _words(_text(note, "title")),
        _words(_text(attributes, "author")),
        re.sub(r"^(\d{4})(\d{2})(\d{2})T.*", r"\1-\2-\3", _text(note, "created")),
        _PROLOG.sub("", content),
        True,
        tuple(filter(None, (_words(part.text or "") for part in note if _local(part) == "tag"))),
    )


def _shown(entry: Element) -> str:
    """Return the description of an entry for a film or recording, which may be in a nested element."""
    texts = (_text(part, name, lines=True) for name in ("description", "summary") for part in entry.iter())
    return _paragraphs(next(filter(None, texts), ""))


def _topics(entry: Element) -> Sequence[str]:
    parts = [part for part in entry if _local(part) in ("category", "subject")]
    names = (_words(part.text or part.get("label") or part.get("term") or part.get("text") or "") for part in parts)
    return tuple(filter(None, names))


def _construct(part: Element | None) -> str:
    """Return an Atom text or content element as HTML."""
    if part is None or part.get("src"):
        return ""
    kind = part.get("type", "text").lower()
    if kind in ("xhtml", "application/xhtml+xml"):
        for inner in part.iter():
            inner.tag = _local(inner)
        return "".join(tostring(inner, "unicode", "html") for inner in part).strip()
    text = ("".join(part.itertext())).strip()
    return text if kind in _HTML else _paragraphs(text) if kind in ("text", "text/plain") else ""


def _local(element: Element) -> str:
    return element.tag.rpartition("}")[2]


def _text(element: Element, name: str, *, lines: bool = False) -> str:
    """Return the text of the first non-empty child of this name."""
    for part in element:
        if _local(part) == name and (text := "".join(part.itertext()).strip()):
            return text if lines else " ".join(text.split())
    return ""


def _name_in(author: str) -> str:
    """Return the name in an RSS author such as `ada@example.org (Ada)`."""
    match = re.fullmatch(r"\S+@\S+ \(([^()]+)\)", author)
    return match[1] if match else author


# --- texts -----------------------------------------------------------------------------------------------------------


def _key(text: str) -> str:
    """Return a printable key of bounded length; a longer one becomes its hash."""
    text = "".join(char for char in text.strip() if char.isprintable())
    return text if len(text) <= 400 else "sha256:" + hashlib.sha256(text.encode()).hexdigest()


def _words(text: str) -> str:
    return " ".join(text.split())


def _plain(text: str) -> str:
    """Return a title without the markup that some feeds add."""

    return _words(unescape(re.sub(r"<[^<>]{0,200}>", "", text)))


def _paragraphs(text: str) -> str:
    return "".join(f"<p>{escape(part.strip())}</p>\n" for part in re.split(r"\n[ \t]*\n", text) if part.strip())


def _date(text: str) -> str:
    """Return a date as ISO 8601, or empty if it cannot be parsed."""
    text = text[:60]
    if re.fullmatch(r"\d{4}(?:-\d\d(?:-\d\d)?)?", text):
        return text
    try:
        is_iso = text[:4].isdecimal() and text[4:5] == "-"
        moment = datetime.fromisoformat(text) if is_iso else parsedate_to_datetime(text)
        moment = moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
    except (ValueError, TypeError, OverflowError):
        return ""
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ") if moment.year >= 1000 else ""
