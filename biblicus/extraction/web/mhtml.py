"""Extractor of web pages saved as one file (MHTML, RFC 2557): the HTML of the page; other parts are members."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from email import message_from_bytes, policy
from email.message import Message
from urllib.parse import unquote, urlsplit

from biblicus.contracts import Extractor, Given, MediaHint
from biblicus.errors import ExtractionFailed
from biblicus.extraction.kit.messages import attached_name
from biblicus.extraction.messages.mail import body, header, parts
from biblicus.extraction.web.html import Html, Options
from biblicus.models.extraction import Extraction, NoExtraction, Packed
from biblicus.text import media

__all__ = ["Options", "build"]
_FURNITURE = ("text/css", "text/javascript", "application/javascript", "application/x-javascript")


class Mhtml:
    """Extractor that runs in a guarded worker."""

    guarded = True

    def __init__(self, options: Options) -> None:
        self._html = Html(options)
        self.fingerprint = f"mhtml/1 {self._html.fingerprint}"

    def extract(self, raw: bytes, hint: MediaHint) -> Extraction | NoExtraction:
        message = message_from_bytes(raw, policy=policy.compat32)
        page = _page_of(message)
        if page is None:
            raise ExtractionFailed("the file is no saved page: it has no part that is HTML")
        page_bytes = b"\xef\xbb\xbf" + body(page).encode("utf-8", "replace")
        outcome = self._html.extract(page_bytes, MediaHint("", "text/html"))
        if isinstance(outcome, Extraction) and outcome.title is None:
            return replace(outcome, title=header(message.get("Subject")) or None)
        return outcome


def build(options: Options, given: Given) -> Extractor:
    return Mhtml(options)


def _page_of(message: Message) -> Message | None:
    """Return the part that is the page: the one that the header names, else the first HTML part."""
    pages = [part for part in parts(message) if part.get_content_type() in ("text/html", "application/xhtml+xml")]
    start = message.get_param("start")
    return next((part for part in pages if start and part.get("Content-ID") == start), pages[0] if pages else None)


def members(raw: bytes, name: str, passwords: Sequence[str]) -> Iterator[Packed]:
    """Yield the parts other than the page, named after the last component of their URLs."""
    message = message_from_bytes(raw, policy=policy.compat32)
    page = _page_of(message)
    number = 0
    for part in parts(message):
        kind = part.get_content_type()
        if part is page or kind in _FURNITURE or kind.startswith("font/"):
            continue
        number += 1
        address = header(part.get_filename()) or unquote(urlsplit(header(part.get("Content-Location"))).path)
        inside = attached_name(address, number, kind)
        if "." not in inside:
            inside += media.usable_extension(kind)
        payload = part.get_payload(decode=True)
        yield Packed(inside, [payload] if isinstance(payload, bytes) else [])
