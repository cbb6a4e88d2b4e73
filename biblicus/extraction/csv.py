"""Extractor of CSV and TSV: the decoded file unchanged, one record a line."""

from __future__ import annotations

from biblicus.contracts import MediaHint
from biblicus.extraction.kit.texts import decoded, extractor, nothing
from biblicus.models.extraction import Extraction, Heading, NoExtraction
from biblicus.text import records

_LONGEST = 300
"""Maximum characters of a line of column names."""
_BEGINNING = 20_000
"""Characters from the start in which the line of column names is searched."""


def _extract(raw: bytes, hint: MediaHint) -> Extraction | NoExtraction:
    """Decode a table; its column names become the heading of all records. Separators alone count as empty."""
    text, warnings = decoded(raw)
    if not text.strip(" \t\r\n,;|\"'"):
        return nothing()
    start = len(text) - len(text.lstrip("\ufeff \t\r\n"))
    lines = text[start : start + _BEGINNING].splitlines(keepends=True)
    above = records.naming([line.strip() for line in lines])
    start += sum(map(len, lines[:above]))
    names = lines[above].strip()
    is_named = len(names) <= _LONGEST and records.names_columns(names)
    return Extraction(text, headings=(Heading(start, 1, names),) if is_named else (), warnings=warnings)


build = extractor("csv/4", _extract, guarded=False)
