"""Attachments of mail: under their names for a message, under the message's number for a mailbox."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from email import message_from_bytes, policy
from email.message import Message

from biblicus.extraction.kit.messages import attached_name
from biblicus.extraction.messages.mail import SEALS, header, parts, sources
from biblicus.models.extraction import Packed

_MOST_MESSAGES = 50_000


def members(raw: bytes, name: str, passwords: Sequence[str]) -> Iterator[Packed]:
    """Yield the attachments in the order of the mail."""
    messages, is_mailbox = sources(raw)
    for number, source in enumerate(messages[:_MOST_MESSAGES], 1):
        message = message_from_bytes(source, policy=policy.compat32)
        for at, part in enumerate(_attached(message), 1):
            inside = attached_name(header(part.get_filename()), at, part.get_content_type())
            payload = part.get_payload(decode=True)
            blocks = [payload] if isinstance(payload, bytes) else []
            yield Packed(f"{number}/{inside}" if is_mailbox else inside, blocks)


def _attached(message: Message) -> Iterator[Message]:
    """Yield the parts that are files, including those of nested messages, without inline pictures."""
    for part in parts(message):
        kind, is_attached = part.get_content_type(), part.get_content_disposition() == "attachment"
        is_shown = kind.startswith("image/") and part.get("Content-ID") is not None
        is_text = kind in ("text/plain", "text/html") and not part.get_filename()
        if (
            part is not message
            and kind not in SEALS
            and (is_attached or not (is_shown or is_text or kind.startswith("multipart/")))
        ):
            yield part
