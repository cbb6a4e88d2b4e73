"""Numbers of list paragraphs as displayed: `4.`, `(b)`, `Article II.`, `2.1`; `-` for bullets."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from biblicus.extraction.kit.composing import BULLET

LEVELS = 10
"""Levels of a list; deeper ones count as the last."""
_LONGEST = 200
_PLACE = re.compile(r"%([1-9])")
_ROMAN = (
    (1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l"), (40, "xl"), (10, "x"),
    (9, "ix"), (5, "v"), (4, "iv"), (1, "i"),
)  # fmt: skip


class Level(NamedTuple):
    """Numbering of a list level. `kind`: as in WordprocessingML, such as `decimal`, `lowerLetter`, `bullet`, `none`;
    `text`: pattern such as `%1.%2`; `is_legal`: write all levels in digits."""

    kind: str = "decimal"
    text: str = ""
    start: int = 1
    is_legal: bool = False


_DECIMAL, _BULLET = Level(), Level("bullet")


class NumberedList(NamedTuple):
    """A list: its key, which it shares with other lists of its definition, its levels, and those that begin again with
    it."""

    key: str
    levels: Mapping[int, Level]
    restarts: frozenset[int]


class ListNumbers:
    """Counts the paragraphs of lists in document order, by a key for each list."""

    def __init__(self) -> None:
        self._counts: dict[str, list[int | None]] = {}
        self._begun: set[str] = set()

    def restart(self, key: str, level: int = 0) -> None:
        """Let a level (from 0) and those below begin again."""
        self._counts.setdefault(key, [None] * LEVELS)[level:] = [None] * (LEVELS - level)

    def item(self, name: str, numbered: NumberedList, level: int) -> str:
        """Count a paragraph of a list by its name and return its label."""
        for restarted in () if name in self._begun else numbered.restarts:
            self.restart(numbered.key, restarted)
        self._begun.add(name)
        return self.label(numbered.key, numbered.levels, level)

    def label(self, key: str, levels: Mapping[int, Level], level: int, start: int | None = None) -> str:
        """Count a paragraph and return its label. `levels`: of its list, from 0; `start`: its own number."""
        level = min(level, LEVELS - 1)
        counts = self._counts.setdefault(key, [None] * LEVELS)
        last = counts[level]
        counts[level] = start if start is not None else None if last is None else last + 1
        self.restart(key, level + 1)
        numbers = [
            levels.get(at, _DECIMAL).start if (count := counts[at]) is None else count for at in range(level + 1)
        ]
        counts[: level + 1] = numbers
        form = levels.get(level, _BULLET)
        if form.kind == "bullet":
            return BULLET
        text = _PLACE.sub(
            lambda place: _written(numbers, levels, int(place[1]) - 1, form.is_legal), form.text[:_LONGEST]
        )
        text = text.strip()
        return text if any(map(str.isalnum, text)) else BULLET


def _written(numbers: Sequence[int], levels: Mapping[int, Level], level: int, is_legal: bool) -> str:
    """Return the number of a level in its number format."""
    if level >= len(numbers):
        return ""
    number, kind = numbers[level], levels[level].kind if level in levels and not is_legal else "decimal"
    if kind in ("lowerLetter", "upperLetter") and number > 0:
        letters = chr(ord("a") + (number - 1) % 26) * min(1 + (number - 1) // 26, 9)
        return letters.upper() if kind == "upperLetter" else letters
    if kind in ("lowerRoman", "upperRoman") and 0 < number < 4_000:
        letters = ""
        for size, sign in _ROMAN:
            letters += sign * (number // size)
            number %= size
        return letters.upper() if kind == "upperRoman" else letters
    return "" if kind == "none" else f"{number:02}" if kind == "decimalZero" else str(number)
