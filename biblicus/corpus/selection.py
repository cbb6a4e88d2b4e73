"""Which items are meant: by name (id, unambiguous id prefix, path) and by filters, in `list` and `query` alike."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from biblicus.corpus.catalog import Catalog
from biblicus.errors import AmbiguousItem, ItemNotFound
from biblicus.models.item import DATES, Item, Source
from biblicus.models.question import Filters
from biblicus.text.globs import fits_type, matches_path


def named(catalog: Catalog, name: str) -> Item:
    """The item of this id, path or unambiguous id prefix. Raises `ItemNotFound`, `AmbiguousItem`."""
    if name in catalog.paths:
        return catalog.items[catalog.paths[name]]
    path = name.removeprefix("./")
    if path in catalog.items:
        return catalog.items[path]
    found = [item_id for item_id in catalog.paths if item_id.startswith(name)] if name else []
    if len(found) > 1:
        raise AmbiguousItem(name, found)
    if not found:
        raise ItemNotFound(name)
    return catalog.items[catalog.paths[found[0]]]


_DAY = re.compile(r"([0-9]{4}(?:-[0-9]{2})?)|([0-9]{4}-[0-9]{2}-[0-9]{2})(?:[T ].*)?", re.DOTALL)
_ENDS = "/#?@:"


def fits_rows(item: Item, filters: Filters) -> bool:
    """Whether what no index has a field for holds (see `Filters.go_by_item`, and `TableReader.rows_where` in SQL)."""
    metadata = item.metadata
    return (
        all(_has(metadata, key, (wanted,)) for key, wanted in filters.where.items())
        and (not filters.toolkits or _has(metadata, "toolkit", filters.toolkits))
        and (not filters.categories or _has(metadata, "category", filters.categories))
        and (not filters.sources or any(_comes_from(item, source) for source in filters.sources))
        and (not (filters.since or filters.until) or _within(day_of(metadata), filters.since, filters.until))
    )


def _has(metadata: Mapping[str, Any], key: str, wanted: Iterable[str]) -> bool:
    """Whether a metadata key has one of these texts, or a list that holds one."""
    value = metadata.get(key)
    return any(one in wanted for one in (value if isinstance(value, list) else [value]) if isinstance(one, str))


def _comes_from(item: Item, wanted: str) -> bool:
    source: Source = item.source
    after = source.uri[len(wanted) : len(wanted) + 1]
    return bool(wanted) and (
        source.kind == wanted
        or item.path.startswith(f"imports/{wanted}/")
        or (source.uri.startswith(wanted) and (not after or after in _ENDS or wanted[-1] in _ENDS))
    )


def day_of(metadata: Mapping[str, Any]) -> str | None:
    """An item's day, month or year, as far as its metadata tells (see `models.item.DATES`)."""
    for key in DATES:
        value = metadata.get(key)
        if isinstance(value, str | int) and not isinstance(value, bool) and (found := _DAY.fullmatch(str(value))):
            return found[1] or found[2]
    return None


def _within(day: str | None, since: str | None, until: str | None) -> bool:
    """Both bounds are included: a month holds its days. A day that is not known in full counts as the first."""
    if day is None:
        return False
    return (since is None or day[: len(since)] >= since) and (until is None or day[: len(until)] <= until)


def fits(item: Item, filters: Filters) -> bool:
    """Whether an item may be listed or ranked."""
    return (
        set(filters.tags) <= set(item.tags)
        and (not filters.types or fits_type(item.media_type, filters.types))
        and (not filters.doctypes or item.doctype in filters.doctypes)
        and (not filters.languages or item.language in filters.languages)
        and (not filters.paths or matches_path(item.path, filters.paths))
        and fits_rows(item, filters)
    )
