"""Parsed questions: weighted words, required phrases, and names that should match as phrases.

Any text is a valid question. Words are OR-ed and weighted by how often they occur; quoted phrases are required. A word
has a variant (stem) for each language of the run, of which the best match counts.
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
"""Maximum distinct words of a question that are ranked."""

_ALONE, _AMONG = 3.0, 1.0
# Boost of a name's parts matching as a phrase, relative to its words. If the name is the entire question, a chunk with
# the phrase precedes chunks that repeat its parts, up to three times the average length. With other words, more than 1
# reduces quality on every collection with names in its questions (scifact .693 to .688, cisi .381 to .367).

_PASTED = (5, 20)
"""Number of words of a question that may occur verbatim in a text, such as an error message."""
_FRAMED = 0.06
"""Weight of a word (see `wrapping`) below which a question is put in words of its own, and is no pasted message."""
_MOST_PHRASES = 16
_LONGEST_PHRASE = 400
_LONGEST_ASKED = 400  # characters; a longer question is a pasted passage with quotation marks of its own
_QUOTED = re.compile(
    "|".join(
        f"{opening}([^{closing}]{{1,{_LONGEST_PHRASE}}})[{closing}]"
        for opening, closing in ((r'(?<!\w)"', '"'), ("“", "”"), ("„", "“”"), ("«", "»"), ("「", "」"), ("『", "』"))
    )
)

Phrase = tuple[tuple[int, str], ...]
"""Terms with their positions relative to the first."""


class Word(NamedTuple):
    """A word of a question. `variants`: its terms, one for each language; `weight`: number of occurrences;
    `as_carrier`: the same, reduced if the word only frames the question (see `wrapping`)."""

    variants: tuple[str, ...]
    weight: float
    as_carrier: float


@dataclass(frozen=True)
class Wording:
    """A parsed question: `words` are OR-ed, one variant of each of `required` must match, `names` add a score times
    `boost`.

    `content`: variants of every content word including those in phrases, for `support`; `spelled`: these words as
    spelled, in lower case. `telling`: for each stemmer, the content words in order.
    """

    words: tuple[Word, ...]
    required: tuple[tuple[Phrase, ...], ...]
    names: tuple[tuple[Phrase, ...], ...]
    boost: float
    content: tuple[tuple[str, ...], ...]
    spelled: tuple[str, ...]
    telling: tuple[tuple[str, ...], ...] = ()


class Languages(NamedTuple):
    """The run's stemmers for questions, the main one first."""

    stemmers: tuple[str, ...]
    stopwords: bool = True

    def stop_list(self, text: str, shares: Mapping[str, float]) -> str:
        """Return the language whose stop words are removed: the question's if detected, else the run's."""
        if not self.stopwords:
            return ""
        frequent = [code for code, share in shares.items() if share >= analysis.MIN_SHARE and code]
        if len(frequent) > 1:
            from biblicus.text.languages import detect  # loads a native detector; needed for mixed runs only

            if (language := detect(text)) in frequent:
                return analysis.stemmer_of(language) or ""
        return analysis.stemmer_of(frequent[0]) or "" if frequent else self.stemmers[0]


def understood(question: Question, languages: Languages) -> Wording:
    """Return the parsed question for a run; empty without letters and digits."""
    stop_list = _stop_list(question.text, tuple(question.languages.items()), languages)
    return _understood(question.text, languages, stop_list, question.toolkits)


def spelled(question: Question, languages: Languages) -> list[tuple[str, tuple[str, ...]]]:
    """Return the content words of a question outside quotes, in lower case, with their terms. Code identifiers
    (`lruCache`) are left out, as their parts count."""
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
    """Return the quoted phrases of a question; none for a pasted passage."""
    quoted = [phrase for groups in _QUOTED.findall(text) for phrase in groups if phrase]
    return quoted[:_MOST_PHRASES] if len(text) <= _LONGEST_ASKED else []


def without_quotes(text: str) -> str:
    """Return a question with the quotation marks around phrases removed."""
    return _QUOTED.sub(lambda match: f" {next(phrase for phrase in match.groups() if phrase)} ", text)


def in_all_languages(question: Question) -> Languages:
    """Return the languages for a question without a leg; English if none is known."""
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
    bare_text = analysis.without_endings(text, stemmers) if languages.stopwords else text
    loose = _QUOTED.sub(" ", bare_text) if quoted else bare_text
    names_of_toolkits = {" ".join(identifiers.toolkit_words(toolkit)) for toolkit in toolkits}
    camels = [name for name in identifiers.camels(loose) if name.casefold() not in names_of_toolkits]
    parts = [spaced for name in camels if (spaced := identifiers.spaced(name))]
    word_variants = _kept(" ".join((loose, *parts)), stemmers, stop_list)
    weights = _weights(loose) if languages.stopwords else {}
    words = _words(word_variants, weights)
    if quoted or parts:
        word_variants = _kept(_in_parts(bare_text, camels), stemmers, stop_list)
    content: dict[tuple[str, ...], str] = {}
    for word, variants in word_variants:
        content.setdefault(variants, word)
    # Hyphens and slashes join names and ordinary words; only a question of one word is certainly one name.
    alone = len(loose) <= _LONGEST_PHRASE and len(loose.split()) == 1 and not quoted
    compounds = [loose.strip()] if alone else identifiers.compounds(loose)
    names = [phrase for name in (*parts, *compounds) if (phrase := _name(name, stemmers, stop_list))]
    if _PASTED[0] <= len(loose.split()) <= _PASTED[1] and min(weights.values(), default=1.0) >= _FRAMED:
        names.append(_phrases(loose, stemmers))
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
    """Return the distinct variants of each word. Analyzers keep the number of words, so results align."""
    text = analysis.bigrams(text)
    lists = (analysis.analyzer(stemmer).analyze(text) for stemmer in stemmers)
    return [tuple(dict.fromkeys(terms)) for terms in zip(*lists, strict=True)]


def _content(text: str, stop_list: str) -> set[str]:
    """Return the words of a text in lower case that are no stop words, or are options."""
    return {*analysis.plain_analyzer(stop_list).analyze(analysis.bigrams(text)), *analysis.options_in(text)}


def _kept(text: str, stemmers: tuple[str, ...], stop_list: str) -> list[tuple[str, tuple[str, ...]]]:
    """Return each word that is no stop word with its variants, or all words if there are no others."""
    plain = analysis.plain_analyzer().analyze(analysis.bigrams(text))
    spread = zip(plain, _spread(text, stemmers), strict=True)
    if not stop_list or not (content := _content(text, stop_list)):
        return list(spread)
    return [(word, variants) for word, variants in spread if word in content]


def _words(kept: Iterable[tuple[str, tuple[str, ...]]], weights: Mapping[str, float]) -> tuple[Word, ...]:
    """Return the distinct words; framing weights are relative to the largest."""
    kept = list(kept)
    most = max((weights.get(word, 1.0) for word, _ in kept), default=0.0) or 1.0
    words: dict[tuple[str, ...], Word] = {}
    for word, variants in kept:
        _, count, share = words.get(variants, Word(variants, 0.0, 0.0))
        words[variants] = Word(variants, count + 1, share + weights.get(word, 1.0) / most)
    return tuple(words.values())[:MOST_WORDS]


def _weights(text: str) -> Mapping[str, float]:
    """Return the weight of each word of a question (see `wrapping`), the highest of its occurrences."""
    words = analysis.plain_analyzer().analyze(analysis.bigrams(text))
    weights: dict[str, float] = {}
    for word, weight in zip(words, wrapping.weights(words), strict=True):
        weights[word] = max(weight, weights.get(word, 0.0))
    return weights


def _credited(words: tuple[Word, ...], toolkits: frozenset[str], stemmers: tuple[str, ...]) -> tuple[Word, ...]:
    """Return the words, with those of a toolkit's name also matching all chunks about it. Otherwise its own pages,
    which seldom contain its name, would rank below others that do."""
    terms: dict[tuple[str, ...], list[str]] = {}
    if not toolkits:
        return words
    for toolkit in sorted(toolkits):
        for variants in _spread(" ".join(identifiers.toolkit_words(toolkit)), stemmers):
            terms.setdefault(variants, []).append(identifiers.toolkit_term(toolkit))
    return tuple(word._replace(variants=(*word.variants, *terms.get(word.variants, ()))) for word in words)


def _phrases(words: str, stemmers: Iterable[str]) -> tuple[Phrase, ...]:
    """Return the variants of a phrase: words in order, including stop words."""
    words = analysis.bigrams(words)
    variants = (tuple(analysis.positions(words, stemmer)) for stemmer in stemmers)
    return tuple(dict.fromkeys(tuple((at - terms[0][0], term) for at, term in terms) for terms in variants if terms))


def _name(name: str, stemmers: Iterable[str], stop_list: str) -> tuple[Phrase, ...]:
    """Return a name's parts as a phrase; none for a single part or only stop words (`and-or`)."""
    phrases = _phrases(name, stemmers)
    return phrases if phrases and len(phrases[0]) > 1 and _content(name, stop_list) else ()


def _in_parts(text: str, camels: list[str]) -> str:
    """Return a text with camel-case names split, since a chunk may spell them differently."""
    for name in camels:
        if spaced := identifiers.spaced(name):
            text = text.replace(name, spaced)
    return text
