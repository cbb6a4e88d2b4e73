"""Hyphens at line ends of a PDF: part of a compound (`well-known`) or only of the line break (`har-bour`).

The words of the same document decide, so that an extraction depends on the file's bytes alone.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from biblicus.extraction.pdf.words import BROKEN

_BROKEN_WORD = re.compile(rf"([\w-]{{1,80}}){BROKEN}(\w{{1,80}})")
_WORD = re.compile(r"\w+(?:-\w+)*")


def resolved(pages: Sequence[str]) -> tuple[list[str], list[list[int]]]:
    """Return the pages with line-end hyphens kept or removed, and for each page the offsets of removed ones."""
    if not any(BROKEN in page for page in pages):
        return list(pages), [[] for _ in pages]
    words = {word.lower() for page in pages for word in _WORD.findall(_BROKEN_WORD.sub(" ", page))}
    parts = words.union(part for word in words if "-" in word for part in word.split("-"))
    texts, removed = [], []
    for page in pages:
        compound_offsets = {
            match.start(2) - 1
            for match in _BROKEN_WORD.finditer(page)
            if _is_compound(match[1], match[2], words, parts)
        }
        removed.append([at for at, char in enumerate(page) if char == BROKEN and at not in compound_offsets])
        marked = (
            "".join("-" if at in compound_offsets else char for at, char in enumerate(page))
            if compound_offsets
            else page
        )
        texts.append(marked.replace(BROKEN, ""))
    return texts, removed


def _is_compound(before: str, after: str, words: set[str], parts: set[str]) -> bool:
    """Return True if the hyphen between two parts belongs to a compound word, as before a capital: `Nord-Süd`."""
    if before[-1].islower() and after[0].isupper():
        return True
    before, after = before.lower(), after.lower()
    if f"{before}-{after}" in words or "-" in before:
        return True
    return before + after not in words and after in parts and before in parts
