"""Base of line-based markup readers: a table of patterns classifies each line and selects the method that writes it."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any, ClassVar

from biblicus.extraction.kit.rewritten import Rewritten

Rule = tuple[re.Pattern[str], Callable[[Any, int, re.Match[str]], int | None]]
Mark = tuple[str, re.Pattern[str], str | Callable[[re.Match[str]], str]]
ANY = re.compile("")
_KEPT = "\ue000"
_PLACE = re.compile(f"{_KEPT}(\\d+){_KEPT}")


class LineReader:
    """Rewrites a text as Markdown with the same line numbers.

    `RULES`: line patterns, each with a method; the first match applies. The method returns the number of the next line
    to read, None for the following line, or 0 if the rule does not apply. `STEP`: minimum columns by which an entry's
    text is indented more than its name. `entries`: the open entries as indent and name.
    """

    RULES: ClassVar[Sequence[Rule]] = ()
    STEP: ClassVar[int] = 1

    def __init__(self, source: str) -> None:
        self.source = [line.rstrip() for line in source.split("\n")]
        self.text = Rewritten(len(self.source))
        self.entries: list[tuple[int, str]] = []
        self._unclosed: set[str] = set()

    def read(self, at: int = 0) -> Rewritten:
        """Rewrite all lines from number `at`."""
        while at < len(self.source):
            at = self.line(at) if self.source[at] else at + 1
        return self.text

    def line(self, at: int) -> int:
        """Rewrite line `at` with those that belong to it, and return the number of the next."""
        line = self.source[at]
        for pattern, write in self.RULES:
            if match := pattern.match(line):
                following = write(self, at, match)
                if following != 0:
                    return at + 1 if following is None else following
        return at + 1

    def skip(self, at: int, match: re.Match[str]) -> None:
        """Leave a line blank."""

    def write(self, at: int, text: str) -> None:
        """Set the output of line `at`."""
        self.text.lines[at] = text

    def end_of(self, at: int, mark: str, closes: Callable[[str], bool]) -> int:
        """Return the first line after `at` for which `closes` is true, or 0. After a search without result, the same
        `mark` is not searched again, so that the file is read in linear time."""
        below = range(at + 1, 0 if mark in self._unclosed else len(self.source))
        end = next((number for number in below if closes(self.source[number])), 0)
        if not end:
            self._unclosed.add(mark)
        return end

    def code(self, start: int, end: int, lines: Sequence[str], language: str = "") -> None:
        """Write `lines` as code; the lines `start` and `end` become its fences."""
        fence = "~~~~" if any(line.lstrip().startswith("```") for line in lines) else "```"
        self.text.lines[start : end + 1] = [fence + language, *lines, fence]

    def enter(self, at: int, indent: int, name: str, says: str = "") -> None:
        """Open an entry."""
        self.text.entry(at, name, len(self.entries), says)
        self.entries.append((indent, name))

    def close(self, at: int, indent: int, *, is_entry: bool = False) -> None:
        """Close the entries indented at least as much as `indent`. `is_entry`: another entry opens here."""
        left = len(self.entries)
        while self.entries and self.entries[-1][0] + self.STEP > indent:
            self.entries.pop()
        if left > len(self.entries) and not is_entry:
            self.text.resume(at, self.entries[-1][1] if self.entries else "", len(self.entries) - 1)


def indent_of(line: str) -> int:
    """Return the columns of white space before the first word."""
    line = line.expandtabs()
    return len(line) - len(line.lstrip())


def marked(text: str, marks: Sequence[Mark]) -> str:
    """Rewrite inline marks as Markdown. Each mark: a required sign, its pattern and the replacement."""
    for sign, pattern, written in marks:
        if sign in text:
            text = pattern.sub(written, text)
    return text


def beside_code(text: str, code: re.Pattern[str], marks: Sequence[Mark], shown: Callable[[str], str] = str) -> str:
    """Rewrite inline marks outside code; code (group 2 of its pattern) is put in backticks through `shown`."""
    code_parts: list[str] = []

    def keep(match: re.Match[str]) -> str:
        code_parts.append(f"`{shown(match[2])}`")
        return f"{_KEPT}{len(code_parts) - 1}{_KEPT}"

    return _PLACE.sub(lambda match: code_parts[int(match[1])], marked(code.sub(keep, text.replace(_KEPT, "")), marks))
