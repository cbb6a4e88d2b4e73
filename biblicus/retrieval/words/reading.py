"""What every reader of a leg by words does alike, wherever its terms are kept; and slips of the hand in questions.

A word of a question that stands nowhere in a run is taken for one that does and is a slip of the hand away. Slips are,
in this order: two letters swapped, one doubled or not doubled; in longer words one vowel for another, one letter left
out or added; in long ones any letter for another. The first two letters must be right. (Norvig, "How to write a
spelling corrector", 2007, with the run's own terms as the dictionary.)
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple, Protocol

from biblicus.contracts import Held
from biblicus.models.evidence import Rarity
from biblicus.models.question import Question
from biblicus.retrieval.ranking import rarity, support
from biblicus.retrieval.words.wording import Languages, in_all_languages, spelled, understood
from biblicus.text.terms import analysis

_SHORTEST, _LONGEST = 5, 40
"""Letters of a word that may be misspelt: a shorter one is too near to others."""
_LONGER, _LONG = 6, 12
_RIGHT = 2
_SURE = 0
"""Of the likeliest slips, which make hardly another word."""
_ENDING = 2
"""Letters by which a form of the word that is meant may be shorter or longer."""
_ALPHABETS = ("abcdefghijklmnopqrstuvwxyz", "абвгдежзийклмнопрстуфхцчшщъыьэюяё", "αβγδεζηθικλμνξοπρσςτυφχψω")
_VOWELS = frozenset("aeiouyäöüáéíóúàèìòùâêîôûаеёиоуыэюяαεηιουω")
_WORD = re.compile(r"\w+")


class Meant(NamedTuple):
    """The word that a misspelt one was meant to be, as a chunk has it. `is_sure`: it is hardly another word.
    `is_spelled`: a chunk has it spelled just so, and not only another form of it."""

    word: str
    is_sure: bool
    is_spelled: bool


class AsMeant(NamedTuple):
    """`question`: with its misspelt words as they are meant. `judged`: the same as far as that is sure, by which a
    result is judged. `mended`: the text as far as it is sure and a chunk spells it so, by which answers are quoted.
    `notes`: what is told of it."""

    question: Question
    judged: Question
    mended: str
    notes: tuple[str, ...]


class Vocabulary(Protocol):
    """The terms of a run."""

    def chunks_with(self, term: str) -> int:
        """How many chunks hold the term."""

    def chunks_with_each(self, terms: Sequence[str]) -> list[int]:
        """The same of several."""

    def one_with(self, term: str) -> int:
        """The row of a chunk that holds the term."""


def meant(
    question: Question, languages: Languages, vocabulary: Vocabulary, text_of: Callable[[int], str]
) -> Mapping[str, Meant]:
    """For each misspelt word of a question the one that is meant, as a chunk has it. `text_of`: of a chunk's row."""
    words: dict[str, Meant] = {}
    if all(any(map(vocabulary.chunks_with, terms)) for terms in understood(question, languages).content):
        return words
    for word, terms in spelled(question, languages):
        if not (_SHORTEST <= len(word) <= _LONGEST and word.isalpha()) or any(map(vocabulary.chunks_with, terms)):
            continue
        if (right := _right(word, languages, vocabulary)) is not None:
            likely, spelling, term = right
            text = text_of(vocabulary.one_with(term))
            if written := _written(text, spelling, term, languages, len(word)):
                words[word] = Meant(written, likely == _SURE, written.lower() == spelling)
    return words


def _right(word: str, languages: Languages, vocabulary: Vocabulary) -> tuple[int, str, str] | None:
    """The likeliest slip, the spelling that a word was meant to have, and its term; of equals the most frequent."""
    best: tuple[int, int, str, str] | None = None
    for likely, spellings in _slips(word):
        if best is not None and likely > best[0]:
            break
        for stemmer in languages.stemmers:
            terms = analysis.analyzer(stemmer).analyze(" ".join(spellings))
            for spelling, term, chunks in zip(spellings, terms, vocabulary.chunks_with_each(terms), strict=True):
                if chunks:
                    candidate = (likely, -chunks, term, spelling)
                    best = candidate if best is None else min(best, candidate)
    return best and (best[0], best[3], best[2])


def _slips(word: str) -> Iterator[tuple[int, list[str]]]:
    """What a word may have been meant to be, by how likely the slip is."""
    letters = next((letters for letters in _ALPHABETS if word[0] in letters), "")
    halves = [(word[:at], word[at:]) for at in range(_RIGHT, len(word) + 1)]
    swapped = [start + rest[1] + rest[0] + rest[2:] for start, rest in halves if len(rest) > 1 and rest[0] != rest[1]]
    single = [start + rest[1:] for start, rest in halves if rest and rest[0] == start[-1]]
    doubled = [start + start[-1] + rest for start, rest in halves]
    yield _SURE, swapped + single + doubled
    if len(word) >= _LONGER:
        vowels = sorted(_VOWELS.intersection(letters))
        yield 1, [start + vowel + rest[1:] for start, rest in halves if rest and rest[0] in _VOWELS for vowel in vowels]
        added = [start + letter + rest for start, rest in halves for letter in letters]
        yield 2, [start + rest[1:] for start, rest in halves if rest] + added
    if len(word) >= _LONG:
        yield 3, [start + letter + rest[1:] for start, rest in halves if rest for letter in letters]


def _written(text: str, spelling: str, term: str, languages: Languages, letters: int) -> str | None:
    """The word of a text that is spelled so, or else the first that has the same term and about as many letters."""
    analyzers = [analysis.analyzer(stemmer) for stemmer in languages.stemmers]
    near = [word for word in _WORD.findall(analysis.normalised(text)) if abs(len(word) - letters) <= _ENDING]
    same = [word for word in dict.fromkeys(near) if any(analyzer.analyze(word) == [term] for analyzer in analyzers)]
    return next((word for word in same if word.lower() == spelling), same[0] if same else None)


def as_meant(question: Question, words: Mapping[str, Meant]) -> AsMeant:
    """A question whose misspelt words are known."""
    text = text_as_sure = mended = question.text
    notes = []
    for word, right in words.items():
        pattern = re.compile(rf"(?i)\b{re.escape(word)}\b")
        if place := pattern.search(text):
            notes.append(f'"{place[0]}" stands nowhere; this is by "{right.word}".')
        text = pattern.sub(right.word, text)
        text_as_sure = pattern.sub(right.word, text_as_sure) if right.is_sure else text_as_sure
        mended = pattern.sub(right.word, mended) if right.is_sure and right.is_spelled else mended
    telling = len(understood(question, in_all_languages(question)).content)
    sure = text_as_sure if len(words) < telling else text
    return AsMeant(replace(question, text=text), replace(question, text=sure), mended, tuple(notes))


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

    def meant(self, question: Question, text_of: Callable[[int], str]) -> Mapping[str, Meant]:
        """For each misspelt word of a question the one that is meant."""
        return meant(question, self._languages, self, text_of)

    def close(self) -> None:  # noqa: B027 (nothing is to be done, and nobody has to say so again)
        """Nothing is held open: texts are the caller's, or mapped into memory for as long as the reader lives."""
