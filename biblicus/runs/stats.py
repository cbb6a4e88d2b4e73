"""Counts what a corpus holds, and says of each recipe which run answers for it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from biblicus.corpus.folder import CorpusFolder
from biblicus.corpus.items import Read, catalog_of
from biblicus.errors import BiblicusError
from biblicus.runs import manifests


def stats(place: CorpusFolder, read: Read = catalog_of) -> dict[str, Any]:
    """Counts of what the corpus holds, and its runs."""
    catalog = read(place)
    items = list(catalog.items.values())

    def counted(values: Sequence[str]) -> dict[str, int]:
        return dict(sorted(Counter(values).items(), key=lambda entry: (-entry[1], entry[0])))

    latest = {}
    for name, entry in catalog.header.latest.items():
        try:
            manifest = manifests.read(place, entry.run_id)
        except BiblicusError:
            continue
        latest[name] = {
            "run_id": manifest.run_id,
            "index_version": manifest.index_version,
            **manifest.counts,
            "skipped": len(manifest.skipped),
            "failed": len(manifest.failed),
            "current": manifest.corpus_digest == catalog.header.corpus_digest,
            "materialized": manifests.folder(place, manifest.run_id).exists(),
        }
    return {
        "name": place.config.name,
        "corpus_id": catalog.header.corpus_id,
        "corpus_digest": catalog.header.corpus_digest,
        "items": len(items),
        "bytes": sum(item.bytes for item in items),
        "media_types": counted([item.media_type for item in items]),
        "doctypes": counted([item.doctype for item in items]),
        "languages": counted([item.language or "unknown" for item in items]),
        "tags": counted([tag for item in items for tag in item.tags]),
        "runs": latest,
    }
