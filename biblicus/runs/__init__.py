"""Build and store runs: sealed, versioned indexes made from recipes."""

from typing import TYPE_CHECKING

from biblicus.lazy import modules_of

if TYPE_CHECKING:
    from biblicus.runs import build, cutting, embedders, freshness, manifests, stats, vectors, views
else:
    __getattr__ = modules_of(__name__)
