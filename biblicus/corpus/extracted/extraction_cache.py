"""The extraction cache: results of binary parsers by (raw digest, extractor, version, options).

Failures are keyed also by the limits in force. Entries are sealed by this machine; a torn or foreign one counts as
absent. Plain text is not cached."""

from __future__ import annotations

import json
from dataclasses import fields
from typing import Any

from biblicus.corpus.folder import CorpusFolder
from biblicus.disk.seals import fits, read_shaped
from biblicus.models.extraction import Box, Extraction, Heading, NoExtraction, Span
from biblicus.models.locator import Spot

_KIND = "extractions"
_NONE = {"status": str, "reason": str}
_SHAPE = {
    "text": str,
    "pages": [int],
    "headings": [(int, int, str)],
    "masked": [(int, int)],
    "title": str | None,
    "language": str | None,
    "metadata": {str: object},
    "warnings": [str],
    "spots?": [(int, str, str, str, str)],
    "boxes?": [(int,) * 7],
}
_OPEN = "open"
"""Mark of a text that was read without any password known."""


def load(corpus: CorpusFolder, extraction_id: str) -> Extraction | NoExtraction | None:
    """Return the cached outcome, or None."""
    values = corpus.kept.get(_KIND, extraction_id, {str: object})
    return None if values is None else _outcome(values)


def decoded(body: bytes) -> Extraction | NoExtraction | None:
    """Decode an outcome of `encoded`; None if its shape differs."""
    values = read_shaped(body, {str: object})
    return None if values is None else _outcome(values)


def _outcome(values: dict[str, Any]) -> Extraction | NoExtraction | None:
    values = {name: value for name, value in values.items() if name != _OPEN}
    if not (fits(values, _SHAPE) or fits(values, _NONE)):
        return None
    if "status" in values:
        return NoExtraction(**values)
    return Extraction(
        text=values["text"],
        pages=tuple(values["pages"]),
        headings=tuple(Heading(*heading) for heading in values["headings"]),
        masked=tuple(Span(*span) for span in values["masked"]),
        title=values["title"],
        language=values["language"],
        metadata=values["metadata"],
        warnings=tuple(values["warnings"]),
        spots=tuple(Spot(*spot) for spot in values.get("spots", ())),  # missing in older entries
        boxes=tuple(Box(*box) for box in values.get("boxes", ())),
    )


def encoded(outcome: Extraction | NoExtraction, **marks: bool) -> bytes:
    """Encode an outcome as JSON."""
    values = {field.name: getattr(outcome, field.name) for field in fields(outcome)}
    return json.dumps(values | marks, ensure_ascii=False, default=Heading.as_tuple).encode()


def store(
    corpus: CorpusFolder, extraction_id: str, outcome: Extraction | NoExtraction, *, is_open: bool = False
) -> None:
    """Cache an outcome. `is_open`: it was read without any password known."""
    corpus.kept.put(_KIND, extraction_id, encoded(outcome, **({_OPEN: True} if is_open else {})))


def is_open(corpus: CorpusFolder, extraction_id: str) -> bool:
    """Return true if a cached outcome is known to have been read without any password."""
    values = corpus.kept.get(_KIND, extraction_id, {str: object})
    return values is not None and values.get(_OPEN) is True
