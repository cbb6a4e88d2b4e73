"""Fields in which words are ranked, and the score multiplier of a chunk by its kind of file.

A chunk's score is the sum over words and fields of BM25 times the field's weight, times the multiplier. The weights are
in `weights.json`.

A title or heading is also indexed as one term of all its content words joined. A question searches that term for each
run of its words, so that a page with exactly this title precedes pages with longer ones.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain
from pathlib import Path
from typing import NamedTuple

from biblicus.contracts import RankedChunk
from biblicus.retrieval.words.wording import Languages, Word, Wording
from biblicus.text import kinds
from biblicus.text.terms import analysis

FIELDS = ("text", "title", "heading")
"""`text`: the ranked text; `title`: the page's title and file name; `heading`: the section headings."""
TITLE = FIELDS[1]
_LOADED = json.loads(Path(__file__).with_name("weights.json").read_bytes())
WEIGHTS: Mapping[str, float] = _LOADED["fields"]
WHOLE: Mapping[str, float] = _LOADED["whole"]
"""Weights of complete titles and headings by field."""
_JOINED = "xwhole"
"""Prefix of the term for a complete title."""
_UNNAMED = 1 / 3
"""Share of a framing word's weight reduction in a question that names no page."""
_MOST, _LONGEST_ASKED = 5, 24
"""Maximum words of a complete title, and of a question that may name one."""
_PLAIN = 100
_LESS: int = round(100 * _LOADED["aside"])
"""Score multiplier in hundredths of files about other files' subjects (see `text.kinds`)."""
_BREAK = re.compile(r"[\W_]+")
_ZEROS = re.compile(r"(?<!\d)0+(?=\d)")
_ASIDE = re.compile(r"\s*[(\[][^()\[\]]*[)\]]\s*$")


def titles_of(chunk: RankedChunk, stemmer: str) -> tuple[str, str]:
    """Return the terms of the fields `title` and `heading` (see `analysis.indexed`)."""
    stop_list = analysis.plain(stemmer)
    heading = _heading(chunk.sections, chunk.heading, stemmer, stop_list) if chunk.heading else ""
    return _title(chunk.title, chunk.path, stemmer, stop_list), heading


@lru_cache(maxsize=4_096)
def _heading(sections: tuple[str, ...], heading: str, stemmer: str, stop_list: str) -> str:
    """Return the terms of a heading and its parent sections; cached, since most pages share them (`See also`)."""
    lines = [_line(text, stemmer) for text in (*sections, heading)]
    terms = analysis.in_one(" ".join([terms for terms, _ in lines]), chain.from_iterable(more for _, more in lines))
    return _with_wholes(terms, (heading,), stemmer, stop_list)


@lru_cache(maxsize=4_096)
def _line(text: str, stemmer: str) -> tuple[str, list[str]]:
    return analysis.spelled(text, stemmer)


@lru_cache(maxsize=64)
def _title(title: str, path: str, stemmer: str, stop_list: str) -> str:
    """Return the terms of a title and file name, with numbers also without leading zeros; cached for an item's
    chunks."""
    name = path.rpartition("/")[2]
    stem = _BREAK.sub(" ", name.rpartition(".")[0] or name)
    plain = _ZEROS.sub("", stem)
    names = (title, stem, plain) if plain != stem else (title, stem)
    return _with_wholes(analysis.indexed("", "\n".join(names), stemmer), (title, plain), stemmer, stop_list)


def _with_wholes(terms: str, titles: Sequence[str], stemmer: str, stop_list: str) -> str:
    """Return the terms of a text, and those of complete titles."""
    wholes = dict.fromkeys(" ".join([_whole(title, stemmer, stop_list) for title in titles]).split())
    return " ".join((terms, *analysis.analyzer(stemmer).analyze(" ".join(wholes))))  # each occurs once


def _whole(title: str, stemmer: str, stop_list: str) -> str:
    """Return the terms of a complete title, with and without brackets at its end."""
    names = dict.fromkeys((title, _ASIDE.sub("", title))) if ")" in title or "]" in title else (title,)
    of_names = (analysis.telling(analysis.normalised(name), stemmer, stop_list) for name in names)
    return " ".join(_joined(words) for words in of_names if 0 < len(words) <= _MOST)


def _joined(words: Sequence[str]) -> str:
    return _JOINED + "".join(words)


class Whole(NamedTuple):
    """A run of a question's words that may be a complete title. `terms`: one for each language; `weight`: idf of the
    run times its share of the question's."""

    terms: tuple[str, ...]
    weight: float


def wholes(spellings: Sequence[Sequence[str]], languages: Languages, weigh: Callable[[str], float]) -> Iterator[Whole]:
    """Yield the complete titles that a question may name. `spellings`: its content words for each stemmer of
    `languages`; `weigh` returns a term's idf."""
    weights = [min(map(weigh, variants)) for variants in zip(*spellings, strict=True)]
    total = sum(weights)
    if not total or len(weights) > _LONGEST_ASKED:
        return
    ends = [(at, end) for at in range(len(weights)) for end in range(at + 1, min(len(weights), at + _MOST) + 1)]
    of_stemmers = [
        analysis.each_term([_joined(words[start:end]) for start, end in ends], stemmer)
        for stemmer, words in zip(languages.stemmers, spellings, strict=True)
    ]
    for (start, end), terms in zip(ends, zip(*of_stemmers, strict=True), strict=True):
        weight = sum(weights[start:end])
        yield Whole(tuple(dict.fromkeys(filter(None, terms))), weight * weight / total)


class Clause(NamedTuple):
    """A part of a question that adds to a chunk's score: the best of some terms of a field, each by BM25 with this
    weight for its idf."""

    field: str
    terms: tuple[str, ...]
    weight: float


def clauses(
    wording: Wording,
    languages: Languages,
    weigh: Callable[..., float],
    rarest: float,
    has: Callable[[str, str], object],
) -> Iterator[Clause]:
    """Yield the clauses of a question's words and of the titles that it may name. Terms in no chunk are left out.
    `weigh`: returns the idf of a term in a field (default: the text). `rarest`: idf of a term in no chunk. `has`:
    returns a true value if a chunk has a term in a field; of the many possible titles few are there."""
    titles = [
        Clause(field, (term,), weight * run.weight)
        for run in wholes(wording.telling, languages, weigh)
        for field, weight in WHOLE.items()
        for term in run.terms
        if has(term, field)
    ]
    for word in weighed(wording.words, names_page=any(clause.field == TITLE for clause in titles)):
        for field, weight in WEIGHTS.items():
            idfs = {term: idf for term in word.variants if (idf := weigh(term, field)) < rarest}
            if idfs:  # all with the weight of the most frequent: else every word in a rare language would count as rare
                yield Clause(field, tuple(idfs), weight * word.weight * min(idfs.values()))
    yield from titles


def weighed(words: Sequence[Word], *, names_page: bool) -> Sequence[Word]:
    """Return the question's words with framing words reduced, most if a run of its words is a page's title."""
    share = 1.0 if names_page else _UNNAMED
    return [word._replace(weight=word.weight + share * (word.as_carrier - word.weight)) for word in words]


def multiplier_of(chunk: RankedChunk) -> int:
    """Return the multiplier of a chunk's score in hundredths: lower for quoted mail, else by its path."""
    if chunk.media_type in kinds.MAIL:
        from biblicus.text import replies  # lazy: few corpora hold mail

        if replies.is_quoted(chunk.text):
            return _LESS
    return multiplier(chunk.path)


@lru_cache(maxsize=4_096)
def multiplier(path: str) -> int:
    """Return the multiplier by the kind of file."""
    return _LESS if kinds.is_aside(path) else _PLAIN
