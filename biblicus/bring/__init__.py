"""Adds documents to a corpus: files, texts, addresses, synchronized sources, bibliographies; removes them."""

from typing import TYPE_CHECKING

from biblicus.lazy import modules_of

if TYPE_CHECKING:
    from biblicus.bring import sources
else:
    __getattr__ = modules_of(__name__)
