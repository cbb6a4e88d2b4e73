"""Tables as text (CSV, TSV): the whole decoded file, one record a line, as it is."""

from __future__ import annotations

from biblicus.contracts import Extractor, Given, MediaHint
from biblicus.extraction.text import Options, decoded, nothing
from biblicus.models.extraction import Extraction, NoExtraction

__all__ = ["Options", "build"]


class Csv:
    """Decodes. A file of separators alone holds no text."""

    fingerprint = "csv/1"
    guarded = False

    def extract(self, raw: bytes, hint: MediaHint) -> Extraction | NoExtraction:
        text, warnings = decoded(raw)
        return Extraction(text, warnings=warnings) if text.strip(" \t\r\n,;|\"'") else nothing()


def build(options: Options, given: Given) -> Extractor:
    """The extractor for tables as text."""
    return Csv()
