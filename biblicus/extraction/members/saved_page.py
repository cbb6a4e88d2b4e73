"""Pictures, frames and documents of a saved web page (MHTML), without style sheets, scripts and fonts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from email import message_from_bytes, policy
from urllib.parse import unquote, urlsplit

from biblicus.extraction.kit.messages import attached_name
from biblicus.extraction.messages.mail import header, parts
from biblicus.extraction.web.mhtml import page_of
from biblicus.models.extraction import Packed
from biblicus.text import media

_FURNITURE = ("text/css", "text/javascript", "application/javascript", "application/x-javascript")


def members(raw: bytes, name: str, passwords: Sequence[str]) -> Iterator[Packed]:
    """Yield the parts other than the page, named after the last component of their URLs."""
    message = message_from_bytes(raw, policy=policy.compat32)
    page = page_of(message)
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
