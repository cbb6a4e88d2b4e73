"""Headings of a PDF without an outline: lines in larger letters than its text, and numbered lines in bold.

Most PDFs exported from word processors and slides have no outline.
"""

from __future__ import annotations

import ctypes
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby, zip_longest
from typing import NamedTuple

import pypdfium2
from pypdfium2 import raw as pdfium

from biblicus.extraction.pdf import Bookmark
from biblicus.extraction.pdf.laid import Laid, line_spans
from biblicus.extraction.pdf.page_text import NOT_TEXT, restored, spelled
from biblicus.extraction.pdf.words import size_of

_LARGER = 1.08
"""Minimum size of a heading's letters relative to the text."""
_LONGEST, _MOST_WORDS, _MOST_LINES = 160, 24, 3
"""Maximum characters, words and lines of a heading."""
_LETTERS = 3
_FIRST_LINES = 3
"""Number of first lines of a page in which a title may begin."""
_REPEATED = 3
"""Minimum occurrences for a line to be a running head and no heading."""
_MOST_OF_TEXT = 0.4
"""Maximum share of all characters in headings; above it, letter sizes are no evidence."""
_APART = 0.25
"""Maximum difference in points between letters of one size."""
_CAPITALS, _FEWEST_WORDS = 0.8, 4
"""Minimum share of capitals among the letters of a title in capitals, and its minimum words."""
_MARKS = " ∗†‡§¶"
"""Footnote marks at the end of a title."""
_NUMBERED = re.compile(r"(?:\d{1,2}(?:\.\d{1,3}){0,4}|[A-Z](?:\.\d{1,3}){1,4})\.?[ \t]{1,4}(?=[^\W\d_])")
_LETTER = re.compile(r"[^\W_]")
_LEADS = re.compile(r"(?:\.[ \t]?){4}|[ \t]\d{1,4}$")
"""Dots or a page number at the end of a line in a table of contents."""
_BOLD = re.compile(r"bold|black|heavy|demi|bx\d|bx-|-b$", re.IGNORECASE)
_STAMP = re.compile(
    r"\W*(?i:draft|confidential|copy|sample|specimen|preliminary|proof|unofficial|not for|do not)\b"
    r"(?:\s+[^\w\s]|[:!]|[^a-z]*$)"
)
"""Words stamped on a page, alone or in capitals."""
_ENDS = tuple(".,;，。；")


class Line(NamedTuple):
    """A line of a page's cleaned text. `offset`: in that page; `size`: letter size in points, 0 if the letters
    differ."""

    page: int
    offset: int
    text: str
    size: float
    is_bold: bool


def lines(page: int, layer: pypdfium2.PdfTextPage, laid: Laid) -> Iterator[Line]:
    """Yield the lines of a page's cleaned text with their letter sizes."""
    offset, page_text = 0, restored(laid.text)
    for start, end in line_spans(page_text):
        text = spelled(NOT_TEXT.sub("", page_text[start:end]))
        letter = _LETTER.search(page_text, start, end)
        if letter:
            last_letter = next(at for at in range(end - 1, start - 1, -1) if page_text[at].isalnum())
            first, last = laid.chars[letter.start()], laid.chars[last_letter]
            sizes = [size_of(layer.raw, first), size_of(layer.raw, last)]
            size = sizes[0] if abs(sizes[0] - sizes[1]) <= _APART else 0.0
            is_bold = _NUMBERED.match(text.strip()) is not None and _is_bold(layer, last)
            yield Line(page, offset, text, size, is_bold)
        offset += len(text) + 1


def _is_bold(layer: pypdfium2.PdfTextPage, index: int) -> bool:
    name = ctypes.create_string_buffer(200)
    pdfium.FPDFText_GetFontInfo(layer, index, name, len(name), ctypes.c_int())
    return _BOLD.search(name.value.decode("utf-8", "replace")) is not None


def headings(of_pages: Sequence[Line]) -> list[Bookmark]:
    """Return the headings among all lines of a document in order; none if letter sizes are no evidence."""
    counted: Counter[float] = Counter()
    for line in of_pages:
        counted[round(line.size, 1)] += len(line.text)
    body = max(filter(None, counted), key=counted.__getitem__, default=0.0)
    if not body:
        return []
    headings = list(_leading(list(_joined(of_pages, body)), body))
    pages = Counter(_text(heading) for heading in headings)
    headings = [heading for heading in headings if pages[_text(heading)] < _REPEATED]
    if sum(len(line.text) for heading in headings for line in heading) > _MOST_OF_TEXT * counted.total():
        return []
    sizes = sorted({round(heading[0].size) for heading in headings}, reverse=True)
    levels = {size: min(level, 6) for level, size in enumerate(sizes, 1)}
    return [
        Bookmark(levels[round(first.size)], _text(heading), first.page, first.offset)
        for heading in headings
        for first in heading[:1]
    ]


def _joined(of_pages: Sequence[Line], body: float) -> Iterator[list[Line]]:
    """Yield consecutive lines of one heading together; lines no larger than the text one by one."""
    for (_, size), group in groupby(of_pages, key=lambda line: (line.page, round(line.size, 1))):
        run = list(group)
        if size < body * _LARGER:
            yield from ([line] for line in run)
            continue
        starts = [at for at, line in enumerate(run) if at and _NUMBERED.match(line.text.strip())]
        for begin, end in zip([0, *starts], [*starts, len(run)], strict=True):
            yield run[begin:end]


def _text(heading: Sequence[Line]) -> str:
    return " ".join(line.text.strip() for line in heading)


def _leading(parts: Sequence[Sequence[Line]], body: float) -> Iterator[Sequence[Line]]:
    """Yield the headings except those right above a larger one, such as authors above a title."""
    for part, following in zip_longest(parts, parts[1:]):
        is_above = following is not None and following[0].size > part[0].size + _APART and _is_heading(following, body)
        if _is_heading(part, body) and not is_above:
            yield part


def _is_heading(heading: Sequence[Line], body: float) -> bool:
    first, text = heading[0], _text(heading)
    is_larger = first.size >= body * _LARGER
    if not (is_larger or (first.is_bold and first.size >= body * 0.98 and not _LEADS.search(text))):
        return False
    letters = sum(map(str.isalpha, text))
    is_short = len(heading) <= _MOST_LINES and len(text) <= _LONGEST and len(text.split()) <= _MOST_WORDS
    return is_short and letters >= max(_LETTERS, len(text) // 2) and not text.endswith(_ENDS)


def title(found: Sequence[Bookmark]) -> str | None:
    """Return the document's title: the first heading, if it is on the first page and the only one of level 1."""
    if not found or found[0].page or found[0].level > 1 or any(entry.level == 1 for entry in found[1:]):
        return None
    return found[0].title.rstrip(_MARKS)


def largest(first: Sequence[Line]) -> str | None:
    """Return the line among the first of page one with the largest letters, unless it is a stamp."""
    size = max((round(line.size, 1) for line in first), default=0.0)
    others = [line.size for line in first if round(line.size, 1) < size and len(line.text.split()) > 1]
    groups = [list(group) for is_it, group in groupby(first, key=lambda line: round(line.size, 1) == size) if is_it]
    if len(groups) != 1 or not others or size < max(others) * _LARGER or groups[0][0] not in first[:_FIRST_LINES]:
        return None
    words = _text(groups[0])
    is_title = len(words.split()) > 1 and _is_heading(groups[0], max(others)) and not _STAMP.match(words)
    return words.rstrip(_MARKS) if is_title else None


def in_capitals(first: Sequence[Line]) -> str | None:
    """Return the first line of page one if it is a title in capitals and larger than the next, as in some journals."""
    words, below = (first[0].text.strip(), first[1]) if len(first) > 1 else ("", None)
    letters = [char for char in words if char.isalpha()]
    if below is None or len(words.split()) < _FEWEST_WORDS or first[0].size < below.size * _LARGER or not below.size:
        return None
    is_title = sum(map(str.isupper, letters)) >= _CAPITALS * len(letters) and len(words) <= _LONGEST
    return words if is_title and not _STAMP.match(words) else None
