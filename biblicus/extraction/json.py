"""JSON: the whole decoded file as it is, broken or not; the title from a top-level `title` or `name`, headings where it
describes an API or is the manifest of a package."""

from __future__ import annotations

import re

from biblicus.contracts import MediaHint
from biblicus.extraction.kit.texts import decoded, extractor, nothing
from biblicus.extraction.settings import keyed, manifests
from biblicus.guards import json
from biblicus.models.extraction import Extraction, NoExtraction

_PARSED = 4 << 20
"""Bytes. Larger documents are not parsed for a title: they are data sets, and their text is read all the same."""
_BEGINNING = 20_000
_OF_AN_API = re.compile(r"^[ \t]{0,8}\"(?:openapi|swagger)\"[ \t]*:", re.MULTILINE)


def _extract(raw: bytes, hint: MediaHint) -> Extraction | NoExtraction:
    """Decode; what is malformed keeps its text, with a warning."""
    text, warnings = decoded(raw)
    if not text or text.isspace():
        return nothing()
    title = None
    if len(raw) <= _PARSED:
        try:
            title = _title(json.read(text, max_bytes=2 * _PARSED))
        except json.JsonRefused as error:
            warnings += (f"The file is not strict JSON: {error.message}",)
    is_api = _OF_AN_API.search(text, 0, _BEGINNING) is not None
    headings = keyed.of_api(text) if is_api else manifests.of_json(text)
    return Extraction(text, headings=tuple(headings), title=title, warnings=warnings)


build = extractor("json/3", _extract, guarded=False)


def _title(value: object) -> str | None:
    """A short text under `title` or `name`."""
    name = (value.get("title") or value.get("name")) if isinstance(value, dict) else None
    return " ".join(name.split()) or None if isinstance(name, str) and len(name) <= 300 else None
