"""Chunks as lists of terms, for stores that keep lists of their own: each term, how often and where it stands.

Weights are those of `lexical`: BM25 over the same analysis, with a chunk's length as one byte keeps it.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right
from dataclasses import dataclass
from itertools import chain

from biblicus.contracts import RankedChunk
from biblicus.retrieval.words.analyst import Analyst
from biblicus.text.terms import analysis

Terms = tuple[tuple[str, ...], bytes, bytes, int]
"""Of a field of a chunk: its terms; how often each is in it; where, term after term; how many words it has."""
Counted = tuple[tuple[Terms, ...], int, int]
"""Of a chunk: its fields; its multiplier, in hundredths; how many other chunks its item has."""


def _length(byte: int) -> int:
    """What a byte keeps (Lucene's SmallFloat; `ranking.stored_length` is the way there and back)."""
    if byte < 32:
        return byte
    bits, shift = (byte - 24) & 7 | 8, ((byte - 24) >> 3) - 1
    return 24 + (bits << shift)


LENGTHS = [_length(byte) for byte in range(256)]
"""The lengths that one byte keeps, ascending."""


def byte_of(length: int) -> int:
    """The byte that keeps a length."""
    return bisect_right(LENGTHS, length) - 1


@dataclass(frozen=True)
class Counter:
    """Counts the terms of chunks, in whichever process."""

    analyst: Analyst

    def __call__(self, chunk: RankedChunk) -> Counted:
        parts, stemmer, titles, multiplier, others, *_ = self.analyst(chunk)
        stemmer = self.analyst.stemmers.chosen[0] if stemmer is None else stemmer
        return tuple(_terms(text, stemmer) for text in ("".join(parts), *titles)), multiplier, others


def _terms(text: str, stemmer: str) -> Terms:
    places: dict[str, list[int]] = {}
    for position, term in analysis.positions(text, stemmer):
        places.setdefault(term, []).append(position)
    times = array("i", map(len, places.values()))
    positions = array("i", chain.from_iterable(places.values()))
    return tuple(places), times.tobytes(), positions.tobytes(), len(positions)
