"""The extraction cache: what parsers of binary formats gave, by (raw digest, extractor, version, options).

Derived and sealed by this machine; a torn or foreign entry is as good as absent. Plain text needs no stored copy.
"""

from __future__ import annotations

import json
import os
from contextlib import suppress
from pathlib import Path
from typing import Any

from biblicus.corpus.folder import CorpusFolder
from biblicus.disk.seals import read_sealed, write_cache
from biblicus.models.extraction import Extraction, Heading, NoExtraction, Span


def _path(place: CorpusFolder, extraction_id: str) -> Path:
    return place.cache / "extractions" / extraction_id[:2] / f"{extraction_id}.json"


def load(place: CorpusFolder, extraction_id: str) -> Extraction | NoExtraction | None:
    """The cached outcome, or None."""
    body = read_sealed(_path(place, extraction_id))
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
    )


def store(place: CorpusFolder, extraction_id: str, outcome: Extraction | NoExtraction) -> None:
    """Keep an outcome. Failing to is no error: the cache is only there to save time."""
    path = _path(place, extraction_id)
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.parent.is_symlink():
            return
        data = {name: getattr(outcome, name) for name in type(outcome).__slots__}
        write_cache(path, json.dumps(data, ensure_ascii=False).encode(), place.cache)


def prune(place: CorpusFolder, limit: int) -> tuple[int, int]:
    """Delete the entries least recently written until at most `limit` bytes remain: (files, bytes) deleted."""
    entries = []
    for parent, _, names in os.walk(place.cache):
        for name in names:
            path = Path(parent, name)
            found = path.lstat()
            entries.append((found.st_mtime_ns, found.st_size, path))
    entries.sort(reverse=True)
    kept = deleted = freed = 0
    for _, size, path in entries:
        kept += size
        if kept > limit:
            with suppress(OSError):
                path.unlink()
                deleted, freed = deleted + 1, freed + size
    return deleted, freed
