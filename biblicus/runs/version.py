"""Version: what a bare query is answered from, and which software answers."""

from __future__ import annotations

from importlib.metadata import version as installed
from typing import Any

from biblicus.corpus import catalog as catalogs
from biblicus.corpus.folder import CorpusFolder
from biblicus.errors import NoRun
from biblicus.runs import manifests as runs


def version(place: CorpusFolder) -> dict[str, Any]:
    """`current`: the catalog is still what the run was built from. `build_id`: the digest of what the run was built
    by. Reads the catalog's first line and one manifest. Raises `NoRun`."""
    header = catalogs.read_header(place)
    entry = header.latest.get(place.default_recipe) if header else None
    if header is None or entry is None:
        raise NoRun(place.default_recipe, True)
    manifest = runs.read(place, entry.run_id)
    return {
        "corpus_id": header.corpus_id,
        "name": place.config.name,
        "corpus_digest": header.corpus_digest,
        "index_version": manifest.index_version,
        "run_id": manifest.run_id,
        "current": manifest.corpus_digest == header.corpus_digest,
        "recipe": place.default_recipe,
        "build_id": manifest.build_id,
        "built_at": runs.as_of(manifest.run_id),
        "software": f"biblicus {installed('biblicus-corpus')}",
    }
