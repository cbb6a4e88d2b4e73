"""Hyphens at line ends of a PDF: part of a compound (`well-known`) or only of the line break (`har-bour`).

The words of the same document decide, so that an extraction depends on the file's bytes alone.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from biblicus.extraction.pdf.words import BROKEN

_LONGEST = 80
_BEFORE, _AFTER = re.compile(r"[\w-]+\Z"), re.compile(rf"{BROKEN}(\w{{1,{_LONGEST}}})")
_WORD = re.compile(r"\w+(?:-\w+)*")


def resolved(pages: Sequence[str]) -> tuple[list[str], list[list[int]]]:
    """Return the pages with line-end hyphens hyphens or removed, and for each page the offsets of removed ones."""
    if not any(BROKEN in page for page in pages):
        return list(pages), [[] for _ in pages]
    written_words: set[str] = set()
    broken_words: list[tuple[int, int, str, str]] = []
    for number, page in enumerate(pages):
        begun = 0
        for after in _AFTER.finditer(page):
            at = after.start()
            if before := _BEFORE.search(page, max(begun, at - _LONGEST), at):
                broken_words.append((number, at, before[0], after[1]))
                written_words.update(_WORD.findall(page, begun, before.start()))
                begun = after.end()
        written_words.update(_WORD.findall(page, begun))
    words = {word.lower() for word in written_words}
    parts = words.union(part for word in words if "-" in word for part in word.split("-"))
    hyphens: list[list[int]] = [[-1] for _ in pages]  # offsets of hyphens of compounds
    for number, at, before_break, after_break in broken_words:
        if _is_compound(before_break, after_break, words, parts):
            hyphens[number].append(at)
    texts = [
        "-".join([page[begin + 1 : end] for begin, end in pairwise((*offsets, len(page)))])
        for page, offsets in zip(pages, hyphens, strict=True)
    ]
    removed = [[hyphen.start() for hyphen in re.finditer(BROKEN, text)] for text in texts]
    return [text.replace(BROKEN, "") for text in texts], removed


def _is_compound(before: str, after: str, words: set[str], parts: set[str]) -> bool:
    """Return True if the hyphen between two parts belongs to a compound, as before a capital or digit: `Nord-Süd`."""
    if (before[-1].islower() and after[0].isupper()) or after[0].isdecimal():
        return True
    before, after = before.lower(), after.lower()
    if f"{before}-{after}" in words or "-" in before:
        return True
    return before + after not in words and after in parts and before in parts
