"""Counts what a corpus holds, and says of each recipe which run answers for it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from biblicus.contracts import Call
from biblicus.corpus.folder import CorpusFolder
from biblicus.corpus.items import catalog_of
from biblicus.errors import BiblicusError
from biblicus.models.fields import NoRequest
from biblicus.runs import manifests


@dataclass(frozen=True)
class Stats:
    """What a corpus holds, counted. `runs`: by recipe, the run that answers, and whether it is current."""

    name: str
    corpus_id: str
    corpus_digest: str
    items: int
    bytes: int
    media_types: Mapping[str, int]
    doctypes: Mapping[str, int]
    languages: Mapping[str, int]
    tags: Mapping[str, int]
    runs: Mapping[str, Mapping[str, Any]]


def stats(corpus: CorpusFolder, request: NoRequest, call: Call) -> Stats:
    """Counts of what the corpus holds, and its runs."""
    catalog = catalog_of(corpus)
    items = list(catalog.items.values())

    def counted(values: Sequence[str]) -> dict[str, int]:
        return dict(sorted(Counter(values).items(), key=lambda entry: (-entry[1], entry[0])))

    latest = {}
    for name, entry in catalog.header.latest.items():
        try:
            manifest = manifests.read(corpus, entry.run_id)
        except BiblicusError:
            continue
        latest[name] = {
            "run_id": manifest.run_id,
            "index_version": manifest.index_version,
            **manifest.counts,
            "skipped": len(manifest.skipped),
            "failed": len(manifest.failed),
            "current": manifest.corpus_digest == catalog.header.corpus_digest,
            "materialized": manifests.folder(corpus, manifest.run_id).exists(),
        }
    return Stats(
        name=corpus.config.name,
        corpus_id=catalog.header.corpus_id,
        corpus_digest=catalog.header.corpus_digest,
        items=len(items),
        bytes=sum(item.bytes for item in items),
        media_types=counted([item.media_type for item in items]),
        doctypes=counted([item.doctype for item in items]),
        languages=counted([item.language or "unknown" for item in items]),
        tags=counted([tag for item in items for tag in item.tags]),
        runs=latest,
    )
