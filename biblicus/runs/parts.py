"""The plug-ins of a recipe, and the versions that determine a run's content.

Runs of several recipes over the same chunks share tables and common legs by hard link."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import TYPE_CHECKING

from biblicus import plugins, runs
from biblicus.contracts import Chunker, Given, Leg
from biblicus.corpus import described
from biblicus.corpus.folder import CorpusFolder
from biblicus.errors import BiblicusError, ConfigInvalid
from biblicus.models.digest import digest as digest_of
from biblicus.models.frozen import dataclass
from biblicus.models.manifest import Manifest
from biblicus.models.recipe import Choice, Recipe
from biblicus.runs import manifests
from biblicus.stores.local import LocalStore

if TYPE_CHECKING:
    from biblicus.guards.side_by_side import Executor
    from biblicus.runs.build import Tally, Work
    from biblicus.runs.reindex import Indexing
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
        if embedder not in self._vectors:
            self._vectors[embedder] = runs.vectors.CorpusVectors(self._corpus, embedder, self._executor)
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
        by_folder = described.contexts.by_folder(corpus)
    return Parts(chunkers, legs, build.chunking, by_folder)


def shared_run(indexing: Indexing, *, fresh: bool) -> Manifest | None:
    """Return the run of another recipe over the same chunks with the most legs in common, or None.

    Runs of the same reindex come into question and, unless `fresh`, the latest ones of recipes that it does not build.
    """
    store, recipe = indexing.store, indexing.recipe
    if not isinstance(store, LocalStore):
        return None
    alike = [run for run in indexing.current if _is_alike(recipe, run)]
    if not fresh:
        latest = {entry.run_id for name, entry in indexing.refreshed.header.latest.items() if name != recipe.name}
        for run_id in sorted(latest - {run.run_id for run in indexing.current}):
            with suppress(BiblicusError):
                if _is_shareable(indexing, run := manifests.read(indexing.corpus, run_id)):
                    alike.append(run)
    available = (run for run in alike if store.holds(run.run_id))
    return max(available, key=lambda run: len(common_legs(recipe, run)), default=None)


def _is_alike(recipe: Recipe, run: Manifest) -> bool:
    """Return true if a run's build differs from a recipe's in legs alone."""
    return {**run.recipe["build"], "legs": None} == {**recipe.build.model_dump(), "legs": None}


def _is_shareable(indexing: Indexing, run: Manifest) -> bool:
    """Return true if an older run differs from what would be built now only in legs that are not in common."""
    recipe = indexing.recipe
    if not _is_alike(recipe, run):
        return False
    apart = {*run.recipe["build"]["legs"], *recipe.build.legs} - set(common_legs(recipe, run))
    differences = {name.partition(".")[0] for name in indexing.differences(run)}
    return differences <= {"recipe", *apart} and indexing.stands(run)


def built_beside(store: LocalStore, recipe: Recipe, run_id: str, other: Manifest, work: Work) -> Tally:
    """Build the legs that another run lacks; its tables and the common legs are linked."""

    legs = common_legs(recipe, other)
    counts = {name: count for name, count in other.counts.items() if name.partition(".")[0] in legs}
    folder = store.begin_beside(run_id, other.run_id, legs)
    return runs.build.build_beside(folder, store.tables(other.run_id), counts, work)


def common_legs(recipe: Recipe, run: Manifest) -> list[str]:
    """Return the legs that a run of another recipe has in common with a recipe."""
    mine = recipe.build.legs
    return [name for name, choice in run.recipe["build"]["legs"].items() if mine.get(name) == choice]
