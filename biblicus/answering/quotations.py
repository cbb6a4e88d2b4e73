"""Finds quoted words in a text, ignoring differences in white space, quotation marks, dashes and case.

Models change these when they copy. The returned span is exact in the original text.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from functools import cached_property

from biblicus.models.extraction import Span

_SAME = {
    **dict.fromkeys("‘’‚‛′`´", "'"),
    **dict.fromkeys("“”„‟″«»", '"'),
    **dict.fromkeys("‐‑‒–—―−", "-"),
}
_HIDDEN = frozenset("\u00ad\u200b\u200c\u200d\u2060\ufeff")
_UNIFIED = str.maketrans({**_SAME, **dict.fromkeys(_HIDDEN, "")})
_ENDS = " \t\n\r\"'“”„«»‘’*_`"
_BEHIND = 60
"""Lines after the cited lines into which a quotation may continue, in addition to its own number of lines."""
_GAP = re.compile(r"\s*(?:\[\s*(?:\.\.\.|…)\s*\]|\(\s*(?:\.\.\.|…)\s*\)|\.\.\.|…)\s*")
_UNSPACED = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3]")


def find(text: str, quote: str) -> list[Span]:
    """Return the spans of a quotation in `text`: one, or one for each part between ellipses. Empty if any part does not
    follow the previous one as whole words."""
    plain, offsets = _plain(text)
    spans: list[Span] = []
    at = 0
    for part in _parts(quote):
        plain_part = _plain(part)[0].strip()
        span = _whole(plain, plain_part, at)
        if span < 0:
            return []
        at = span + len(plain_part)
        spans.append(Span(offsets[span], offsets[at - 1] + 1))
    return spans


def _parts(quote: str) -> list[str]:
    """Return the parts of a quotation between its ellipses."""
    return [part for part in (part.strip(_ENDS) for part in _GAP.split(quote)) if any(map(str.isalnum, part))]


class Lined:
    """A text prepared for many quotation searches with results as line numbers."""

    def __init__(self, text: str) -> None:
        self._text = _alike(text)
        self._plain = " ".join(self._text.split())

    @cached_property
    def _rows(self) -> list[str]:
        return self._text.split("\n")

    def find(self, quote: str, lines: tuple[int, int] | None = None) -> tuple[int, int] | None:
        """Return the first and last line of a quotation, or None if it is not in the text. `lines`: searched first; the
        quotation must start there and may continue after them."""
        plain_parts = [" ".join(_alike(part).split()) for part in _parts(quote)]
        if not plain_parts or not all(part in self._plain for part in plain_parts):
            return None
        if lines is not None:
            first, last = lines
            span = self._within(plain_parts, first - 1, last + quote.count("\n") + _BEHIND)
            if span is not None and span[0] <= last:
                return span
        return self._within(plain_parts, 0, len(self._rows))

    def _within(self, wanted: Sequence[str], first: int, last: int) -> tuple[int, int] | None:
        """Return the lines of the parts in order within the rows `first` to `last`, or None."""
        first = max(0, first)
        starts, numbers, words = [0], [first + 1], []
        for number, row in enumerate(self._rows[first:last], first + 1):
            if here := " ".join(row.split()):
                words.append(here)
                numbers[-1] = number
                starts.append(starts[-1] + len(here) + 1)
                numbers.append(number + 1)
        plain = " ".join(words)
        begins, at = -1, 0
        for part in wanted:
            place = _whole(plain, part, at)
            if place < 0:
                return None
            begins, at = place if begins < 0 else begins, place + len(part)
        return numbers[bisect_right(starts, begins) - 1], numbers[bisect_right(starts, at - 1) - 1]


def _alike(text: str) -> str:
    """Return the text with unified characters and case; white space is unchanged."""
    if text.isascii():
        return text.replace("`", "'").lower()
    return text.translate(_UNIFIED).casefold()


def _plain(text: str) -> tuple[str, list[int]]:
    """Return the unified text, and the original offset of each of its characters."""
    characters: list[str] = []
    offsets: list[int] = []
    for offset, character in enumerate(text):
        if character in _HIDDEN:
            continue
        if character.isspace():
            if characters and characters[-1] == " ":
                continue
            character = " "
        else:
            character = _SAME.get(character, character)
            lower = character.lower()
            character = lower if len(lower) == 1 else character
        characters.append(character)
        offsets.append(offset)
    return "".join(characters), offsets


def _whole(plain: str, wanted: str, start: int) -> int:
    """Return the offset of `wanted` as whole words, or -1."""
    at = plain.find(wanted, start)
    while at >= 0:
        if _apart(plain, at) and _apart(plain, at + len(wanted)):
            return at
        at = plain.find(wanted, at + 1)
    return -1


def _apart(plain: str, offset: int) -> bool:
    """Return True if no word spans the offset."""
    if offset <= 0 or offset >= len(plain):
        return True
    before, after = plain[offset - 1], plain[offset]
    return not (before.isalnum() and after.isalnum()) or bool(_UNSPACED.match(before) or _UNSPACED.match(after))
