"""Items without text: found where their name, title, tags and metadata hold every telling word of the question.

Those that say little else of themselves come first, and few of them take the place of a text. Of files that could not
be read, notes name those that are called like something in the question, and large ones where the evidence is weak.
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
from biblicus.text.fitting import fits
from biblicus.text.globs import fits_path
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
    """Return notes on files that were not read and may hold what is asked.

    A file is named whose name shares words with the question: any file where the evidence is weak, else only one that
    was too large to be read. Weak evidence names other such large files, too. Years and other numbers of a name do not
    count as words. `left_out`: paths of files that were too large to become items.
    """
    is_open = trusted is None and not replace(filters, path=()).restricts
    left_out = [path for path in sorted(left_out) if is_open and (not filters.path or fits_path(path, filters.path))]
    if not (is_weak or run.too_large or left_out):
        return ()
    asked = Question(question, run.languages)
    languages = in_all_languages(asked)
    words = understood(asked, languages).content
    named, large = [], []
    terms = {variant for variants in words[:_LONGEST] for variant in variants} if len(words) <= _LONGEST else set()
    beginnings = [[_beginning(variant) for variant in sorted(terms)]] if terms and question.isascii() else []
    found = run.tables.without_text(beginnings) if terms else []
    for row in islice(sorted(found, key=lambda row: row.path not in run.too_large), _LOOKED_AT):
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
    """Return true if a file's name shares enough words with the question."""
    name = Question(_spaced(PurePosixPath(path).stem), run.languages)
    own = [variants for variants in understood(name, languages).content if not variants[0].isdecimal()]
    held = sum(not terms.isdisjoint(variants) for variants in own)
    return held > 0 and held >= min(_SHARED, len(own))


def _may_be_shown(row: ItemRow, filters: Filters, trusted: frozenset[int] | None) -> bool:
    return fits(row.item, filters) and (trusted is None or row.row in trusted)


def _listed(paths: Sequence[str]) -> str:
    more = f" and {len(paths) - MOST:,} more" if len(paths) > MOST else ""
    return f"{', '.join(paths[:MOST])}{more}"


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
