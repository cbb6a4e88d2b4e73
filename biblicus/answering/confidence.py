"""How likely it is that quoted sentences answer a question: 0–1, from two measures that need no statistics of a corpus.

A logistic regression, fitted on scifact, cranfield, cisi and xquad-en: questions on their own collection (right: gold
words quoted, or a judged item cited) against the same number on another collection (never right). Fitted on three of
them and tried on the fourth, its AUC for telling a collection's own questions from others' is .95 on average, .85 at
worst; docs/answers.md has the table of confidence against correctness.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

LEAST = 0.2
"""Below this nothing is quoted: of a collection's own questions one in twelve is left without an answer, of other
collections' nine in ten."""

_COVERED, _HELD, _BIAS = 4.4, 2.4, -6.0
_LETTERS = 5
"""Of one word: a long word tells more than a short one, and languages that join words have fewer of them."""


def confidence(covered: float, held: Iterable[str]) -> float:
    """`covered`: the idf-weighted share of the question's words that the best sentence, the rest of its piece, title or
    heading hold. `held`: the terms of the question that the sentence itself holds."""
    words = sum(len(term) / _LETTERS if _is_spaced(term) else 1.0 for term in held)
    value = 1 / (1 + math.exp(-(_COVERED * covered + _HELD * math.log1p(words) + _BIAS)))
    return round(value, 4)


def _is_spaced(term: str) -> bool:
    """Whether a term is of a script that writes words apart; others come as pairs of characters."""
    return term[0] < "\u2e80"
