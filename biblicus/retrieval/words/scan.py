"""Leg `scan`: BM25 computed at query time with rank-bm25 over chunks in memory; nothing is stored.

It is the reference for small corpora and ranks as `lexical` does: same terms, Lucene's idf, tantivy's stored lengths.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cached_property
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING

from biblicus.contracts import Call, ChunkTable, Fingerprints, Given, Hit, LegReader, RankedChunk
from biblicus.errors import UsageError
from biblicus.models.question import Allow, Question
from biblicus.retrieval import words
from biblicus.retrieval.filters import allowed
from biblicus.retrieval.ranking import idf, rounded, through_tie
from biblicus.retrieval.words import fields, sibling_boost
from biblicus.retrieval.words.lexical import Options
from biblicus.retrieval.words.reading import WordsReader
from biblicus.retrieval.words.wording import Languages, Phrase, Wording, understood
from biblicus.text.terms import analysis

if TYPE_CHECKING:
    from biblicus.retrieval.words.okapi import Okapi, Scores

_CHECK_EVERY = 256

__all__ = ["Options", "Scan", "ScanReader", "build"]


def build(options: Options, given: Given) -> Scan:
    return Scan(options)


class Scan:
    """Leg without index files: only its options and fingerprints enter a manifest (see `contracts.Leg`)."""

    materializes = False
    drifts = False

    def __init__(self, options: Options) -> None:
        self.options = options

    def fingerprints(self) -> Fingerprints:
        return {"rank-bm25": version("rank-bm25"), "tantivy": version("tantivy"), "analysis": analysis.VERSION}

    def build(self, chunks: ChunkTable, folder: Path, parent: Path | None, call: Call) -> Mapping[str, int]:
        """Read all chunks and write nothing, since the table's owner may produce them during iteration."""
        for number, _ in enumerate(chunks.rows()):
            if number % _CHECK_EVERY == 0:
                call.check()
        return {}

    def over(self, chunks: Sequence[RankedChunk]) -> LegReader:
        return ScanReader(chunks, self.options)

    def open(self, folder: Path) -> LegReader:
        raise UsageError("A scan keeps nothing to open; it ranks the live files.", "biblicus query --recipe scan")


class ScanReader(WordsReader):
    """Chunks in memory, ready to be ranked (see `contracts.LegReader`). Terms are counted at the first question."""

    def __init__(self, chunks: Sequence[RankedChunk], options: Options) -> None:
        stemmers = options.stemmers(lambda: Counter(chunk.language or "" for chunk in chunks))
        self._chunks = chunks
        self._options = options
        self._is_titled = options.title == "prefix"
        self._stemmers = [stemmers.of(chunk.language) for chunk in chunks]
        self._languages = Languages(stemmers.chosen, options.stopwords == "auto")
        self._rarest = idf(len(chunks), 0)

    def search(self, question: Question, allow: Allow | None, k: int, call: Call) -> list[Hit]:
        """Return the best `k` chunks and all ties with the last, by descending score, then in their order."""
        call.check()
        wording = understood(question, self._languages)
        if k < 1 or not self._chunks or not (wording.words or wording.required):
            return []
        ranked = [
            (rounded(score * fields.multiplier_of(chunk) / 100), chunk)
            for chunk, score in zip(self._chunks, self._scores(wording).tolist(), strict=True)
            if score and allowed(allow, chunk)
        ]
        ranked.sort(key=lambda pair: -pair[0])
        hits = [Hit(chunk.row, score) for score, chunk in ranked]
        weighed = sibling_boost.weighed(
            hits, [chunk.item for _, chunk in ranked], [chunk.others for _, chunk in ranked]
        )
        return weighed[: through_tie([hit.score for hit in weighed], k)]

    def chunks_with(self, term: str) -> int:
        """Return the number of chunks with the term."""
        return sum(term in counts for counts in self._okapi.doc_freqs) if term in self._okapi.idf else 0

    def one_with(self, term: str) -> int:
        """Return the row of a chunk with the term."""
        return next(
            chunk.row for chunk, counts in zip(self._chunks, self._okapi.doc_freqs, strict=True) if term in counts
        )

    @cached_property
    def _okapi(self) -> Okapi:
        return self._counted([self._terms(at) for at in range(len(self._chunks))])

    @cached_property
    def _of_fields(self) -> Mapping[str, Okapi]:
        """Term counts of each field."""
        of_chunks = [
            fields.titles_of(chunk, stemmer) if self._is_titled else ("", "")
            for chunk, stemmer in zip(self._chunks, self._stemmers, strict=True)
        ]
        titles = zip(*of_chunks, strict=True) if of_chunks else ((), ())
        return dict(zip(fields.FIELDS, (self._okapi, *map(self._counted, titles)), strict=True))

    def _counted(self, texts: Sequence[str]) -> Okapi:
        return words.okapi.Okapi([[term for _, term in analysis.placed(text)] for text in texts])

    def _terms(self, at: int) -> str:
        chunk = self._chunks[at]
        context = chunk.context if self._is_titled else ""
        return analysis.indexed(context, chunk.text, self._stemmers[at], chunk.symbols)

    def _scores(self, wording: Wording) -> Scores:
        """Return each chunk's score; 0 if no word matches or a required phrase does not."""
        required = [self._either(variants) for variants in wording.required]
        of_words = fields.clauses(wording, self._languages, self._idf, self._rarest, self._has)
        words = list(map(self._best_of, of_words))
        names = [wording.boost * self._either(variants) for variants in wording.names]
        total: Scores = sum((*required, *words, *names), start=self._okapi.get_scores([]))
        for scores in required:
            total = total * (scores > 0)
        return total

    def _best_of(self, clause: fields.Clause) -> Scores:
        """Return each chunk's score for its best term of a clause."""

        okapi = self._of_fields[clause.field]
        return words.okapi.best(okapi.term(term) * (clause.weight / okapi.idf[term]) for term in clause.terms)

    def _either(self, variants: Sequence[Phrase]) -> Scores:
        """Return each chunk's score for its best variant, all with the most frequent one's weight."""

        weights = [sum(self._idf(term) for _, term in phrase) for phrase in variants]
        scores = (self._phrase(phrase) for phrase in variants)
        return words.okapi.best(
            chunk_scores * (min(weights) / weight) for chunk_scores, weight in zip(scores, weights, strict=True)
        )

    def _idf(self, term: str, field: str = fields.FIELDS[0]) -> float:
        return self._of_fields[field].idf.get(term, self._rarest)

    def _has(self, term: str, field: str) -> bool:
        return term in self._of_fields[field].idf

    def _phrase(self, phrase: Phrase) -> Scores:
        terms = [term for _, term in phrase]
        if len(terms) == 1:
            return self._okapi.term(terms[0])
        return self._okapi.phrase(terms, lambda at: self._times(phrase, at))

    def _times(self, phrase: Phrase, at: int) -> int:
        """Return the frequency of the phrase in a chunk that has its terms."""
        where: dict[str, set[int]] = {}
        for position, term in analysis.placed(self._terms(at)):
            where.setdefault(term, set()).add(position)
        return sum(all(first + ahead in where[term] for ahead, term in phrase) for first in where[phrase[0][1]])
