"""A cross-encoder: a model that reads a question and a passage together and scores how well they match."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

from biblicus.contracts import Call, Given
from biblicus.embedding.hub import clean, loaded, located
from biblicus.errors import EmbedderUnavailable, UnsafeInput

_BATCH = 16
_WHAT = "The reranker cross-encoder"


class Options(BaseModel):
    """`model`: a folder (`/…` or `~/…`) or a name on the hub. `revision`: for a name on the hub. `max_tokens`: of a
    pair."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    model: Annotated[str, Field(min_length=1)]
    revision: str | None = None
    max_tokens: Annotated[int, Field(ge=16, le=1 << 16)] = 512


class CrossEncoder:
    """Cross-encoder, loaded on first use. Weights are safetensors only; code in a model's folder is never run."""

    def __init__(self, options: Options, given: Given) -> None:
        self._options, self._given = options, given

    def scores(self, question: str, passages: Sequence[str], call: Call) -> list[float]:
        """Score each passage on the model's own scale, higher is better. Without passages, only load the model."""
        model = self._model
        scores: list[float] = []
        for start in range(0, len(passages), _BATCH):
            call.check()
            pairs = [(clean(question), clean(passage)) for passage in passages[start : start + _BATCH]]
            scores += [float(score) for score in model.predict(pairs, batch_size=_BATCH, show_progress_bar=False)]
        return scores

    @cached_property
    def _model(self) -> Any:
        name = self._options.model
        folder = located(name, self._options.revision, _WHAT)
        try:
            names = [path.name for path in folder.iterdir()]
        except OSError as error:
            raise EmbedderUnavailable(name, "its folder cannot be read") from error
        if not any(file.endswith(".safetensors") for file in names):
            raise UnsafeInput(
                f"{folder} holds no safetensors; weights of other formats are programs and are not opened."
            )
        model = loaded("CrossEncoder", folder, name, _WHAT, self._given, max_length=self._options.max_tokens)
        if model.num_labels != 1:
            raise EmbedderUnavailable(name, f"it sorts into {model.num_labels} classes, and a reranker gives one score")
        return model
