"""Attachments of a message that Outlook saved."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence

from biblicus.extraction.members import Packed
from biblicus.extraction.members.mailed import attached_name
from biblicus.extraction.office.ole import stream
from biblicus.extraction.office.ole.message import attachments
from biblicus.text.media import BINARY


def members(raw: bytes, name: str, passwords: Sequence[str]) -> Iterator[Packed]:
    """The attachments, in the order of the message; none without the package that opens it, which its text tells."""
    try:
        import olefile
    except ImportError:
        return
    file = olefile.OleFileIO(io.BytesIO(raw))
    for number, (folder, said) in enumerate(attachments(lambda part: stream(file, part), file.listdir()), 1):
        data = f"{folder}/__substg1.0_37010102"
        if file.exists(data):
            yield Packed(attached_name(said, number, BINARY), [stream(file, data)])
