"""Ranks a run's chunks from posting lists kept in a store, with the same scores as `lexical`, for every store.

A store supplies the lists of a question's terms (`listing.Piece`). This module computes in double precision: BM25 over
weighted fields, phrases, multipliers, and sibling boosts. It does not depend on a database.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import count
from typing import Any, NamedTuple

from biblicus.contracts import Call, Held, Hit
from biblicus.lazy import NDArray, np
from biblicus.models.question import Allow, Question
from biblicus.retrieval.ranking import K1, B, best_of, idf
from biblicus.retrieval.words import sibling_boost
from biblicus.retrieval.words.fields import FIELDS, WEIGHTS, clauses, wholes
from biblicus.retrieval.words.listing import LENGTHS, Piece
from biblicus.retrieval.words.reading import Meant, WordsReader
from biblicus.retrieval.words.wording import Languages, Phrase, understood

_TEXT = 0
_BITS = 32
"""Bits of a position in the number that combines row and position."""
_REMEMBERED = 64 << 20
"""Maximum bytes of cached lists."""

Term = tuple[int, str]
"""Field and term."""


class Asked(NamedTuple):
    """A way in which a clause of a question can match. `phrase`: its terms, of `field`. `factor`: the clause's weight
    times all of a chunk's score that is constant."""

    clause: int
    phrase: Phrase
    factor: float
    field: int = _TEXT


class Listed(NamedTuple):
    """Chunks with a term: ascending rows, frequencies, lengths and multipliers as bytes. `places`: row and position of
    each occurrence as one number, or None if not fetched."""

    rows: NDArray[Any]
    times: NDArray[Any]
    lengths: NDArray[Any]
    multipliers: NDArray[Any]
    places: NDArray[Any] | None = None

    @property
    def size(self) -> int:
        return sum(column.nbytes for column in self if column is not None)


def listed(pieces: Sequence[Piece], gone: NDArray[Any]) -> Listed:
    """Return a list assembled from its pieces, without removed rows."""

    columns: list[list[NDArray[Any]]] = [[], [], [], [], []]
    for piece in sorted(pieces, key=lambda piece: piece.first):
        count, data = piece.chunks, piece.data
        rows = piece.first + np.frombuffer(data, "<u2", count).astype(np.int32)
        times = np.frombuffer(data, "<u2", count, 2 * count)
        bytes_of = (np.frombuffer(data, np.uint8, count, offset) for offset in (4 * count, 5 * count))
        keep = ~np.isin(rows, gone) if len(gone) else slice(None)
        for column, values in zip(columns, (rows, times, *bytes_of), strict=False):
            column.append(values[keep])
        if piece.places is not None:
            of_places = np.repeat(rows, times)
            places = of_places.astype(np.int64) << _BITS | np.frombuffer(piece.places, "<u4")
            columns[4].append(places[~np.isin(of_places, gone)] if len(gone) else places)
    kinds = (np.int32, np.uint16, np.uint8, np.uint8)
    arrays = [np.concatenate(column or [np.empty(0, kind)]) for column, kind in zip(columns, kinds, strict=False)]
    rows, times, lengths, multipliers = arrays
    return Listed(rows, times, lengths, multipliers, np.concatenate(columns[4]) if columns[4] else None)


class ListsReader(WordsReader):
    """Opened word leg (see `contracts.LegReader`), safe for several threads.

    `lengths`: number of words of all chunks by field. `gone`: rows in the lists that the run no longer has. `places`:
    returns the `item_id` and number of `chunks` of the item by row. `allowed`: returns a mask of permitted rows.
    `fetched`: returns the pieces of posting lists, with positions if the value is True.
    """

    def __init__(
        self,
        languages: Languages,
        chunks: int,
        lengths: Sequence[int],
        gone: Sequence[int],
        places: Callable[[Sequence[int]], Mapping[int, Any]],
        allowed: Callable[[Allow], NDArray[np.bool_]],
        fetched: Callable[[Mapping[Term, bool]], Iterable[Piece]],
    ) -> None:
        self._languages, self._chunks, self._lengths, self._gone_rows = languages, chunks, lengths, gone
        self._places, self._allowed, self._fetched = places, allowed, fetched
        self._rarest = idf(chunks, 0)
        self._known: dict[Term, Listed] = {}
        self._size = 0

    def search(self, question: Question, allow: Allow | None, k: int, call: Call) -> list[Hit]:
        """Return the best `k` chunks and all ties with the last, by descending score."""
        call.check()
        if k < 1 or not self._chunks:
            return []
        clauses, required = self._asked(question)
        if not clauses or (allow is not None and allow.item_rows is not None and not allow.item_rows):
            return []
        scores = self._scores(clauses, required)
        if allow is not None:
            allowed = self._allowed(allow)
            scores *= allowed[: len(scores)]
        return self._best(scores, k)

    def support(self, question: Question, best: Sequence[Held]) -> float:
        """Return how much of the question the best of these contains (see `ranking.support`)."""
        content = understood(question, self._languages).content
        self._look_up(((_TEXT, term), False) for variants in content for term in variants)
        return super().support(question, best)

    def meant(self, question: Question, text_of: Callable[[int], str]) -> Mapping[str, Meant]:
        """Return for each misspelt word of a question the intended one."""
        self._look_up(self._terms_of(question))
        return super().meant(question, text_of)

    def chunks_with(self, term: str) -> int:
        """Return the number of chunks with the term."""
        return len(self._list(_TEXT, term).rows)

    def chunks_with_each(self, terms: Sequence[str]) -> list[int]:
        """Return the number of chunks with each of the terms."""
        self._look_up(((_TEXT, term), False) for term in terms)
        return super().chunks_with_each(terms)

    def one_with(self, term: str) -> int:
        """Return the row of a chunk with the term."""
        return int(self._list(_TEXT, term).rows[0])

    def forget(self) -> None:
        """Empty the cache, which may lack pieces of a database that did not answer."""
        self._known, self._size = {}, 0

    # --- lists

    @cached_property
    def _gone(self) -> NDArray[Any]:

        return np.array(self._gone_rows, np.int32)

    @cached_property
    def _norms(self) -> NDArray[np.float64]:
        """BM25's addend to a term's frequency, by field and length byte."""

        averages = [length / self._chunks if length else 1.0 for length in self._lengths]
        return np.array([[K1 * (1 - B + B * bucket / average) for bucket in LENGTHS] for average in averages])

    def _idf(self, term: str, field: int = _TEXT) -> float:
        return idf(self._chunks, len(self._list(field, term).rows))

    def _list(self, field: int, term: str, *, is_placed: bool = False) -> Listed:
        return self._look_up([((field, term), is_placed)])[field, term]

    def _look_up(self, terms: Iterable[tuple[Term, bool]]) -> Mapping[Term, Listed]:
        """Return cached lists including those of these terms; missing ones are fetched in one call."""
        cache, missing, requested = self._known, dict[Term, bool](), list(terms)
        for term, is_placed in requested:
            term_list = cache.get(term)
            if term_list is None or (is_placed and term_list.places is None and len(term_list.rows)):
                missing[term] = missing.get(term, False) or is_placed
        if not missing:
            return cache
        if self._size > _REMEMBERED:  # other threads continue with the previous cache
            cache = self._known = {term: cache[term] for term, _ in requested if term in cache}
            self._size = 0
        of_terms: dict[Term, list[Piece]] = {term: [] for term in missing}
        for piece in self._fetched(missing):
            of_terms[piece.field, piece.term].append(piece)
        new_lists = {term: listed(pieces, self._gone) for term, pieces in of_terms.items()}
        cache.update(new_lists)
        self._size += sum(term_list.size for term_list in new_lists.values())
        return cache

    def _terms_of(self, question: Question) -> Iterator[tuple[Term, bool]]:
        """Yield every term needed to rank a question, and True if its positions are needed."""
        wording = understood(question, self._languages)
        for phrases in (*wording.required, *wording.names):
            yield from (((_TEXT, term), len(phrase) > 1) for phrase in phrases for _, term in phrase)
        for word in wording.words:
            yield from (((field, term), False) for field in range(len(WEIGHTS)) for term in word.variants)
        yield from (((_TEXT, term), False) for words in wording.telling for term in words)
        for run in wholes(wording.telling, self._languages, lambda term: 1.0):
            yield from (((field, term), False) for field in range(1, len(WEIGHTS)) for term in run.terms)
        yield from (((_TEXT, term), False) for variants in wording.content for term in variants)

    # --- the question's clauses

    def _asked(self, question: Question) -> tuple[list[Asked], list[int]]:
        """Return the clauses of a question, and the numbers of required ones, as in `lexical`."""
        self._look_up(self._terms_of(question))
        wording = understood(question, self._languages)
        parts: list[Asked] = []
        numbers = count()
        required = []
        for phrases in wording.required:
            required.append(number := next(numbers))
            parts += self._either(number, phrases, 1.0)
        for clause in clauses(wording, self._languages, self._weigh, self._rarest, self._has):
            number, field = next(numbers), FIELDS.index(clause.field)
            parts += [Asked(number, ((0, term),), clause.weight * (K1 + 1), field) for term in clause.terms]
        for phrases in wording.names:
            parts += self._either(next(numbers), phrases, wording.boost)
        return parts, required

    def _weigh(self, term: str, field: str = FIELDS[_TEXT]) -> float:
        return self._idf(term, FIELDS.index(field))

    def _has(self, term: str, field: str) -> bool:
        return len(self._list(FIELDS.index(field), term).rows) > 0

    def _either(self, clause: int, variants: Sequence[Phrase], weight: float) -> Iterator[Asked]:
        """Return the variants of a word or phrase, all with the weight of the most frequent one."""
        least = min(sum(self._idf(term) for _, term in phrase) for phrase in variants)
        return (Asked(clause, phrase, weight * least * (K1 + 1)) for phrase in variants)

    # --- scores

    def _scores(self, asked: Sequence[Asked], required: Sequence[int]) -> NDArray[np.float64]:
        """Return the score of each row up to the last with any; 0 if a required clause does not match."""

        clauses: dict[int, list[tuple[Asked, Listed]]] = {}
        for query_part in asked:
            clauses.setdefault(query_part.clause, []).append((query_part, self._with(query_part)))
        size = max(
            (int(chunks.rows[-1]) + 1 for ways in clauses.values() for _, chunks in ways if len(chunks.rows)), default=0
        )
        total = np.zeros(size)
        lacking = np.zeros(size, bool)
        for clause, ways in clauses.items():
            best = np.zeros(size) if len(ways) > 1 or clause in required else total
            for query_part, chunks in ways:
                norms = self._norms[query_part.field][chunks.lengths]
                part = query_part.factor / 100 * chunks.multipliers * (chunks.times / (chunks.times + norms))
                best[chunks.rows] = best[chunks.rows] + part if best is total else np.maximum(best[chunks.rows], part)
            if best is not total:
                total += best
            if clause in required:
                lacking |= best == 0
        total[lacking] = 0
        return total

    def _with(self, one: Asked) -> Listed:
        """Return the chunks with a word or phrase."""

        if len(one.phrase) == 1:
            return self._list(one.field, one.phrase[0][1])
        lists = [(ahead, self._list(_TEXT, term, is_placed=True)) for ahead, term in one.phrase]
        (start, rarest), *others = sorted(lists, key=lambda part: len(part[1].rows))
        if rarest.places is None or any(chunks.places is None for _, chunks in others):
            return listed((), self._gone)
        places = rarest.places
        for ahead, chunks in others:
            assert chunks.places is not None
            expected = places + (ahead - start)
            at = np.minimum(np.searchsorted(chunks.places, expected), len(chunks.places) - 1)
            places = places[chunks.places[at] == expected]
        rows, times = np.unique(places >> _BITS, return_counts=True)
        indices = np.searchsorted(rarest.rows, rows)
        return Listed(rows, times, rarest.lengths[indices], rarest.multipliers[indices])

    def _best(self, scores: NDArray[np.float64], k: int) -> list[Hit]:
        """Return the best chunks by their scores and sibling boosts."""

        rows = np.flatnonzero(scores)
        row_scores, limit = scores[rows], 2 * max(k, sibling_boost.POOL)
        while len(rows):
            hits = [Hit(int(rows[place]), score) for place, score in best_of(row_scores, limit)]
            places = self._places([hit.row for hit in hits])
            items = [places[hit.row].item_id for hit in hits]
            others = [places[hit.row].chunks - 1 for hit in hits]
            best = sibling_boost.settled(hits, items, others, hits[-1].score, k, is_all=len(hits) == len(rows))
            if best is not None:
                return best
            limit *= 8
        return []
