"""A manual page written as Markdown, without wrapped lines."""

from __future__ import annotations

import re

from biblicus.extraction.kit.texts import nothing
from biblicus.extraction.rare.man.roff import GUARD
from biblicus.models.extraction import ENTRY, Extraction, Heading, NoExtraction

_ENTRY_MARKS = "####"
_BULLETS = frozenset("•*o○□+·–—-")
_NUMBER = re.compile(r"(?:\(?\d{1,3}[.)]|\[\d{1,3}\]|[a-z][.)])$")
_LONGEST_TERM, _WORDS_OF_A_TERM = 120, 14
_BLANKS = re.compile(r"[ \t]+")
_ROW_ENDS = " |\n"


class Written:
    """Collects blocks: paragraphs, items, code, headings. The text of a block is joined on one line."""

    def __init__(self) -> None:
        self.title = ""
        self._blocks: list[tuple[str, tuple[int, str] | None]] = []
        self._open: list[str] = []
        self._code: list[str] | None = None
        self._item = ""

    def _add(self, text: str, heading: tuple[int, str] | None = None) -> None:
        """Add a block; a blank line separates it from the rows of a table above."""
        if self._blocks and self._blocks[-1][0].endswith(_ROW_ENDS) and not text.endswith(_ROW_ENDS):
            self._blocks[-1] = f"{self._blocks[-1][0]}\n", None
        self._blocks.append((text, heading))

    def heading(self, words: str, level: int) -> None:
        """Add a section heading; level 1 is the highest."""
        self.end()
        if words := _one_line(words):
            self._add(f"{'#' * (level + 1)} {words}\n\n", (level + 1, words))

    def entry(self, term: str) -> None:
        """Start an entry for an option, a command, a bullet or a number."""
        self.end()
        term = _one_line(term)
        if not term or term in _BULLETS:
            self._item = "- " if term else ""
        elif _NUMBER.match(term):
            self._item = f"{term} "
        elif _is_term(term):
            self._add(f"{_ENTRY_MARKS} {term}\n\n", (ENTRY, term))
        else:
            self._add(f"{term}\n\n")

    def say(self, text: str, *, joined: bool = False) -> None:
        """Add words to the open block, or a line to open code. `joined`: without a space before."""
        lines, text = (
            (self._open, text.strip()) if self._code is None else (self._code, text if joined else text.rstrip())
        )
        if joined and lines:
            lines[-1] += text
        elif text or self._code is not None:
            lines.append(text.rstrip())

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
            self._add(f"{_one_line(text)}\n\n")

    def row(self, cells: list[str]) -> None:
        """Add a row of a table."""
        self.end()
        self._add(f"| {' | '.join(_one_line(cell).replace('|', chr(92) + '|') for cell in cells)}{_ROW_ENDS}")

    def code(self, *, begins: bool) -> None:
        """Start or end code."""
        if begins and self._code is None:
            self.end()
            self._code = []
        elif not begins and self._code is not None:
            lines, self._code = self._code, None
            body = "\n".join(lines).replace(GUARD, "").strip("\n")
            if body.strip():
                self._add(f"```\n{body}\n```\n\n")

    def end(self) -> None:
        self.code(begins=False)
        if words := _one_line(" ".join(self._open)):
            bulleted = f"- {words[2:]}" if words.startswith("• ") else words
            self._add(f"{self._item}{bulleted}\n\n")
            self._item = ""
        self._open = []

    def extraction(self, warnings: tuple[str, ...]) -> Extraction | NoExtraction:
        """Return the page. Its title has the spelling of the section NAME: `GIT-LOG(1)` becomes `git-log(1)`."""
        self.end()
        self._add("")
        name, bracket, rest = self.title.partition("(")
        for (_, heading), (text, _) in zip(self._blocks, self._blocks[1:], strict=False):
            if heading and heading[1] == "NAME" and (written := text[: len(name)]).casefold() == name.casefold():
                self.title = written + bracket + rest
                break
        if self.title:
            self._blocks.insert(0, (f"# {self.title}\n\n", (1, self.title)))
        at, headings = 0, []
        for text, heading in self._blocks:
            headings += [Heading(at, *heading)] if heading else []
            at += len(text)
        full_text = "".join(text for text, _ in self._blocks)
        page = Extraction(full_text, headings=tuple(headings), title=self.title or None, warnings=warnings)
        return page if full_text.strip() else nothing()


def _is_term(words: str) -> bool:
    """Return True if the words are short enough for a term and do not end like a sentence."""
    return len(words) <= _LONGEST_TERM and len(words.split()) <= _WORDS_OF_A_TERM and words[-1] not in ".:;!?"


def _one_line(text: str) -> str:
    return _BLANKS.sub(" ", " ".join(text.replace(GUARD, "").split("\n"))).strip()
