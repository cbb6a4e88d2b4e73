"""Email messages: separates a message from the text it quotes or forwards, and names its attachments."""

from __future__ import annotations

from biblicus.extraction.kit.composing import Composer
from biblicus.text import media, replies


def composed(composer: Composer, text: str, subject: str, number: str, place: str = "") -> str:
    """Append a message, with text quoted or forwarded at its end in a spot of its own. Returns the name of the spot for
    what follows. `number`: position of the message in its file; `place`: its spot's name."""
    text = replies.with_quotes_marked(text)
    at, passed_on = replies.quoted_from(text, subject), replies.passed_on(text)
    if at is not None and at <= passed_on:
        composer.part(text[:at], ())
        composer.spot("message", replies.QUOTED, number)
        composer.part(text[at:], ())
        composer.spot("message", place, number)
        return place
    composer.part(text[:passed_on], ())
    forwarded = text[passed_on:].lstrip("\n")
    if not forwarded:
        return place
    composer.spot("message", replies.FORWARDED, number)
    if not replies.says_forwarded(forwarded):
        composer.paragraph("Forwarded message:")
    composer.part(forwarded, ())
    return replies.FORWARDED


def attached_name(said: str, number: int, media_type: str) -> str:
    """Return the file name of an attachment, or a name made of its number and type."""
    name = said.replace("\\", "/").rstrip("/").rpartition("/")[2].strip()
    return name if name.strip(".") else f"attachment-{number}{media.usable_extension(media_type)}"
