"""Superscripts, subscripts and small stacked fractions of a page, by sizes and baselines: `10⁶`, `H₂O`, `1/2`."""

from __future__ import annotations

import math
import re
from itertools import groupby

from biblicus.extraction.kit.characters import lowered, raised
from biblicus.extraction.pdf.rules import DrawnRules
from biblicus.extraction.pdf.words import Letters

_DIGITS = re.compile(r"\d(?:[\d+\-−–()×]{0,30}\d)?")
_SIGNS, _ENDS, _IN_WORD = "+-−–(", "+-−–)", ".,;()/⁄+-−–"
_SCRIPTS = frozenset("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁽⁾₀₁₂₃₄₅₆₇₈₉₊₋₍₎×")
_ABOVE = re.compile(r"(?<![^\s(])[^\W_]{1,4}\Z")
_BELOW = re.compile(r"\r\n(?<=[^\W_]\r\n)(?=([^\W_]{1,4})(?![^\s.,;:)]))")
"""The parts of a fraction as pdfium returns them."""
_SLASHED = re.compile(r"[/⁄](?:\r\n)?(?=\d{1,4}(\r\n)?)")
_NEW_LINE, _NOTHING, _LONGEST = "\r\n", "\0", 30
_SMALLER, _HIGHER, _LOWER, _SHIFTED, _DROPPED = 0.85, 0.12, 0.04, 0.25, 0.08
"""Maximum relative size of a script; minimum shift up and down in text sizes, of small letters and of others."""
_FARTHEST, _LOWEST, _SAME_LINE, _GLYPH, _DEEP = 0.9, 0.5, 0.15, 0.55, 0.35
"""Maximum shift of a script up and down, of letters on one line, maximum height of a script's glyph, and maximum depth
of a letter (radical signs are deeper), in text sizes."""
_UNDERLINED, _CENTRED = 0.3, 0.1
"""Maximum distance of a word's underline, as a share of that of the word below; maximum difference of the parts of a
centred fraction at both sides, in text sizes."""
_TOUCHING, _STEP, _SPACE = 0.25, 1.3, 0.15
"""Maximum gap and step before a script, and minimum gap that is a space, in text sizes."""


def with_fractions(drawn: DrawnRules, letters: Letters, text: str) -> str:
    """Return the text with a slash in fractions: a short rule between a number and one below. Its length is kept."""
    written = list(text)
    for match in _BELOW.finditer(text):
        above_end, (below, below_end) = match.start(), match.span(1)
        upper = _ABOVE.search(text, max(0, above_end - 4), above_end)
        if upper is None:
            continue
        above = upper.start()
        upper_box, lower_box = letters.tight(above), letters.tight(below)
        high, low = upper_box[1], lower_box[3]
        if high <= low or high - low >= (size := letters.size(above)):
            continue
        lefts = upper_box[0], lower_box[0]
        rights = letters.tight(above_end - 1)[2], letters.tight(below_end - 1)[2]
        if max(lefts) - min(rights) > size:
            continue
        left, right, line = min(lefts), max(rights), letters.baseline(above)
        is_centred = abs(lefts[0] + rights[0] - lefts[1] - rights[1]) < _CENTRED * size
        highest = high if is_centred else min(high, line - (line - low) * _UNDERLINED)
        near = (bar for bar in drawn()[0] if low <= bar.at <= highest)
        bar = next((bar for bar in near if left - size < bar.low < bar.high < right + size), None)
        if bar is None:
            continue
        written[above_end : above_end + 2] = "/", _NOTHING
        for at, end in ((above - 3, above - 2), (below_end + 2, below_end)):
            box = letters.tight(at) if 0 <= at < len(text) and text.startswith(_NEW_LINE, end) else (0.0,) * 4
            if abs(box[1] + box[3] - 2 * bar.at) < size and (box[2] <= left + 1 or box[0] >= right - 1):
                written[end : end + 2] = _NOTHING if text[at] in ".,;:)" else " ", _NOTHING
    for match in _SLASHED.finditer(text):
        (slash, end), (_, ends) = match.span(), match.span(1)
        start = slash - 2 if text.startswith(_NEW_LINE, slash - 2) else slash
        if end - start < 2 or not text[start - 1 : start].isdecimal():
            continue
        gap = letters.tight(end)[0] - letters.tight(start - 1)[2]
        is_falling = letters.baseline(start - 1) > letters.baseline(end)
        if is_falling and 0 < gap < letters.size(end):
            written[start:end] = [char if char in "/⁄" else _NOTHING for char in text[start:end]]
            if ends > 0 and _are_level(letters, ends, slash, text):
                written[ends - 2 : ends] = _NOTHING, _NOTHING
    return "".join(written)


def with_scripts(letters: Letters, text: str) -> str:
    """Return the text with Unicode superscripts and subscripts, without pdfium's line ends around them; the letters
    are numbered as the text returned."""
    parts: list[str] = []
    numbers: list[int] = []
    at = exponent = 0

    def keep(end: int, instead: str | None = None) -> None:
        nonlocal at
        parts.append(text[at:end] if instead is None else instead)
        numbers.extend(letters.numbers[at:end] if instead is None else [letters.numbers[at]] * len(instead))
        at = end

    for run in _DIGITS.finditer(text):
        start, end = run.span()
        if start < at:
            continue
        while start > at and text[start - 1] in _SIGNS:
            start -= 1
        before = start
        is_next = start - 2 >= max(at, 1) and text.startswith(_NEW_LINE, start - 2)
        if is_next and _touch(letters, start - 3, start):
            before -= 2
        base = _base(text, before)
        if base < at and (after := _base(text, before, at)) < before and letters.size(after) >= letters.size(base):
            base = after  # the last script has another
        if before < at or (base == before < start):
            continue
        if text[start - 1 : start] in ("/", "⁄") and text[base].isdecimal():
            base = exponent if at and at == start - 1 else before  # a divisor, in an exponent or not
        if base == before:  # a number, whose first digits may be the base
            base = before = start = run.start()
        size, line = letters.size(base), letters.baseline(base)
        if not (_moved(letters, end - 1, size, line) or _moved(letters, run.start(), size, line)):
            continue
        end += text[end : end + 1] in tuple(_ENDS)
        written = _scripts(letters, text, start, end, base)
        is_small = letters.size(start) < _SMALLER * size
        if written == text[start:end] or (before < start and not (is_small and _SCRIPTS.issuperset(written))):
            continue
        keep(before)
        at, exponent = start, base
        keep(end, written)
        if text.startswith(_NEW_LINE, end) and _are_level(letters, end + 2, base, text):
            left, right = letters.tight(end + 2)[0], letters.tight(end - 1)[2]
            if left >= right - 1:
                is_apart = text[end + 2] != " " and left - right > _SPACE * size
                keep(end + 2, " " if is_apart else "")
    if not parts and _NOTHING not in text:
        return text
    keep(len(text))
    text = "".join(parts)
    if _NOTHING in text:
        numbers = [number for char, number in zip(text, numbers, strict=True) if char != _NOTHING]
    letters.numbers = numbers
    return text.replace(_NOTHING, "")


def _base(text: str, end: int, begin: int = 0) -> int:
    """Return the first letter or digit of the word that ends at an offset, or the offset if none does."""
    base = end
    while base > begin and end - base < _LONGEST and (text[base - 1].isalnum() or text[base - 1] in _IN_WORD):
        base -= 1
    while base < end and not text[base].isalnum():
        base += 1
    return base


def _scripts(letters: Letters, text: str, start: int, end: int, base: int) -> str:
    """Return the characters with those raised or lowered that are scripts of the letter at `base`."""
    size, line = letters.size(base), letters.baseline(base)
    is_turned = (round(letters.angle(base) / (math.pi / 2), 2) - letters.quarters) % 4
    if is_turned or letters.tight(base)[1] < line - _DEEP * size:
        return text[start:end]
    written = []
    for moved, offsets in groupby(range(start, end), lambda number: _moved(letters, number, size, line)):
        chars = "".join([text[number] for number in offsets])
        written.append(raised(chars) if moved > 0 else lowered(chars) if moved else chars)
    return "".join(written)


def _moved(letters: Letters, offset: int, size: float, line: float) -> int:
    """Return 1 for a superscript of letters of a size on a baseline, -1 for a subscript, and 0 for others."""
    shift, is_small = letters.baseline(offset) - line, False
    if shift:
        own = letters.size(offset)
        is_small = own < size * _SMALLER
        if not 0 < own <= size or not -_LOWEST * size <= shift <= _FARTHEST * size:
            return 0
    elif not letters.quarters:  # fonts have glyphs for scripts
        _, bottom, _, top = letters.tight(offset)
        shift = bottom - line if top - bottom < _GLYPH * size else 0.0
    if shift > (_HIGHER if is_small else _SHIFTED) * size:
        return 1
    return -1 if -shift > (_LOWER if is_small else _DROPPED) * size else 0


def _touch(letters: Letters, before: int, start: int) -> bool:
    """Return True if a character behind a line end is right behind the one before it."""
    gap, size = letters.tight(start)[0] - letters.tight(before)[2], letters.size(before)
    return -size < gap < _TOUCHING * size and abs(letters.baseline(start) - letters.baseline(before)) < _STEP * size


def _are_level(letters: Letters, offset: int, base: int, text: str) -> bool:
    """Return True if a character exists and stands on the line of another."""
    if not 0 <= offset < len(text) or text[offset] in _NEW_LINE:
        return False
    return abs(letters.baseline(offset) - letters.baseline(base)) < _SAME_LINE * letters.size(base)
