"""What every reader of a leg by meaning does alike, wherever its vectors are."""

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
"""Of a cosine: what the order of a sum adds beyond them must not decide an order."""


class ComparingReader(ABC):
    """See `contracts.LegReader`: the part of it that asks the model alone."""

    by_words = False

    def __init__(self, vectors: Vectors) -> None:
        self._vectors = vectors
        self.languages = vectors.languages

    @property
    @abstractmethod
    def _centre(self) -> NDArray[float32]:
        """The mean of all vectors."""

    def floor(self, question: Question) -> float:
        """The mean cosine with all chunks."""
        return rounded(float(self._centre @ self._vectors.question(question.text, Call())))

    def support(self, question: Question, best: Sequence[Held]) -> float:
        """The best cosine, at least 0."""
        return max((held.score for held in best if held.score is not None), default=0.0)

    def likeness(self, question: Question, texts: Sequence[str], call: Call) -> list[float]:
        """The cosine of each text with the question, at least 0."""
        cosines = self._vectors.passing(texts, call) @ self._vectors.question(question.text, call)
        return [max(0.0, rounded(float(cosine))) for cosine in cosines]

    def close(self) -> None:  # noqa: B027 (nothing is to be done, and nobody has to say so again)
        """Nothing is held open: vectors are elsewhere, or mapped into memory for as long as the reader lives."""
