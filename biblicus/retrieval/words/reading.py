"""What every reader of a leg by words does alike, wherever its terms are kept."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence

from biblicus.contracts import Held
from biblicus.models.evidence import Rarity
from biblicus.models.question import Question
from biblicus.retrieval.ranking import rarity, support
from biblicus.retrieval.words import spelling
from biblicus.retrieval.words.wording import Languages, understood


class WordsReader(ABC):
    """See `contracts.LegReader`: the part of it that only has to know in how many chunks a term is.

    `_languages`: of its chunks. `_idf`: how rare a term is. `_rarest`: the same of one that is in no chunk.
    """

    by_words = True
    _languages: Languages
    _idf: Callable[[str], float]
    _rarest: float

    @abstractmethod
    def chunks_with(self, term: str) -> int:
        """In how many chunks the term is."""

    @abstractmethod
    def one_with(self, term: str) -> int:
        """The row of a chunk that holds the term."""

    def chunks_with_each(self, terms: Sequence[str]) -> list[int]:
        """In how many chunks each of the terms is."""
        return [self.chunks_with(term) for term in terms]

    def scores(self, question: Question, rows: Sequence[int]) -> Mapping[int, float]:
        """Nothing: a chunk that is not among the hits would cost a search of its own."""
        return {}

    def floor(self, question: Question) -> float:
        """A chunk that holds no word of the question has no score."""
        return 0.0

    def support(self, question: Question, best: Sequence[Held]) -> float:
        """How much of the question the best of these holds (see `ranking.support`)."""
        wording = understood(question, self._languages)
        return support(wording, self._languages.stemmers, [held.text for held in best], self._idf)

    def rarity(self, question: Question) -> Rarity:
        """How rare the question's words are among the chunks."""
        return rarity(understood(question, self._languages), self._idf, self._rarest)

    def meant(self, question: Question, text_of: Callable[[int], str]) -> Mapping[str, spelling.Meant]:
        """For each misspelt word of a question the one that is meant (see `words.spelling`)."""
        return spelling.meant(question, self._languages, self, text_of)

    def close(self) -> None:  # noqa: B027 (nothing is to be done, and nobody has to say so again)
        """Nothing is held open: texts are the caller's, or mapped into memory for as long as the reader lives."""
