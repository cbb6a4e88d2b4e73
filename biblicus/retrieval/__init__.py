"""Ranking: the legs (`lexical`, `scan`, vectors), fusion, reranking, budgets and snippets."""

from typing import TYPE_CHECKING

from biblicus.lazy import modules_of

if TYPE_CHECKING:
    from biblicus.retrieval import judge, merging, snippet, words
else:
    __getattr__ = modules_of(__name__)
