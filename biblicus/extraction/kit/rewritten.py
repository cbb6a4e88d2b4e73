"""Markup rewritten as Markdown with unchanged line numbers, so that citations refer to the file's own lines."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import islice

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
