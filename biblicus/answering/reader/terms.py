"""Index terms of questions and texts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from biblicus.text.terms import analysis, identifiers, wrapping

MOST_TERMS = 64
"""Maximum distinct terms of a question."""
_LONGEST = 1_000
"""Characters used from the beginning and from the end of a long question."""


_ASIDE = 0.5
"""Weight of words in brackets at the end of a question, where a conversation puts words of the previous turn."""


@dataclass(frozen=True, slots=True)
class Terms:
    """The distinct content terms of a question in order and as a set; all terms if none is a content word. `weights`:
    how likely each term occurs in an answer (0-1)."""

    ordered: tuple[str, ...]
    all: frozenset[str]
    stemmer: str
    weights: Mapping[str, float]


@lru_cache(maxsize=256)
def of_question(question: str, stemmer: str) -> Terms:
    """Return the terms of a question for texts with this stemmer."""
    text = analysis.normalised(_both_ends(question))
    parts = [spaced for name in identifiers.camels(text) if (spaced := identifiers.spaced(name))]
    options = analysis.options_in(text)
    words = analysis.plain_analyzer().analyze(analysis.bigrams(text))
    weights = dict(zip(words, wrapping.weights(words), strict=True))
    main, _, aside = text.partition(" (") if text.endswith(")") else (text, "", "")
    for word in set(analysis.plain_analyzer().analyze(aside)) - set(analysis.plain_analyzer().analyze(main)):
        weights[word] = weights.get(word, 1.0) * _ASIDE
    text = analysis.bigrams(" ".join((identifiers.with_asked_symbols(text), *parts)))
    terms = analysis.analyzer(stemmer).analyze(text)
    plain = analysis.plain_analyzer().analyze(text)
    content = options.union(analysis.plain_analyzer(stemmer).analyze(text))
    pairs = list(zip(terms, plain, strict=True))
    telling = [(term, word) for term, word in pairs if word in content] or pairs
    weighed = {term: weights.get(word, 1.0) for term, word in reversed(telling)}
    ordered = tuple(dict.fromkeys(term for term, _ in telling))[:MOST_TERMS]
    return Terms(ordered, frozenset(ordered), stemmer, weighed)


@lru_cache(maxsize=4_096)
def of_text(text: str, stemmer: str) -> tuple[str, ...]:
    """Return the terms of a text in order (cached, since consecutive questions share texts)."""
    return tuple(analysis.analyzer(stemmer).analyze(analysis.ranked("", text)))


def stemmer_for(language: str | None, others: Sequence[str | None]) -> str:
    """Return the stemmer of a language; if unknown, that of the other languages, else English."""
    for code in (language, *others):
        if (stemmer := analysis.stemmer_of(code)) is not None:
            return stemmer
    return "english"


def _both_ends(question: str) -> str:
    """Return a long question without its middle, cut between words."""
    question = " ".join(question.split())
    if len(question) <= 2 * _LONGEST:
        return question
    return f"{question[:_LONGEST].rpartition(' ')[0]} {question[-_LONGEST:].partition(' ')[2]}"
