"""Lines: ended by a line feed alone, counted from 1."""

from __future__ import annotations

from bisect import bisect_left

from biblicus.errors import OutOfBounds

_BLOCK = 2048  # code points; counting line feeds inside one block takes about a microsecond


class LineIndex:
    """Which line an offset is on, and where lines are, for one text.

    Keeps the number of line feeds before each block of the text instead of the place of each: building it costs one
    pass of `str.count`, half a nanosecond a code point. Offsets are code points.
    """

    __slots__ = ("_before", "_text", "count")

    def __init__(self, text: str) -> None:
        before = [0]
        for start in range(0, len(text), _BLOCK):
            before.append(before[-1] + text.count("\n", start, start + _BLOCK))
        self._text = text
        self._before = before
        self.count = before[-1] + (0 if text.endswith("\n") or not text else 1)
        """How many lines the text has; the last one needs no line feed, an empty text has none."""

    def line_of(self, offset: int) -> int:
        """The line of the code point at `offset`."""
        block = min(offset, len(self._text)) // _BLOCK
        return self._before[block] + self._text.count("\n", block * _BLOCK, offset) + 1

    def line_range(self, start: int, end: int) -> tuple[int, int]:
        """The lines of the first and of the last code point of a non-empty span."""
        first = self.line_of(start)
        if end - start > 4 * _BLOCK:
            return first, self.line_of(end - 1)
        return first, first + self._text.count("\n", start, end - 1)

    def span_of(self, first_line: int, last_line: int) -> tuple[int, int]:
        """The code points of whole lines, their line feeds included; raises `OutOfBounds` for lines that are not there.

        `span_of(1, count)` is the whole text.
        """
        if not 1 <= first_line <= last_line <= self.count:
            raise OutOfBounds(f"The line range {first_line}:{last_line}", f"{self.count} lines")
        return self._end_of(first_line - 1), self._end_of(last_line)

    def _end_of(self, line: int) -> int:
        """The offset after the line feed of `line` (0 for line 0), or the end of the text."""
        if line == 0:
            return 0
        block = bisect_left(self._before, line) - 1
        at = block * _BLOCK
        for _ in range(line - self._before[block]):
            at = self._text.find("\n", at) + 1
            if not at:
                return len(self._text)
        return at
