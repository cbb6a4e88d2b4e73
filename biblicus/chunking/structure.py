"""What of a text's structure a chunk should keep together, code fences, and headings with what they head; and what of
it is none: bytes in letters, columns of numbers."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence

from biblicus.models.extraction import Span

_LONGEST_HEADING = 400  # code points
_UNDERLINES = " \t\r=-~^\"'`#*+_:."
_BYTES = 500
"""Characters of a chunk at least that may be bytes in letters: a key has fewer."""
_TO_A_BLANK = 100
"""Characters to each blank at least, as no language and no list has them."""
_IN_LETTERS = re.compile(r"(?=\S{0,60}[a-z])(?=\S{0,60}[A-Z])(?=\S{0,60}\d)[A-Za-z0-9+/_=-]{40,}")
"""A line of base64 or the like."""
_REST = re.compile(r"[A-Za-z0-9+/_-]{0,39}={1,2}")
"""The last line of it; one that does not end so may be a word, which must not be lost."""
_SMALL_BESIDE_SMALL = re.compile(r"[a-z](?=[a-z])")
_OF_WORDS = 3
"""Characters to each of these at most where words are written, as in a list of paths: a half is, of bytes a sixth."""
_LIST_MARKERS = ("|", "- ", "* ", "+ ")


_NUMBERS = str.maketrans("", "", "0123456789.,;:|+-eE \t\r\n\"'")
"""Characters of numbers: a column of numbers has no others."""
_OTHER = 0.02
"""Share of other characters in columns of numbers at most (`nan`)."""
_GLANCE = 64
"""Characters at the beginning of a span that settle most prose."""


def in_words(text: str, spans: Iterable[Span], numbers: list[Span] | None = None) -> Iterator[Span]:
    """The spans, without those that are bytes in letters (base64) and nothing else; of a text that is all of that, the
    first one.

    `numbers`: takes the spans that hold columns of numbers alone, which are left out, too, but for a text's first.
    """
    left_out: Span | None = None
    was_any = False
    for span in spans:
        if span.end - span.start >= _BYTES and _is_bytes(text, span):
            left_out = left_out or span
            continue
        is_long = bool(numbers) or span.end - span.start >= _BYTES
        if was_any and numbers is not None and is_long and _is_numbers(text, span):
            numbers.append(span)
            continue
        was_any = True
        yield span
    if left_out and not was_any:
        yield left_out


def _is_numbers(text: str, span: Span) -> bool:
    """Return true if a span is rows of numbers: a search for words has nothing to find there."""
    most = _OTHER * (span.end - span.start)
    beginning = text[span.start : min(span.end, span.start + _GLANCE + 2 * int(most))]
    if len(beginning.translate(_NUMBERS)) > most:
        return False
    part = text[span.start : span.end]
    return part.count("\n") > 1 and len(part.translate(_NUMBERS)) <= most


def _is_bytes(text: str, span: Span) -> bool:
    length = span.end - span.start
    if text.count(" ", span.start, span.end) * _TO_A_BLANK > length:
        return False
    part = text[span.start : span.end]
    if not all(_IN_LETTERS.fullmatch(line) or _REST.fullmatch(line) for line in part.split()):
        return False
    return len(_SMALL_BESIDE_SMALL.findall(part)) * _OF_WORDS < length


def fences(text: str) -> list[Span]:
    """Markdown code fences with their first and last line, ascending; one that is never closed is none."""
    spans = [span for mark in ("```", "~~~") if mark in text for span in _fences_of(text, mark)]
    spans.sort()
    outermost: list[Span] = []
    for span in spans:
        if not outermost or span.start >= outermost[-1].end:
            outermost.append(span)
    return outermost


def _fences_of(text: str, mark: str) -> Iterator[Span]:
    """The fences of one kind: opened by a line `mark…info`, closed by a line of at least as many marks alone."""
    opened, width = -1, 0
    at = text.find(mark)
    while at >= 0:
        line_end = text.find("\n", at)
        line_end = len(text) if line_end < 0 else line_end
        # An indentation or quote mark longer than this is no fence; the bound keeps a line of fences linear.
        line = text.rfind("\n", max(0, at - 40), at) + 1
        if line == at or not text[line:at].strip(" \t>"):
            rest = text[at:line_end].lstrip(mark[0])
            run = line_end - at - len(rest)
            if opened < 0:
                if mark[0] not in rest:
                    opened, width = line, run
            elif run >= width and not rest.strip():
                yield Span(opened, line_end)
                opened = -1
        at = text.find(mark, line_end)


def span_around(spans: Sequence[Span], offset: int) -> Span | None:
    """The one of some ascending spans that starts before `offset` and ends after it."""
    before = bisect_left(spans, (offset,)) - 1
    return spans[before] if before >= 0 and spans[before].end > offset else None


def is_bare_heading(text: str, start: int, end: int) -> bool:
    """Whether `text[start:end]`, which starts with a heading, holds nothing but it (and a line of marks beside it)."""
    if end - start > _LONGEST_HEADING:
        return False
    piece = text[start:end].strip()
    first, _, rest = piece.partition("\n")
    if first.strip(_UNDERLINES):  # as of most headings
        return not rest.strip(_UNDERLINES + "\n")
    return sum(bool(line.strip(_UNDERLINES)) for line in rest.split("\n")) <= 1


def starts_row(text: str, line: int) -> bool:
    """Whether the line at `line` is a row of a table or starts an item of a list."""
    start = text[line : line + 24].lstrip(" \t>")
    number, dot, _ = start[:5].partition(". ")
    return start.startswith(_LIST_MARKERS) or (bool(dot) and number.isdigit())
