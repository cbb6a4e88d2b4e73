"""The manifest of a run: inputs, components and results of a build."""

from __future__ import annotations

from dataclasses import field
from typing import Annotated, Any, Literal

from biblicus.models.frozen import dataclass
from biblicus.models.records import Bounds, Record

SCHEMA_VERSION = 1
"""Version of catalogs and manifests. Readers refuse a newer one and migrate an older one (`check --repair`)."""

Built = Literal["fresh", "incremental", "rematerialised"]


@dataclass(frozen=True, kw_only=True)
class Note(Record):
    """A file that was skipped or failed, with the reason."""

    path: str
    reason: str


@dataclass(frozen=True, kw_only=True)
class Manifest(Record):
    """Content of `.biblicus/runs/<run_id>.json`. Sizes in bytes, timings in ms; `counts`: `items`, `chunks`, `tokens`.

    `languages`: chunks by language of their item; the empty key is unknown. `corpus_digest` covers the items' ids,
    digests and metadata; `chunks_digest` each chunk's item, span and text digest, in order. `index_version`: short
    digest of corpus_digest, build_id and component fingerprints. `folded`: ids of earlier runs for single documents
    that this run replaces. `digest`: of everything else, added when the manifest is written."""

    schema_version: Annotated[int, Bounds(ge=1)]
    run_id: str
    recipe_id: str
    recipe: dict[str, Any]
    build_id: str
    corpus_id: str
    corpus_digest: str
    chunks_digest: str
    index_version: str
    parent_run_id: str | None = None
    built: Built
    components: dict[str, str]
    counts: dict[str, int]
    languages: dict[str, int]
    sizes: dict[str, int]
    timings: dict[str, float]
    skipped: list[Note] = field(default_factory=list)
    failed: list[Note] = field(default_factory=list)
    folded: list[str] | None = None
    digest: str = ""


def unembedded(manifest: Manifest) -> int:
    """Return the number of a run's chunks that could not be embedded."""
    return sum(count for name, count in manifest.counts.items() if name.endswith(".unembedded"))
