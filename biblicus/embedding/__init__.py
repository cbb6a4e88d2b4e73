"""Embedders, which convert text to vectors: one module for each, found by name."""

from typing import TYPE_CHECKING

from biblicus.lazy import modules_of

if TYPE_CHECKING:
    from biblicus.embedding import judge, likeness, minilm_int8, networks, pairs, served
else:
    __getattr__ = modules_of(__name__)
