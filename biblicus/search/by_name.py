"""Items without text: found where their name, title, tags and metadata hold every telling word of the question."""

from __future__ import annotations

from biblicus.models.item import Item
from biblicus.models.question import Question
from biblicus.models.requests.query import Filters
from biblicus.retrieval.words.wording import in_all_languages, understood
from biblicus.search.opened_run import OpenRun
from biblicus.stores.tables import ItemRow
from biblicus.text.fitting import fits
from biblicus.text.terms import analysis, identifiers

MOST = 3
"""Of one result."""
_LONGEST = 8
"""Words of a question that a name may hold."""
_BEGINNING = 4
"""Letters of a word that its forms share."""


def named_by(run: OpenRun, question: str, filters: Filters, trusted: frozenset[int] | None = None) -> list[ItemRow]:
    """The items without text that are called what is asked for, by path. `trusted`: rows of the only ones that may be
    shown."""
    asked = Question(question, run.languages)
    languages = in_all_languages(asked)
    words = understood(asked, languages).content
    if not 0 < len(words) <= _LONGEST:
        return []
    rows = []
    # Records are as they were written, terms without accents.
    beginnings = [[_beginning(variant) for variant in variants] for variants in words] if question.isascii() else []
    for row in run.tables.without_text(beginnings):
        item = row.item
        if not item.bytes or not fits(item, filters) or (trusted is not None and row.row not in trusted):
            continue
        terms = _terms(item, languages.stemmers)
        if all(any(variant in terms for variant in variants) for variants in words):
            rows.append(row)
            if len(rows) == MOST:
                break
    return rows


def _beginning(variant: str) -> str:
    return variant[: min(_BEGINNING, max(1, len(variant) - 1))]


def _terms(item: Item, stemmers: tuple[str, ...]) -> frozenset[str]:
    """The words that an item says of itself."""
    texts = [item.path, item.title, item.doctype, item.media_type, *item.tags, *_texts(item.metadata)]
    words = analysis.bigrams(analysis.normalised(" ".join(text.replace("_", " ") for text in texts)))
    parts = " ".join(filter(None, (identifiers.spaced(name) for name in identifiers.camels(words))))
    return frozenset(term for stemmer in stemmers for term in analysis.analyzer(stemmer).analyze(f"{words} {parts}"))


def _texts(value: object) -> list[str]:
    """The texts among metadata, however deep."""
    if isinstance(value, str):
        return [value]
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list | tuple) else ()
    return [text for part in inner for text in _texts(part)]
