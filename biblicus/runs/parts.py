"""The plug-ins of a recipe, and the versions that determine a run's content."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from biblicus import plugins
from biblicus.contracts import Chunker, Leg
from biblicus.corpus.described import contexts
from biblicus.corpus.folder import CorpusFolder
from biblicus.errors import ConfigInvalid
from biblicus.guards.side_by_side import Executor
from biblicus.models.digest import digest as digest_of
from biblicus.models.frozen import dataclass
from biblicus.models.recipe import Choice, Recipe
from biblicus.runs.legs import Legs

CHUNKING_VERSION = "14"
"""Increase it when spans, lines, spots, headings or contexts of the same extraction change."""


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


def parts(
    corpus: CorpusFolder,
    recipe: Recipe,
    executor: Executor | None = None,
    may_leave: Callable[[str], bool] | None = None,
) -> Parts:
    """Create the plug-ins of a recipe. Raises `ConfigInvalid` if a leg without an index is combined with others.

    `executor`: helps to embed. `may_leave`: return true if an item's text may be shared with the team."""
    build = recipe.build
    legs = Legs(corpus, executor, may_leave).of(build.legs)
    if len(legs) > 1 and (live := [name for name, leg in legs.items() if not leg.materializes]):
        raise ConfigInvalid(recipe.name, f"build.legs.{live[0]} ranks the live files and stands alone.")
    chunkers = {key: plugins.chosen("chunking", choice) for key, choice in build.chunking.items()}
    by_folder = contexts.by_folder(corpus) if build.contexts == "ranked" else None
    return Parts(chunkers, legs, build.chunking, by_folder)
