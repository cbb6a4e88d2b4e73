"""The extraction cache: what parsers of binary formats gave, by (raw digest, extractor, version, options), and of what
failed also by the limits that it failed under.

Derived and sealed by this machine; a torn or foreign entry is as good as absent. Plain text needs no stored copy.
"""

from __future__ import annotations

import json
from dataclasses import fields

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
    """The cached outcome, or None."""
    data = corpus.kept.get(_KIND, extraction_id, {str: object})
    if data is None or not (fits(data, _SHAPE) or fits(data, _NONE)):
        return None
    if "status" in data:
        return NoExtraction(**data)
    return Extraction(
        text=data["text"],
        pages=tuple(data["pages"]),
        headings=tuple(Heading(*heading) for heading in data["headings"]),
        masked=tuple(Span(*span) for span in data["masked"]),
        title=data["title"],
        language=data["language"],
        metadata=data["metadata"],
        warnings=tuple(data["warnings"]),
        spots=tuple(Spot(*spot) for spot in data.get("spots", ())),  # none in what was kept before there were any
        boxes=tuple(Box(*box) for box in data.get("boxes", ())),
    )


def store(corpus: CorpusFolder, extraction_id: str, outcome: Extraction | NoExtraction) -> None:
    """Keep an outcome."""
    values = {field.name: getattr(outcome, field.name) for field in fields(outcome)}
    corpus.kept.put(_KIND, extraction_id, json.dumps(values, ensure_ascii=False, default=Heading.as_tuple).encode())
