"""A cross-encoder: a model that reads a question and a passage together and scores how well they match."""

from __future__ import annotations

import logging
import os
import warnings
from collections.abc import Sequence
from functools import cached_property
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

from biblicus.contracts import Call, Given
from biblicus.embedding.hub import located
from biblicus.errors import EmbedderUnavailable, ExtraMissing, UnsafeInput

_BATCH = 16


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
            pairs = [(_clean(question), _clean(passage)) for passage in passages[start : start + _BATCH]]
            scores += [float(score) for score in model.predict(pairs, batch_size=_BATCH, show_progress_bar=False)]
        return scores

    @cached_property
    def _model(self) -> Any:
        name = self._options.model
        folder = located(name, self._options.revision, "The reranker cross-encoder")
        try:
            names = [path.name for path in folder.iterdir()]
        except OSError as error:
            raise EmbedderUnavailable(name, "its folder cannot be read") from error
        if not any(file.endswith(".safetensors") for file in names):
            raise UnsafeInput(
                f"{folder} holds no safetensors; weights of other formats are programs and are not opened."
            )
        os.environ.setdefault("HF_HUB_OFFLINE", "1")  # read when the library is imported: models are local
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                import sentence_transformers  # imported late: an extra, and 8 s
        except ImportError as error:
            raise ExtraMissing("The reranker cross-encoder", "embed") from error
        logging.getLogger("sentence_transformers").setLevel(logging.ERROR)
        try:
            model: Any = sentence_transformers.CrossEncoder(
                str(folder),
                device=None if self._given.device == "auto" else self._given.device,
                max_length=self._options.max_tokens,
                trust_remote_code=False,
                local_files_only=True,
                model_kwargs={"use_safetensors": True},
            )
        except Exception as error:  # any failure of the library for an invalid folder
            cause = str(error).split("\n", 1)[0].rstrip(".") or type(error).__name__
            raise EmbedderUnavailable(name, f"it does not load ({cause})") from error
        if model.num_labels != 1:
            raise EmbedderUnavailable(name, f"it sorts into {model.num_labels} classes, and a reranker gives one score")
        return model


def _clean(text: str) -> str:
    return text.encode("utf-8", "replace").decode()
