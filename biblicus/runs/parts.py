"""The plug-ins of a recipe, and the versions that determine a run's content."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from biblicus import plugins
from biblicus.contracts import Chunker, Given, Leg
from biblicus.corpus.folder import CorpusFolder
from biblicus.errors import ConfigInvalid
from biblicus.models.digest import digest as digest_of
from biblicus.models.frozen import dataclass
from biblicus.models.recipe import Choice, Recipe

if TYPE_CHECKING:
    from biblicus.guards.side_by_side import Executor
    from biblicus.runs.vectors import CorpusVectors

CHUNKING_VERSION = "14"
"""Increase it when spans, lines, spots, headings or contexts of the same extraction change."""


class Legs:
    """Creates legs for one corpus; legs with the same model share its vectors.

    `executor`: helps to embed."""

    def __init__(self, corpus: CorpusFolder, executor: Executor | None = None) -> None:
        self._corpus, self._executor = corpus, executor
        self._vectors: dict[str, CorpusVectors] = {}

    def __call__(self, choice: Choice) -> Leg:
        """Return the leg of a resolved choice. Raises `ExtraMissing` or `UnknownName` if engine or model is missing."""
        leg: Leg = plugins.chosen("retrieval", choice, Given(vectors=self._of))
        return leg

    def of(self, legs: Mapping[str, Choice]) -> dict[str, Leg]:
        """Return all legs of a recipe by name."""
        return {name: self(choice) for name, choice in legs.items()}

    def _of(self, embedder: str) -> CorpusVectors:
        from biblicus.runs.vectors import CorpusVectors  # lazy: most queries meet no vectors

        if embedder not in self._vectors:
            self._vectors[embedder] = CorpusVectors(self._corpus, embedder, self._executor)
        return self._vectors[embedder]


@dataclass(frozen=True)
class Parts:
    """The plug-ins of a recipe: chunkers by doctype (`default` for the rest) and legs by name.

    `choices`: options of the chunkers. `contexts`: context of each folder, if the recipe ranks them."""

    chunkers: Mapping[str, Chunker]
    legs: Mapping[str, Leg]
    choices: Mapping[str, Choice]
    contexts: Mapping[str, str] | None = None

    def fingerprints(self) -> dict[str, str]:
        versions = {f"chunking.{key}": chunker.fingerprint for key, chunker in self.chunkers.items()}
        for name, leg in self.legs.items():
            versions.update({f"{name}.{key}": value for key, value in leg.fingerprints().items()})
        if self.contexts is not None:
            versions["contexts"] = digest_of(self.contexts, 16)
        return {**versions, "chunks": CHUNKING_VERSION}


def parts(corpus: CorpusFolder, recipe: Recipe, executor: Executor | None = None) -> Parts:
    """Create the plug-ins of a recipe. Raises `ConfigInvalid` if a leg without an index is combined with others.

    `executor`: helps to embed."""
    build = recipe.build
    legs = Legs(corpus, executor).of(build.legs)
    if len(legs) > 1 and (live := [name for name, leg in legs.items() if not leg.materializes]):
        raise ConfigInvalid(recipe.name, f"build.legs.{live[0]} ranks the live files and stands alone.")
    chunkers = {key: plugins.chosen("chunking", choice) for key, choice in build.chunking.items()}
    by_folder = None
    if build.contexts == "ranked":
        from biblicus.corpus.described import contexts  # lazy: most recipes rank none

        by_folder = contexts.by_folder(corpus)
    return Parts(chunkers, legs, build.chunking, by_folder)
