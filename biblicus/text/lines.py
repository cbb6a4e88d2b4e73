"""Line numbers: lines end with a line feed and count from 1."""

from __future__ import annotations

from bisect import bisect_left

from biblicus.errors import OutOfBounds

_BLOCK = 2048  # characters; counting line feeds in a block takes about a microsecond


class LineIndex:
    """Converts between offsets and lines of a text. Offsets are code points.

    It stores the number of line feeds before each block instead of all their positions: building it takes one pass of
    `str.count`, half a nanosecond for each character.
    """

    __slots__ = ("_before", "_text", "count")

    def __init__(self, text: str) -> None:
        before = [0]
        for start in range(0, len(text), _BLOCK):
            before.append(before[-1] + text.count("\n", start, start + _BLOCK))
        self._text = text
        self._before = before
        self.count = before[-1] + (0 if text.endswith("\n") or not text else 1)
        """Number of lines; the last one needs no line feed, an empty text has none."""

    def line_of(self, offset: int) -> int:
        """Return the line of the character at `offset`."""
        block = min(offset, len(self._text)) // _BLOCK
        return self._before[block] + self._text.count("\n", block * _BLOCK, offset) + 1

    def line_range(self, start: int, end: int) -> tuple[int, int]:
        """Return the first and last line of a non-empty span."""
        first = self.line_of(start)
        if end - start > 4 * _BLOCK:
            return first, self.line_of(end - 1)
        return first, first + self._text.count("\n", start, end - 1)

    def span_of(self, first_line: int, last_line: int) -> tuple[int, int]:
        """Return the offsets of whole lines, including line feeds. Raises `OutOfBounds` for missing lines. `span_of(1,
        count)` is the entire text."""
        if not 1 <= first_line <= last_line <= self.count:
            raise OutOfBounds(f"The line range {first_line}:{last_line}", f"{self.count} lines")
        return self._end_of(first_line - 1), self._end_of(last_line)

    def _end_of(self, line: int) -> int:
        """Return the offset after the line feed of `line` (0 for line 0), or the end of the text."""
        if line == 0:
            return 0
        block = bisect_left(self._before, line) - 1
        at = block * _BLOCK
        for _ in range(line - self._before[block]):
            at = self._text.find("\n", at) + 1
            if not at:
                return len(self._text)
        return at
