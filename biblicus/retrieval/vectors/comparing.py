"""Common part of the readers of vector legs, which only uses the embedding model."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import TYPE_CHECKING

from biblicus.contracts import Call, Held, Vectors
from biblicus.models.question import Question
from biblicus.retrieval.ranking import rounded

if TYPE_CHECKING:
    from numpy import float32
    from numpy.typing import NDArray

DECIMALS = 6
"""Decimals of a cosine; digits beyond depend on the order of summation and must not affect ranking."""


class ComparingReader(ABC):
    """Base of readers of vector legs (see `contracts.LegReader`)."""

    by_words = False

    def __init__(self, vectors: Vectors) -> None:
        self._vectors = vectors
        self.languages = vectors.languages

    @property
    @abstractmethod
    def _centre(self) -> NDArray[float32]:
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
