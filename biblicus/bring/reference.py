"""A reference, as one entry of a bibliography, with DOI and arXiv ids."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

_DOI = re.compile(r"\b10\.\d{4,9}/[^\s\"<>{}|\\^`\x00-\x1f]{1,200}")
_OPENS = {")": "(", "]": "["}
_ARXIV = re.compile(
    r"(?:arxiv\s?[:.]\s?|arxiv\.org/(?:abs|pdf)/)(\d{4}\.\d{4,5}|[a-z-]{2,12}(?:\.[a-z]{2})?/\d{7})(?:v\d{1,3})?(?!\d)",
    re.IGNORECASE,
)
_BARE_ARXIV = re.compile(r"(\d{4}\.\d{4,5}|[a-z-]{2,12}(?:\.[a-z]{2})?/\d{7})(?:v\d{1,3})?", re.IGNORECASE)


@dataclass(frozen=True)
class Reference:
    """One entry.

    `key`: its citation key. `authors`: names, first name first. `date`: ISO 8601, as exact as known. `doi`, `arxiv`:
    normalized, without a version. `files`: paths from the bibliography, with `/`. `line`: first line, from 1; 0 if
    unknown."""

    key: str
    kind: str = ""
    title: str = ""
    authors: tuple[str, ...] = ()
    date: str = ""
    journal: str = ""
    doi: str = ""
    arxiv: str = ""
    url: str = ""
    files: tuple[str, ...] = ()
    line: int = 0


def day_of(text: str) -> str:
    """Return the date in ISO 8601 at the start of a text; empty if there is none."""
    match = re.match(r"\d{4}(?:-\d\d(?:-\d\d)?)?(?![\d-])", text)
    return match[0] if match else ""


def dois_in(text: str) -> Iterator[str]:
    """Yield the DOIs in a text, in order: lower case, without trailing punctuation."""
    for match in _DOI.finditer(text):
        doi = match[0].lower()
        while doi[-1] in ".,;:'!?*" or (doi[-1] in ")]" and doi.count(_OPENS[doi[-1]]) < doi.count(doi[-1])):
            doi = doi[:-1]
        if not doi.endswith("/"):
            yield doi


def doi_of(text: str) -> str:
    """Return the first DOI in a field or address; empty if none."""
    return next(dois_in(text.replace("%2F", "/").replace("%2f", "/")), "")


def arxivs_in(text: str) -> Iterator[str]:
    """Yield the marked arXiv ids in a text, in order: lower case, without a version."""
    return (match[1].lower() for match in _ARXIV.finditer(text))


def arxiv_of(text: str, *, bare: bool = False) -> str:
    """Return the arXiv id in a field or address. `bare`: the text may be the id alone."""
    if bare and (match := _BARE_ARXIV.fullmatch(text.strip())):
        return match[1].lower()
    return next(arxivs_in(text), "")
