"""Approval of items: layers, the editorial log, and copies of approved bytes."""

from typing import TYPE_CHECKING

from biblicus.lazy import modules_of

if TYPE_CHECKING:
    from biblicus.corpus.editorial import approvals, publications
else:
    __getattr__ = modules_of(__name__)
