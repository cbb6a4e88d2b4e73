"""Parts of an Office document in other formats: HTML, RTF, text, other Word documents."""

from __future__ import annotations

from biblicus import plugins
from biblicus.contracts import Extractor, MediaHint
from biblicus.errors import ExtractionFailed
from biblicus.models.extraction import Extraction, NoExtraction
from biblicus.text.media import media_type

_READERS = {
    "text/html": "html",
    "application/xhtml+xml": "html",
    "multipart/related": "mhtml",
    "message/rfc822": "mhtml",
    "application/rtf": "rtf",
    "text/rtf": "rtf",
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document": "docx",
}
_LARGEST = 64 << 20


def read(raw: bytes, name: str) -> Extraction | NoExtraction | None:
    """Return the extraction of a part, or None if its format is not supported here. A Word document inside another is
    not searched for further parts of this kind."""
    kind = media_type(name, raw[:8192])
    if not raw or len(raw) > _LARGEST:
        return None
    try:
        extractor = _extractor(kind)
        return None if extractor is None else extractor.extract(raw, MediaHint(name, kind))
    except (ExtractionFailed, RecursionError):
        return None


def _extractor(kind: str) -> Extractor | None:
    """Return the extractor of a media type, imported only on first use."""
    name = _READERS.get(kind) or ("text" if kind.startswith("text/") else None)
    if name is None:
        return None
    extractor: Extractor = plugins.make("extraction", name, {"content": "all"} if name in ("html", "mhtml") else {})
    return extractor
