"""Worker processes that parse untrusted files in a sandbox, and their protocol."""

from typing import TYPE_CHECKING

from biblicus.lazy import modules_of

if TYPE_CHECKING:
    from biblicus.extraction.workers import drawing, pool, unpacking
else:
    __getattr__ = modules_of(__name__)
