"""Hyphens at the ends of a PDF's lines: part of a compound (`well-known`), or only of the line (`har-bour`).

Decided by the words of the same document, so that an extraction depends on its own bytes alone.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from biblicus.extraction.pdf.laid import BROKEN

_BROKEN_WORD = re.compile(rf"([\w-]{{1,80}}){BROKEN}(\w{{1,80}})")
_WORD = re.compile(r"\w+(?:-\w+)*")


def resolved(pages: Sequence[str]) -> tuple[list[str], list[list[int]]]:
    """Return the pages with hyphens or none at the broken places, and for each page the offsets that were taken out."""
    if not any(BROKEN in page for page in pages):
        return list(pages), [[] for _ in pages]
    words = {word.lower() for page in pages for word in _WORD.findall(_BROKEN_WORD.sub(" ", page))}
    parts = words.union(part for word in words if "-" in word for part in word.split("-"))
    texts, removed = [], []
    for page in pages:
        kept = {
            match.start(2) - 1
            for match in _BROKEN_WORD.finditer(page)
            if _is_compound(match[1].lower(), match[2].lower(), words, parts)
        }
        removed.append([at for at, char in enumerate(page) if char == BROKEN and at not in kept])
        marked = "".join("-" if at in kept else char for at, char in enumerate(page)) if kept else page
        texts.append(marked.replace(BROKEN, ""))
    return texts, removed


def _is_compound(before: str, after: str, words: set[str], parts: set[str]) -> bool:
    """Whether a hyphen between two parts of a word is one of the word."""
    if f"{before}-{after}" in words or "-" in before:
        return True
    return before + after not in words and after in parts and before in parts
