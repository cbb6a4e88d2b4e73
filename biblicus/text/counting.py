"""Line numbers and token counts.

Lines end with a line feed and count from 1. Tokens are estimated from characters, without a tokenizer: an ideograph, a
kana, a Hangul syllable or an emoji counts as one token, and so do four characters of other scripts, about as in today's
language models. `reach` and `reach_back` are its inverses.
"""

from __future__ import annotations

from bisect import bisect_left

from biblicus.errors import OutOfBounds

_BLOCK = 2048  # characters; counting line feeds in a block takes about a microsecond
CHARACTERS_PER_TOKEN = 4

# Wide characters (from U+3000) are recognised by their first UTF-8 byte.
_OTHER_BYTES = bytes(range(0xE3))


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


def _quarters(text: str) -> int:
    """Return the size of `text` in quarters of a token."""
    if text.isascii():
        return len(text)
    wide = len(text.encode("utf-8", "surrogatepass").translate(None, _OTHER_BYTES))
    return len(text) + (CHARACTERS_PER_TOKEN - 1) * wide


def estimate(text: str) -> int:
    """Return the number of tokens, rounded up. Constant time for ASCII, else about a nanosecond a character."""
    return -(-_quarters(text) // CHARACTERS_PER_TOKEN)


def reach(text: str, start: int, end: int, tokens: int) -> int:
    """Return the largest offset up to `end` such that `estimate(text[start:offset]) <= tokens`."""
    low, high = start, min(end, start + tokens * CHARACTERS_PER_TOKEN)
    room = tokens * CHARACTERS_PER_TOKEN
    if text.isascii() or _quarters(text[start:high]) <= room:
        return high
    while high - low > 1:
        middle = (low + high) // 2
        if _quarters(text[start:middle]) <= room:
            low = middle
        else:
            high = middle
    return low


def reach_back(text: str, start: int, end: int, tokens: int) -> int:
    """Return the smallest offset from `start` such that `estimate(text[offset:end]) <= tokens`."""
    low, high = max(start, end - tokens * CHARACTERS_PER_TOKEN), end
    room = tokens * CHARACTERS_PER_TOKEN
    if text.isascii() or _quarters(text[low:end]) <= room:
        return low
    while high - low > 1:
        middle = (low + high) // 2
        if _quarters(text[middle:end]) <= room:
            high = middle
        else:
            low = middle
    return high
