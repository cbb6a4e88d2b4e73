"""A question as the legs understand it: words with weights, phrases that must hold, names that should stand together.

Any text is a valid question. Words are OR-ed and count as often as they are asked; quoted phrases are required.
A word has one variant per language of the run (its stem there), and a chunk is credited with the best one only.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import NamedTuple

from biblicus.models.frozen import dataclass
from biblicus.models.question import Question
from biblicus.text.terms import analysis, identifiers, wrapping

MOST_WORDS = 256
"""Distinct words of a question that are ranked; the first ones where there are more."""

_ALONE, _AMONG = 3.0, 1.0
# What a name's parts standing together count, in units of their words. Where the name is all that is asked, a chunk
# that has it once comes before one that repeats its parts, up to three times the average length. Among other words
# more than 1 costs quality on every collection with names in its questions (scifact .693 to .688, cisi .381 to .367).

_PASTED = (5, 20)
"""Words of what may stand so in a text: a message of an error."""
_MOST_PHRASES = 16
_LONGEST_PHRASE = 400
_LONGEST_ASKED = 400  # characters; a longer question is a passage pasted, and its quotes are the passage's own
_QUOTED = re.compile(
    "|".join(
        f"{opening}([^{closing}]{{1,{_LONGEST_PHRASE}}})[{closing}]"
        for opening, closing in ((r'(?<!\w)"', '"'), ("“", "”"), ("„", "“”"), ("«", "»"), ("「", "」"), ("『", "』"))
    )
)

Phrase = tuple[tuple[int, str], ...]
"""Terms with their positions relative to the first."""


class Word(NamedTuple):
    """A word of a question. `variants`: its terms, one per language; `weight`: how often it was asked; `as_carrier`:
    the same, less where it only carries a question for a page (see `wrapping`)."""

    variants: tuple[str, ...]
    weight: float
    as_carrier: float


@dataclass(frozen=True)
class Wording:
    """`words` are OR-ed; of each of `required` one variant must hold; one of each of `names` is a bonus, times `boost`.

    `content`: the variants of every word that tells what is asked for, those of phrases too, for `support`; `spelled`:
    each of these words as it is spelled, in lower case. `telling`: for each stemmer, the telling words in their order.
    """

    words: tuple[Word, ...]
    required: tuple[tuple[Phrase, ...], ...]
    names: tuple[tuple[Phrase, ...], ...]
    boost: float
    content: tuple[tuple[str, ...], ...]
    spelled: tuple[str, ...]
    telling: tuple[tuple[str, ...], ...] = ()


class Languages(NamedTuple):
    """How to read questions to a run. `stemmers`: all that its chunks were analysed with, the main one first."""

    stemmers: tuple[str, ...]
    stopwords: bool = True

    def stop_list(self, text: str, shares: Mapping[str, float]) -> str:
        """The language whose stop words a question loses: that of the question where it is known, else the run's."""
        if not self.stopwords:
            return ""
        frequent = [code for code, share in shares.items() if share >= analysis.MIN_SHARE and code]
        if len(frequent) > 1:
            from biblicus.text.languages import detect  # loads a native detector; needed for mixed runs only

            if (language := detect(text)) in frequent:
                return analysis.stop_list_of(language)
        return analysis.stop_list_of(frequent[0]) if frequent else self.stemmers[0]


def understood(question: Question, languages: Languages) -> Wording:
    """The question's wording for a run; empty where it holds no letter or digit."""
    stop_list = _stop_list(question.text, tuple(question.languages.items()), languages)
    return _understood(question.text, languages, stop_list, question.toolkits)


def spelled(question: Question, languages: Languages) -> list[tuple[str, tuple[str, ...]]]:
    """The words of a question that tell something, outside quotes, each in lower case with its terms. Names from code
    (`lruCache`) are left out: their parts tell."""
    text = _QUOTED.sub(" ", analysis.normalised(question.text))
    if len(text) > _LONGEST_ASKED:
        return []
    stop_list = languages.stop_list(text, question.languages)
    content = _content(text, stop_list) - {name.casefold() for name in identifiers.camels(text)}
    words = analysis.plain_analyzer().analyze(analysis.bigrams(text))
    return [
        (word, terms) for word, terms in zip(words, _spread(text, languages.stemmers), strict=True) if word in content
    ]


def quoted_in(text: str) -> list[str]:
    """The phrases of a question that are in quotes; none of a passage, whose quotes are its own."""
    quoted = [phrase for groups in _QUOTED.findall(text) for phrase in groups if phrase]
    return quoted[:_MOST_PHRASES] if len(text) <= _LONGEST_ASKED else []


def without_quotes(text: str) -> str:
    """A question whose phrases are words like any others."""
    return _QUOTED.sub(lambda match: f" {next(phrase for phrase in match.groups() if phrase)} ", text)


def in_all_languages(question: Question) -> Languages:
    """How to read a question where the leg that ranks is not at hand: in English where no language is known."""
    stemmers = dict.fromkeys(analysis.stemmer_of(code) or "" for code in question.languages)
    return Languages(tuple(stemmers) or ("english",))


@lru_cache(maxsize=256)
def _stop_list(text: str, shares: tuple[tuple[str, float], ...], languages: Languages) -> str:
    return languages.stop_list(identifiers.with_asked_symbols(analysis.normalised(text)), dict(shares))


@lru_cache(maxsize=256)
def _understood(text: str, languages: Languages, stop_list: str, toolkits: frozenset[str]) -> Wording:
    text, stemmers = identifiers.with_asked_symbols(analysis.normalised(text)), languages.stemmers
    quoted = quoted_in(text)
    required = [phrase for words in quoted if (phrase := _phrases(words, stemmers))]
    whole = analysis.without_endings(text, stemmers) if languages.stopwords else text
    loose = _QUOTED.sub(" ", whole) if quoted else whole
    names_of_toolkits = {" ".join(identifiers.toolkit_words(toolkit)) for toolkit in toolkits}
    camels = [name for name in identifiers.camels(loose) if name.casefold() not in names_of_toolkits]
    parts = [spaced for name in camels if (spaced := identifiers.spaced(name))]
    kept = _kept(" ".join((loose, *parts)), stemmers, stop_list)
    words = _words(kept, _weights(loose) if languages.stopwords else {})
    if quoted or parts:
        kept = _kept(_in_parts(whole, camels), stemmers, stop_list)
    content: dict[tuple[str, ...], str] = {}
    for word, variants in kept:
        content.setdefault(variants, word)
    # Hyphens and slashes join names too, and ordinary words: only a question of one word is one name for sure.
    alone = len(loose) <= _LONGEST_PHRASE and len(loose.split()) == 1 and not quoted
    compounds = [loose.strip()] if alone else identifiers.compounds(loose)
    names = [phrase for name in (*parts, *compounds) if (phrase := _name(name, stemmers, stop_list))]
    names += [_phrases(loose, stemmers)] if _PASTED[0] <= len(loose.split()) <= _PASTED[1] else []
    names += [phrases for spelling in identifiers.joined(loose) if (phrases := _phrases(spelling, stemmers))]
    return Wording(
        words=() if required and not _content(loose, stop_list) else _credited(words, toolkits, stemmers),
        required=tuple(required),
        names=tuple(dict.fromkeys(names))[:_MOST_PHRASES],
        boost=_ALONE if alone else _AMONG,
        content=tuple(content)[:MOST_WORDS],
        spelled=tuple(content.values())[:MOST_WORDS],
        telling=tuple(tuple(analysis.telling(loose, stemmer, stop_list)) for stemmer in stemmers),
    )


def _spread(text: str, stemmers: Iterable[str]) -> list[tuple[str, ...]]:
    """For each word of a text its distinct variants. Analyzers keep the number of words, so they align."""
    text = analysis.bigrams(text)
    lists = (analysis.analyzer(stemmer).analyze(text) for stemmer in stemmers)
    return [tuple(dict.fromkeys(terms)) for terms in zip(*lists, strict=True)]


def _content(text: str, stop_list: str) -> set[str]:
    """The words of a text, in lower case, that are no stop words, or name options."""
    return {*analysis.plain_analyzer(stop_list).analyze(analysis.bigrams(text)), *analysis.options_in(text)}


def _kept(text: str, stemmers: tuple[str, ...], stop_list: str) -> list[tuple[str, tuple[str, ...]]]:
    """Each word that is no stop word, with its variants; all words where there are no others."""
    plain = analysis.plain_analyzer().analyze(analysis.bigrams(text))
    spread = zip(plain, _spread(text, stemmers), strict=True)
    if not stop_list or not (content := _content(text, stop_list)):
        return list(spread)
    return [(word, variants) for word, variants in spread if word in content]


def _words(kept: Iterable[tuple[str, tuple[str, ...]]], weights: Mapping[str, float]) -> tuple[Word, ...]:
    """The distinct words; the weightiest counts as often as it was asked."""
    kept = list(kept)
    most = max((weights.get(word, 1.0) for word, _ in kept), default=0.0) or 1.0
    words: dict[tuple[str, ...], Word] = {}
    for word, variants in kept:
        _, count, share = words.get(variants, Word(variants, 0.0, 0.0))
        words[variants] = Word(variants, count + 1, share + weights.get(word, 1.0) / most)
    return tuple(words.values())[:MOST_WORDS]


def _weights(text: str) -> Mapping[str, float]:
    """The weight of each word of a question (see `wrapping`); that of its weightiest place."""
    words = analysis.plain_analyzer().analyze(analysis.bigrams(text))
    found: dict[str, float] = {}
    for word, weight in zip(words, wrapping.weights(words), strict=True):
        found[word] = max(weight, found.get(word, 0.0))
    return found


def _credited(words: tuple[Word, ...], toolkits: frozenset[str], stemmers: tuple[str, ...]) -> tuple[Word, ...]:
    """The words, those of a toolkit's name held by whatever is about it, too: else its own pages, which seldom say the
    name, would stand below others' that do."""
    terms: dict[tuple[str, ...], list[str]] = {}
    if not toolkits:
        return words
    for toolkit in sorted(toolkits):
        for variants in _spread(" ".join(identifiers.toolkit_words(toolkit)), stemmers):
            terms.setdefault(variants, []).append(identifiers.toolkit_term(toolkit))
    return tuple(word._replace(variants=(*word.variants, *terms.get(word.variants, ()))) for word in words)


def _phrases(words: str, stemmers: Iterable[str]) -> tuple[Phrase, ...]:
    """The variants of a phrase: words in order, stop words too."""
    words = analysis.bigrams(words)
    variants = (tuple(analysis.positions(words, stemmer)) for stemmer in stemmers)
    return tuple(dict.fromkeys(tuple((at - terms[0][0], term) for at, term in terms) for terms in variants if terms))


def _name(name: str, stemmers: Iterable[str], stop_list: str) -> tuple[Phrase, ...]:
    """A name's parts as a phrase; none for one part alone or for nothing but stop words (`and-or`)."""
    phrases = _phrases(name, stemmers)
    return phrases if phrases and len(phrases[0]) > 1 and _content(name, stop_list) else ()


def _in_parts(text: str, camels: list[str]) -> str:
    """A text, camel names by their parts: a chunk may hold them written another way."""
    for name in camels:
        if spaced := identifiers.spaced(name):
            text = text.replace(name, spaced)
    return text
