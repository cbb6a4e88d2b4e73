"""Texts of items from extractors, transcripts and transcribers, and page images; all cached by content."""
