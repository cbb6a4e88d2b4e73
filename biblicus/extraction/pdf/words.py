"""Words of a page with their positions, grouped into lines and into segments between wide gaps."""

from __future__ import annotations

import ctypes
import math
import re
import struct
from collections import Counter
from collections.abc import Iterator, Sequence
from ctypes import byref
from itertools import accumulate, pairwise
from operator import attrgetter
from typing import NamedTuple

import pypdfium2
from pypdfium2 import raw as pdfium

from biblicus.extraction.pdf.page_text import restored
from biblicus.extraction.pdf.rules import Box, turned

_WORD = re.compile("[^\\s\0\ufffe]+\ufffe?")
BROKEN = "\ue0fe"
"""Placeholder for a line-end hyphen until it is decided if the word has one."""
PDFIUM_BROKEN = "\ufffe"
CELL_GAP = 0.6
"""Minimum gap between cells of a line, in line heights."""
_WIDER = 1.15
"""Minimum ratio of such a gap to the average letter; monospaced spaces are as wide as letters."""
_SAME_LINE = 0.35
"""Maximum distance of the centers of words in one line, in line heights."""
_JUMP = 1.0
"""Shift of a word's end, in half heights, from which pdfium joined words of two lines."""
_SIDES = struct.Struct("4f").unpack
"""Function that returns the numbers of pdfium's rectangles."""


class Word(NamedTuple):
    """A word with its span in the page's text and its position on the page."""

    start: int
    end: int
    left: float
    right: float
    middle: float
    height: float


class Segment(NamedTuple):
    """Words of one line without a wide gap."""

    left: float
    right: float
    words: list[Word]


class Line(NamedTuple):
    """Words at one height as segments, and the free intervals around them."""

    middle: float
    segments: list[Segment]
    free: list[tuple[float, float]]


class Letters:
    """Positions of a page's characters by their offset in the page's text.

    `numbers`: pdfium's number of each character. `quarters`: clockwise rotation of most letters in quarter turns.
    """

    def __init__(self, layer: pypdfium2.PdfTextPage, text: str) -> None:
        self._layer = layer.raw
        self._loose, self._tight = pdfium.FS_RECTF(), tuple(ctypes.c_double() for _ in range(4))
        self._loose_at, self._tight_at = byref(self._loose), tuple(map(byref, self._tight))
        self.numbers: Sequence[int] = range(layer.count_chars())
        if len(self.numbers) != len(text):
            index = pdfium.FPDFText_GetCharIndexFromTextIndex
            ends = accumulate(1 + (char > "\uffff") for char in text)  # pdfium counts in units of UTF-16
            self.numbers = [index(self._layer, at) for at in (0, *ends)][: len(text)]
        angles = Counter(
            round(self.angle(offset) / (math.pi / 2)) % 4
            for offset in range(0, len(text), max(1, len(text) // 30))
            if text[offset] > " "
        )
        self.quarters: int = angles.most_common(1)[0][0] if angles else 0

    def angle(self, offset: int) -> float:
        return float(pdfium.FPDFText_GetCharAngle(self._layer, self.numbers[offset]))

    def size(self, offset: int) -> float:
        return size_of(self._layer, self.numbers[offset])

    def baseline(self, offset: int) -> float:
        """Return the height of a letter's baseline on the page, turned upright."""
        x, y = self._tight[:2]
        pdfium.FPDFText_GetCharOrigin(self._layer, self.numbers[offset], x, y)
        return turned((x.value, y.value, x.value, y.value), self.quarters)[1]

    def tight(self, offset: int) -> Box:
        """Return the box of a letter's ink, unturned."""
        if not pdfium.FPDFText_GetCharBox(self._layer, self.numbers[offset], *self._tight_at):
            return 0.0, 0.0, 0.0, 0.0
        left, right, bottom, top = self._tight
        return left.value, bottom.value, right.value, top.value

    def box(self, offset: int) -> Box:
        """Return the box of a letter with the height of its font, turned upright."""
        if not self.quarters and pdfium.FPDFText_GetLooseCharBox(self._layer, self.numbers[offset], self._loose_at):
            left, top, right, bottom = _SIDES(self._loose)
            if right > left:
                return left, bottom, right, top
        return turned(self.tight(offset), self.quarters)


def size_of(layer: object, number: int) -> float:
    """Return the size of a character of a page as drawn, in points."""
    matrix = pdfium.FS_MATRIX()
    scale = math.hypot(matrix.c, matrix.d) if pdfium.FPDFText_GetMatrix(layer, number, matrix) else 1.0
    return round(float(pdfium.FPDFText_GetFontSize(layer, number)) * scale, 2)


def words_of(letters: Letters, text: str) -> Iterator[Word]:
    """Yield the words of a page's text with their boxes, rotated upright."""
    box = letters.box
    for match in _WORD.finditer(text):
        start, end = match.span()
        first = box(start)
        last = box(end - 1) if end - start > 1 else first
        if last[2] <= first[0] and end - start > 2:  # a hyphen that pdfium keeps as a mark has no box
            last = box(end - 2)
        is_apart = abs(first[1] + first[3] - last[1] - last[3]) > _JUMP * (first[3] - first[1])
        may_part = is_apart and not letters.quarters and text[end - 1].isalnum() and "/" not in match[0]  # no fraction
        if may_part and not letters.angle(start):
            boxes = [box(at) for at in range(start, end)]
            begun = 0
            for at in range(1, len(boxes)):
                left, low, _, high = boxes[at - 1]
                if boxes[at][0] <= left and not low - 1 <= (boxes[at][1] + boxes[at][3]) / 2 <= high + 1:
                    yield _word(start + begun, start + at, boxes[begun], boxes[at - 1])
                    begun = at
            start, first = start + begun, boxes[begun]
        yield _word(start, end, first, last)


def _word(start: int, end: int, first: Box, last: Box) -> Word:
    """Return a word from the boxes of its first and last letters."""
    left, bottom, right, top = first
    if last != first:
        left, bottom, right, top = min(left, last[0]), min(bottom, last[1]), max(right, last[2]), max(top, last[3])
    return Word(start, end, left, right, (bottom + top) / 2, top - bottom)


class Layout:
    """The text of a page and the height of its lines."""

    def __init__(self, text: str, height: float) -> None:
        self.text, self.height = text, height

    def lines(self, pool: Sequence[Word]) -> list[Line]:
        """Return words grouped by line, from top to bottom."""
        return [line_of(words[0].middle, self._segments(words)) for words in self._grouped(pool)]

    def _grouped(self, pool: Sequence[Word]) -> list[list[Word]]:
        lines: list[list[Word]] = []
        most, top = _SAME_LINE * self.height, math.inf
        for word in sorted(pool, key=_downwards):
            if top - word.middle <= most:
                lines[-1].append(word)
            else:
                lines.append([word])
                top = word.middle
        for words in lines:
            words.sort(key=_leftmost)
        return lines

    def _segments(self, words: list[Word]) -> list[Segment]:
        if len(words) == 1:
            return [Segment(words[0].left, words[0].right, words)]
        letter = sum([word.right - word.left for word in words]) / sum([word.end - word.start for word in words])
        gap = max(CELL_GAP * self.height, _WIDER * letter)
        ends = [at for at in range(1, len(words)) if words[at].left - words[at - 1].right > gap]
        parts = [words[begun:end] for begun, end in pairwise([0, *ends, len(words)])]
        return [Segment(part[0].left, max([word.right for word in part]), part) for part in parts]

    def written(self, words: Sequence[Word]) -> str:
        """Return the text of a cell with its line ends."""
        lines = [" ".join([self.text[word.start : word.end] for word in line]) for line in self._grouped(words)]
        joined = restored("\n".join(lines)).replace(PDFIUM_BROKEN, BROKEN)
        return joined.replace(f"{BROKEN}\n", BROKEN)


_downwards, _leftmost = (lambda word: -word.middle), attrgetter("left")


def line_of(middle: float, segments: list[Segment]) -> Line:
    """Return a line of these segments."""
    edges = [-math.inf, *[edge for segment in segments for edge in segment[:2]], math.inf]
    return Line(middle, segments, list(zip(edges[::2], edges[1::2], strict=True)))


def in_column(run: Sequence[Line], middles: Sequence[float], number: int) -> list[Word]:
    """Return the words of lines between two column borders."""
    low, high = ([-math.inf, *middles, math.inf][at] for at in (number, number + 1))
    return [
        word for line in run for segment in line.segments for word in segment.words
        if low <= (word.left + word.right) / 2 < high
    ]  # fmt: skip
