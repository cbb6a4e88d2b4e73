"""Common part of the readers of word legs, and spelling correction of questions.

A question word that occurs nowhere in a run is replaced by an indexed word one edit away. Edits in order of likelihood:
two letters swapped, one doubled or undoubled; in longer words one vowel replaced, a letter missing or added; in long
words any letter replaced. The first two letters must match. (Norvig, "How to write a spelling corrector", 2007, with
the run's terms as the dictionary.)

A name in a question that occurs nowhere in a run means that the evidence is about something else. Spelling identifies a
name: a capital or digit within the word, parts joined as in code, or a capital inside a sentence. German and
Luxembourgish capitalise every noun, so there the last sign does not count.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from typing import NamedTuple, Protocol

from biblicus.contracts import Held
from biblicus.models.evidence import Rarity
from biblicus.models.question import Question
from biblicus.retrieval.ranking import rarity, support
from biblicus.retrieval.words.wording import Languages, in_all_languages, spelled, understood
from biblicus.text.languages import detect
from biblicus.text.terms import analysis, identifiers

_SHORTEST, _LONGEST = 5, 40
"""Minimum and maximum letters of a word that is corrected; shorter ones are too close to others."""
_LONGER, _LONG = 6, 12
_RIGHT = 2
_SURE = 0
"""Rank of the most likely edits, which rarely give another word."""
_ENDING = 2
"""Maximum difference in length between a word and a form of the intended one."""
_ALPHABETS = ("abcdefghijklmnopqrstuvwxyz", "абвгдежзийклмнопрстуфхцчшщъыьэюяё", "αβγδεζηθικλμνξοπρσςτυφχψω")
_VOWELS = frozenset("aeiouyäöüáéíóúàèìòùâêîôûаеёиоуыэюяαεηιουω")
_WORD = re.compile(r"\w+")
_LONGEST_ASKED = 400
"""Maximum characters of a question; a longer one is a pasted passage with names of its own."""
_ENDS = '.?!:"“„«'
_JOINS = ("_", ".", "::")
_RARE_LETTERS, _PIECES, _PART = 4, 3, 5
"""Minimum letters and pieces of a rare word, and minimum letters of a known word in a compound."""
_CAPITAL_NOUNS = ("de", "lb")


class Meant(NamedTuple):
    """The intended word as a chunk has it. `is_sure`: another word is unlikely. `is_spelled`: a chunk has exactly this
    spelling and not only another form."""

    word: str
    is_sure: bool
    is_spelled: bool


class AsMeant(NamedTuple):
    """A question with its corrections.

    `question`: with all corrections. `judged`: with sure ones, used to judge results. `mended`: text with sure
    corrections in a spelling that occurs, used for answers. `notes`: messages for the user.
    """

    question: Question
    judged: Question
    mended: str
    notes: tuple[str, ...]


class Vocabulary(Protocol):
    """The terms of a run."""

    def chunks_with(self, term: str) -> int:
        """Return the number of chunks with the term."""

    def chunks_with_each(self, terms: Sequence[str]) -> list[int]:
        """Return the number of chunks with each term."""

    def one_with(self, term: str) -> int:
        """Return the row of a chunk with the term."""


def meant(
    question: Question, languages: Languages, vocabulary: Vocabulary, text_of: Callable[[int], str]
) -> Mapping[str, Meant]:
    """Return for each misspelt word of a question the intended one. `text_of`: returns a chunk's text by row."""
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
    """Return the most likely edit's rank, the intended spelling and its term; of equals the most frequent."""
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
    """Yield possible intended spellings, grouped by likelihood of the edit."""
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
    """Return the word of a text with this spelling, else the first with the same term and similar length."""
    analyzers = [analysis.analyzer(stemmer) for stemmer in languages.stemmers]
    near = [word for word in _WORD.findall(analysis.normalised(text)) if abs(len(word) - letters) <= _ENDING]
    same = [word for word in dict.fromkeys(near) if any(analyzer.analyze(word) == [term] for analyzer in analyzers)]
    return next((word for word in same if word.lower() == spelling), same[0] if same else None)


def as_meant(question: Question, words: Mapping[str, Meant]) -> AsMeant:
    """Return the question with the given corrections applied."""
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


class _Named(NamedTuple):
    """A word of a question. `is_name`: spelled as a name; `is_capital`: with a capital inside a sentence."""

    text: str
    is_name: bool
    is_capital: bool


def spelled_as_names(text: str) -> Iterator[Sequence[str]]:
    """Yield the names of a question: single words spelled as names, and runs of capitalised words."""
    words = list(_named_words(text)) if len(text) <= _LONGEST_ASKED and text.upper() != text else []
    inside = words[1:]
    has_case = any(word.text[0].islower() for word in inside)
    for is_capital, run in groupby(inside, lambda word: word.is_capital and not word.is_name):
        if is_capital and has_case:
            yield [word.text for word in run]
    yield from ([word.text] for word in words if word.is_name)


def _named_words(text: str) -> Iterator[_Named]:
    begins = True
    for typed in analysis.normalised(text).split():
        if bare := typed.strip("\"'“”„«»‘’¿¡…()[]{}<>,;:.?!*`").removesuffix("'s").removesuffix("’s"):
            is_path = "/" in bare or "\\" in bare or "@" in bare
            name = False
            if len(bare) > 1 and not is_path and not (bare.isalpha() and bare[1:].islower()):
                inner = any(map(str.isupper, bare[1:]))
                mixed = any(map(str.isdigit, bare)) or any(join in bare.strip("_") for join in _JOINS)
                name = inner or (mixed and bare[0].isalpha())
            yield _Named(bare, name, len(bare) > 1 and bare[0].isupper() and not begins and not is_path)
        begins = typed[-1] in _ENDS


def unknown_names(
    question: Question,
    languages: Languages,
    chunks_with: Callable[[str], int],
    best: Callable[[], Iterable[str]],
    pieces: Callable[[str], int] | None = None,
) -> list[str]:
    """Return the names of a question that no chunk contains.

    `chunks_with`: counts the chunks with a term. `best`: returns the found texts; a name with another spelling there
    (`LRU cache` for `lruCache`) is known. Up to half of a run of capitalised words may be unknown. `pieces`: counts the
    subwords of an English word in a model's vocabulary; if given, a rare word of any spelling is a name, unless it
    begins or ends with a known word (`uninstall`).
    """
    stop_words = languages.stop_list(question.text, question.languages)
    toolkits = {"".join(identifiers.toolkit_words(name)) for name in question.toolkits}

    def is_unknown(word: str) -> bool:
        if _bare(word) in toolkits or not analysis.plain_analyzer(stop_words).analyze(word):
            return False
        return not any(
            all(map(chunks_with, analysis.analyzer(stemmer).analyze(word))) for stemmer in languages.stemmers
        )

    def has_known_part(word: str) -> bool:
        parts = [part for at in range(_PART, len(word)) for part in (word[:at], word[-at:])]
        return any(chunks_with(term) for stemmer in languages.stemmers for term in _terms_of(parts, stemmer))

    unknown = []
    for run in spelled_as_names(question.text):
        missing = [word for word in run if is_unknown(word)]
        if 2 * len(missing) > len(run):
            unknown.append(" ".join(run))
    if pieces and len(question.text) <= _LONGEST_ASKED:
        listed = {word.casefold() for name in unknown for word in name.split()}
        words = [word for word in analysis.plain_analyzer(stop_words).analyze(question.text) if word not in listed]
        unknown += [word for word in words if is_unknown(word) and _is_rare(word, pieces) and not has_known_part(word)]
    best_text = _bare(" ".join(best())) if unknown else ""
    unknown = [name for name in unknown if _bare(name) not in best_text]
    language = detect(question.text) if unknown else None
    if language in _CAPITAL_NOUNS:
        return []
    return [name for name in unknown if language in (None, "en") or not name.islower()]


def _is_rare(word: str, pieces: Callable[[str], int]) -> bool:
    return word.isascii() and word.isalpha() and len(word) >= _RARE_LETTERS and pieces(word) >= _PIECES


def _terms_of(words: Sequence[str], stemmer: str) -> list[str]:
    return list(analysis.analyzer(stemmer).analyze(" ".join(words)))


def _bare(text: str) -> str:
    return "".join(filter(str.isalnum, text.casefold()))


class WordsReader(ABC):
    """Base of readers of word legs (see `contracts.LegReader`), which only needs the number of chunks with a term.
    `_languages`: of the run's chunks. `_idf`: returns a term's idf. `_rarest`: idf of an unseen term."""

    by_words = True
    _languages: Languages
    _idf: Callable[[str], float]
    _rarest: float

    @abstractmethod
    def chunks_with(self, term: str) -> int:
        """Return the number of chunks with the term."""

    @abstractmethod
    def one_with(self, term: str) -> int:
        """Return the row of a chunk with the term."""

    def chunks_with_each(self, terms: Sequence[str]) -> list[int]:
        """Return the number of chunks with each of the terms."""
        return [self.chunks_with(term) for term in terms]

    def scores(self, question: Question, rows: Sequence[int]) -> Mapping[int, float]:
        """Return nothing, since a chunk that is not among the hits would need a separate search."""
        return {}

    def floor(self, question: Question) -> float:
        """Return 0, as a chunk without any word of the question has no score."""
        return 0.0

    def support(self, question: Question, best: Sequence[Held]) -> float:
        """Return how much of the question the best of these contains (see `ranking.support`)."""
        wording = understood(question, self._languages)
        return support(wording, self._languages.stemmers, [chunk.text for chunk in best], self._idf)

    def rarity(self, question: Question) -> Rarity:
        """Return the rarity of the question's words among the chunks."""
        return rarity(understood(question, self._languages), self._idf, self._rarest)

    def meant(self, question: Question, text_of: Callable[[int], str]) -> Mapping[str, Meant]:
        """Return for each misspelt word of a question the intended one."""
        return meant(question, self._languages, self, text_of)

    def unknown_names(
        self, question: Question, best: Callable[[], Iterable[str]], pieces: Callable[[str], int] | None = None
    ) -> list[str]:
        """Return the names of a question that no chunk has (see `unknown_names`)."""
        return unknown_names(question, self._languages, self.chunks_with, best, pieces)

    def close(self) -> None:  # noqa: B027 (nothing to close, for all subclasses)
        """Do nothing: texts are the caller's, or memory-mapped for the reader's lifetime."""
