"""Paths for copies of web pages: derived from the address, with an extension for the type."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Iterable
from pathlib import PurePosixPath
from urllib.parse import unquote

from biblicus.guards.network.urls import Url
from biblicus.models.sources.syncing import Row
from biblicus.text import media
from biblicus.text.decoding import is_binary

_SERVED = {
    "text/x-markdown": ".md",
    "text/calendar": ".ics",
    "text/xml": ".xml",
    "application/javascript": ".js",
    "application/rss+xml": ".rss",
    "application/atom+xml": ".atom",
    "application/x-bibtex": ".bib",
}
"""Extensions for types named by servers; those of other types are in `text.media`."""
_PROGRAMS = frozenset((".php", ".asp", ".aspx", ".jsp", ".cgi", ".do", ".html", ".htm", ".xhtml", ".shtml"))
"""Extensions of addresses that serve pages, whatever program made them."""

_SUFFIX = re.compile(r"\.[A-Za-z][A-Za-z0-9]{0,7}\Z")
_OPENING = re.compile(
    rb"(?:\xef\xbb\xbf)?\s{0,256}(?:<!--[^>]{0,500}>\s{0,64}){0,3}<(?:!doctype\s+html|html|head|body|title)\b",
    re.IGNORECASE,
)
_UNFIT = re.compile(r'[\x00-\x1f\x7f-\x9f<>:"/\\|?*\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ud800-\udfff]+')
_LONGEST = 100
"""Maximum bytes of a name."""


def media_type_of(content_type: str) -> str:
    """Return the media type of a `Content-Type`, in lower case."""
    return content_type.partition(";")[0].strip().lower()


def charset_of(content_type: str) -> str | None:
    """Return the charset of a `Content-Type`, as written."""
    match = re.search(r";\s*charset\s*=\s*[\"']?([\w.:-]{1,40})", content_type, re.IGNORECASE)
    return match[1] if match else None


def is_html(data: bytes, content_type: str) -> bool:
    """Check if a body is HTML. Its start counts more than its declared type."""
    if b"%PDF-" in data[:1024] or is_binary(data[:4096]):
        return False
    return media.choose(media_type_of(content_type)) == "html" or _OPENING.match(data) is not None


def path_of(url: Url, data: bytes, content_type: str) -> str:
    """Return a relative path for a body: the path of the address, a short form of the query, and an extension."""
    *folders, last = [part(segment) for segment in url.path.split("/")[1:]]
    name = last or "index"
    match = _SUFFIX.search(name)
    extension = match[0].lower() if match else ""
    suffix = _suffix(extension, data, content_type)
    stem = (
        name[: -len(extension)]
        if extension and (extension in _PROGRAMS or _is_binary(extension) or extension == suffix)
        else name
    )
    if url.query:
        stem += "-" + part(url.query)[:40].strip("-") + "-" + hashlib.sha256(url.query.encode()).hexdigest()[:8]
    return "/".join([folder for folder in folders if folder] + [_short(stem or "index") + suffix])


class Paths:
    """Paths of one source's copies: stable for each document, and distinct even without case and Unicode form."""

    def __init__(self, rows: Iterable[Row]) -> None:
        self._known = {row.origin: row.path for row in rows}
        self._taken = {_alike(path): origin for origin, path in self._known.items()}

    def of(self, origin: str, wanted: str) -> str:
        """Return the path for a document: its current one if the extension still fits, or the wanted one, or a
        variant."""
        current_path = self._known.get(origin)
        if current_path is not None and PurePosixPath(current_path).suffix == PurePosixPath(wanted).suffix:
            return current_path
        if self._taken.setdefault(_alike(wanted), origin) == origin:
            return wanted
        path = PurePosixPath(wanted)
        mark = hashlib.sha256(origin.encode("utf-8", "replace")).hexdigest()[:8]
        variant = str(path.with_name(f"{path.stem}-{mark}{path.suffix}"))
        self._taken[_alike(variant)] = origin
        return variant


def _alike(path: str) -> str:
    return unicodedata.normalize("NFC", path).casefold()


def slug(text: str) -> str:
    """Return words as a name."""
    return _short("-".join(re.findall(r"\w+", text.lower())))[:80]


def _suffix(own: str, data: bytes, content_type: str) -> str:
    kind = media_type_of(content_type)
    if b"%PDF-" in data[:1024]:
        return ".pdf"
    if is_html(data, content_type):
        return ".html"
    if is_binary(data[:4096]):
        if own and own not in _PROGRAMS and own != ".pdf":
            return own
        return ".bin" if media.is_textual(kind) else media.usable_extension(kind)
    if own and own not in _PROGRAMS and not _is_binary(own):
        return own
    return _SERVED.get(kind) or (media.usable_extension(kind) if media.is_textual(kind) else ".txt")


def _is_binary(suffix: str) -> bool:
    """Check if a text file of this name would be taken for binary."""
    named = media.of_name(f"a{suffix}")
    return named is not None and not media.is_textual(named)


def part(segment: str) -> str:
    """Return a segment of an address as a portable name; empty for an empty one."""
    name = _UNFIT.sub("-", unquote(segment, errors="replace")).strip().lstrip(".")
    return _short(name.rstrip(". ")) or ("_" if segment else "")


def _short(name: str) -> str:
    raw = name.encode()
    if len(raw) <= _LONGEST:
        return name
    return raw[: _LONGEST - 9].decode("utf-8", "ignore") + "-" + hashlib.sha256(raw).hexdigest()[:8]
