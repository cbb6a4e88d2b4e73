"""Seals runs over what is approved, and builds them again where they are not: from bytes that are kept."""

from __future__ import annotations

from dataclasses import replace

from biblicus.contracts import Call
from biblicus.corpus import recipes
from biblicus.corpus.catalog import Catalog
from biblicus.corpus.editorial import publications
from biblicus.corpus.editorial.publications import Published
from biblicus.corpus.folder import CorpusFolder
from biblicus.corpus.refresh import Refreshed
from biblicus.errors import BiblicusError, RunDamaged
from biblicus.models.manifest import Manifest
from biblicus.models.recipe import Recipe
from biblicus.runs import manifests as runs
from biblicus.runs.reindex import Indexing
from biblicus.runs.reports import RunReport


class Publishing(Indexing):
    """A run that no recipe points to, over a catalog of its own."""

    def __init__(
        self, corpus: CorpusFolder, recipe: Recipe, refreshed: Refreshed, catalog: Catalog, call: Call
    ) -> None:
        header = replace(refreshed.header, corpus_digest=catalog.header.corpus_digest)
        super().__init__(corpus, recipe, replace(refreshed, header=header, catalog=catalog, helpers=None), call, False)
        self.own = catalog

    def seal(self) -> Manifest:
        """Build it. Under the lock."""
        self._extract_all(self.own)
        return self._new(self.own, None, True, ()).manifest

    def again(self, manifest: Manifest) -> RunReport:
        """Bring its materialization back. Raises `RunDamaged` where something else comes of it here."""
        self._extract_all(self.own)
        tally = self._materialise(self._work(self.own), manifest.run_id)
        if tally.chunks_digest() != manifest.chunks_digest:
            self.store.drop(manifest.run_id)
            differs = self._differences(manifest)
            raise RunDamaged(manifest.run_id, f"it cannot be built again here: {', '.join(differs) or 'texts'} differ")
        return RunReport(manifest, self.recipe.recipe_id, "rematerialised")

    def is_here(self, manifest: Manifest) -> bool:
        """Whether nothing is to be done."""
        return not self.materializes or self._stands(manifest)

    def _point_to(self, run_id: str) -> None:
        """Publications are asked by name."""

    def _point_to_new(self, run_id: str) -> None:
        """As above."""


def bring_back(corpus: CorpusFolder, refreshed: Refreshed, call: Call) -> list[RunReport]:
    """Build every publication that is not materialized here; one that cannot be is told. Under the lock."""
    built = []
    for name in publications.names(corpus):
        try:
            published: Published = publications.read(corpus, name)
            manifest = runs.read(corpus, published.publication.run_id)
            recipe = recipes.resolve(manifest.recipe, f".biblicus/runs/{manifest.run_id}.json")
            publishing = Publishing(corpus, recipe, refreshed, published.catalog, call)
            if not publishing.is_here(manifest):
                built.append(publishing.again(manifest))
        except BiblicusError as error:
            call.tell(f"The publication {name} is not here: {error.message}")
    return built
