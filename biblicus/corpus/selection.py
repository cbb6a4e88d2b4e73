"""Find an item by its id, an unambiguous prefix of the id, or its path."""

from __future__ import annotations

from contextlib import suppress

from biblicus.corpus.catalog import Catalog
from biblicus.errors import AmbiguousItem, ItemNotFound
from biblicus.models.item import Item
from biblicus.text.paths import from_os


def named(catalog: Catalog, name: str) -> Item:
    """Return the item of this id, path or unambiguous id prefix. Raises `ItemNotFound`, `AmbiguousItem`."""
    if (item_path := catalog.of_all.path_of(name)) is not None:
        return catalog.items[item_path]
    path = name.removeprefix("./")
    if path in catalog.items:
        return catalog.items[path]
    with suppress(UnicodeEncodeError):  # no file can have this name
        if (typed := from_os(path)) in catalog.items:
            return catalog.items[typed]
    ids = catalog.of_all.beginning(name) if name else {}
    if len(ids) > 1:
        raise AmbiguousItem(name, [*ids])
    if not ids:
        raise ItemNotFound(name)
    return catalog.items[next(iter(ids.values()))]
