"""Counts what a corpus holds, and says of each recipe which run answers for it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from biblicus.contracts import Call
from biblicus.corpus.catalog import Catalog, catalog_of
from biblicus.corpus.folder import CorpusFolder
from biblicus.corpus.seen import stamps
from biblicus.errors import BiblicusError
from biblicus.models.evidence import Pending
from biblicus.models.fields import NoRequest
from biblicus.models.plain import LEFT_OUT
from biblicus.models.unread import Unread, unread_of
from biblicus.models.unread import counted as by_class
from biblicus.runs import manifests
from biblicus.runs.standing import against_default, counted


@dataclass(frozen=True)
class Stats:
    """What a corpus holds, counted. `unread`: files that give no text though they may hold some, by class. `runs`: by
    recipe, the run that answers, and whether it is current. `pending`: how the folder stands against the default
    recipe's run, where there is one."""

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
    """Counts of what the corpus holds, and its runs."""
    catalog = catalog_of(corpus)
    if corpus.host is None:
        counts = _counts(catalog)
    else:  # of the catalog as it is once it is known which: it may be replaced meanwhile
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
    """The bytes of all items, and how many are of each kind, the most frequent first."""
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
    """What could not be read: of items what the latest run of the default recipe says, before there is one, and of what
    is no item, what the last refresh said."""
    report = stamps.load_scan(corpus).get("report", {"skipped": [], "failed": []})
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
    """How many files could not be read."""
    return len(unread(corpus, catalog_of(corpus)))
