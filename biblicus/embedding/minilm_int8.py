"""all-MiniLM-L6-v2 with the 8-bit weights of a 21 MB package, without torch: the default model for English."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from biblicus.embedding import networks
from biblicus.embedding.minilm import MiniLM, Options
from biblicus.embedding.networks.wordpieces import Tokenizer
from biblicus.errors import ModelFileMissing
from biblicus.lazy import NDArray, np
from biblicus.model_files.table import FILES, are_here, located, place_of

if TYPE_CHECKING:
    from biblicus.contracts import Call, Embedder, Given
    from biblicus.embedding.networks.bert import Model

__all__ = ["MiniLMInt8", "Options", "build"]

_WEIGHTS, _TOKENIZER = "minilm-int8.onnx", "wordpieces.json"


class MiniLMInt8(MiniLM):
    """384 dimensions, 256 tokens, mean pooling."""

    name = "minilm-int8"
    extra = eight_bits_extra = "meaning"
    eight_bits = True
    fingerprint = f"minilm-int8/3 {FILES[_WEIGHTS].sha256[:16]} mean 256"

    @classmethod
    def package_folder(cls) -> Path:
        """Return the folder of the weights. Raises `ModelFileMissing`."""
        path = place_of(FILES[_WEIGHTS]) if are_here(_WEIGHTS, _TOKENIZER) else None
        if path is None:
            raise ModelFileMissing(FILES[_WEIGHTS].purpose, cls.extra)
        return path.parent

    @cached_property
    def _tokenizer(self) -> Tokenizer:
        path = located(_TOKENIZER, self._given.digest)
        return Tokenizer(path, most=self.max_tokens, marks=True, extra=self.extra)

    def _model(self) -> Model:
        return networks.onnx_weights.read(located(_WEIGHTS, self._given.digest), heads=12)

    def question(self, text: str, call: Call) -> NDArray[np.float32]:
        """Return the L2-normalised vector of a question (384,)."""
        vector: NDArray[np.float32] = self._eight_bits.embed([self._question_ids(text)], call)[0]
        return vector


def build(options: Options, given: Given) -> Embedder:
    """Create the embedder. Raises `ModelFileMissing` if its weights are not on this machine."""
    return MiniLMInt8(given)
