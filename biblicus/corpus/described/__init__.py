"""Metadata of items, from files, folders and the containers of members."""

from typing import TYPE_CHECKING

from biblicus.lazy import modules_of

if TYPE_CHECKING:
    from biblicus.corpus.described import contexts
else:
    __getattr__ = modules_of(__name__)
