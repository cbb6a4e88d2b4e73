"""Markup rewritten as Markdown with unchanged line numbers, so that citations refer to the file's own lines.

`LineReader`: base of the readers, in which a table of patterns classifies each line and selects the method that writes
it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import islice
from typing import Any, ClassVar

from biblicus.contracts import Extractor, Given, MediaHint
from biblicus.extraction.kit.front_matter import fronted
from biblicus.extraction.kit.texts import Options, nothing, of_text
from biblicus.models.extraction import CAPTION, ENTRY, Extraction, Heading, NoExtraction

_ENTRY_MARKS = "####"
_LONGEST = 300
"""Maximum characters of a heading; a longer one becomes a paragraph."""
_MOST = 50_000
"""Maximum headings of a file; further ones are only text."""
_CELLS = re.compile(r"(?<!\\)\|")
Rule = tuple[re.Pattern[str], Callable[[Any, int, re.Match[str]], int | None]]
Mark = tuple[str, re.Pattern[str], str | Callable[[re.Match[str]], str]]
ANY = re.compile("")
_KEPT = "\ue000"
_PLACE = re.compile(f"{_KEPT}(\\d+){_KEPT}")


class Rewritten:
    """Lines that are written in any order; unwritten lines are blank."""

    def __init__(self, count: int) -> None:
        self.title = ""
        self.lines = [""] * count
        self.section = Heading(0, 1, "")
        self._headings: dict[int, tuple[int, str]] = {}

    def heading(self, at: int, level: int, words: str) -> None:
        """Write a section heading on line `at`; level 1 is the highest."""
        if words := " ".join(words.split())[:_LONGEST]:
            level = min(level, 6)
            self.lines[at] = f"{'#' * level} {words}"
            self._headings[at] = level, words
            self.section = Heading(0, level, words)

    def entry(self, at: int, name: str, depth: int, says: str = "", called: str = "") -> None:
        """Write the name of a term, option or command, with its text `says` if that is on the same line. `depth`:
        number of enclosing entries; `called`: the plain name, if `name` has more than it."""
        name = " ".join(name.split())
        called = called or name
        if not name or len(name) > _LONGEST:
            self.lines[at] = f"{name} {says}".strip()
        elif not says or (at and not self.lines[at - 1] and at - 1 not in self._headings):
            line = at - 1 if says else at
            self.lines[at] = says
            self.lines[line] = f"{_ENTRY_MARKS} {name}"
            self._headings[line] = ENTRY + depth, called
        else:
            self.lines[at] = f"- **{name}**: {says}"
            self._headings[at] = ENTRY + depth, called

    def caption(self, at: int, end: int, words: str) -> None:
        """Make the title of the table up to line `end` the heading of its rows; its line is not changed."""
        if words := " ".join(words.split())[:_LONGEST]:
            self._headings[at] = CAPTION, words
            self.resume(end)

    def resume(self, at: int, entry: str = "", depth: int = 0) -> None:
        """Return to the enclosing `entry`, or else to the section, from line `at` on."""
        if at not in self._headings and at < len(self.lines):
            self._headings[at] = (ENTRY + depth, entry) if entry else (self.section.level, self.section.title)

    def row(self, at: int, cells: Sequence[str]) -> None:
        """Write a table row."""
        escaped = (_CELLS.sub(r"\\|", " ".join(cell.split())) for cell in cells)
        self.lines[at] = f"| {' | '.join(escaped)} |"

    def columns(self, at: int, count: int) -> None:
        """Write the separator line below a table's header."""
        self.lines[at] = f"|{' --- |' * count}"

    def whole(self, start: int, end: int) -> None:
        """Write empty rows on the blank lines of a table with column names, which they would end."""
        written = [at for at in range(start, end) if self.lines[at].startswith("| ")]
        for at in range(written[0], written[-1]) if written else ():
            if not self.lines[at]:
                self.row(at, [""] * self.lines[written[0]].count(" |"))

    def extraction(self, warnings: tuple[str, ...] = ()) -> Extraction:
        """Return the text with its headings."""
        headings, offset = [], 0
        for at, line in enumerate(self.lines):
            if at in self._headings:
                headings.append(Heading(offset, *self._headings[at]))
            offset += len(line) + 1
        highest = [heading.title for heading in headings if heading.level == 1 and heading.title]
        title = self.title or (highest[0] if len(highest) == 1 else None)
        return Extraction(
            "\n".join(self.lines), headings=tuple(islice(headings, _MOST)), title=title, warnings=warnings
        )


def line_by_line(fingerprint: str, read: Callable[[str], Rewritten]) -> Callable[[Options, Given], Extractor]:
    """Return the `build` function of a plug-in that rewrites texts with `read`."""

    def extract(source: str, warnings: tuple[str, ...], hint: MediaHint) -> Extraction | NoExtraction:
        text = read(source).extraction(warnings)
        return text if text.text.strip() else nothing()

    return of_text(fingerprint, fronted(extract))


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
