"""JSON: the whole decoded file as it is, broken or not; the title from a top-level `title` or `name`."""

from __future__ import annotations

from biblicus.contracts import Extractor, Given, MediaHint
from biblicus.extraction.text import Options, decoded, nothing
from biblicus.guards import json
from biblicus.models.extraction import Extraction, NoExtraction

__all__ = ["Options", "build"]

_PARSED = 4 << 20
"""Bytes. Larger documents are not parsed for a title: they are data sets, and their text is read all the same."""


class Json:
    """Decodes; what is malformed keeps its text, with a warning."""

    fingerprint = "json/1"
    guarded = False

    def extract(self, raw: bytes, hint: MediaHint) -> Extraction | NoExtraction:
        text, warnings = decoded(raw)
        if not text or text.isspace():
            return nothing()
        title = None
        if len(raw) <= _PARSED:
            try:
                title = _title(json.read(text, max_bytes=2 * _PARSED))
            except json.JsonRefused as error:
                warnings += (f"The file is not strict JSON: {error.message}",)
        return Extraction(text, title=title, warnings=warnings)


def _title(value: object) -> str | None:
    """A short text under `title` or `name`."""
    name = (value.get("title") or value.get("name")) if isinstance(value, dict) else None
    return " ".join(name.split()) or None if isinstance(name, str) and len(name) <= 300 else None


def build(options: Options, given: Given) -> Extractor:
    """The extractor for JSON."""
    return Json()
