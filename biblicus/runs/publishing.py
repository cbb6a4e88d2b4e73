"""Seal runs over approved items, and rebuild missing ones from the kept bytes."""

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
    """Builds a run over its own catalog, which no recipe points to."""

    def __init__(
        self, corpus: CorpusFolder, recipe: Recipe, refreshed: Refreshed, catalog: Catalog, call: Call
    ) -> None:
        header = replace(refreshed.header, corpus_digest=catalog.header.corpus_digest)
        super().__init__(corpus, recipe, replace(refreshed, header=header, catalog=catalog, helpers=None), call, False)
        self.own = catalog

    def seal(self) -> Manifest:
        """Build and seal the run. Call under the lock."""
        self._extract_all(self.own)
        return self._new(self.own, None, True, ()).manifest

    def again(self, manifest: Manifest) -> RunReport:
        """Rebuild its materialization. Raises `RunDamaged` if the result differs."""
        if not self.made_again(manifest, self.own):
            differs = self.differences(manifest)
            raise RunDamaged(manifest.run_id, f"it cannot be built again here: {', '.join(differs) or 'texts'} differ")
        return RunReport(manifest, self.recipe.recipe_id, "rematerialised")

    def is_here(self, manifest: Manifest) -> bool:
        """Return true if nothing needs to be built."""
        return not self.materializes or self.stands(manifest)

    def _point_to(self, run_id: str) -> None:
        """Do nothing: publications are requested by name."""

    def _point_to_new(self, run_id: str) -> None:
        """Do nothing, as above."""


def bring_back(corpus: CorpusFolder, refreshed: Refreshed, call: Call) -> list[RunReport]:
    """Build every publication that is missing here; failures are reported. Call under the lock."""
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
