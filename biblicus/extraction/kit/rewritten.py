"""A text with markup of its own as it is written anew: Markdown, in which every line stays the line that it was.

So whatever reads Markdown reads it, and lines are cited as the file's own.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import islice

from biblicus.contracts import Extractor, Given, MediaHint
from biblicus.extraction.kit.texts import Options, nothing, of_text
from biblicus.models.extraction import ENTRY, Extraction, Heading, NoExtraction

_ENTRY_MARKS = "####"
_LONGEST = 300
"""Characters of a heading; what is longer is a paragraph with a mark before it."""
_MOST = 50_000
"""Headings of one file that count; more are no structure."""
_CELLS = re.compile(r"(?<!\\)\|")


class Rewritten:
    """Lines that are written in any order; what is not written is blank."""

    def __init__(self, count: int) -> None:
        self.title = ""
        self.lines = [""] * count
        self.section = Heading(0, 1, "")
        self._headings: dict[int, tuple[int, str]] = {}

    def heading(self, at: int, level: int, words: str) -> None:
        """A section's heading, on the line `at`; 1 is the highest."""
        if words := " ".join(words.split())[:_LONGEST]:
            level = min(level, 6)
            self.lines[at] = f"{'#' * level} {words}"
            self._headings[at] = level, words
            self.section = Heading(0, level, words)

    def entry(self, at: int, name: str, depth: int, says: str = "", called: str = "") -> None:
        """What a term, an option or a command is called whose text follows, or stands beside it. `depth`: how many
        entries it stands in; `called`: its name, where it is written with more."""
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

    def resume(self, at: int, entry: str = "", depth: int = 0) -> None:
        """The text from the line `at` on stands under an entry again that it stood under before, else its section."""
        if at not in self._headings:
            self._headings[at] = (ENTRY + depth, entry) if entry else (self.section.level, self.section.title)

    def row(self, at: int, cells: Sequence[str]) -> None:
        """A row of a table."""
        escaped = (_CELLS.sub(r"\\|", " ".join(cell.split())) for cell in cells)
        self.lines[at] = f"| {' | '.join(escaped)} |"

    def columns(self, at: int, count: int) -> None:
        """The line below the row that names a table's columns."""
        self.lines[at] = f"|{' --- |' * count}"

    def extraction(self, warnings: tuple[str, ...] = ()) -> Extraction:
        """The whole text with its headings."""
        headings, offset = [], 0
        for at, line in enumerate(self.lines):
            if at in self._headings:
                headings.append(Heading(offset, *self._headings[at]))
            offset += len(line) + 1
        highest = [one.title for one in headings if one.level == 1 and one.title]
        title = self.title or (highest[0] if len(highest) == 1 else None)
        return Extraction(
            "\n".join(self.lines), headings=tuple(islice(headings, _MOST)), title=title, warnings=warnings
        )


def line_by_line(fingerprint: str, read: Callable[[str], Rewritten]) -> Callable[[Options, Given], Extractor]:
    """Return the `build` of a plug-in whose texts `read` writes anew."""

    def extract(source: str, warnings: tuple[str, ...], hint: MediaHint) -> Extraction | NoExtraction:
        text = read(source).extraction(warnings)
        return text if text.text.strip() else nothing()

    return of_text(fingerprint, extract)
