"""Functions shared by the legs: term weights, stable scores, support."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence, Set
from typing import Any

from biblicus.lazy import NDArray, np
from biblicus.models.evidence import Rarity
from biblicus.retrieval.words.wording import Wording
from biblicus.text.terms import analysis
from biblicus.text.terms.folding import BEGINNING, likeness

K1, B = 1.2, 0.75
"""BM25 parameters: saturation of term frequency, and effect of chunk length."""

DECIMALS = 6
"""Decimals of a cosine; digits beyond depend on the order of summation and must not affect ranking."""
_PLAIN, _LOOKS = 40, 8
"""Maximum characters of a word that is searched as spelled, and maximum occurrences examined."""
_DIGITS = 6
_SURE = 0.4999
"""Maximum distance of a scaled score from an integer to be rounded to it without formatting."""
ROUNDING = 10.0 ** (1 - _DIGITS)
"""Relative difference above which two scores are never equal after rounding."""


def idf(chunks: int, with_term: int) -> float:
    """Return Lucene's inverse document frequency, never negative: ln(1 + (N - n + 0.5) / (n + 0.5))."""
    return math.log(1 + (chunks - with_term + 0.5) / (with_term + 0.5))


def stored_length(length: int) -> int:
    """Return a length as stored in one byte: exact below 40, then with four significant bits above 24 (SmallFloat)."""
    if length < 40:
        return length
    dropped = (length - 24).bit_length() - 4
    return 24 + ((length - 24) >> dropped << dropped)


def rounded(score: float) -> float:
    """Return a score with six significant digits, so that float precision and summation order never affect ranking."""
    scale = 1e4 if 10 <= score < 100 else 1e5 if 1 <= score < 10 else 0.0  # shortcut for most scores, in half the time
    digits = int(score * scale + 0.5) if scale else 0
    if digits and -_SURE < digits - score * scale < _SURE:
        return digits / scale
    return float(f"{score:.6g}")  # `_DIGITS` written out, since building the format takes twice the time


def through_tie(scores: Sequence[float], k: int) -> int:
    """Return the number of the best `k` descending rounded scores, including all ties with the last."""
    if len(scores) <= k:
        return len(scores)
    last = scores[k - 1]
    return next((end for end in range(k, len(scores)) if scores[end] < last), len(scores))


def best_of(scores: NDArray[Any], k: int) -> list[tuple[int, float]]:
    """Return the indices and rounded scores of the best `k` and all ties with the last, by score, then index."""

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
    """Return the rarity of the content words. `weigh` returns a term's idf, `rarest` is that of an unseen term."""
    weights = {}
    for variants in wording.content:
        weight = min(map(weigh, variants))
        if weight < rarest:
            weights.update(dict.fromkeys(variants, weight))
    return Rarity(weights, rarest)


def support(wording: Wording, stemmers: Sequence[str], texts: Sequence[str], weigh: Callable[[str], float]) -> float:
    """Return the idf-weighted share (0–1) of the question's distinct content words in the best of the texts.

    `weigh` returns a term's idf; of a word's variants the most frequent counts. Irregular forms (`rebuilt`) count in
    part. A question without words has support 0.
    """
    weights = [(variants, min(map(weigh, variants))) for variants in wording.content]
    total = sum(weight for _, weight in weights)
    if not total:
        return 0.0
    if any(_holds_all(text, wording.spelled) for text in texts):
        return 1.0  # most questions share the words of their answer, and this needs no analysis
    best = 0.0
    for text in texts:
        if best == total:
            break
        terms = set[str]().union(*(analysis.terms_in(text, stemmer) for stemmer in stemmers))
        matched_weight = sum(weight for variants, weight in weights if not terms.isdisjoint(variants))
        missing = {variants: weight for variants, weight in weights if terms.isdisjoint(variants)}
        if matched_weight + sum(missing.values()) > best:
            matched_weight += sum(weight * _likeness(variants, terms) for variants, weight in missing.items())
            best = max(best, matched_weight)
    return min(1.0, best / total)


def _holds_all(text: str, words: Sequence[str]) -> bool:
    """Return True if a text certainly contains all the words as spelled; only decided for ASCII texts."""
    if not text.isascii() or ".NET" in text:  # `.NET` gets extra terms (see `identifiers.with_symbols`)
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


def _likeness(variants: Sequence[str], terms: Set[str]) -> float:
    """Return how far the terms of a text count for a word that is not among them (0-1)."""
    return max(
        (
            likeness(variant, term)
            for variant in variants
            for term in terms
            if term.startswith(variant[:BEGINNING]) or term.endswith(variant) or variant.endswith(term)
        ),
        default=0.0,
    )


def beyond_one_word(share: float, words: int) -> float:
    """Return a share (0–1) of a question's words minus one word's part, so that one word of two counts as 0. Word legs
    always find a chunk with one of the words."""
    return share if words < 2 else max(0.0, (share * words - 1) / (words - 1))
