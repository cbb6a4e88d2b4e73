"""The extraction cache: what parsers of binary formats gave, by (raw digest, extractor, version, options), and of what
failed also by the limits that it failed under.

Derived and sealed by this machine; a torn or foreign entry is as good as absent. Plain text needs no stored copy.
"""

from __future__ import annotations

import json
from dataclasses import fields
from typing import Any

from biblicus.corpus.folder import CorpusFolder
from biblicus.models.extraction import Box, Extraction, Heading, NoExtraction, Span
from biblicus.models.locator import Spot

_KIND = "extractions"


def load(corpus: CorpusFolder, extraction_id: str) -> Extraction | NoExtraction | None:
    """The cached outcome, or None."""
    body = corpus.kept.get(_KIND, extraction_id)
    if body is None:
        return None
    data: dict[str, Any] = json.loads(body)
    if "status" in data:
        return NoExtraction(data["status"], data["reason"])
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
