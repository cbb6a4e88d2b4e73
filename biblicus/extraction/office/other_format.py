"""Parts of an office document that are documents of other formats: pages, rich text, other Word documents."""

from __future__ import annotations

from biblicus.contracts import Extractor, Given, MediaHint
from biblicus.errors import ExtractionFailed
from biblicus.models.extraction import Extraction, NoExtraction
from biblicus.text.media import media_type

_PAGES = ("text/html", "application/xhtml+xml")
_WORD = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
_LARGEST = 64 << 20


def read(raw: bytes, name: str) -> Extraction | NoExtraction | None:
    """Return the extraction of a part; None where its format is not one that stands within others.

    A Word document within another is not searched for further parts of this kind.
    """
    kind = media_type(name, raw[:8192])
    if not raw or len(raw) > _LARGEST:
        return None
    try:
        extractor = _extractor(kind)
        return None if extractor is None else extractor.extract(raw, MediaHint(name, kind))
    except (ExtractionFailed, RecursionError):
        return None


def _extractor(kind: str) -> Extractor | None:
    """The extractor of a media type, imported only where a document has such a part."""
    from biblicus.extraction import text
    from biblicus.extraction.office import docx, rtf
    from biblicus.extraction.web import html, mhtml

    if kind in _PAGES:
        return html.build(html.Options(content="all"), Given())
    if kind in ("multipart/related", "message/rfc822"):
        return mhtml.build(html.Options(content="all"), Given())
    if kind in ("application/rtf", "text/rtf"):
        return rtf.build(text.Options(), Given())
    if kind == _WORD:
        return docx.build(text.Options(), Given())
    return text.build(text.Options(), Given()) if kind.startswith("text/") else None
