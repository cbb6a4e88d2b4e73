"""A manual page written as Markdown, without wrapped lines."""

from __future__ import annotations

import re
from collections.abc import Iterator

from biblicus.extraction.rare.man.roff import GUARD
from biblicus.models.extraction import ENTRY, Heading

_ENTRY_LEVEL = 4
"""Number of `#` marks of an entry's heading in the text."""
_BULLETS = frozenset("•*o○□+·–—-")
_NUMBER = re.compile(r"(?:\(?\d{1,3}[.)]|\[\d{1,3}\]|[a-z][.)])$")
_LONGEST_TERM, _WORDS_OF_A_TERM = 120, 14
_BLANKS = re.compile(r"[ \t]+")


class Written:
    """Collects blocks: paragraphs, items, code, headings. The text of a block is joined on one line."""

    def __init__(self) -> None:
        self.title = ""
        self._blocks: list[tuple[str, int, str]] = []
        self._open: list[str] = []
        self._code: list[str] | None = None
        self._item = ""

    def heading(self, words: str, level: int) -> None:
        """Add a section heading; level 1 is the highest."""
        self.end()
        if words := _one_line(words):
            self._blocks.append(("#", level, words))

    def entry(self, term: str) -> None:
        """Start an entry for an option, a command, a bullet or a number."""
        self.end()
        term = _one_line(term)
        if not term or term in _BULLETS:
            self._item = "- " if term else ""
        elif _NUMBER.match(term):
            self._item = f"{term} "
        elif _is_term(term):
            self._blocks.append(("entry", ENTRY, term))
        else:
            self._blocks.append(("", 0, term))

    def say(self, text: str, *, joined: bool = False) -> None:
        """Add words to the open block, or a line to open code. `joined`: without a space before."""
        if self._code is not None:
            if joined and self._code:
                self._code[-1] += text
            else:
                self._code.append(text.rstrip())
        elif text.strip():
            if joined and self._open:
                self._open[-1] += text.strip()
            else:
                self._open.append(text.strip())

    def indent(self) -> None:
        """Start indented text; a short line right before it becomes its term, as in DocBook's output."""
        words = _one_line(" ".join(self._open))
        if self._code is None and words and not self._item and _is_term(words):
            self._open = []
            self.entry(words)
        else:
            self.paragraph()

    def paragraph(self, text: str = "") -> None:
        """End the open block and add a paragraph."""
        if self._code is not None:
            self._code.append("")
            return
        self.end()
        if text:
            self._blocks.append(("", 0, _one_line(text)))

    def row(self, cells: list[str]) -> None:
        """Add a row of a table."""
        self.end()
        self._blocks.append(("row", 0, " | ".join(_one_line(cell).replace("|", "\\|") for cell in cells)))

    def code(self, *, begins: bool) -> None:
        """Start or end code."""
        if begins and self._code is None:
            self.end()
            self._code = []
        elif not begins and self._code is not None:
            lines, self._code = self._code, None
            body = "\n".join(lines).replace(GUARD, "").strip("\n")
            if body.strip():
                self._blocks.append(("code", 0, body))

    def end(self) -> None:
        if self._code is not None:
            self.code(begins=False)
        if words := _one_line(" ".join(self._open)):
            bulleted = f"- {words[2:]}" if words.startswith("• ") else words
            self._blocks.append(("", 0, self._item + bulleted))
            self._item = ""
        self._open = []

    def text(self) -> str:
        self.end()
        return "".join(block for block, _ in self._written())

    def spell_title(self) -> None:
        """Set the title's spelling to that in the section NAME: `GIT-LOG(1)` becomes `git-log(1)`."""
        name, bracket, rest = self.title.partition("(")
        named = [words for at, (_, _, words) in enumerate(self._blocks) if at and self._blocks[at - 1][2] == "NAME"]
        if named and (written := named[0][: len(name)]).casefold() == name.casefold():
            self.title = written + bracket + rest

    def headings(self) -> tuple[Heading, ...]:
        """Return the headings with their offsets in the text."""
        self.end()
        at, headings = 0, []
        for block, heading in self._written():
            if heading is not None:
                headings.append(Heading(at, *heading))
            at += len(block)
        return tuple(headings)

    def _written(self) -> Iterator[tuple[str, tuple[int, str] | None]]:
        """Yield each block as text, and its level and words if it is a heading."""
        if self.title:
            yield f"# {self.title}\n\n", (1, self.title)
        for at, (kind, level, words) in enumerate(self._blocks):
            follows = self._blocks[at + 1][0] if at + 1 < len(self._blocks) else ""
            if kind == "#":
                yield f"{'#' * (level + 1)} {words}\n\n", (level + 1, words)
            elif kind == "entry":
                yield f"{'#' * _ENTRY_LEVEL} {words}\n\n", (level, words)
            elif kind == "code":
                yield f"```\n{words}\n```\n\n", None
            elif kind == "row":
                yield f"| {words} |\n{'' if follows == 'row' else chr(10)}", None
            else:
                yield f"{words}\n\n", None


def _is_term(words: str) -> bool:
    """Return True if the words are short enough for a term and do not end like a sentence."""
    return len(words) <= _LONGEST_TERM and len(words.split()) <= _WORDS_OF_A_TERM and words[-1] not in ".:;!?"


def _one_line(text: str) -> str:
    return _BLANKS.sub(" ", " ".join(text.replace(GUARD, "").split("\n"))).strip()
