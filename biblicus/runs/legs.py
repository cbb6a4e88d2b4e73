"""Create legs from recipes: each engine with its options and, for vectors, its model."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from biblicus import plugins
from biblicus.contracts import Given, Leg
from biblicus.corpus.folder import CorpusFolder
from biblicus.models.recipe import Choice

if TYPE_CHECKING:
    from biblicus.guards.side_by_side import Executor
    from biblicus.runs.vectors import CorpusVectors


class Legs:
    """Creates legs for one corpus; legs with the same model share its vectors.

    `executor`: helps to embed. `may_leave`: return true if an item's text may be shared with the team."""

    def __init__(
        self,
        corpus: CorpusFolder,
        executor: Executor | None = None,
        may_leave: Callable[[str], bool] | None = None,
    ) -> None:
        self._corpus, self._executor, self._may_leave = corpus, executor, may_leave
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
            self._vectors[embedder] = CorpusVectors(self._corpus, embedder, self._executor, self._may_leave)
        return self._vectors[embedder]
