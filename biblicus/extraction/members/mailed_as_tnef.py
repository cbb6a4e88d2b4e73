"""Attachments of a message that Outlook sent as `winmail.dat`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from biblicus.errors import ExtractionFailed
from biblicus.extraction.members import Packed
from biblicus.extraction.members.mailed import attached_name
from biblicus.extraction.messages.tnef import read
from biblicus.text.media import of_bytes


def members(raw: bytes, name: str, passwords: Sequence[str]) -> Iterator[Packed]:
    """The attachments, in the order of the message; none of a file that is damaged, which its text tells."""
    try:
        files = read(raw).files
    except ExtractionFailed:
        return
    for number, file in enumerate(files, 1):
        if file.data:
            yield Packed(attached_name(file.name, number, of_bytes(file.data)), [file.data])
