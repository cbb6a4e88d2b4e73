"""Matches PDFs to the publications of a bibliography."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import PurePosixPath
from typing import Literal

from biblicus.bring.reference import Reference, arxiv_of, arxivs_in, doi_of, dois_in
from biblicus.models.item import Item

By = Literal["file", "doi", "arxiv", "name", "title"]

_HEAD = 6_000
"""Characters searched for the PDF's own DOI; later ones belong to cited works."""

_TITLE_WITHIN = 3_000
_SHARE = 0.7
"""Minimum share of a title's words in the start of the text, since a DOI there may be of a cited work."""

_TELLING = 12
"""Minimum letters of a title compared with the names of files and the titles of PDFs."""


class References:
    """References indexed by matching keys."""

    def __init__(self, references: Iterable[Reference]) -> None:
        self.by_file: dict[str, list[Reference]] = {}
        self.by_doi: dict[str, list[Reference]] = {}
        self.by_arxiv: dict[str, list[Reference]] = {}
        self.by_key: dict[str, list[Reference]] = {}
        self.by_letters: dict[str, list[Reference]] = {}
        self.titles: dict[str, list[Reference]] = {}
        for reference in references:
            for path in reference.files:
                self.by_file.setdefault(PurePosixPath(path).name, []).append(reference)
            self.by_key.setdefault(reference.key.casefold(), []).append(reference)
            if reference.doi:
                self.by_doi.setdefault(reference.doi, []).append(reference)
                self.by_letters.setdefault(_letters(reference.doi), []).append(reference)
            if reference.arxiv:
                self.by_arxiv.setdefault(reference.arxiv, []).append(reference)
            if len(title := _letters(reference.title)) >= _TELLING:
                self.titles.setdefault(title, []).append(reference)

    def known(self, item: Item) -> Iterator[tuple[By, list[Reference]]]:
        """Yield matches without the item's text, most reliable first."""
        name = PurePosixPath(item.path)
        yield "file", _nearest(item.path, self.by_file.get(name.name, []))
        fields = f"{item.metadata.get('doi', '')} {item.source.uri}"
        yield "doi", self.by_doi.get(doi_of(fields), []) or self.by_letters.get(_letters(name.stem), [])
        fields = f"arxiv:{item.metadata.get('arxiv', '')} {item.source.uri}"
        yield "arxiv", self.by_arxiv.get(arxiv_of(name.stem, bare=True) or arxiv_of(fields), [])

    def read(self, text: str) -> Iterator[tuple[By, list[Reference]]]:
        """Yield matches by the first DOI and the first arXiv id in the start of a text that also includes the title."""
        head = text[:_HEAD]
        doi, arxiv = next(dois_in(head), ""), next(arxivs_in(head), "")
        yield "doi", [reference for reference in self.by_doi.get(doi, []) if _has_title(head, reference.title)]
        yield "arxiv", [reference for reference in self.by_arxiv.get(arxiv, []) if _has_title(head, reference.title)]

    def named(self, item: Item) -> Iterator[tuple[By, list[Reference]]]:
        """Yield matches by file name or by the title of the PDF."""
        stem = PurePosixPath(item.path).stem
        letters = _letters(stem)
        keyed = self.by_key.get(stem.casefold(), []) if len(stem) >= 4 else []
        yield "name", keyed or [
            reference for title, ones in self.titles.items() for reference in ones
            if title in letters or (len(letters) >= 2 * _TELLING and title.startswith(letters))
        ]  # fmt: skip
        yield "title", self.titles.get(_letters(item.title), [])


def _nearest(path: str, references: list[Reference]) -> list[Reference]:
    """Return those references to a file of this name whose path shares the most folders with it."""
    shared = [(max(_shared(path, file) for file in reference.files), reference) for reference in references]
    most = max((count for count, _ in shared), default=0)
    return [reference for count, reference in shared if count == most]


def _shared(one: str, other: str) -> int:
    """Return the number of common parts of two paths, from the end."""
    count = 0
    for a, b in zip(reversed(one.split("/")), reversed(other.split("/")), strict=False):
        if a != b:
            break
        count += 1
    return count


def _letters(text: str) -> str:
    return re.sub(r"[\W_]+", "", text.casefold())


def _has_title(text: str, title: str) -> bool:
    words = set(re.findall(r"\w{4,}", title.casefold()))
    there = set(re.findall(r"\w{4,}", text[:_TITLE_WITHIN].casefold()))
    return not words or len(words & there) >= _SHARE * len(words)
