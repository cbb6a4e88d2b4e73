"""Items without text: found where their name, title, tags and metadata hold every telling word of the question.

Those that say little else of themselves come first, and few of them take the place of a text.
"""

from __future__ import annotations

from functools import lru_cache

from biblicus.models.question import Question
from biblicus.models.requests.query import Filters
from biblicus.retrieval.words.wording import in_all_languages, understood
from biblicus.search.opened_run import OpenRun
from biblicus.stores.tables import ItemRow, item_of
from biblicus.text.fitting import fits
from biblicus.text.terms import analysis, identifiers

MOST = 3
"""Of one result."""
_TEXTS_TO_ONE = 3
"""Texts of a full result to each item without."""
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
    words = analysis.bigrams(analysis.normalised(text.replace("_", " ")))
    parts = " ".join(filter(None, (identifiers.spaced(name) for name in identifiers.camels(words))))
    return analysis.analyzer(stemmer).analyze(f"{words} {parts}")


def _texts(value: object) -> list[str]:
    """The texts among metadata, however deep."""
    if isinstance(value, str):
        return [value]
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list | tuple) else ()
    return [text for part in inner for text in _texts(part)]
