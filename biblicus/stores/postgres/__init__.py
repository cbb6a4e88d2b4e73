"""Runs in PostgreSQL: a schema for each corpus, posting lists in tables, vectors by pgvector."""

from typing import TYPE_CHECKING

from biblicus.lazy import modules_of

if TYPE_CHECKING:
    from biblicus.stores.postgres import server, shards, store
else:
    __getattr__ = modules_of(__name__)
