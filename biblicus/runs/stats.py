"""Count the corpus's content, and return each recipe's current run."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from biblicus.contracts import Call
from biblicus.corpus.catalog import Catalog, catalog_of
from biblicus.corpus.changes import file_stats
from biblicus.corpus.folder import CorpusFolder
from biblicus.errors import BiblicusError
from biblicus.models.evidence import Pending
from biblicus.models.fields import NoRequest
from biblicus.models.plain import LEFT_OUT
from biblicus.models.unread import Unread, unread_of
from biblicus.models.unread import counted as by_class
from biblicus.runs import manifests
from biblicus.runs.freshness import against_default, counted


@dataclass(frozen=True)
class Stats:
    """Counts of a corpus.

    `unread`: files that may contain text but give none, by class. `runs`: current run of each recipe, and if it is up
    to date. `pending`: changes in the folder since the default recipe's run."""

    name: str
    corpus_id: str
    corpus_digest: str
    items: int
    bytes: int
    media_types: Mapping[str, int]
    doctypes: Mapping[str, int]
    languages: Mapping[str, int]
    tags: Mapping[str, int]
    unread: Mapping[str, int]
    runs: Mapping[str, Mapping[str, Any]]
    pending: Pending | None = field(default=None, metadata=LEFT_OUT)


def stats(corpus: CorpusFolder, request: NoRequest, call: Call) -> Stats:
    """Return counts of the corpus's content, and its runs."""
    catalog = catalog_of(corpus)
    if corpus.host is None:
        counts = _counts(catalog)
    else:  # of the current catalog: it may have been replaced meanwhile
        counts = corpus.host.remembered("counts", lambda: _counts(catalog_of(corpus)))
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
            "sizes": dict(manifest.sizes),
            "skipped": len(manifest.skipped),
            "failed": len(manifest.failed),
            "current": manifest.corpus_digest == catalog.header.corpus_digest,
            "materialized": corpus.store.holds(manifest.run_id),
        }
    return Stats(
        name=corpus.config.name,
        corpus_id=catalog.header.corpus_id,
        corpus_digest=catalog.header.corpus_digest,
        items=len(catalog.entries),
        **counts,
        unread=by_class(unread(corpus, catalog)),
        runs=latest,
        pending=counted(against_default(corpus)) if corpus.default_recipe in latest else None,
    )


def _counts(catalog: Catalog) -> dict[str, Any]:
    """Return the bytes of all items, and counts of each kind, the most frequent first."""
    size = 0
    counts: dict[str, Counter[str]] = {name: Counter() for name in ("media_types", "doctypes", "languages", "tags")}
    for item in catalog.items.values():
        size += item.bytes
        counts["media_types"][item.media_type] += 1
        counts["doctypes"][item.doctype] += 1
        counts["languages"][item.language or "unknown"] += 1
        counts["tags"].update(item.tags)
    ranked = {
        name: dict(sorted(count.items(), key=lambda entry: (-entry[1], entry[0]))) for name, count in counts.items()
    }
    return {"bytes": size, **ranked}


def unread(corpus: CorpusFolder, catalog: Catalog) -> list[Unread]:
    """Return the unreadable files: items from the latest run of the default recipe, other files from the last
    refresh."""
    report = file_stats.load_scan(corpus).get("report", {"skipped": [], "failed": []})
    skipped, failed = report["skipped"], report["failed"]
    try:
        manifest = manifests.read(corpus, catalog.header.latest[corpus.default_recipe].run_id)
    except (KeyError, BiblicusError):
        return unread_of(skipped, failed)
    items = catalog.entries
    return unread_of(
        [*(note.model_dump() for note in manifest.skipped), *(note for note in skipped if note["path"] not in items)],
        [*(note.model_dump() for note in manifest.failed), *(note for note in failed if note["path"] not in items)],
    )


def unread_count(corpus: CorpusFolder) -> int:
    """Return the number of unreadable files."""
    return len(unread(corpus, catalog_of(corpus)))
