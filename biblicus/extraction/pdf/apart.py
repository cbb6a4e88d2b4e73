"""Blank lines around the headings of a PDF, as the printed page shows them."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise

from biblicus.models.extraction import Extraction, Heading, Span

_MOST_LINES = 3


def letters(text: str) -> str:
    """Return the letters and digits of a text, case-folded."""
    return "".join(filter(str.isalnum, text)).casefold()


def line_of(page: str, title: str) -> int | None:
    """Return the offset of a page's line that equals a title, or None. Case, spaces and dashes are ignored, and a
    number may precede the title."""
    title_letters, at = letters(title), 0
    if not title_letters:
        return None
    for line in page.split("\n"):
        line_letters = letters(line[: 2 * len(title) + 40])
        if line_letters == title_letters or (
            line_letters.endswith(title_letters) and line_letters.removesuffix(title_letters).isdigit()
        ):
            return at
        at += len(line) + 1
    return None


def set_apart(extraction: Extraction) -> Extraction:
    """Return the extraction with a blank line before and after each heading that its text contains."""
    text, pages = extraction.text, frozenset(extraction.pages)
    skipped = {mask.start for mask in extraction.masked}
    places: set[int] = set()
    for heading in extraction.headings:
        end = _end(text, heading)
        if end is not None and heading.offset not in skipped:
            places.update(place for place in (heading.offset, end) if place not in pages)
    gaps = sorted(place for place in places if 0 < place < len(text) and not _is_blank(text, place))
    if not gaps:
        return extraction

    def behind(offset: int) -> int:
        return offset + bisect_right(gaps, offset)

    def before(offset: int) -> int:
        return offset + bisect_left(gaps, offset)

    bounds = [0, *gaps, len(text)]
    return replace(
        extraction,
        text="\n".join(text[start:end] for start, end in pairwise(bounds)),
        pages=tuple(map(before, extraction.pages)),
        headings=tuple(replace(heading, offset=behind(heading.offset)) for heading in extraction.headings),
        masked=tuple(Span(behind(mask.start), before(mask.end)) for mask in extraction.masked),
        spots=tuple(spot._replace(offset=behind(spot.offset)) for spot in extraction.spots),
        boxes=tuple(box._replace(start=behind(box.start), end=before(box.end)) for box in extraction.boxes),
    )


def _is_blank(text: str, place: int) -> bool:
    """Return True if the line before a place or at it is blank."""
    return text.startswith("\n\n", place - 2) or text[place : place + 1] == "\n"


def _end(text: str, heading: Heading) -> int | None:
    """Return the end of the lines that contain a heading, or None if they do not."""
    title_letters, end = letters(heading.title), heading.offset
    for line in _lines(text, heading.offset):
        end += len(line)
        here = letters(text[heading.offset : end])
        if here.endswith(title_letters):
            return end
        if len(here) > len(title_letters) + 20:
            break
    return None


def _lines(text: str, start: int) -> Iterator[str]:
    for _ in range(_MOST_LINES):
        end = text.find("\n", start) + 1 or len(text)
        if end > start:
            yield text[start:end]
        start = end
