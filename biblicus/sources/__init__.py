"""Kinds of sources for items."""

from typing import TYPE_CHECKING

from biblicus.lazy import modules_of

if TYPE_CHECKING:
    from biblicus.sources import folder, git
else:
    __getattr__ = modules_of(__name__)
