"""Texts of items from extractors, transcripts and transcribers, and page images; all cached by content."""

from typing import TYPE_CHECKING

from biblicus.lazy import modules_of

if TYPE_CHECKING:
    from biblicus.corpus.extracted import contents, extractions, transcripts
else:
    __getattr__ = modules_of(__name__)
