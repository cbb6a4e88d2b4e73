"""What legs share when they rank: weights of words, scores that are stable, and support."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence, Set
from typing import TYPE_CHECKING, Any

from biblicus.models.evidence import Rarity
from biblicus.retrieval.words.wording import Wording
from biblicus.text.terms import analysis
from biblicus.text.terms.inflections import ALIKE, forms

if TYPE_CHECKING:
    from numpy.typing import NDArray

K1, B = 1.2, 0.75
"""Of BM25: how soon a term's repetition stops counting, and how much a chunk's length does."""

_PLAIN, _LOOKS = 40, 8
"""Characters of a word that is looked for as it is spelled, and how often it is."""
_DIGITS = 6
_SURE = 0.4999
"""How far from a whole number a product may be that is surely rounded to it."""
ROUNDING = 10.0 ** (1 - _DIGITS)
"""No two scores that are further apart than this share of them are the same when rounded."""


def idf(chunks: int, with_term: int) -> float:
    """Lucene's inverse document frequency, never negative: ln(1 + (N - n + 0.5) / (n + 0.5))."""
    return math.log(1 + (chunks - with_term + 0.5) / (with_term + 0.5))


def stored_length(length: int) -> int:
    """A length as one byte keeps it: exact below 40, then cut to the first four bits above 24 (Lucene's SmallFloat)."""
    if length < 40:
        return length
    dropped = (length - 24).bit_length() - 4
    return 24 + ((length - 24) >> dropped << dropped)


def rounded(score: float) -> float:
    """A score to six significant digits: what single precision and the order of a sum add must not decide an order."""
    scale = 1e4 if 10 <= score < 100 else 1e5 if 1 <= score < 10 else 0.0  # what most scores are takes half the time
    whole = int(score * scale + 0.5) if scale else 0
    if whole and -_SURE < whole - score * scale < _SURE:
        return whole / scale
    return float(f"{score:.6g}")  # `_DIGITS`, written out: a format that is put together takes twice the time


def through_tie(scores: Sequence[float], k: int) -> int:
    """How many of the descending, rounded scores are the best `k` with all that tie with the last of them."""
    if len(scores) <= k:
        return len(scores)
    last = scores[k - 1]
    return next((end for end in range(k, len(scores)) if scores[end] < last), len(scores))


def best_of(scores: NDArray[Any], k: int) -> list[tuple[int, float]]:
    """Places and rounded scores of the best `k` and of all that tie with the last, score descending, then by place."""
    import numpy as np

    k = min(k, len(scores))
    if k < len(scores):
        last = np.partition(scores, len(scores) - k)[len(scores) - k]
        chosen = np.flatnonzero(scores >= last - abs(last) * ROUNDING)
    else:
        chosen = np.arange(len(scores))
    ranked = [(place, rounded(score)) for place, score in zip(chosen.tolist(), scores[chosen].tolist(), strict=True)]
    ranked.sort(key=lambda entry: -entry[1])
    return ranked[: through_tie([score for _, score in ranked], k)]


def rarity(wording: Wording, weigh: Callable[[str], float], rarest: float) -> Rarity:
    """How rare the words are that tell what is asked for. `weigh` gives a term's idf, `rarest` is that of none."""
    weights = {}
    for variants in wording.content:
        weight = min(map(weigh, variants))
        if weight < rarest:
            weights.update(dict.fromkeys(variants, weight))
    return Rarity(weights, rarest)


def support(wording: Wording, stemmers: Sequence[str], texts: Sequence[str], weigh: Callable[[str], float]) -> float:
    """The idf-weighted share (0–1) of the question's distinct content words that the best of the texts holds.

    `weigh` gives a term's idf; of a word's variants the most frequent one tells. Another form of a word that no stemmer
    knows (`rebuilt`) counts in part. A question without words is not supported by anything.
    """
    weights = [(variants, min(map(weigh, variants))) for variants in wording.content]
    whole = sum(weight for _, weight in weights)
    if not whole:
        return 0.0
    if any(_holds_all(text, wording.spelled) for text in texts):
        return 1.0  # most questions are answered in their own words, and to find these takes no analysis
    best = 0.0
    for text in texts:
        if best == whole:
            break
        terms = {term for stemmer in stemmers for term in analysis.indexed("", text, stemmer).split()}
        held = sum(weight for variants, weight in weights if not terms.isdisjoint(variants))
        missing = {variants: weight for variants, weight in weights if terms.isdisjoint(variants)}
        if held + sum(missing.values()) * ALIKE <= best:
            continue
        best = max(best, held + sum(weight * _alike(variants, terms, stemmers) for variants, weight in missing.items()))
    return min(1.0, best / whole)


def _holds_all(text: str, words: Sequence[str]) -> bool:
    """Whether a text surely holds all the words, spelled so; told of plain texts alone."""
    if not text.isascii() or ".NET" in text:  # what is beside that is cut off from it (see `identifiers.with_symbols`)
        return False
    lower = text.lower()
    return all(0 < len(word) <= _PLAIN and _holds(lower, word) for word in words)


def _holds(lower: str, word: str) -> bool:
    at = lower.find(word)
    for _ in range(_LOOKS):
        if at < 0:
            return False
        end = at + len(word)
        if not (lower[end : end + 1].isalnum() or (at and lower[at - 1].isalnum())):
            return True
        at = lower.find(word, end)
    return False


def _alike(variants: Sequence[str], terms: Set[str], stemmers: Sequence[str]) -> float:
    """What the terms of a text count that are other forms of a word (0-1)."""
    counted = (forms(variants, terms, stemmer) for stemmer in stemmers)
    return max((count for of in counted for _, count in of.values()), default=0.0)


def beyond_one_word(share: float, words: int) -> float:
    """A share (0–1) of a question's words beyond what any one of them would give, so that of a question of two words
    one is nothing: what ranks by words always finds a chunk that holds one."""
    return share if words < 2 else max(0.0, (share * words - 1) / (words - 1))
