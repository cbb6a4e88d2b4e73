"""Messages of all kinds of mail: what they say apart from what they quote, and the names of their attachments."""

from __future__ import annotations

from biblicus.extraction.kit.composing import Composer
from biblicus.text import media, replies


def composed(composer: Composer, text: str, subject: str, number: str, place: str = "") -> str:
    """Composes what a message says, and apart from it what it only quotes at its end, or passes on. Gives what the
    place is called of what follows: behind a message that is passed on nobody knows who says it. `number`: of the
    message in its file, `place`: what its place is called."""
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
    """Return the name of an attachment: the last part of the one it was given, else one of its number and type."""
    name = said.replace("\\", "/").rstrip("/").rpartition("/")[2].strip()
    return name if name.strip(".") else f"attachment-{number}{media.usable_extension(media_type)}"
