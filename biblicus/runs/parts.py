"""The plug-ins of a recipe, and what of them decides what a run holds."""

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
"""Raised when spans, lines, spots, headings or contexts of the same extraction would come out otherwise."""


@dataclass(frozen=True)
class Parts:
    """The plug-ins of a recipe: chunkers by doctype (`default` for the rest) and legs by name. `choices`: what the
    recipe says of the chunkers. `contexts`: by folder, what is said of it, where the recipe
    ranks that."""

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
    """Build the plug-ins that a recipe names. `executor`: who shares in embedding; `may_leave`: whether what an item
    says may be shared with a team. Raises `ConfigInvalid` where a leg without index has others beside it."""
    build = recipe.build
    legs = Legs(corpus, executor, may_leave).of(build.legs)
    if len(legs) > 1 and (live := [name for name, leg in legs.items() if not leg.materializes]):
        raise ConfigInvalid(recipe.name, f"build.legs.{live[0]} ranks the live files and stands alone.")
    chunkers = {key: plugins.chosen("chunking", choice) for key, choice in build.chunking.items()}
    by_folder = contexts.by_folder(corpus) if build.contexts == "ranked" else None
    return Parts(chunkers, legs, build.chunking, by_folder)
