"""Names in a question that occur nowhere in a run: the evidence is then about something else.

Spelling identifies a name: a capital or digit within the word, parts joined as in code, or a capital inside a sentence.
German and Luxembourgish capitalise every noun, so there the last sign does not count.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from biblicus.models.question import Question
from biblicus.retrieval.words.wording import Languages
from biblicus.text.languages import detect
from biblicus.text.terms import analysis, identifiers

_LONGEST = 400
"""Maximum characters of a question; a longer one is a pasted passage with names of its own."""
_ENDS = '.?!:"“„«'
_JOINS = ("_", ".", "::")
_LETTERS, _PIECES, _PART = 4, 3, 5
"""Minimum letters and pieces of a rare word, and minimum letters of a known word in a compound."""
_CAPITAL_NOUNS = ("de", "lb")


class _Word(NamedTuple):
    """A word of a question. `is_name`: spelled as a name; `is_capital`: with a capital inside a sentence."""

    text: str
    is_name: bool
    is_capital: bool


def spelled_as_names(text: str) -> Iterator[Sequence[str]]:
    """Yield the names of a question: single words spelled as names, and runs of capitalised words."""
    words = list(_words(text)) if len(text) <= _LONGEST and text.upper() != text else []
    inside = words[1:]
    has_case = any(word.text[0].islower() for word in inside)
    for is_capital, run in groupby(inside, lambda word: word.is_capital and not word.is_name):
        if is_capital and has_case:
            yield [word.text for word in run]
    yield from ([word.text] for word in words if word.is_name)


def _words(text: str) -> Iterator[_Word]:
    begins = True
    for typed in analysis.normalised(text).split():
        if bare := typed.strip("\"'“”„«»‘’¿¡…()[]{}<>,;:.?!*`").removesuffix("'s").removesuffix("’s"):
            is_path = "/" in bare or "\\" in bare or "@" in bare
            name = False
            if len(bare) > 1 and not is_path and not (bare.isalpha() and bare[1:].islower()):
                inner = any(map(str.isupper, bare[1:]))
                mixed = any(map(str.isdigit, bare)) or any(join in bare.strip("_") for join in _JOINS)
                name = inner or (mixed and bare[0].isalpha())
            yield _Word(bare, name, len(bare) > 1 and bare[0].isupper() and not begins and not is_path)
        begins = typed[-1] in _ENDS


def unknown_names(
    question: Question,
    languages: Languages,
    chunks_with: Callable[[str], int],
    best: Callable[[], Iterable[str]],
    pieces: Callable[[str], int] | None = None,
) -> list[str]:
    """Return the names of a question that no chunk contains.

    `chunks_with`: counts the chunks with a term. `best`: returns the found texts; a name with another spelling there
    (`LRU cache` for `lruCache`) is known. Up to half of a run of capitalised words may be unknown. `pieces`: counts the
    subwords of an English word in a model's vocabulary; if given, a rare word of any spelling is a name, unless it
    begins or ends with a known word (`uninstall`).
    """
    stop_words = languages.stop_list(question.text, question.languages)
    toolkits = {"".join(identifiers.toolkit_words(name)) for name in question.toolkits}

    def is_unknown(word: str) -> bool:
        if _bare(word) in toolkits or not analysis.plain_analyzer(stop_words).analyze(word):
            return False
        return _is_unknown(word, languages, chunks_with)

    def has_known_part(word: str) -> bool:
        parts = [part for at in range(_PART, len(word)) for part in (word[:at], word[-at:])]
        return any(chunks_with(term) for stemmer in languages.stemmers for term in _terms(parts, stemmer))

    unknown = []
    for run in spelled_as_names(question.text):
        missing = [word for word in run if is_unknown(word)]
        if 2 * len(missing) > len(run):
            unknown.append(" ".join(run))
    if pieces and len(question.text) <= _LONGEST:
        listed = {word.casefold() for name in unknown for word in name.split()}
        words = [word for word in analysis.plain_analyzer(stop_words).analyze(question.text) if word not in listed]
        unknown += [
            word
            for word in words
            if is_unknown(word) and _is_plain(word) and pieces(word) >= _PIECES and not has_known_part(word)
        ]
    best_text = _bare(" ".join(best())) if unknown else ""
    unknown = [name for name in unknown if _bare(name) not in best_text]
    language = detect(question.text) if unknown else None
    if language in _CAPITAL_NOUNS:
        return []
    return [name for name in unknown if language in (None, "en") or not name.islower()]


def unknown_words(question: Question, languages: Languages, chunks_with: Callable[[str], int]) -> list[str]:
    """Return the words of an English question, of any spelling, that no chunk contains."""
    if len(question.text) > _LONGEST or detect(question.text) not in (None, "en"):
        return []
    stop_words = languages.stop_list(question.text, question.languages)
    words = filter(_is_plain, analysis.plain_analyzer(stop_words).analyze(question.text))
    return [word for word in words if _is_unknown(word, languages, chunks_with)]


def _is_unknown(word: str, languages: Languages, chunks_with: Callable[[str], int]) -> bool:
    """Return true if no chunk has all terms of a word, in any language."""
    return not any(all(map(chunks_with, analysis.analyzer(stemmer).analyze(word))) for stemmer in languages.stemmers)


def _is_plain(word: str) -> bool:
    return word.isascii() and word.isalpha() and len(word) >= _LETTERS


def _terms(words: Sequence[str], stemmer: str) -> list[str]:
    return list(analysis.analyzer(stemmer).analyze(" ".join(words)))


def _bare(text: str) -> str:
    return "".join(filter(str.isalnum, text.casefold()))
