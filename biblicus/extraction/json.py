"""Extractor of JSON, valid or not: the decoded file, with escaped letters (`\\u00fc`) shown.

The title is a top-level `title` or `name`. API descriptions have headings.
"""

from __future__ import annotations

import re

from biblicus.contracts import MediaHint
from biblicus.extraction import keyed
from biblicus.extraction.kit.texts import decoded, extractor, nothing
from biblicus.guards import json
from biblicus.models.extraction import Extraction, NoExtraction

_PARSED = 4 << 20
"""Maximum bytes of a document that is parsed for its title; larger ones are data sets."""
_BEGINNING = 20_000
_OF_AN_API = re.compile(r"^[ \t]{0,8}\"(?:openapi|swagger)\"[ \t]*:", re.MULTILINE)


def _extract(raw: bytes, hint: MediaHint) -> Extraction | NoExtraction:
    """Decode the file; malformed JSON keeps its text, with a warning."""
    text, warnings = decoded(raw, hint.media_type)
    if not text or text.isspace():
        return nothing()
    title = None
    if len(raw) <= _PARSED:
        try:
            title = _title(json.read(text, max_bytes=2 * _PARSED))
        except json.JsonRefused as error:
            warnings += (f"The file is not strict JSON: {error.message}",)
    is_api = _OF_AN_API.search(text, 0, _BEGINNING) is not None
    headings = keyed.of_api(text) if is_api else ()
    return Extraction(text, headings=tuple(headings), title=title, warnings=warnings)


build = extractor("json/5", _extract, guarded=False)


def _title(value: object) -> str | None:
    """Return the short string under `title` or `name`, or None."""
    name = (value.get("title") or value.get("name")) if isinstance(value, dict) else None
    return " ".join(name.split()) or None if isinstance(name, str) and len(name) <= 300 else None
