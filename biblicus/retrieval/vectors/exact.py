"""Leg `exact`: cosine with every vector as one matrix product; the reference, suitable up to a certain size."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from biblicus.contracts import Call, ChunkTable, Fingerprints, Given, Held, Hit, LegReader, Vectors
from biblicus.lazy import NDArray, np
from biblicus.models.frozen import dataclass
from biblicus.models.question import Allow, Question
from biblicus.models.records import Record
from biblicus.retrieval.ranking import DECIMALS, best_of, rounded
from biblicus.retrieval.vectors import vector_rows

_AT_ONCE = 8_192
_SPARSE = 4
"""If fewer than one in this many vectors are needed, they are selected before the product."""


@dataclass(frozen=True, kw_only=True)
class Options(Record):
    """`embedder`: the model, a built-in name (`minilm`) or one defined in the user's configuration."""

    embedder: str = "minilm"


def build(options: Options, given: Given) -> Exact:
    return Exact(given.vectors(options.embedder))


class Exact:
    """Leg that stores which chunk has which vector (see `contracts.Leg`); vectors are in the corpus's store."""

    materializes = True
    drifts = False

    def __init__(self, vectors: Vectors) -> None:
        self.vectors = vectors

    def fingerprints(self) -> Fingerprints:
        return {"model": self.vectors.fingerprint}

    def build(self, chunks: ChunkTable, folder: Path, parent: Path | None, call: Call) -> Mapping[str, int]:
        return vector_rows.write(self.vectors, chunks, folder, parent, call).counts()

    def open(self, folder: Path) -> LegReader:
        return ExactReader(folder, self.vectors)


class ComparingReader(ABC):
    """Base of readers of vector legs (see `contracts.LegReader`)."""

    by_words = False

    def __init__(self, vectors: Vectors) -> None:
        self._vectors = vectors
        self.languages = vectors.languages

    @property
    @abstractmethod
    def _centre(self) -> NDArray[np.float32]:
        """Mean of all vectors."""

    def floor(self, question: Question) -> float:
        """Return the mean cosine with all chunks."""
        return rounded(float(self._centre @ self._vectors.question(question.text, Call())))

    def support(self, question: Question, best: Sequence[Held]) -> float:
        """Return the best cosine, at least 0."""
        return max((chunk.score for chunk in best if chunk.score is not None), default=0.0)

    def likeness(self, question: Question, texts: Sequence[str], call: Call) -> list[float]:
        """Return the cosine of each text with the question, at least 0."""
        cosines = self._vectors.passing(texts, call) @ self._vectors.question(question.text, call)
        return [max(0.0, rounded(float(cosine))) for cosine in cosines]

    def close(self) -> None:  # noqa: B027 (nothing to close, for all subclasses)
        """Do nothing: vectors are elsewhere, or memory-mapped for the reader's lifetime."""


class ExactReader(ComparingReader):
    """Opened leg (see `contracts.LegReader`); its arrays are immutable and shared by threads."""

    def __init__(self, folder: Path, vectors: Vectors) -> None:
        super().__init__(vectors)
        rows = vector_rows.load(folder)
        self._chunks, items, self._places, _ = rows.embedded()
        self._permitted = vector_rows.Permitted(items, folder)
        self._matrix = vectors.matrix(rows.generation)

    def search(self, question: Question, allow: Allow | None, k: int, call: Call) -> list[Hit]:
        """Return the best `k` chunks and all ties with the last, by descending score."""

        call.check()
        mask = self._permitted.mask(allow)
        chosen = np.arange(len(self._chunks)) if mask is None else np.flatnonzero(mask)
        if k < 1 or not len(chosen):
            return []
        scores = self._cosines(question, chosen, call)
        return [Hit(int(self._chunks[chosen[at]]), score) for at, score in best_of(scores, k)]

    def vectors(self, rows: Sequence[int]) -> NDArray[np.float32]:
        """Return the vectors (n, dim) of chunks, zeros for chunks without one."""

        at, mask = self._at(rows)
        selected = np.zeros((len(at), self._matrix.shape[1]), np.float32)
        selected[mask] = self._matrix[self._places[at[mask]]]
        return selected

    def scores(self, question: Question, rows: Sequence[int]) -> Mapping[int, float]:
        """Return the cosine of each chunk that has a vector."""
        at, mask = self._at(rows)
        at = at[mask]
        if not len(at):
            return {}
        cosines = self._cosines(question, at, Call()).tolist()
        return {int(self._chunks[place]): rounded(score) for place, score in zip(at, cosines, strict=True)}

    def _at(self, rows: Sequence[int]) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
        """Return the indices of chunks, and which of them exist. (Importing `np.isin` takes 10 ms.)"""

        row_array = np.array(rows, np.uint32)
        if not len(self._chunks):
            return np.zeros(len(row_array), np.int64), np.zeros(len(row_array), bool)
        at = np.minimum(np.searchsorted(self._chunks, row_array), len(self._chunks) - 1)  # chunk rows ascend
        return at, self._chunks[at] == row_array

    @cached_property
    def _centre(self) -> NDArray[np.float32]:

        total = np.zeros(self._matrix.shape[1], np.float64)
        for start in range(0, len(self._places), _AT_ONCE):
            total += self._matrix[self._places[start : start + _AT_ONCE]].sum(axis=0, dtype=np.float64)
        centre: NDArray[np.float32] = (total / max(1, len(self._places))).astype(np.float32)
        return centre

    def _cosines(self, question: Question, chosen: NDArray[np.int64], call: Call) -> NDArray[Any]:

        vector: NDArray[np.float32] = self._vectors.question(question.text, call)
        places = self._places[chosen]
        sparse = len(places) * _SPARSE < len(self._matrix)
        cosines: NDArray[Any] = self._matrix[places] @ vector if sparse else (self._matrix @ vector)[places]
        return np.round(cosines.astype(np.float64), DECIMALS)
