"""Extractor of web pages saved as one file (MHTML, RFC 2557): the HTML of the page; other parts are members."""

from __future__ import annotations

from dataclasses import replace
from email import message_from_bytes, policy
from email.message import Message

from biblicus.contracts import Extractor, Given, MediaHint
from biblicus.errors import ExtractionFailed
from biblicus.extraction.messages.mail import body, header, parts
from biblicus.extraction.web.html import Html, Options
from biblicus.models.extraction import Extraction, NoExtraction

__all__ = ["Options", "build"]


class Mhtml:
    """Extractor that runs in a guarded worker."""

    guarded = True

    def __init__(self, options: Options) -> None:
        self._html = Html(options)
        self.fingerprint = f"mhtml/1 {self._html.fingerprint}"

    def extract(self, raw: bytes, hint: MediaHint) -> Extraction | NoExtraction:
        message = message_from_bytes(raw, policy=policy.compat32)
        page = page_of(message)
        if page is None:
            raise ExtractionFailed("the file is no saved page: it has no part that is HTML")
        page_bytes = b"\xef\xbb\xbf" + body(page).encode("utf-8", "replace")
        outcome = self._html.extract(page_bytes, MediaHint("", "text/html"))
        if isinstance(outcome, Extraction) and outcome.title is None:
            return replace(outcome, title=header(message.get("Subject")) or None)
        return outcome


def build(options: Options, given: Given) -> Extractor:
    return Mhtml(options)


def page_of(message: Message) -> Message | None:
    """Return the part that is the page: the one that the header names, else the first HTML part."""
    pages = [part for part in parts(message) if part.get_content_type() in ("text/html", "application/xhtml+xml")]
    start = message.get_param("start")
    return next((part for part in pages if start and part.get("Content-ID") == start), pages[0] if pages else None)
