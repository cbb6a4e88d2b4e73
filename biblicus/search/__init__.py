"""Queries to a run: from a question to evidence, and verification of evidence."""

from typing import TYPE_CHECKING

from biblicus.lazy import modules_of

if TYPE_CHECKING:
    from biblicus.search import by_name, judged, language_models, live, query, rerankers, verify
else:
    __getattr__ = modules_of(__name__)
