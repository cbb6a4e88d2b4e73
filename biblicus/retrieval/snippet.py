"""Snippets: the best line of a chunk, with the positions of the question's words."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from types import MappingProxyType

from biblicus.models.extraction import Span
from biblicus.models.question import Question
from biblicus.retrieval.words.wording import in_all_languages, understood
from biblicus.text.terms import analysis, folding, identifiers

_NO_LANGUAGES: Mapping[str, float] = MappingProxyType({})
_SHORTEST = 3
_ENDING = 2
"""Characters at a word's end that may differ in a text if its letters are folded in the index."""
_OCCURRENCES = 8
_TRIES = 128
_WORDS = 64
_MORE = "…"
_NEARBY = 40
_WHITE = re.compile(r"\s")


def snippet(text: str, question: str, languages: Mapping[str, float] = _NO_LANGUAGES, width: int = 240) -> str:
    """Return about `width` characters of a text on one line with most of the question's words. It starts and ends at
    word boundaries; `…` marks omissions. If no word is found, it is the beginning."""
    return best_part(text, (), beginnings(question, languages), width)[0]


def best_part(text: str, begins: Sequence[int], words: Sequence[str], width: int = 240) -> tuple[str, int]:
    """Return the snippet of a text, and the index of the part with most question words in it.

    `begins`: ascending offsets in the text; part 0 is before the first, part 1 after it. In a tie, the part at the
    start of the snippet wins. `words`: the `beginnings` of the question's words.
    """
    lower = text.lower()
    start, end = _window(text, lower, words, width)
    line = " ".join(text[start:end].split())
    excerpt = f"{_MORE if start else ''}{line}{_MORE if end < len(text) else ''}"
    part = bisect_right(begins, start)
    edges = [start, *begins[part : bisect_left(begins, end)], end]
    if len(edges) == 2:
        return excerpt, part
    counts = [sum(_place(lower[low:high], word) >= 0 for word in words) for low, high in pairwise(edges)]
    return excerpt, part + counts.index(max(counts))


def _window(text: str, lower: str, words: Sequence[str], width: int) -> Span:
    if len(text) <= width:
        return Span(0, len(text))
    start = _word_start(text, min(_best_start(lower, words, width), len(text) - width))
    return Span(start, _word_end(text, min(start + width, len(text))))


def beginnings(question: str, languages: Mapping[str, float]) -> tuple[str, ...]:
    """Return the beginnings of the question's words in lower case without endings, for a fast search."""
    return _beginnings(question, tuple(languages.items()))


@lru_cache(maxsize=64)
def _beginnings(question: str, languages: tuple[tuple[str, float], ...]) -> tuple[str, ...]:
    as_question = Question(question, dict(languages))
    content = understood(as_question, in_all_languages(as_question)).content
    stems = {variant for variants in content for variant in variants}
    beginnings: dict[str, None] = {}
    words = analysis.plain_analyzer().analyze(analysis.bigrams(analysis.normalised(question)))
    for word in words[:_WORDS]:
        common = max((_common(word, stem) for stem in stems if stem[0] == word[0]), key=len, default="")
        if len(common) >= min(_SHORTEST, len(word)):
            beginnings[common] = None
    written = analysis.normalised(question).lower()
    for (start, end), indexed in folding.folded_words(written):
        if any(word in indexed for word in words):
            beginnings[written[start : max(start + _SHORTEST, end - _ENDING)]] = None
    return tuple(beginnings)


def _common(word: str, stem: str) -> str:
    same = next((at for at, (left, right) in enumerate(zip(word, stem, strict=False)) if left != right), len(word))
    return word[: min(same, len(stem))]


def _best_start(lower: str, words: Sequence[str], width: int) -> int:
    """Return the start at which most distinct words are within `width`: shortly before the first of them."""
    firsts = [at for word in words if (at := _place(lower, word)) >= 0]
    if not firsts:
        return 0
    room, start = width * 3 // 4, min(firsts)
    if max(firsts) < start + room:  # all within one window, as in most chunks
        return max(0, start - width // 4)
    of_words = [_places(lower, word, _OCCURRENCES) for word in words]
    places = sorted([(at, number) for number, of_word in enumerate(of_words) for at in of_word])
    best, end, different = 0, 0, 0
    within, most = [0] * len(words), len(firsts)
    size = len(places)
    for at, number in places:
        while end < size and places[end][0] < at + room:
            different += not within[places[end][1]]
            within[places[end][1]] += 1
            end += 1
        if different > best:
            best, start = different, at
            if best == most:
                break
        within[number] -= 1
        different -= not within[number]
    return max(0, start - width // 4)


def _place(lower: str, word: str) -> int:
    """Return the first position at which a word starts this way, or -1."""
    at = lower.find(word)
    if at <= 0 or not lower[at - 1].isalnum():
        return at
    return next(iter(_places(lower, word, 1)), -1)


def _places(lower: str, word: str, count: int) -> list[int]:
    """Return the first positions at which words start this way."""
    starts_inside = not word[0].isascii()  # as in scripts without spaces
    places: list[int] = []
    at, tries = lower.find(word), _TRIES
    while at >= 0 and tries:
        if at == 0 or starts_inside or not lower[at - 1].isalnum():
            places.append(at)
            if len(places) == count:
                break
        at, tries = lower.find(word, at + 1), tries - 1
    return places


def _word_start(text: str, start: int) -> int:
    """Return the next word start nearby."""
    if start <= 0:
        return 0
    white = _WHITE.search(text, start - 1, start + _NEARBY)
    return white.end() if white else start


def _word_end(text: str, end: int) -> int:
    """Return the last word end nearby."""
    if end >= len(text):
        return len(text)
    nearby = text[max(0, end - _NEARBY) + 1 : end + 1]
    if nearby[-1:].isspace():
        return end
    word = nearby.rsplit(None, 1)[-1]
    return end - len(word) if len(word) < len(nearby) else end


def highlights(text: str, question: Question) -> list[Span]:
    """Return the spans of the question's words and their other forms in a text, ascending and disjoint."""
    languages = in_all_languages(question)
    wording = understood(question, languages)
    terms = {variant for variants in wording.content for variant in variants}
    terms |= {variant for word in wording.words for variant in word.variants}
    spans: set[Span] = set()
    for stemmer in languages.stemmers:
        for token in analysis.analyzer(stemmer).pre_tokenize(text).tokens:
            if token.text in terms or _has_part(text[token.char_offset_from : token.char_offset_to], stemmer, terms):
                spans.add(Span(token.char_offset_from, token.char_offset_to))
        for span, word in folding.folded_words(text):
            if not terms.isdisjoint(analysis.analyzer(stemmer).analyze(word)):
                spans.add(span)
    if not text.isascii():
        spans.update(_unspaced(text, terms))
    return _joined(sorted(spans))


def _has_part(word: str, stemmer: str, terms: set[str]) -> bool:
    """Return True if one of the terms is a part of a camel-case name."""
    if word.islower() or not (spaced := identifiers.spaced(word)):
        return False
    return not terms.isdisjoint(analysis.analyzer(stemmer).analyze(spaced))


def _unspaced(text: str, terms: set[str]) -> Iterator[Span]:
    """Yield the spans of the question's bigrams in scripts without spaces."""
    for term in terms:
        if not term.isascii() and analysis.bigrams(term) != term:
            at = text.find(term)
            while at >= 0:
                yield Span(at, at + len(term))
                at = text.find(term, at + 1)


def _joined(spans: Sequence[Span]) -> list[Span]:
    """Merge overlapping and adjacent spans."""
    out: list[Span] = []
    for span in spans:
        if out and span.start <= out[-1].end:
            out[-1] = Span(out[-1].start, max(out[-1].end, span.end))
        else:
            out.append(span)
    return out
