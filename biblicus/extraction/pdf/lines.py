"""Lines of a PDF: running heads, feet and page numbers, which are masked since they interrupt the text, and headings,
which blank lines set apart.

Only repeated content is masked: the first of several equal lines stays, and so does a number that does not count pages
(`Invoice 17`).
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence, Set
from dataclasses import replace
from itertools import pairwise
from typing import NamedTuple

from biblicus.models.extraction import Extraction, Heading, Span

_FEWEST = 3
"""Minimum pages with an equal line."""
_LINES, _LONGEST = 2, 120
"""Maximum lines at an edge that may be a running head, and their maximum characters."""
_LETTERS = 4
"""Minimum letters of a running head that is no page number."""
_NUMBERS = 4
"""Maximum numbers of a line that are tested as page numbers."""
_WORDS = 100
"""Minimum words of a page for its first lines to be a running head; shorter pages may be slides with titles."""
_NUMBER = re.compile(r"\d{1,5}")
_WORD = re.compile(r"[^\W\d_]+")
_OF_A_NUMBER = frozenset(
    {"page", "p", "pp", "pg", "of", "seite", "s", "von", "página", "pagina", "pág", "pag", "de", "di", "sur", "sida",
     "strana", "стр", "страница", "из"}
)  # fmt: skip
_LINE = re.compile(r"[^\n]*\S[^\n]*\n?")
_MOST_LINES = 3


class _Line(NamedTuple):
    page: int
    span: Span
    text: str

    def counting(self) -> Iterator[tuple[str, int]]:
        """Yield the line without each of its numbers, and the number's difference from the page number."""
        for number in list(_NUMBER.finditer(self.text))[:_NUMBERS]:
            yield f"{self.text[: number.start()]}\0{self.text[number.end() :]}", int(number[0]) - self.page


def running(pages: Sequence[str], starts: Sequence[int]) -> list[Span]:
    """Return the spans of running heads, feet and page numbers in ascending order. `starts`: offset of each page."""
    masked: list[Span] = []
    tops, feet = [], []
    for number, page in enumerate(pages):
        lines = [_Line(number, Span(*match.span()), match[0].strip()) for match in _LINE.finditer(page)]
        tops.append(lines[:_LINES])
        feet.append(lines[: -_LINES - 1 : -1] if len(lines) > _LINES else [])
    short = {number for number, page in enumerate(pages) if len(page.split()) < _WORDS}
    for edge, unsure in ((tops, short), (feet, set[int]())):
        for line in _repeated(edge, unsure):
            start = starts[line.page]
            masked.append(Span(start + line.span.start, start + line.span.end))
    return sorted(masked)


def _repeated(edges: Sequence[Sequence[_Line]], unsure: Set[int]) -> Iterator[_Line]:
    """Yield the repeated lines of each page from its edge inwards. `unsure`: pages on which only a line already known
    from earlier pages counts."""
    candidates = [line for lines in edges for line in lines if len(line.text) <= _LONGEST and line.page not in unsure]
    same = Counter(line.text for line in candidates)
    counted = Counter(counting for line in candidates for counting in line.counting())
    met: set[str] = set()
    for lines in edges:
        for line in lines:
            counts = next((without for without, beyond in line.counting() if counted[without, beyond] >= _FEWEST), None)
            says = counts if counts is not None else line.text
            letters = sum(map(str.isalpha, says))
            if counts is None and (same[line.text] < _FEWEST or letters < _LETTERS):
                break
            if line.page in unsure and says not in met:
                break
            if says in met or (counts is not None and _only_a_number(says)):
                yield line
            met.add(says)


def _only_a_number(line: str) -> bool:
    """Return True if a line is only a page number: `Page 7`, `7 of 90`."""
    return all(word.casefold() in _OF_A_NUMBER for word in _WORD.findall(line))


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
