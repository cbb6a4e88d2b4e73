"""Questions to the leg by words in Milvus: ranked there, filters first, and finished here where a product cannot."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from biblicus.contracts import Hit
from biblicus.models.question import Allow
from biblicus.retrieval.ranking import rounded
from biblicus.retrieval.words import company
from biblicus.retrieval.words.wording import Languages
from biblicus.stores.asking import Asked, ListsReader
from biblicus.stores.milvus.collections import proved, term_key, whole
from biblicus.stores.milvus.searching import Searching
from biblicus.stores.milvus.server import MOST
from biblicus.stores.milvus.words import Looked, looked, parts_of, times_in

_TEXT = 0
_SINGLE = 1e-6
"""What single precision and the order of a sum may take from a score, as a share of it."""

Clauses = Mapping[int, Sequence[Asked]]


class _Way(NamedTuple):
    """One of the ways in which a clause holds. `rarest`: the term that a question's vector has for the phrase."""

    factor: float
    field: int
    phrase: Looked
    rarest: Looked

    def is_in(self, stream: str) -> bool:
        """Whether a chunk, by its stream, holds the term."""
        return f" {self.rarest[0][1]} " in stream

    def counted(self, places: Sequence[str], norm: float) -> tuple[float, float]:
        """What it counts in a chunk that holds the term, and what the question's vector made of it."""
        most = times_in(places, self.rarest)
        often = most if len(self.phrase) == 1 else times_in(places, self.phrase)
        return self.factor * often / (often + norm), self.factor * most / (most + norm)


class WordsReader(ListsReader):
    """Asks the sparse vectors of a run. `facts`: what the run keeps of the leg."""

    def __init__(self, searching: Searching, languages: Languages, chunks: int, facts: Mapping[str, Any]) -> None:
        super().__init__(languages, chunks, facts["lengths"])
        self._searching, self._at = searching, facts["number"]
        self._numbers: dict[tuple[int, str], int] = {}

    def one_with(self, term: str) -> int:
        self._look_up([(_TEXT, term)])
        (hit,) = self._searching.search(f"words_{self._at}", {self._numbers[_TEXT, term]: 1.0}, "", 1, ())
        return int(hit["row"])

    def _counts(self, terms: Sequence[tuple[int, str]]) -> Mapping[tuple[int, str], int]:
        tables = self._searching.tables
        keys = {term_key(*one): one for one in terms}
        counts = {}
        for row in tables.server.among(tables.rest, "key", keys, ("key", "body"), tables.run_id):
            one = keys[row["key"]]
            self._numbers[one], counts[one] = proved(tables.server, tables.run_id, row["body"], row["key"])
        return counts

    # --- ranking ---

    def _hits(self, asked: Sequence[Asked], required: Sequence[int], allow: Allow | None, k: int) -> list[Hit]:
        """The best chunks. What a question's vector only bounds is counted here; none that was not fetched can reach
        the last that was."""
        clauses: dict[int, list[Asked]] = {}
        for one in asked:
            if all((one.field, term) in self._numbers for _, term in one.phrase):
                clauses.setdefault(one.clause, []).append(one)
        if any(clause not in clauses for clause in required) or not clauses:
            return []
        narrowed = self._searching.fitting(allow)
        if narrowed is None:
            return []
        vector = self._vector(clauses)
        bounded = {
            clause: ways
            for clause, ways in clauses.items()
            if clause in required or len(ways) > 1 or len(ways[0].phrase) > 1
        }
        fields = ("item", f"mark_{self._at}", *((f"stream_{self._at}", f"more_{self._at}") if bounded else ()))
        first = limit = 2 * max(k, company.POOL)
        while True:
            limit = min(limit, MOST)
            fetched = self._searching.search(f"words_{self._at}", vector, narrowed, limit, fields, again=limit > first)
            hits = self._finished(fetched, bounded, required)
            last = fetched[-1]["distance"] * (1 + _SINGLE) if fetched else 0.0
            is_all = len(fetched) < limit or limit == MOST
            items, others = [item for _, item, _ in hits], [number for _, _, number in hits]
            best = company.settled([hit for hit, _, _ in hits], items, others, last, k, is_all=is_all)
            if best is not None:
                return best
            limit *= 8

    def _vector(self, clauses: Clauses) -> dict[int, float]:
        """The question's: its product with a chunk's is the score, or more where clauses are only bounded."""
        vector: dict[int, float] = {}
        for ways in clauses.values():
            for one in ways:
                term = min((term for _, term in one.phrase), key=self.chunks_with)
                number = self._numbers[one.field, term]
                vector[number] = vector.get(number, 0.0) + one.factor
        return vector

    def _finished(
        self, fetched: Sequence[Any], bounded: Clauses, required: Sequence[int]
    ) -> list[tuple[Hit, int, int]]:
        """Hits, best first, each with its item and how many other chunks that has; none that lacks what is required."""
        streams = self._streams(fetched) if bounded else [""] * len(fetched)
        ways_of = {clause: [self._way(one) for one in ways] for clause, ways in bounded.items()}
        hits = []
        for row, stream in zip(fetched, streams, strict=True):
            others, multiplier, lengths = parts_of(row[f"mark_{self._at}"])
            score, is_fit, places = row["distance"], True, None
            for clause, ways in ways_of.items():
                best = bound = 0.0
                for way in ways:
                    if way.is_in(stream):
                        places = stream.split(" ") if places is None else places
                        true, most = way.counted(places, self._norms[way.field][lengths[way.field]])
                        best, bound = max(best, true), bound + most
                is_fit = is_fit and (clause not in required or best > 0)
                score += multiplier / 100 * (best - bound)
            # A bound that came to nothing leaves what single precision adds.
            if is_fit and score > row["distance"] * _SINGLE:
                hits.append((Hit(row["row"], rounded(score)), row["item"], others))
        hits.sort(key=lambda hit: (-hit[0].score, hit[0].row))
        return hits

    def _way(self, one: Asked) -> _Way:
        phrase = looked([(ahead, self._numbers[one.field, term]) for ahead, term in one.phrase])
        rarest = min((term for _, term in one.phrase), key=self.chunks_with)
        return _Way(one.factor, one.field, phrase, looked([(0, self._numbers[one.field, rarest])]))

    def _streams(self, fetched: Sequence[Any]) -> list[str]:
        """The terms of chunks by their places, each between spaces."""
        tables = self._searching.tables
        rows = [{"body": row[f"stream_{self._at}"], "more": row[f"more_{self._at}"]} for row in fetched]
        names = [f"s{self._at}.{row['row']}" for row in fetched]
        return [f" {text} " for text in whole(tables.server, tables.rest, names, rows, tables.run_id)]
