"""Widens pieces of evidence by surrounding text: paragraphs, or sentences if the paragraphs are long."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from biblicus.answering.packs.joining import Around, Home, Joined, spanned
from biblicus.text.sentences import sentences

Fits = Callable[[Joined, Joined], bool]
"""Checks if the second piece fits instead of the first; if so, it replaces it in the budget."""

_VISIBLE = re.compile(r"\S")
_LONGEST = 1_600
"""Maximum characters of a paragraph or sentence that is added, so that tables without blank lines are not."""


def widen(kept: Sequence[Joined], paragraphs: int, around: Around, fits: Fits) -> list[Joined]:
    """Add up to `paragraphs` paragraphs on each side of each piece, one at a time by rank. The rest of a cut paragraph
    counts as one. Pieces never overlap; shortened ones do not grow."""
    chunks = list(kept)
    for _ in range(paragraphs):
        for at, chunk in enumerate(chunks):
            for grow in (_before, _after):
                if not chunks[at].shortened:
                    chunks[at] = _grown(chunks, at, grow, around(chunk.piece), fits)
    return chunks


def _grown(chunks: Sequence[Joined], at: int, grow: Grow, home: Home | None, fits: Fits) -> Joined:
    """Return the piece with one more paragraph or sentence on one side, if there is one and it fits."""
    now = chunks[at]
    if home is None:
        return now
    low, high = _free(chunks, at, home)
    first = now.piece.span_start - home.start
    for start, end in grow(home.text, low, first, now.piece.span_end - home.start, high):
        line = now.piece.line_start - home.text.count("\n", start, first)
        piece = spanned(now.piece, home.text[start:end], home.start + start, line, home.spots, home.heads)
        wider = replace(now, piece=piece, widened=True)
        if fits(now, wider):
            return wider
    return now


def _free(chunks: Sequence[Joined], at: int, home: Home) -> tuple[int, int]:
    """Return the range in which the piece may grow, in its home's text: up to the home's ends and other pieces."""
    mine = chunks[at].piece
    low, high = home.start, home.start + len(home.text)
    for piece in (chunk.piece for number, chunk in enumerate(chunks) if number != at):
        if (piece.item_id, piece.extraction_id) == (mine.item_id, mine.extraction_id):
            low = max(low, piece.span_end) if piece.span_end <= mine.span_start else low
            high = min(high, piece.span_start) if piece.span_start >= mine.span_end else high
    return low - home.start, high - home.start


Grow = Callable[[str, int, int, int, int], Iterator[tuple[int, int]]]
"""Yields wider spans for text, bounds and span (`low <= start <= end <= high`), the widest first."""


def _before(text: str, low: int, start: int, end: int, high: int) -> Iterator[tuple[int, int]]:
    """Yield spans from the start of the paragraph before or around `start`, then of its last sentence."""
    stop = _visible_before(text, low, start)
    if stop == low:
        return
    first = max(low, stop - _LONGEST - 1)
    begins = _paragraph_start(text, first, stop)
    if begins > first or first == low:
        yield begins, end
    whole_sentences = [span for span in sentences(text, begins, stop) if span.start > first or first == low]
    if whole_sentences and whole_sentences[-1].start > begins:
        yield whole_sentences[-1].start, end


def _after(text: str, low: int, start: int, end: int, high: int) -> Iterator[tuple[int, int]]:
    """Yield spans up to the end of the paragraph after or around `end`, then of its first sentence."""
    visible = _VISIBLE.search(text, end, high)
    if visible is None:
        return
    begins = visible.start()
    last = min(high, begins + _LONGEST + 1)
    stop = _paragraph_end(text, begins, last)
    if stop < last or last == high:
        yield start, stop
    first = next(sentences(text, begins, stop), None)
    if first and first.end < stop:
        yield start, first.end


def _visible_before(text: str, low: int, stop: int) -> int:
    """Return the start of the white space before `stop`, without scanning a long text."""
    while stop > low:
        near = max(low, stop - _LONGEST)
        end = near + len(text[near:stop].rstrip())
        if end > near:
            return end
        stop = near
    return low


def _paragraph_start(text: str, low: int, stop: int) -> int:
    """Return the start of the last paragraph of `text[low:stop]`, after its last blank line."""
    line = text.rfind("\n", low, stop)
    begins = stop
    while line >= low:
        begins = line + 1
        line = text.rfind("\n", low, line)
        if not text[max(line + 1, low) : begins - 1].strip():
            return begins
    return low + len(text[low:stop]) - len(text[low:stop].lstrip())


def _paragraph_end(text: str, start: int, high: int) -> int:
    """Return the end of the first paragraph of `text[start:high]`, before its first blank line."""
    line = text.find("\n", start, high)
    while line >= 0:
        following = text.find("\n", line + 1, high)
        if not text[line + 1 : following if following >= 0 else high].strip():
            return start + len(text[start:line].rstrip())
        line = following
    return start + len(text[start:high].rstrip())
