"""Questions to lists of terms that a store keeps: what is asked of them, as `lexical` asks it, and how rare words are.

Each engine adds how it counts chunks and how it ranks them.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from biblicus.contracts import Call, Held, Hit
from biblicus.models.question import Allow, Question
from biblicus.retrieval.ranking import K1, B, idf
from biblicus.retrieval.words import spelling
from biblicus.retrieval.words.fields import WEIGHTS, WHOLE, wholes
from biblicus.retrieval.words.reading import WordsReader
from biblicus.retrieval.words.wording import Languages, Phrase, understood
from biblicus.stores.counting import LENGTHS

_TEXT = 0
_REMEMBERED = 50_000
"""Terms whose chunks were counted."""


class Asked(NamedTuple):
    """One of the ways in which a clause of a question holds. `phrase`: its terms, of `field`. `factor`: what it counts,
    times the chunk's own part."""

    clause: int
    phrase: Phrase
    factor: float
    field: int = _TEXT


class ListsReader(WordsReader):
    """An opened leg by words (see `contracts.LegReader`). Safe for several threads. `lengths`: words of all chunks,
    field by field."""

    def __init__(self, languages: Languages, chunks: int, lengths: Sequence[int]) -> None:
        self._languages, self._chunks = languages, chunks
        self._rarest = idf(chunks, 0)
        self._norms = [norms(chunks, length) for length in lengths]
        self._known: dict[tuple[int, str], int] = {}

    @abstractmethod
    def _counts(self, terms: Sequence[tuple[int, str]]) -> Mapping[tuple[int, str], int]:
        """In how many chunks each of these terms is, by field; those that are in none are left out."""

    @abstractmethod
    def _hits(self, asked: Sequence[Asked], required: Sequence[int], allow: Allow | None, k: int) -> list[Hit]:
        """The best chunks, by their multipliers and their company, with all that tie with the last."""

    def search(self, question: Question, allow: Allow | None, k: int, call: Call) -> list[Hit]:
        """The best `k` chunks and every further one that ties with the last, score descending."""
        call.check()
        asked, required = self._asked(question) if self._may_bring(allow, k) else ([], [])
        return self._hits(asked, required, allow, k) if asked else []

    def _may_bring(self, allow: Allow | None, k: int) -> bool:
        """Whether there is anything to rank."""
        return k > 0 and self._chunks > 0 and (allow is None or allow.item_rows is None or bool(allow.item_rows))

    def support(self, question: Question, best: Sequence[Held]) -> float:
        """How much of the question the best of these holds (see `ranking.support`)."""
        content = understood(question, self._languages).content
        self._look_up((_TEXT, term) for variants in content for term in variants)
        return super().support(question, best)

    def meant(self, question: Question, text_of: Callable[[int], str]) -> Mapping[str, spelling.Meant]:
        """For each misspelt word of a question the one that is meant (see `words.spelling`)."""
        self._look_up(self._terms_of(question))
        return super().meant(question, text_of)

    def chunks_with(self, term: str) -> int:
        """In how many chunks the term is."""
        return self._with(_TEXT, term)

    def chunks_with_each(self, terms: Sequence[str]) -> list[int]:
        """In how many chunks each of the terms is."""
        self._look_up((_TEXT, term) for term in terms)
        return super().chunks_with_each(terms)

    # --- how rare terms are ---

    def _idf(self, term: str, field: int = _TEXT) -> float:
        return idf(self._chunks, self._with(field, term))

    def _with(self, field: int, term: str) -> int:
        if (field, term) not in self._known:
            self._look_up([(field, term)])
        return self._known[field, term]

    def _look_up(self, asked: Iterable[tuple[int, str]]) -> None:
        """Count the chunks of terms that are not known yet, all at once."""
        if missing := [one for one in dict.fromkeys(asked) if one not in self._known]:
            if len(self._known) > _REMEMBERED:
                self._known.clear()
            counts = self._counts(missing)
            self._known.update({one: counts.get(one, 0) for one in missing})

    def _terms_of(self, question: Question) -> Iterator[tuple[int, str]]:
        """Every term that ranking a question asks for, and the next to it that spelling does."""
        wording = understood(question, self._languages)
        for word in wording.words:
            yield from ((field, term) for field in range(len(WEIGHTS)) for term in word.variants)
        yield from ((_TEXT, term) for words in wording.telling for term in words)
        for run in wholes(wording.telling, self._languages, lambda term: 1.0):
            yield from ((field, term) for field in range(1, len(WEIGHTS)) for term in run.terms)
        for phrases in (*wording.required, *wording.names):
            yield from ((_TEXT, term) for phrase in phrases for _, term in phrase)
        yield from ((_TEXT, term) for variants in wording.content for term in variants)

    # --- what is asked ---

    def _asked(self, question: Question) -> tuple[list[Asked], list[int]]:
        """The clauses of a question, and which of them must hold: as `lexical` asks them."""
        self._look_up(self._terms_of(question))
        wording = understood(question, self._languages)
        asked: list[Asked] = []
        clauses = iter(range(1 << 30))
        required = []
        for phrases in wording.required:
            required.append(clause := next(clauses))
            asked += self._either(clause, phrases, 1.0)
        for word in wording.words:
            for field, weight in enumerate(WEIGHTS.values()):
                if variants := [term for term in word.variants if self._with(field, term)]:
                    factor = weight * word.weight * min(self._idf(term, field) for term in variants) * (K1 + 1)
                    clause = next(clauses)
                    asked += [Asked(clause, ((0, term),), factor, field) for term in variants]
        for run in wholes(wording.telling, self._languages, self._idf):
            for field, weight in enumerate(WHOLE.values(), 1):
                factor = weight * run.weight * (K1 + 1)
                known = [term for term in run.terms if self._with(field, term)]
                asked += [Asked(next(clauses), ((0, term),), factor, field) for term in known]
        for phrases in wording.names:
            asked += self._either(next(clauses), phrases, wording.boost)
        return asked, required

    def _either(self, clause: int, variants: Sequence[Phrase], weight: float) -> Iterator[Asked]:
        """The variants of a word or phrase: all weigh what the most frequent one does."""
        least = min(sum(self._idf(term) for _, term in phrase) for phrase in variants)
        return (Asked(clause, phrase, weight * least * (K1 + 1)) for phrase in variants)


def norms(chunks: int, length: int) -> list[float]:
    """What BM25 adds to a term's frequency, for each byte that keeps a chunk's length."""
    average = length / chunks if chunks and length else 1.0
    return [K1 * (1 - B + B * kept / average) for kept in LENGTHS]
