"""Evaluates filters on items and chunks in memory: the definition of each filter.

The tantivy leg has the filters of `INDEXED` in the engine's queries, too; tests compare them with this module.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from biblicus.models.item import DATES, Item, Source
from biblicus.models.requests.query import FILTERS, INDEXED, Filters
from biblicus.text.globs import fits_path, fits_type


class Described(Protocol):
    """Fields of an item or chunk that filters in indexes (`INDEXED`) use."""

    @property
    def language(self) -> str | None: ...
    @property
    def media_type(self) -> str: ...
    @property
    def doctype(self) -> str: ...
    @property
    def tags(self) -> Sequence[str]: ...
    @property
    def path(self) -> str: ...


class Description(NamedTuple):
    """The fields of an item that indexed filters use."""

    language: str | None
    media_type: str
    doctype: str
    tags: Sequence[str]
    path: str


class FilteredItem(NamedTuple):
    """The fields of an item that filters use, except `type`, `tag` and `hash`."""

    path: str
    language: str | None
    doctype: str
    layer: str | None
    source: Source
    metadata: Mapping[str, Any]


def fits(item: Item | FilteredItem, filters: Filters) -> bool:
    """Return True if an item matches all filters."""
    return _fits(item, filters, FILTERS)


def fits_indexed(chunk: Described, filters: Filters) -> bool:
    """Return True if a chunk matches the filters that indexes have a field for."""
    return _fits(chunk, filters, INDEXED)


def fits_by_item(item: Item | FilteredItem, filters: Filters) -> bool:
    """Return True if an item matches the filters that no index has a field for (see `Filters.by_item`)."""
    return _fits(item, filters, _BY_ITEM)


def day_of(metadata: Mapping[str, Any]) -> str | None:
    """Return the date in an item's metadata (see `models.item.DATES`), as precise as given, or None."""
    for key in DATES:
        value = metadata.get(key)
        if isinstance(value, str | int) and not isinstance(value, bool) and (match := _DAY.fullmatch(str(value))):
            return match[1] or match[2]
    return None


def toolkits_of(item: Item) -> tuple[str, ...]:
    """Return the `toolkit` in an item's metadata, or else the repository from which it was synced."""
    value = item.metadata.get("toolkit")
    if value is None and item.source.kind == "git":
        value = item.path.removeprefix("imports/").partition("/")[0]
    return texts_of(value)


def texts_of(value: object) -> tuple[str, ...]:
    """Return the texts of a metadata value, which may be a text or a list."""
    return tuple(text for text in (value if isinstance(value, list) else [value]) if isinstance(text, str))


_DAY = re.compile(r"([0-9]{4}(?:-[0-9]{2})?)|([0-9]{4}-[0-9]{2}-[0-9]{2})(?:[T ].*)?", re.DOTALL)
_ENDS = "/#?@:"
_BY_ITEM = tuple(name for name in FILTERS if name not in INDEXED)


def _fits(item: Any, filters: Filters, names: Iterable[str]) -> bool:
    return all(MEANINGS[name](item, wanted) for name in names if (wanted := getattr(filters, name)))


def _has(item: Item, key: str, wanted: Iterable[str]) -> bool:
    """Return True if a metadata value is, or its list contains, one of these texts."""
    return any(text in wanted for text in texts_of(item.metadata.get(key)))


def _comes_from(item: Item, wanted: str) -> bool:
    uri = item.source.uri
    after = uri[len(wanted) : len(wanted) + 1]
    return bool(wanted) and (
        item.source.kind == wanted
        or item.path.startswith(f"imports/{wanted}/")
        or (uri.startswith(wanted) and (not after or after in _ENDS or wanted[-1] in _ENDS))
    )


def _since(item: Item, first: str) -> bool:
    """Return True if the item's date is not before `first`; a date without a day counts as its first day."""
    day = day_of(item.metadata)
    return day is not None and day[: len(first)] >= first


def _until(item: Item, last: str) -> bool:
    """Return True if the item's date is not after `last`; a month includes all its days."""
    day = day_of(item.metadata)
    return day is not None and day[: len(last)] <= last


MEANINGS: Mapping[str, Callable[[Any, Any], bool]] = {
    "tag": lambda item, wanted: set(wanted) <= set(item.tags),
    "type": lambda item, wanted: fits_type(item.media_type, wanted),
    "doctype": lambda item, wanted: item.doctype in wanted,
    "language": lambda item, wanted: item.language in wanted,
    "path": lambda item, wanted: fits_path(item.path, wanted),
    "where": lambda item, wanted: all(_has(item, key, (text,)) for key, text in wanted.items()),
    "toolkit": lambda item, wanted: _has(item, "toolkit", wanted),
    "category": lambda item, wanted: _has(item, "category", wanted),
    "source": lambda item, wanted: any(_comes_from(item, source) for source in wanted),
    "layer": lambda item, wanted: item.layer in wanted,
    "since": _since,
    "until": _until,
    "hash": lambda item, wanted: item.content_hash in wanted or f"sha256:{item.sha256}" in wanted,
}
"""Functions by filter name: do the item's fields match the filter's value?"""
