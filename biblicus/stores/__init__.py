"""Storage of runs' tables and vectors. Stores receive folders, never a corpus."""

from typing import TYPE_CHECKING

from biblicus.lazy import modules_of

if TYPE_CHECKING:
    from biblicus.stores import milvus, options, postgres
else:
    __getattr__ = modules_of(__name__)
