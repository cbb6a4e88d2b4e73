"""Extractor of source code: the decoded file unchanged, with its definitions and declarations as headings."""

from __future__ import annotations

from biblicus.contracts import MediaHint
from biblicus.extraction.kit.texts import of_text
from biblicus.extraction.source_code import declared, lines
from biblicus.extraction.source_code.python_source import definitions
from biblicus.models.extraction import Extraction, Heading, NoExtraction

PYTHON = "text/x-python"


def _extract(text: str, warnings: tuple[str, ...], hint: MediaHint) -> Extraction | NoExtraction:
    """Extract source code; a `---` line at its top is no front matter. A heading is the qualified name of a definition
    (`Class.method`); code outside of all has the empty name."""
    headings: list[Heading] = []
    if hint.media_type == PYTHON:
        headings = definitions(text)
    elif hint.media_type in lines.LANGUAGES:
        headings = lines.definitions(text, hint.media_type)
    elif hint.media_type in declared.LANGUAGES:
        headings = declared.definitions(text, hint.media_type)
    return Extraction(text, headings=tuple(headings), warnings=warnings)


build = of_text("code/10", _extract)
