"""Count the corpus's content, and return the version of its index and of the software, also with exact texts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from biblicus import models
from biblicus.contracts import Call
from biblicus.corpus import catalog as catalogs
from biblicus.corpus.catalog import Catalog, catalog_of
from biblicus.corpus.changes import file_stats
from biblicus.corpus.folder import CorpusFolder
from biblicus.errors import BadData, BiblicusError, NoRun, Unavailable
from biblicus.models.evidence import Pending
from biblicus.models.fields import NoRequest
from biblicus.models.plain import LEFT_OUT
from biblicus.models.unread import Unread, unread_of
from biblicus.models.unread import counted as by_class
from biblicus.runs import manifests
from biblicus.runs import manifests as runs
from biblicus.runs.freshness import against_default, counted

if TYPE_CHECKING:
    from biblicus.models.reading import Excerpt, Excerpts
    from biblicus.models.requests.items import GetBatchRequest, GetRequest


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


@dataclass(frozen=True)
class Version:
    """The index behind a bare query, and the software.

    `built_at`: UTC, ISO 8601. `build_id`: digest of the recipe's build. `current`: the catalog has not changed
    since."""

    corpus_id: str
    name: str
    corpus_digest: str
    index_version: str
    run_id: str
    current: bool
    recipe: str
    build_id: str
    built_at: str
    software: str


def get(corpus: CorpusFolder, request: GetRequest, call: Call) -> Excerpt:
    """Return exact text of the current file, with the index version. Raises the errors of `corpus.items.get`."""
    from biblicus.corpus import items  # lazy: a query needs only the version

    return replace(items.get(corpus, request, call), index_version=_index_version(corpus))


def get_batch(corpus: CorpusFolder, request: GetBatchRequest, call: Call) -> Excerpts:
    """Return several exact texts."""
    from biblicus.corpus import items  # lazy, as above

    now = _index_version(corpus)
    texts = items.get_batch(corpus, request, call).results
    return models.reading.Excerpts(
        tuple(replace(text, index_version=now) if isinstance(text, models.reading.Excerpt) else text for text in texts)
    )


def _index_version(corpus: CorpusFolder) -> str | None:
    try:
        return version(corpus, NoRequest(), Call()).index_version
    except BiblicusError:  # return the text without the version
        return None


def version(corpus: CorpusFolder, request: NoRequest, call: Call) -> Version:
    """Return the version, cached for each state of the corpus. Raises `NoRun`."""
    if corpus.host is not None:
        cached: Version = corpus.host.remembered("version", lambda: _version(corpus))
        return cached
    return _version(corpus)


def _version(corpus: CorpusFolder) -> Version:
    from importlib.metadata import version as installed  # lazy: it reads mails, archives and tables

    header = catalogs.read_header(corpus)
    entry = header.latest.get(corpus.default_recipe) if header else None
    if header is None or entry is None:
        raise NoRun(corpus.default_recipe, True)
    manifest = runs.read(corpus, entry.run_id)
    return Version(
        corpus_id=header.corpus_id,
        name=corpus.config.name,
        corpus_digest=header.corpus_digest,
        index_version=manifest.index_version,
        run_id=manifest.run_id,
        current=manifest.corpus_digest == header.corpus_digest,
        recipe=corpus.default_recipe,
        build_id=manifest.build_id,
        built_at=runs.as_of(manifest.run_id),
        software=f"biblicus {installed('biblicus-corpus')}",
    )


def embedding_model(corpus: CorpusFolder) -> str | None:
    """Return the name of the embedder behind a bare query; None if it ranks by words alone. Raises `NoRun`."""
    manifest = runs.read(corpus, version(corpus, NoRequest(), Call()).run_id)
    legs = manifest.recipe["build"]["legs"].values()
    return next((str(leg["embedder"]) for leg in legs if leg.get("embedder")), None)


def check_model(corpus: CorpusFolder, name: str) -> None:
    """Raise `BadData` if the vectors behind a bare query are of another model than the current embedder.
    An unreachable embedder is not reported. `name`: the corpus, for the message."""
    from biblicus.runs.parts import Legs  # lazy: only servers check this

    try:
        manifest = runs.read(corpus, version(corpus, NoRequest(), Call()).run_id)
    except NoRun:
        return
    legs = Legs(corpus)
    for leg, choice in manifest.recipe["build"]["legs"].items():
        try:
            now = legs(choice).fingerprints().get("model")
        except Unavailable:
            continue
        built = manifest.components.get(f"{leg}.model")
        if now != built:
            recipe = manifest.recipe["name"]
            raise BadData(
                f'The corpus {name} was built with the model "{built}", and the embedder {choice["embedder"]} is '
                f'"{now}" now.',
                f"biblicus reindex -C {corpus.root} --recipe {recipe}",
            )
