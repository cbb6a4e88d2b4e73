"""Runs in Milvus: collections for each run, with posting lists and dense vectors."""

from typing import TYPE_CHECKING

from biblicus.lazy import modules_of

if TYPE_CHECKING:
    from biblicus.stores.milvus import server
else:
    __getattr__ = modules_of(__name__)
