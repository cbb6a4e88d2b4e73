"""What a page or section is called, as one term: who asks for all of a title finds the page before what mentions it.

The telling words of a title, stemmed, are one term: `The Zen of Python` is `zen python`. A question asks for the terms
of all runs of its own telling words, each for as much as the run is of the question.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple

from biblicus.models.question import Question
from biblicus.retrieval.words.wording import Languages, without_endings
from biblicus.text import analysis, identifiers

MOST = 4
"""Terms of one title."""
_MOST_WORDS = 6
"""Words of a term: what is longer is a sentence, and nobody asks for all of it."""
_LONGEST_ASKED = 24
"""Telling words of a question that may name a page; what is longer describes one."""

_ASIDE = re.compile(r"\s*[(\[][^)\]]*[)\]]\s*$")
_NUMBER = re.compile(
    r"(?:chapter|appendix|part|section)?\s*(?:\d+(?:\.\d+)*|[A-Z](?:\.\d+)+|(?<=\s)[A-Z])[.:)]?\s+", re.IGNORECASE
)
_VERSION = re.compile(r"\s+v?\d+(?:\.\d+)+\s*$", re.IGNORECASE)
_EXTENSION = re.compile(r"(?<=[^\s.])\.[a-z]\w{0,4}$", re.IGNORECASE)
_PARTS = re.compile(r"\s+[–—|-]\s+|:\s+")
_CODE = re.compile(r"(?<!\w)(?=\w*[a-z])(?=\w*\d{3})\w+")


@lru_cache(maxsize=65_536)
def terms(title: str, stemmer: str, stop_list: str) -> tuple[str, ...]:
    """The terms of a title: of the whole, of what is left without the brackets or the version at its end, a file's
    extension or the number before it, of the parts that a dash or colon divides, and of each code in it (`LNK2019`; three digits at least)."""
    title = analysis.normalised(title)
    bare = title[numbered.end() :] if (numbered := _NUMBER.match(title)) else title
    bare = bare if " " in bare else _EXTENSION.sub("", bare)
    wordings = dict.fromkeys((title, _VERSION.sub("", _ASIDE.sub("", bare)), *_PARTS.split(bare)))
    called = (_telling(identifiers.with_symbols(wording), stemmer, stop_list) for wording in wordings)
    whole = [" ".join(words) for words in called if 0 < len(words) <= _MOST_WORDS]
    return tuple(dict.fromkeys((*whole, *_CODE.findall(title.lower()))))[:MOST]


class Named(NamedTuple):
    """A run of a question's words that may be a title. `terms`: one per language; `share`: its idf (0–1) of all that
    is asked; `weight`: its idf."""

    terms: tuple[str, ...]
    weight: float
    share: float


def named(question: Question, languages: Languages, weigh: Callable[[str], float]) -> list[Named]:
    """What a question may call a page. `weigh` gives a term's idf; of a word's variants the most frequent one tells."""
    spellings = _asked(question.text, tuple(question.languages.items()), languages)
    weights = [min(map(weigh, variants)) for variants in zip(*spellings, strict=True)]
    whole = sum(weights)
    runs = []
    for start in range(len(weights)) if whole else ():
        for end in range(start + 1, min(len(weights), start + _MOST_WORDS) + 1):
            weight = sum(weights[start:end])
            called = dict.fromkeys(" ".join(words[start:end]) for words in spellings)
            runs.append(Named(tuple(called), weight, weight / whole))
    return runs


@lru_cache(maxsize=256)
def _asked(text: str, shares: tuple[tuple[str, float], ...], languages: Languages) -> tuple[tuple[str, ...], ...]:
    """The telling words of a question, in order, as each stemmer has them; none where too many to name anything."""
    text = identifiers.with_asked_symbols(analysis.normalised(text))
    stop_list = languages.stop_list(text, dict(shares))
    spellings = tuple(tuple(_telling(text, stemmer, stop_list)) for stemmer in languages.stemmers)
    return spellings if len(spellings[0]) <= _LONGEST_ASKED else ()


def _telling(text: str, stemmer: str, stop_list: str) -> list[str]:
    """The words of a text, stemmed, that are no stop words; all of them where there are no others."""
    text = analysis.bigrams(without_endings(text) if stop_list else text)
    return analysis.telling_analyzer(stemmer, stop_list).analyze(text) or analysis.analyzer(stemmer).analyze(text)
