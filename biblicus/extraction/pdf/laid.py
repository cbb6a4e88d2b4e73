"""Page text from character positions: columns, singly placed letters, superscript digits, Arabic ligatures.

Pdfium returns characters in drawing order. Only places that may be wrong are measured.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from statistics import median
from typing import NamedTuple

import pypdfium2
from pypdfium2 import raw as pdfium

from biblicus.extraction.kit.raised import lowered, raised

BROKEN = "\ue0fe"
"""Placeholder for a line-end hyphen until it is decided if the word has one."""
_PDFIUM_BROKEN = "\ufffe"
_LAM_ALEF = re.compile("[\u0627\u0622\u0623\u0625]\u0644")
_RIGHT_TO_LEFT = re.compile("[\u0590-\u08ff\ufb1d-\ufdfb\ufe70-\ufefc]")
_LEFT_TO_RIGHT = re.compile(r"[0-9A-Za-z](?:[0-9A-Za-z.,:/%+-]*[0-9A-Za-z%])?")
_LINE_END = re.compile(r"\r\n|\r|\n")
_WITH_DIGITS = re.compile(r"[^\W_][\w.,;()/⁄+\-−–]{0,30}")
_FEWEST_LINES = 3
"""Minimum lines side by side to be columns."""
_FEWEST_WORDS = 4
"""Minimum words of such a line in each column; table cells have fewer."""
_GUTTER, _WORD_GAP = 1.0, 0.18
"""Minimum gap between columns and between words, in letter heights."""
_SMALLER, _HIGHER, _LOWER = 0.85, 0.12, 0.04
"""Maximum relative size of a superscript or subscript digit, and its minimum shift up or down in text sizes."""
_SAME_LINE = 0.3
_NEW_LINE, _ON = "\r\n", "\0\0"
"""A line end, and its replacement of equal length if the line continues."""
_SINGLY = 0.5
"""Share of lines with only one or two letters from which on a page's letters count as placed one by one."""
_HYPHENED = re.compile(r"(?<=[^\W\d_])-$")


class Laid(NamedTuple):
    """The text of a page. `chars`: pdfium's number of each character, if the order differs."""

    text: str
    chars: Sequence[int] | None = None


def laid(layer: pypdfium2.PdfTextPage, text: str) -> Laid:
    """Return the text of a page in reading order."""
    if _RIGHT_TO_LEFT.search(text):
        if _is_placed_singly(text):
            return _by_place(layer)
        text = _LAM_ALEF.sub(lambda pair: _ligature(layer, pair), text)
    page = _in_columns(layer, _with_scripts(layer, text))
    return page._replace(text=page.text.replace(_PDFIUM_BROKEN, BROKEN))


def char_of(layer: pypdfium2.PdfTextPage, offset: int) -> int:
    """Return pdfium's character number for an offset in its own text."""
    return int(pdfium.FPDFText_GetCharIndexFromTextIndex(layer, offset))


def _ligature(layer: pypdfium2.PdfTextPage, pair: re.Match[str]) -> str:
    """Return lam and alef in logical order if one glyph draws both."""
    at = char_of(layer, pair.start())
    try:
        is_one = layer.get_charbox(at) == layer.get_charbox(at + 1)
    except (pypdfium2.PdfiumError, IndexError):
        return pair[0]
    return pair[0][::-1] if is_one else pair[0]


# --- raised and lowered digits ---


def _with_scripts(layer: pypdfium2.PdfTextPage, text: str) -> str:
    """Return the text with superscript and subscript digits replaced by Unicode ones, keeping its length."""
    parts, at = [], 0
    for word in _WITH_DIGITS.finditer(text):
        if not any(map(str.isdigit, word[0][1:])):
            continue
        digits = [word.start() + number for number, char in enumerate(word[0]) if number and char.isdigit()]
        base = _size(layer, word.start())
        if base and any(_size(layer, digit) < base * _SMALLER for digit in {digits[0], digits[-1]}):
            parts += [text[at : word.start()], _scripts(layer, word, base)]
            at = word.end()
            if text.startswith(_NEW_LINE, at) and _goes_on(layer, word, at + len(_NEW_LINE), base):
                parts.append(_ON if text.startswith(" ", at + len(_NEW_LINE)) else f" {_ON[1:]}")
                at += len(_NEW_LINE)
    return "".join((*parts, text[at:]))


def _scripts(layer: pypdfium2.PdfTextPage, word: re.Match[str], base: float) -> str:
    first = _bottom(layer, word.start())
    written = []
    for number, char in enumerate(word[0], word.start()):
        if char in "+-−–()" or char.isdigit():
            size, above = _size(layer, number), _bottom(layer, number) - first
            is_small = 0 < size < base * _SMALLER
            if is_small and above > _HIGHER * base:
                char = raised(char)
            elif is_small and above < -_LOWER * base:
                char = lowered(char)
        written.append(char)
    return "".join(written)


def _goes_on(layer: pypdfium2.PdfTextPage, word: re.Match[str], offset: int, base: float) -> bool:
    """Return True if the line continues after a superscript digit, where pdfium reports a new line."""
    if offset >= len(word.string):
        return False
    last, following = _box(layer, char_of(layer, word.end() - 1)), _box(layer, char_of(layer, offset))
    return following[0] >= last[2] - 1 and abs(following[1] - _bottom(layer, word.start())) < base * _SAME_LINE


def _size(layer: pypdfium2.PdfTextPage, offset: int) -> float:
    return float(pdfium.FPDFText_GetFontSize(layer, char_of(layer, offset)))


def _bottom(layer: pypdfium2.PdfTextPage, offset: int) -> float:
    return _box(layer, char_of(layer, offset))[1]


def _box(layer: pypdfium2.PdfTextPage, at: int) -> tuple[float, float, float, float]:
    """Return the left, bottom, right and top of a character."""
    try:
        left, bottom, right, top = layer.get_charbox(at)
    except (pypdfium2.PdfiumError, IndexError):
        return 0.0, 0.0, 0.0, 0.0
    return left, bottom, right, top


# --- columns ---


class _Line(NamedTuple):
    """A line of a page's text. `gap`: offset, left and right of its only wide gap."""

    start: int
    end: int
    gap: tuple[int, float, float] | None


def _in_columns(layer: pypdfium2.PdfTextPage, text: str) -> Laid:
    """Return the text column by column if lines of prose were drawn across the gutter."""
    places = list(_lines(text))
    sampled = places[_FEWEST_LINES - 1 :: _FEWEST_LINES]  # of each `_FEWEST_LINES` consecutive lines one is sampled
    if not any(_gap(layer, text, *place) for place in sampled if text.count(" ", *place) >= 2 * _FEWEST_WORDS - 2):
        return Laid(text)
    lines = [_Line(*place, _gap(layer, text, *place)) for place in places]
    pieces: list[tuple[int, int]] = []
    at = 0
    while at < len(lines):
        block, left, right = [lines[at]], 0.0, 0.0
        if (gap := lines[at].gap) is not None:
            _, left, right = gap
            for line in lines[at + 1 :]:
                if line.gap is None or max(left, line.gap[1]) >= min(right, line.gap[2]):
                    break
                left, right = max(left, line.gap[1]), min(right, line.gap[2])
                block.append(line)
        at += len(block)
        sides = [
            [(line.start, line.gap[0]) for line in block if line.gap],
            [(line.gap[0] + 1, line.end) for line in block if line.gap],
        ]
        is_prose = len(block) >= _FEWEST_LINES and all(
            median(len(text[start:end].split()) for start, end in side) >= _FEWEST_WORDS for side in sides
        )
        pieces += [*sides[0], *sides[1]] if is_prose else [(line.start, line.end) for line in block]
    if all(before[0] <= after[0] for before, after in pairwise(pieces)):
        return Laid(text)
    return _joined(layer, text, pieces)


def _joined(layer: pypdfium2.PdfTextPage, text: str, pieces: Sequence[tuple[int, int]]) -> Laid:
    """Join pieces of text as lines; a piece that ends with a hyphen within a word continues in the next."""
    parts, chars = [], []
    for number, (start, end) in enumerate(pieces):
        words = text[start:end]
        following = text[pieces[number + 1][0] : pieces[number + 1][1]] if number + 1 < len(pieces) else ""
        is_broken = _HYPHENED.search(words) is not None and following[:1].islower()
        parts += [words[:-1], BROKEN] if is_broken else [words, "\n"]
        chars += [char_of(layer, offset) for offset in range(start, end)]
        chars += [] if is_broken else [-1]
    return Laid("".join(parts), chars)


def _lines(text: str) -> Iterator[tuple[int, int]]:
    at = 0
    for match in _LINE_END.finditer(text):
        yield at, match.start()
        at = match.end()
    yield at, len(text)


def _gap(layer: pypdfium2.PdfTextPage, text: str, start: int, end: int) -> tuple[int, float, float] | None:
    """Return the only wide gap of a line at a space that pdfium inserted, or None."""
    found = None
    at = text.find(" ", start + 1, end - 1)
    while at >= 0:
        number = char_of(layer, at)
        if pdfium.FPDFText_IsGenerated(layer, number) == 1:
            before, after = _box(layer, number - 1), _box(layer, number + 1)
            if after[0] - before[2] > _GUTTER * max(before[3] - before[1], after[3] - after[1], 6.0):
                if found is not None:
                    return None
                found = at, before[2], after[0]
        at = text.find(" ", at + 1, end - 1)
    return found


# --- letters that are placed singly ---


def _is_placed_singly(text: str) -> bool:
    lines = [line for line in _LINE_END.split(text) if line.strip()]
    single = sum(len(line.strip()) <= 2 for line in lines)
    return len(lines) > _FEWEST_LINES and single > _SINGLY * len(lines)


def _by_place(layer: pypdfium2.PdfTextPage) -> Laid:
    """Return the lines of a right-to-left page from the positions of its letters."""
    letters = []
    for number in range(layer.count_chars()):
        char = pdfium.FPDFText_GetUnicode(layer, number)
        if pdfium.FPDFText_IsGenerated(layer, number) != 1 and 32 < char < 0x110000:
            letters.append((number, chr(char), _box(layer, number)))
    text: list[str] = []
    chars: list[int] = []
    for line in _grouped(letters):
        line.sort(key=lambda letter: -letter[2][0])
        height = median(box[3] - box[1] for _, _, box in line)
        written: list[tuple[int, str]] = []
        for number, (at, char, box) in enumerate(line):
            if number and line[number - 1][2][0] - box[2] > _WORD_GAP * 2 * height:
                written.append((-1, " "))
            written.append((at, char))
        shown = "".join(char for _, char in written)
        for run in _LEFT_TO_RIGHT.finditer(shown):
            written[run.start() : run.end()] = written[run.start() : run.end()][::-1]
        text += [char for _, char in written] + ["\n"]
        chars += [at for at, _ in written] + [-1]
    return Laid("".join(text), chars)


_Letter = tuple[int, str, tuple[float, float, float, float]]


def _grouped(letters: Sequence[_Letter]) -> list[list[_Letter]]:
    """Group letters into lines from the top of the page by vertical overlap."""
    lines: list[list[_Letter]] = []
    for letter in sorted(letters, key=lambda one: -(one[2][1] + one[2][3])):
        middle = (letter[2][1] + letter[2][3]) / 2
        if lines and any(box[1] - 2 <= middle <= box[3] + 2 for _, _, box in lines[-1][:4]):
            lines[-1].append(letter)
        else:
            lines.append([letter])
    return lines
