"""Items without text: found where their name, title, tags and metadata hold every telling word of the question.

Those that say little else of themselves come first, and few of them take the place of a text. Of files that could not
be read, a note tells those that are called like something in the question.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import islice
from pathlib import PurePosixPath

from biblicus.models.question import Question
from biblicus.models.requests.query import Filters
from biblicus.models.unread import kind_of
from biblicus.retrieval.words.wording import in_all_languages, understood
from biblicus.search.opened_run import OpenRun
from biblicus.stores.tables import ItemRow, item_of
from biblicus.text.fitting import fits
from biblicus.text.terms import analysis, identifiers

MOST = 3
"""Of one result."""
_TEXTS_TO_ONE = 3
"""Texts of a full result to each item without."""
_SHARED = 2
"""Words that a question and a name have in common, where the question does not hold the whole name."""
_LOOKED_AT = 200
"""Items without text whose names share the beginning of a word with a question."""
_LONGEST = 8
"""Words of a question that a name may hold."""
_REMEMBERED = 2_000
"""Items whose words are remembered; 4 MB."""
_BEGINNING = 4
"""Letters of a word that its forms share."""


def named_by(run: OpenRun, question: str, filters: Filters, trusted: frozenset[int] | None) -> list[ItemRow]:
    """The items without text that are called what is asked for: those with the fewest other words in their titles
    first, then by path. `trusted`: rows of the only ones that may be shown."""
    asked = Question(question, run.languages)
    languages = in_all_languages(asked)
    words = understood(asked, languages).content
    if not 0 < len(words) <= _LONGEST:
        return []
    rows = []
    # Records are as they were written, terms without accents.
    beginnings = [[_beginning(variant) for variant in variants] for variants in words] if question.isascii() else []
    for row in run.tables.without_text(beginnings):
        terms = _terms(row.record, languages.stemmers)
        if not all(any(variant in terms for variant in variants) for variants in words):
            continue
        if row.item.bytes and fits(row.item, filters) and (trusted is None or row.row in trusted):
            rows.append(row)
    return sorted(rows, key=lambda row: len(_words(row.item.title)))[:MOST]


def unread(run: OpenRun, question: str, filters: Filters, trusted: frozenset[int] | None) -> tuple[str, ...]:
    """A note on files that may hold what is asked, by what they are called, and could not be read; none where there is
    no such file. Years and other numbers of a name tell nothing."""
    asked = Question(question, run.languages)
    languages = in_all_languages(asked)
    words = understood(asked, languages).content
    if not 0 < len(words) <= _LONGEST:
        return ()
    terms = {variant for variants in words for variant in variants}
    beginnings = [[_beginning(variant) for variant in sorted(terms)]] if question.isascii() else []
    paths: list[str] = []
    for row in islice(run.tables.without_text(beginnings), _LOOKED_AT):
        if kind_of((row.note or "-")[1:], failed=False) is None:
            continue
        if not fits(row.item, filters) or (trusted is not None and row.row not in trusted):
            continue
        name = Question(_spaced(PurePosixPath(row.path).stem), run.languages)
        own = [variants for variants in understood(name, languages).content if not variants[0].isdecimal()]
        held = sum(not terms.isdisjoint(variants) for variants in own)
        if held and held >= min(_SHARED, len(own)):
            paths.append(row.path)
    if not paths:
        return ()
    more = f" and {len(paths) - MOST} more" if len(paths) > MOST else ""
    return (f"Called like what is asked, and not read: {', '.join(paths[:MOST])}{more}. Try: biblicus check --failed",)


def places(found: int, items: int) -> int:
    """How many of so many pieces of evidence are kept for the items without text that were found."""
    return min(found, items // (_TEXTS_TO_ONE + 1))


def _beginning(variant: str) -> str:
    return variant[: min(_BEGINNING, max(1, len(variant) - 1))]


@lru_cache(maxsize=_REMEMBERED)
def _terms(record: str, stemmers: tuple[str, ...]) -> frozenset[str]:
    """The words that an item says of itself in its record. Remembered: many questions share a word with the same."""
    item = item_of(record)
    texts = [item.path, item.title, item.doctype, item.media_type, *item.tags, *_texts(item.metadata)]
    return frozenset(term for stemmer in stemmers for term in _words(" ".join(texts), stemmer))


def _words(text: str, stemmer: str = "") -> list[str]:
    """The words of a text, stemmed, and the parts of those that are joined (`oldLamp`)."""
    return analysis.analyzer(stemmer).analyze(_spaced(text))


def _spaced(text: str) -> str:
    words = analysis.bigrams(analysis.normalised(text.replace("_", " ")))
    parts = " ".join(filter(None, (identifiers.spaced(name) for name in identifiers.camels(words))))
    return f"{words} {parts}".strip()


def _texts(value: object) -> list[str]:
    """The texts among metadata, however deep."""
    if isinstance(value, str):
        return [value]
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list | tuple) else ()
    return [text for part in inner for text in _texts(part)]
