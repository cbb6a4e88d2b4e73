"""Items without text, found if name, title, tags and metadata contain every content word of the question.

Items with few other words come first, and only some are returned. Notes list unread files with names that match the
question, and files that were too large if the evidence is weak.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence, Set
from dataclasses import replace
from functools import lru_cache
from itertools import islice
from pathlib import PurePosixPath

from biblicus.models.question import Question
from biblicus.models.requests.query import Filters
from biblicus.models.unread import TOO_LARGE, kind_of
from biblicus.retrieval.words.wording import Languages, in_all_languages, understood
from biblicus.search.opened_run import OpenRun
from biblicus.stores.tables import ItemRow, item_of
from biblicus.text.fitting import fits, fits_path
from biblicus.text.terms import analysis, identifiers

MOST = 3
"""Maximum items without text in a result, and maximum file names in a note."""
_TEXTS_TO_ONE = 3
"""Number of texts in a full result for each item without text."""
_SHARED = 2
"""Minimum common words of a question and a file name, unless the name has fewer."""
_LOOKED_AT = 200
"""Maximum items without text that are examined."""
_LONGEST = 8
"""Maximum words of a question that are searched in names."""
_REMEMBERED = 2_000
"""Maximum items whose words are cached (4 MB)."""
_BEGINNING = 4
"""Letters at the beginning of a word that its forms share."""


def named_by(run: OpenRun, question: str, filters: Filters, trusted: frozenset[int] | None) -> list[ItemRow]:
    """Return the items without text whose data contain the question's words, those with the shortest titles first.
    `trusted`: rows of the only items that may be shown, or None for all."""
    parsed_question = Question(question, run.languages)
    languages = in_all_languages(parsed_question)
    words = understood(parsed_question, languages).content
    if not 0 < len(words) <= _LONGEST:
        return []
    rows = []
    # Records are as they were written, terms without accents.
    beginnings = [[_beginning(variant) for variant in variants] for variants in words] if question.isascii() else []
    for row in run.tables.without_text(beginnings):
        terms = _terms(row.record, languages.stemmers)
        if not all(any(variant in terms for variant in variants) for variants in words):
            continue
        if row.item.bytes and _may_be_shown(row, filters, trusted):
            rows.append(row)
    return sorted(rows, key=lambda row: len(_words(row.item.title)))[:MOST]


def unread(
    run: OpenRun,
    question: str,
    filters: Filters,
    trusted: frozenset[int] | None,
    *,
    is_weak: bool,
    left_out: Collection[str] = (),
) -> tuple[str, ...]:
    """Return notes on files that were not read and may contain the answer.

    A file is listed if its name shares words with the question: any file if the evidence is weak, otherwise only one
    that was too large. If the evidence is weak, other too large files are listed as well. Numbers in a name do not
    count as words. `left_out`: paths of files that were too large to become items.
    """
    is_open = trusted is None and not replace(filters, path=()).restricts
    left_out = [path for path in sorted(left_out) if is_open and (not filters.path or fits_path(path, filters.path))]
    if not (is_weak or run.too_large or left_out):
        return ()
    parsed_question = Question(question, run.languages)
    languages = in_all_languages(parsed_question)
    words = understood(parsed_question, languages).content
    named, large = [], []
    terms = {variant for variants in words[:_LONGEST] for variant in variants} if len(words) <= _LONGEST else set()
    beginnings = [[_beginning(variant) for variant in sorted(terms)]] if terms and question.isascii() else []
    candidates = run.tables.without_text(beginnings) if terms else []
    for row in islice(sorted(candidates, key=lambda row: row.path not in run.too_large), _LOOKED_AT):
        kind = kind_of((row.note or "-")[1:], failed=False)
        if (
            kind is not None
            and (is_weak or kind == TOO_LARGE)
            and _may_be_shown(row, filters, trusted)
            and _is_named(row.path, terms, run, languages)
        ):
            named.append(row.path)
    named = [path for path in left_out if _is_named(path, terms, run, languages)] + named
    if is_weak and (run.too_large or left_out):
        rows = (row for row in run.tables.without_text([]) if row.path in run.too_large)
        large = [*left_out, *(row.path for row in rows if _may_be_shown(row, filters, trusted))]
        large = [path for path in large if path not in named]
    notes = (("Called like what is asked, and not read", named), ("Too large to be read, and not searched", large))
    return tuple(f"{what}: {_listed(paths)}. Try: biblicus check --failed" for what, paths in notes if paths)


def _is_named(path: str, terms: Set[str], run: OpenRun, languages: Languages) -> bool:
    """Return True if a file's name shares enough words with the question."""
    name = Question(_spaced(PurePosixPath(path).stem), run.languages)
    name_words = [variants for variants in understood(name, languages).content if not variants[0].isdecimal()]
    shared_count = sum(not terms.isdisjoint(variants) for variants in name_words)
    return shared_count > 0 and shared_count >= min(_SHARED, len(name_words))


def _may_be_shown(row: ItemRow, filters: Filters, trusted: frozenset[int] | None) -> bool:
    return fits(row.item, filters) and (trusted is None or row.row in trusted)


def _listed(paths: Sequence[str]) -> str:
    more = f" and {len(paths) - MOST:,} more" if len(paths) > MOST else ""
    return f"{', '.join(paths[:MOST])}{more}"


def places(found: int, items: int) -> int:
    """Return how many pieces of a result are reserved for items without text that were found."""
    return min(found, items // (_TEXTS_TO_ONE + 1))


def _beginning(variant: str) -> str:
    return variant[: min(_BEGINNING, max(1, len(variant) - 1))]


@lru_cache(maxsize=_REMEMBERED)
def _terms(record: str, stemmers: tuple[str, ...]) -> frozenset[str]:
    """Return the terms in an item's record; cached, since many questions match the same items."""
    item = item_of(record)
    texts = [item.path, item.title, item.doctype, item.media_type, *item.tags, *_texts(item.metadata)]
    return frozenset(term for stemmer in stemmers for term in _words(" ".join(texts), stemmer))


def _words(text: str, stemmer: str = "") -> list[str]:
    """Return the stemmed words of a text, including parts of camel-case words (`oldLamp`)."""
    return analysis.analyzer(stemmer).analyze(_spaced(text))


def _spaced(text: str) -> str:
    words = analysis.bigrams(analysis.normalised(text.replace("_", " ")))
    parts = " ".join(filter(None, (identifiers.spaced(name) for name in identifiers.camels(words))))
    return f"{words} {parts}".strip()


def _texts(value: object) -> list[str]:
    """Return the texts in metadata at any depth."""
    if isinstance(value, str):
        return [value]
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list | tuple) else ()
    return [text for part in inner for text in _texts(part)]
