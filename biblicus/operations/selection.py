"""Which items are meant: by name (id, unambiguous id prefix, path) and by filters, in `list` and `query` alike."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from biblicus.errors import AmbiguousItem, ItemNotFound
from biblicus.models.item import Item
from biblicus.models.question import Filters
from biblicus.storage.catalog import Catalog
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


def fits_where(metadata: Mapping[str, Any], where: Mapping[str, str]) -> bool:
    """Whether every metadata key has the wanted text, or a list that holds it."""
    for key, wanted in where.items():
        value = metadata.get(key)
        values = value if isinstance(value, list) else [value]
        if wanted not in [v if isinstance(v, str) else None for v in values]:
            return False
    return True


def fits(item: Item, filters: Filters) -> bool:
    """Whether an item may be listed or ranked."""
    return (
        set(filters.tags) <= set(item.tags)
        and (not filters.types or fits_type(item.media_type, filters.types))
        and (not filters.doctypes or item.doctype in filters.doctypes)
        and (not filters.languages or item.language in filters.languages)
        and (not filters.paths or matches_path(item.path, filters.paths))
        and fits_where(item.metadata, filters.where)
    )
