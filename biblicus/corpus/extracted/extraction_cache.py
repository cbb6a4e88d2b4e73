"""The extraction cache: results of binary parsers by (raw digest, extractor, version, options).

Failures are keyed also by the limits in force. Entries are sealed by this machine; a torn or foreign one counts as
absent. Plain text is not cached."""

from __future__ import annotations

import json
from dataclasses import fields
from typing import Any

from biblicus.corpus.folder import CorpusFolder
from biblicus.disk.seals import fits
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


def load(corpus: CorpusFolder, extraction_id: str) -> Extraction | NoExtraction | None:
    """Return the cached outcome, or None."""
    values: dict[str, Any] | None = corpus.kept.get(_KIND, extraction_id, {str: object})
    if values is None:
        return None
    values.pop("open", None)  # of older entries
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


def store(corpus: CorpusFolder, extraction_id: str, outcome: Extraction | NoExtraction) -> None:
    """Cache an outcome."""
    values = {field.name: getattr(outcome, field.name) for field in fields(outcome)}
    body = json.dumps(values, ensure_ascii=False, default=Heading.as_tuple).encode()
    corpus.kept.put(_KIND, extraction_id, body)
