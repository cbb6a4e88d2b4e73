"""What can be quoted: the sentences of a text, the items and rows of its lists, and what is too long in clauses."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from biblicus.models.extraction import Span
from biblicus.text.sentences import hard_cut, last_word_end, sentences

LONGEST = 40
"""Words of a unit; what is longer is cut where a clause ends."""
_ROOM = 24
"""Characters of one word at most."""

# A line that starts a list's item, a heading, a table's row or a quote: never the rest of the sentence before it.
_STARTS = re.compile(r"\n(?=[^\S\n]{0,8}(?:[-*+•‣◦▪–][^\S\n]|#{1,6}[^\S\n]|\||>|\d{1,3}[.)][^\S\n]|```))")
_HEADING = re.compile(r"#{1,6}\s|(?:[=~*^-]{3,}|```\w*|\|[\s|:-]*)$|\[[^\]]{0,60}\]$")
_ASKS = "?？؟"
_CLAUSE = re.compile(r"[,;:](?=\s)|\s[–—-]{1,3}(?=\s)|—|[，、；：]|\)(?=\s)|\s(?=\()|\n")
_WIDE = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3041-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\U00020000-\U0003ffff]"
)


def words(text: str) -> int:
    """How many words a reader counts: by white space; in scripts that write none, two characters are one.

    A run of letters without an end (data, an address) counts as the words that would take its room.
    """
    count = max(len(text.split()), len(text) // _ROOM)
    return count if text.isascii() else count + len(_WIDE.findall(text)) // 2


@dataclass(frozen=True, slots=True)
class Unit:
    """A part of a text that can be quoted. `words`: its size. `leads`: a heading or a question, which says what the
    text after it is about and tells nothing itself."""

    start: int
    end: int
    words: int
    leads: bool


def units(text: str, longest: int = LONGEST) -> Iterator[Unit]:
    """The units of a text, ascending, apart from each other, without white space around them."""
    for start, end in sentences(text):
        for low, high in _lines(text, start, end):
            size = words(text[low:high])
            if size <= longest:
                yield Unit(low, high, size, _leads(text, low, high))
            else:
                yield from (Unit(a, b, words(text[a:b]), False) for a, b in _clauses(text, low, high, longest))


def _leads(text: str, start: int, end: int) -> bool:
    return text[end - 1] in _ASKS or _HEADING.match(text, start, end) is not None


def _lines(text: str, start: int, end: int) -> Iterator[Span]:
    """A sentence where lists and tables stand in it: each item and row by itself."""
    at = start
    for match in _STARTS.finditer(text, start, end):
        yield from _visible(text, at, match.start())
        at = match.end()
    yield from _visible(text, at, end)


def _clauses(text: str, start: int, end: int, longest: int) -> Iterator[Span]:
    """A long sentence in parts of up to `longest` words: clauses joined while they fit, words where there are none."""
    ends = [match.end() for match in _CLAUSE.finditer(text, start, end)]
    ends.append(end)
    low = at = start
    for stop in ends:
        if at > low and _exceeds(text, low, stop, longest):
            yield from _visible(text, low, at)
            low = at
        while _exceeds(text, low, stop, longest):
            cut = _reach(text, low, stop, longest)
            yield from _visible(text, low, cut)
            low = cut
        at = stop
    yield from _visible(text, low, end)


def _exceeds(text: str, start: int, end: int, longest: int) -> bool:
    return end - start > longest * _ROOM or words(text[start:end]) > longest


def _reach(text: str, start: int, end: int, longest: int) -> int:
    """The last end of a word up to which there are at most `longest` words; further than `start` always."""
    low, high = start + 1, min(end, start + longest * _ROOM)
    while low < high:
        middle = (low + high + 1) // 2
        if words(text[start:middle]) <= longest:
            low = middle
        else:
            high = middle - 1
    return last_word_end(text, start, low) or hard_cut(text, start, low)


def _visible(text: str, start: int, end: int) -> Iterator[Span]:
    """The span without white space at its ends, where anything is left."""
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    if start < end:
        yield Span(start, end)
