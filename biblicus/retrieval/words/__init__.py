"""Word legs: the index, the live scan, and the analysis of questions."""

from typing import TYPE_CHECKING

from biblicus.lazy import modules_of

if TYPE_CHECKING:
    from biblicus.retrieval.words import analyst, fields, lexical_reader, okapi, wording
else:
    __getattr__ = modules_of(__name__)
