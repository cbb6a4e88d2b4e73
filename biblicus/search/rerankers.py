"""Rerankers from recipes: each with its options and what it needs of an open run and of the user's models."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from pydantic import ValidationError

from biblicus import plugins
from biblicus.config import explain, user_folder
from biblicus.contracts import Call, Reranker, VectorReader
from biblicus.corpus.folder import CorpusFolder
from biblicus.errors import ConfigInvalid, UnknownModel, UsageError
from biblicus.models.recipe import Choice
from biblicus.search.opened_run import OpenRun

if TYPE_CHECKING:
    from numpy import float32
    from numpy.typing import NDArray

    from biblicus.embedding.pairs import CrossEncoder


class Rerankers:
    """Makes rerankers for one searcher; models stay loaded between questions."""

    def __init__(self, place: CorpusFolder) -> None:
        self._place = place
        self._models: dict[str, CrossEncoder] = {}

    def __call__(self, choice: Choice, run: OpenRun) -> Reranker:
        """The reranker of a resolved choice, for one run."""
        module = plugins.find("rerank", choice["by"])
        options = module.Options(**{name: value for name, value in choice.items() if name != "by"})
        made: Reranker = module.build(options, _Resources(self, run))
        return made

    def model(self, name: str) -> CrossEncoder:
        """A cross-encoder that the user's configuration defines. Raises `UnknownModel`, `ConfigInvalid`."""
        if name not in self._models:
            self._models[name] = self._found(name)
        return self._models[name]

    def _found(self, name: str) -> CrossEncoder:
        # Lazy: most recipes rerank with no model.
        from biblicus.embedding.pairs import CrossEncoder, Options
        from biblicus.embedding.places import Places
        from biblicus.runs.embedders import remembered_digest

        settings, file = self._place.settings, user_folder("config") / "config.yml"
        known = settings.rerankers
        if name not in known:
            raise UnknownModel("reranker", name, sorted(known), f"{file}: rerankers: {{{name}: {{model: …}}}}")
        try:
            options = Options.model_validate(known[name])
        except ValidationError as error:
            raise ConfigInvalid(f"{file}: rerankers.{name}", explain(error, Options), f"edit {file}") from error
        return CrossEncoder(options, Places(settings.device, remembered_digest))


class _Resources:
    """See `contracts.Resources`."""

    def __init__(self, rerankers: Rerankers, run: OpenRun) -> None:
        self._rerankers, self._run = rerankers, run

    def vectors(self, rows: Sequence[int]) -> NDArray[float32]:
        for leg in self._run.legs:
            if isinstance(reader := self._run.reader(leg), VectorReader):
                return reader.vectors(rows)
        raise UsageError("This reranker compares vectors, and the run has none.", "biblicus recipes show hybrid")

    def pairs(self, model: str, question: str, passages: Sequence[str], call: Call) -> Sequence[float]:
        return self._rerankers.model(model).scores(question, passages, call)
