"""BM25Okapi of rank-bm25 with Lucene's idf and lengths, and phrases, so that a scan has tantivy's scores.

It imports numpy, so import it only when a scan is about to rank.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import numpy as np
from numpy.typing import NDArray
from rank_bm25 import BM25Okapi

from biblicus.retrieval.ranking import K1, B, idf, stored_length

Scores = NDArray[np.float64]
"""One score for each chunk, in order."""


class Okapi(BM25Okapi):  # type: ignore[misc]  # rank-bm25 ships no types
    """BM25 with k1 1.2, b 0.75, the idf of `ranking.idf`, and lengths as Lucene and tantivy store them."""

    corpus_size: int
    avgdl: float
    doc_len: list[int]
    doc_freqs: list[dict[str, int]]
    idf: dict[str, float]

    def __init__(self, chunks: Sequence[Sequence[str]]) -> None:
        super().__init__(chunks, k1=K1, b=B)
        self.avgdl = self.avgdl or 1.0  # if no chunk has a term
        self.doc_len = [stored_length(length) for length in self.doc_len]

    def _initialize(self, corpus: Sequence[Sequence[str]]) -> dict[str, int]:
        # The parent class divides by the number of chunks.
        counts: dict[str, int] = super()._initialize(corpus) if corpus else {}
        return counts

    def _calc_idf(self, nd: dict[str, int]) -> None:
        self.idf = {term: idf(self.corpus_size, with_term) for term, with_term in nd.items()}

    def term(self, term: str) -> Scores:
        """Return the scores for one term."""
        scores: Scores = self.get_scores([term])
        return scores

    def phrase(self, terms: Sequence[str], times: Callable[[int], int]) -> Scores:
        """Return the scores for a phrase, whose idf is the sum of its terms'. `times`: returns its frequency in a
        chunk."""
        scores = np.zeros(self.corpus_size)
        weight = sum(self.idf.get(term, 0.0) for term in terms) * (K1 + 1)
        for chunk, counts in enumerate(self.doc_freqs):
            if all(term in counts for term in terms):
                frequency = times(chunk)
                scores[chunk] = weight * frequency / (frequency + K1 * (1 - B + B * self.doc_len[chunk] / self.avgdl))
        return scores


def best(scores: Iterable[Scores]) -> Scores:
    """Return for each chunk the best score of a word's or phrase's variants."""
    highest: Scores = np.maximum.reduce(list(scores))
    return highest
