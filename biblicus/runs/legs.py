"""Legs from recipes: each engine with its options and, where it ranks by vectors, those of its model."""

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
    """Makes legs for one corpus; legs of the same model share its vectors. `executor`: who shares in embedding.
    `may_leave`: whether what an item says may be shared with a team."""

    def __init__(
        self,
        corpus: CorpusFolder,
        executor: Executor | None = None,
        may_leave: Callable[[str], bool] | None = None,
    ) -> None:
        self._corpus, self._executor, self._may_leave = corpus, executor, may_leave
        self._vectors: dict[str, CorpusVectors] = {}

    def __call__(self, choice: Choice) -> Leg:
        """The leg of a resolved choice. Raises what the engine or its model lacks (`ExtraMissing`, `UnknownName`)."""
        made: Leg = plugins.chosen("retrieval", choice, Given(vectors=self._of))
        return made

    def of(self, legs: Mapping[str, Choice]) -> dict[str, Leg]:
        """All of a recipe's legs, by name."""
        return {name: self(choice) for name, choice in legs.items()}

    def _of(self, embedder: str) -> CorpusVectors:
        from biblicus.runs.vectors import CorpusVectors  # lazy: most queries meet no vectors

        if embedder not in self._vectors:
            self._vectors[embedder] = CorpusVectors(self._corpus, embedder, self._executor, self._may_leave)
        return self._vectors[embedder]
