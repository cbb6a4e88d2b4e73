"""Headings of a PDF stand apart from the text around them: a blank line before and after each, as people see them."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise

from biblicus.models.extraction import Extraction, Heading, Span

_MOST_LINES = 3


def letters(text: str) -> str:
    """The letters and digits of a text, in one case."""
    return "".join(filter(str.isalnum, text)).casefold()


def line_of(page: str, title: str) -> int | None:
    """Where the line of a page begins that is a title, in whatever case and spelling of its blanks and dashes, perhaps
    behind a number; None where there is none."""
    wanted, at = letters(title), 0
    if not wanted:
        return None
    for line in page.split("\n"):
        line_letters = letters(line[: 2 * len(title) + 40])
        if line_letters == wanted or (line_letters.endswith(wanted) and line_letters.removesuffix(wanted).isdigit()):
            return at
        at += len(line) + 1
    return None


def set_apart(extraction: Extraction) -> Extraction:
    """The same extraction with a blank line around each heading whose words stand where it is."""
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
        boxes=tuple(box._replace(start=behind(box.start), end=before(box.end)) for box in extraction.boxes),
    )


def _is_blank(text: str, place: int) -> bool:
    """Whether the line before a place, or the one at it, is blank."""
    return text.startswith("\n\n", place - 2) or text[place : place + 1] == "\n"


def _end(text: str, heading: Heading) -> int | None:
    """Where the lines end that say a heading; None where they do not stand there."""
    wanted, end = letters(heading.title), heading.offset
    for said in _lines(text, heading.offset):
        end += len(said)
        here = letters(text[heading.offset : end])
        if here.endswith(wanted):
            return end
        if len(here) > len(wanted) + 20:
            break
    return None


def _lines(text: str, start: int) -> Iterator[str]:
    for _ in range(_MOST_LINES):
        end = text.find("\n", start) + 1 or len(text)
        if end > start:
            yield text[start:end]
        start = end
