"""Files inside PDFs: portfolios and attachments."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from biblicus.extraction.kit.messages import attached_name
from biblicus.extraction.pdf.pdfium import opened
from biblicus.models.extraction import Packed

_MOST = 10_000


def members(raw: bytes, name: str, passwords: Sequence[str]) -> Iterator[Packed]:
    """Yield the files in document order; none if the PDF does not open, which text extraction reports."""
    document = opened(raw, passwords)
    if document is None:
        return
    for number in range(min(document.count_attachments(), _MOST)):
        attachment = document.get_attachment(number)
        inside = attached_name(attachment.get_name(), number + 1, "application/octet-stream")
        yield Packed(inside, [bytes(attachment.get_data())])
