"""Ranks the chunks of a run whose words a store keeps as lists of terms: exactly as `lexical` ranks, for every store.

A store brings the lists of a question's terms (`listing.Piece`); all else is done here, in double precision: BM25 over
the weighted fields, phrases, multipliers, and what a chunk's item makes of its score. Nothing here knows a database.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from biblicus.contracts import Call, Held, Hit
from biblicus.models.question import Allow, Question
from biblicus.retrieval.ranking import K1, B, best_of, idf
from biblicus.retrieval.words import company
from biblicus.retrieval.words.fields import FIELDS, TITLE, WEIGHTS, WHOLE, weighed, wholes
from biblicus.retrieval.words.listing import LENGTHS, Piece
from biblicus.retrieval.words.reading import Meant, WordsReader
from biblicus.retrieval.words.wording import Languages, Phrase, understood

if TYPE_CHECKING:
    from numpy import bool_, float64
    from numpy.typing import NDArray

_TEXT, _TITLE = 0, FIELDS.index(TITLE)
_BITS = 32
"""Of a position, in the number that says where a term stands."""
_REMEMBERED = 64 << 20
"""Bytes of lists."""

Term = tuple[int, str]
"""A term of a field."""


class Asked(NamedTuple):
    """A way in which a clause of a question can match. `phrase`: its terms, of `field`. `factor`: its weight, times the
    chunk's own part."""

    clause: int
    phrase: Phrase
    factor: float
    field: int = _TEXT


class Listed(NamedTuple):
    """Chunks that have a term: their rows, ascending; its frequency in each; length and multiplier, as bytes.
    `places`: row and position of each occurrence as one number; None where they were not fetched."""

    rows: NDArray[Any]
    times: NDArray[Any]
    lengths: NDArray[Any]
    multipliers: NDArray[Any]
    places: NDArray[Any] | None = None

    @property
    def size(self) -> int:
        return sum(column.nbytes for column in self if column is not None)


def listed(pieces: Sequence[Piece], gone: NDArray[Any]) -> Listed:
    """Return a list made of its pieces, without the rows that are gone."""
    import numpy as np

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
    made = [np.concatenate(column or [np.empty(0, kind)]) for column, kind in zip(columns, kinds, strict=False)]
    rows, times, lengths, multipliers = made
    return Listed(rows, times, lengths, multipliers, np.concatenate(columns[4]) if columns[4] else None)


class ListsReader(WordsReader):
    """An opened leg by words (see `contracts.LegReader`). Safe for several threads. `lengths`: words of all chunks,
    field by field; `gone`: rows of chunks in the lists that the run does not have any more; `places`: where chunks are
    (`item_id`, and `chunks` of the item), by row; `allowed`: a mask of the rows that may be found; `fetched`: the
    pieces of the lists of terms, with places where the value is True."""

    def __init__(
        self,
        languages: Languages,
        chunks: int,
        lengths: Sequence[int],
        gone: Sequence[int],
        places: Callable[[Sequence[int]], Mapping[int, Any]],
        allowed: Callable[[Allow], NDArray[bool_]],
        fetched: Callable[[Mapping[Term, bool]], Iterable[Piece]],
    ) -> None:
        self._languages, self._chunks, self._lengths, self._gone_rows = languages, chunks, lengths, gone
        self._places, self._allowed, self._fetched = places, allowed, fetched
        self._rarest = idf(chunks, 0)
        self._known: dict[Term, Listed] = {}
        self._size = 0

    def search(self, question: Question, allow: Allow | None, k: int, call: Call) -> list[Hit]:
        """The best `k` chunks and every further one that ties with the last, score descending."""
        call.check()
        if k < 1 or not self._chunks:
            return []
        asked, required = self._asked(question)
        if not asked or (allow is not None and allow.item_rows is not None and not allow.item_rows):
            return []
        scores = self._scores(asked, required)
        if allow is not None:
            allowed = self._allowed(allow)
            scores *= allowed[: len(scores)]
        return self._best(scores, k)

    def support(self, question: Question, best: Sequence[Held]) -> float:
        """How much of the question the best of these holds (see `ranking.support`)."""
        content = understood(question, self._languages).content
        self._look_up(((_TEXT, term), False) for variants in content for term in variants)
        return super().support(question, best)

    def meant(self, question: Question, text_of: Callable[[int], str]) -> Mapping[str, Meant]:
        """For each misspelt word of a question the one that is meant."""
        self._look_up(self._terms_of(question))
        return super().meant(question, text_of)

    def chunks_with(self, term: str) -> int:
        """In how many chunks the term is."""
        return len(self._list(_TEXT, term).rows)

    def chunks_with_each(self, terms: Sequence[str]) -> list[int]:
        """In how many chunks each of the terms is."""
        self._look_up(((_TEXT, term), False) for term in terms)
        return super().chunks_with_each(terms)

    def one_with(self, term: str) -> int:
        """The row of a chunk that has the term."""
        return int(self._list(_TEXT, term).rows[0])

    # --- lists ---

    @cached_property
    def _gone(self) -> NDArray[Any]:
        import numpy as np

        return np.array(self._gone_rows, np.int32)

    @cached_property
    def _norms(self) -> NDArray[float64]:
        """Addend of BM25 to a term's frequency, by field and by the byte of a length."""
        import numpy as np

        averages = [length / self._chunks if length else 1.0 for length in self._lengths]
        return np.array([[K1 * (1 - B + B * kept / average) for kept in LENGTHS] for average in averages])

    def _idf(self, term: str, field: int = _TEXT) -> float:
        return idf(self._chunks, len(self._list(field, term).rows))

    def _list(self, field: int, term: str, *, is_placed: bool = False) -> Listed:
        return self._look_up([((field, term), is_placed)])[field, term]

    def _look_up(self, terms: Iterable[tuple[Term, bool]]) -> Mapping[Term, Listed]:
        """Return lists, among them those of these terms. The ones that are not known yet are fetched all at once."""
        known, missing, wanted = self._known, dict[Term, bool](), list(terms)
        for term, is_placed in wanted:
            one = known.get(term)
            if one is None or (is_placed and one.places is None and len(one.rows)):
                missing[term] = missing.get(term, False) or is_placed
        if not missing:
            return known
        if self._size > _REMEMBERED:  # another thread goes on with those that are forgotten here
            known = self._known = {term: known[term] for term, _ in wanted if term in known}
            self._size = 0
        of_terms: dict[Term, list[Piece]] = {term: [] for term in missing}
        for piece in self._fetched(missing):
            of_terms[piece.field, piece.term].append(piece)
        made = {term: listed(pieces, self._gone) for term, pieces in of_terms.items()}
        known.update(made)
        self._size += sum(one.size for one in made.values())
        return known

    def _terms_of(self, question: Question) -> Iterator[tuple[Term, bool]]:
        """Every term that ranking a question asks for, and whether its places count."""
        wording = understood(question, self._languages)
        for phrases in (*wording.required, *wording.names):
            yield from (((_TEXT, term), len(phrase) > 1) for phrase in phrases for _, term in phrase)
        for word in wording.words:
            yield from (((field, term), False) for field in range(len(WEIGHTS)) for term in word.variants)
        yield from (((_TEXT, term), False) for words in wording.telling for term in words)
        for run in wholes(wording.telling, self._languages, lambda term: 1.0):
            yield from (((field, term), False) for field in range(1, len(WEIGHTS)) for term in run.terms)
        yield from (((_TEXT, term), False) for variants in wording.content for term in variants)

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
        runs = list(wholes(wording.telling, self._languages, self._idf))
        for word in weighed(wording.words, runs, lambda term: len(self._list(_TITLE, term).rows) > 0):
            for field, weight in enumerate(WEIGHTS.values()):
                if variants := [term for term in word.variants if len(self._list(field, term).rows)]:
                    factor = weight * word.weight * min(self._idf(term, field) for term in variants) * (K1 + 1)
                    clause = next(clauses)
                    asked += [Asked(clause, ((0, term),), factor, field) for term in variants]
        for run in runs:
            for field, weight in enumerate(WHOLE.values(), 1):
                factor = weight * run.weight * (K1 + 1)
                known = [term for term in run.terms if len(self._list(field, term).rows)]
                asked += [Asked(next(clauses), ((0, term),), factor, field) for term in known]
        for phrases in wording.names:
            asked += self._either(next(clauses), phrases, wording.boost)
        return asked, required

    def _either(self, clause: int, variants: Sequence[Phrase], weight: float) -> Iterator[Asked]:
        """The variants of a word or phrase: all weigh what the most frequent one does."""
        least = min(sum(self._idf(term) for _, term in phrase) for phrase in variants)
        return (Asked(clause, phrase, weight * least * (K1 + 1)) for phrase in variants)

    # --- scores ---

    def _scores(self, asked: Sequence[Asked], required: Sequence[int]) -> NDArray[float64]:
        """The score of each row up to the last that has any; 0 where a chunk lacks something that is required."""
        import numpy as np

        clauses: dict[int, list[tuple[Asked, Listed]]] = {}
        for one in asked:
            clauses.setdefault(one.clause, []).append((one, self._with(one)))
        size = max(
            (int(held.rows[-1]) + 1 for ways in clauses.values() for _, held in ways if len(held.rows)), default=0
        )
        total = np.zeros(size)
        lacking = np.zeros(size, bool)
        for clause, ways in clauses.items():
            best = np.zeros(size) if len(ways) > 1 or clause in required else total
            for one, held in ways:
                norms = self._norms[one.field][held.lengths]
                part = one.factor / 100 * held.multipliers * (held.times / (held.times + norms))
                best[held.rows] = best[held.rows] + part if best is total else np.maximum(best[held.rows], part)
            if best is not total:
                total += best
            if clause in required:
                lacking |= best == 0
        total[lacking] = 0
        return total

    def _with(self, one: Asked) -> Listed:
        """Return the chunks that have a word or a phrase."""
        import numpy as np

        if len(one.phrase) == 1:
            return self._list(one.field, one.phrase[0][1])
        lists = [(ahead, self._list(_TEXT, term, is_placed=True)) for ahead, term in one.phrase]
        (start, rarest), *others = sorted(lists, key=lambda part: len(part[1].rows))
        if rarest.places is None or any(held.places is None for _, held in others):
            return listed((), self._gone)
        places = rarest.places
        for ahead, held in others:
            assert held.places is not None
            wanted = places + (ahead - start)
            at = np.minimum(np.searchsorted(held.places, wanted), len(held.places) - 1)
            places = places[held.places[at] == wanted]
        rows, times = np.unique(places >> _BITS, return_counts=True)
        own = np.searchsorted(rarest.rows, rows)
        return Listed(rows, times, rarest.lengths[own], rarest.multipliers[own])

    def _best(self, scores: NDArray[float64], k: int) -> list[Hit]:
        """Return the best chunks, by their scores and the other chunks of their items."""
        import numpy as np

        rows = np.flatnonzero(scores)
        found, limit = scores[rows], 2 * max(k, company.POOL)
        while len(rows):
            hits = [Hit(int(rows[place]), score) for place, score in best_of(found, limit)]
            places = self._places([hit.row for hit in hits])
            items = [places[hit.row].item_id for hit in hits]
            others = [places[hit.row].chunks - 1 for hit in hits]
            best = company.settled(hits, items, others, hits[-1].score, k, is_all=len(hits) == len(rows))
            if best is not None:
                return best
            limit *= 8
        return []
