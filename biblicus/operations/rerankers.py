"""Rerankers from recipes: each with its options and what it needs of an open run"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from biblicus import plugins
from biblicus.contracts import Reranker, VectorReader
from biblicus.errors import UsageError
from biblicus.models.recipe import Choice
from biblicus.searchers.opened import OpenRun

if TYPE_CHECKING:
    from numpy import float32
    from numpy.typing import NDArray


def make(choice: Choice, run: OpenRun) -> Reranker:
    """The reranker of a resolved choice."""
    module = plugins.find("rerank", choice["by"])
    options = module.Options(**{name: value for name, value in choice.items() if name != "by"})
    made: Reranker = module.build(options, _Resources(run))
    return made


class _Resources:
    """See `contracts.Resources`."""

    def __init__(self, run: OpenRun) -> None:
        self._run = run

    def vectors(self, rows: Sequence[int]) -> NDArray[float32]:
        for leg in self._run.legs:
            if isinstance(reader := self._run.reader(leg), VectorReader):
                return reader.vectors(rows)
        raise UsageError("This reranker compares vectors, and the run has none.", "biblicus recipes show hybrid")
