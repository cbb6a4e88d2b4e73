"""One corpus: its folder, catalog, items and their metadata, events, recipes and weights."""

from typing import TYPE_CHECKING

from biblicus.lazy import modules_of

if TYPE_CHECKING:
    from biblicus.corpus import (
        auto,
        catalog,
        changes,
        described,
        editorial,
        extracted,
        facets,
        folder,
        founding,
        recipes,
        registries,
        store_binding,
    )
else:
    __getattr__ = modules_of(__name__)
