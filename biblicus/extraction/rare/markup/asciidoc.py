"""Extractor of AsciiDoc, rewritten as Markdown: headings, description lists as entries, listings as code.

Nothing is included and conditions are ignored: text in any `ifdef` is kept and an `include` becomes a link. Attributes
that the document defines (`:name: value`) are substituted.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from biblicus.extraction.kit.rewritten import ANY, LineReader, Rewritten, line_by_line
from biblicus.extraction.rare.markup.asciidoc_inline import Inline, cells_of

_SECTION = re.compile(r"(={1,6}|#{1,6})[ \t]+(\S(?:.{0,400}?\S)?)(?:[ \t]+\1)?$")
_UNDERLINE = re.compile(r"([=~^+-])\1{2,}$")
_LEVELS = "=-~^+"
_MOST_TERMS = 20
"""Maximum terms that share a description."""
_TITLE_SLACK = 3
"""Maximum difference in length between a title and the line under it."""
_DELIMITER = re.compile(r"(?:-{4,}|\.{4,}|\+{4,}|/{4,}|={4,}|\*{4,}|_{4,}|--|```\S*|\|={3,})$")
_CODE, _HIDDEN = "-.`", "+/"
_DIRECTIVE = re.compile(r"(?:ifn?def|ifeval|endif)::[^\s\[]*\[(.*)\]$")
_INCLUDE = re.compile(r"include::([^\s\[]+)\[.*\]$")
_ATTRIBUTE = re.compile(r":!?([\w-]+)!?:(?:[ \t]+(.*))?$")
_BLOCK = re.compile(r"\[(\[[^\[\]]*\]|[^\[\]]*(?:\[[^\[\]]*\][^\[\]]*)*)\]$")
_NAMED = re.compile(r"[\w-]+=")
"""The beginning of a block attribute line that gives no kind: `[subs=attributes+]`."""
_TITLE = re.compile(r"\.([^\s.].*)$")
_TERM = re.compile(r"[ \t]*(\S(?:.*?\S)?)(:{2,4}|;;)(?:[ \t]+(\S.*))?$")
_ITEM = re.compile(r"[ \t]*(\*{1,5}|-|\.{1,5}|\d{1,3}\.|[a-z]\.|<(?:\d{1,3}|\.)>)[ \t]+(\S.*)$")
_SHOWN_AS_CODE = ("source", "listing", "literal", "verse")
_CALLOUT = re.compile(r"[ \t]*(?:(?:#|//|--|;;)[ \t]*)?(?:<(?:\d{1,2}|\.)>[ \t]*)+$")
_ANCHOR = re.compile(r"\[?#?([\w:.-]+)")
_WRAPPED = re.compile(r"<<[^<>,\n]{1,200},[ \t]*([^<>\n]{0,200}\n[^<>\n]{1,200})>>")
"""A cross-reference whose text continues on the next line."""


class _List:
    """An open list with the mark of its items. `entry`: the current term of a description list."""

    def __init__(self, mark: str) -> None:
        self.mark, self.entry, self.number = mark, "", 0


class _Reader(LineReader):
    """State of the reader. `_lists`: the open lists, innermost last. `_outer`: for each open block, its closing line
    and the lists around it."""

    def __init__(self, source: str) -> None:
        super().__init__(_WRAPPED.sub(r"\1", source))
        self.source = [(match[1] or "//") if (match := _DIRECTIVE.match(line)) else line for line in self.source]
        self._inline = Inline(_anchors(self.source))
        self._lists: list[_List] = []
        self._outer: list[tuple[str, list[_List]]] = []
        self._terms: list[tuple[int, str]] = []
        self._attached = False
        self._between = True
        self._block = ""

    def read(self, at: int = 0) -> Rewritten:
        while at < len(self.source):
            at = self.line(at)
        self._begin_entry()
        return self.text

    def blank(self, at: int, match: re.Match[str]) -> None:
        self._between = True

    def attach(self, at: int, match: re.Match[str]) -> None:
        self._begin_entry()
        self._attached = self._between = True

    def include(self, at: int, match: re.Match[str]) -> None:
        name = self._inline.attributes(match[1])
        self.text.lines[at] = f"[{name}]({name})"

    def block(self, at: int, match: re.Match[str]) -> int:
        """Store the kind of the next block, or skip an anchor."""
        if not self._between:
            return 0
        if not match[1].startswith("["):
            self._leave(at)
            if not (self._block and _NAMED.match(match[1])):  # otherwise it only adds attributes
                self._block = match[1]
            self._open_code(at)
        return at + 1

    def title(self, at: int, match: re.Match[str]) -> int:
        """Write the title of the next block."""
        if not self._between:
            return 0
        self._leave(at)
        words = self._inline.said(match[1])
        self.text.lines[at] = words if words[-1:] in ".!?:" else f"{words}:"
        return at + 1

    def underlined(self, at: int, match: re.Match[str]) -> int:
        marks = self._is_title(at)
        if marks:
            self._section(at, _LEVELS.index(marks[0]) + 1, self.source[at])
        return at + 2 if marks else 0

    def _is_title(self, at: int) -> str:
        """Return the line of marks under a title, or an empty string if line `at` is none."""
        below = self.source[at + 1] if at + 1 < len(self.source) else ""
        line = self.source[at]
        if not self._between or not _UNDERLINE.match(below) or abs(len(line) - len(below)) > _TITLE_SLACK:
            return ""
        is_words = any(map(str.isalnum, line)) and not line[0].isspace() and line[-1] != ":"
        is_other = (
            _SECTION.match(line)
            or _DELIMITER.match(line)
            or _BLOCK.match(line)
            or _TITLE.match(line)
            or _ITEM.match(line)
        )
        closes = bool(self._outer) and self._outer[-1][0] == below
        return below if is_words and not is_other and not closes else ""

    def _section(self, at: int, level: int, words: str) -> None:
        self._begin_entry()
        self._lists, self._outer, self._attached, self._block = [], [], False, ""
        self.text.heading(at, level, self._inline.name(words))
        if level == 1 and not self.text.title:
            self.text.title = self.text.section.title
        self._between = True

    def delimited(self, at: int, match: re.Match[str]) -> int:
        """Start or end a delimited block."""
        mark = match[0]
        if self._outer and self._outer[-1][0] == mark:
            self._begin_entry()
            _, lists = self._outer.pop()
            within, self._lists = self._lists, lists
            if any(open_list.entry for open_list in within):
                self._resume(at)
            self._between, self._attached = True, False
            return at + 1
        self._begin_entry()
        closing = "```" if mark.startswith("```") else mark
        end = self.end_of(at, closing, lambda line: line == closing)
        if not end:
            return at + 1
        self._leave(at)
        block, self._block, self._attached, self._between = self._block, "", False, True
        if mark.startswith("|"):
            self._table(at, end, block)
            return end + 1
        if mark[0] in _HIDDEN or (mark != "--" and mark[0] in _CODE) or block.startswith(("source", "listing")):
            if mark[0] not in _HIDDEN:
                self._code(at, end, block)
            return end + 1
        self._outer.append((mark, self._lists))
        self._lists = []
        return at + 1

    def _code(self, start: int, end: int, block: str) -> None:
        """Write the lines between `start` and `end` as code with these two as fences."""
        inside = self.source[start + 1 : end]
        if inside and all(map(_INCLUDE.match, inside)):  # the block only includes other files
            for at in range(start + 1, end):
                self.line(at)
            return
        kind, _, language = block.partition(",")
        lines = [self._inline.attributes(_CALLOUT.sub("", line)) for line in inside]
        self.code(start, end, lines, language.split(",")[0].strip() if kind.startswith("source") else "")

    def _open_code(self, at: int) -> None:
        """Write a paragraph as code if its attribute line says so; that line and the one below are the fences."""
        kind = re.split(r"[,%.#]", self._block, maxsplit=1)[0]
        if kind not in _SHOWN_AS_CODE or at + 1 >= len(self.source):
            return
        first = self.source[at + 1]
        if not first or any(mark.match(first) for mark in (_DELIMITER, _TITLE, _BLOCK)):
            return
        end = self._paragraph_end(at + 1)
        if end >= len(self.source):
            return
        if kind == "verse":
            self.source[at + 1 : end] = [self._inline.plain(line) for line in self.source[at + 1 : end]]
        self._code(at, end, self._block)
        self.source[at + 1 : end] = ["//"] * (end - at - 1)
        self._block, self._attached = "", False

    def _paragraph_end(self, at: int) -> int:
        return next((end for end in range(at, len(self.source)) if not self.source[end]), len(self.source))

    def _table(self, start: int, end: int, block: str) -> None:
        above = start - 1
        while above >= 0 and _BLOCK.match(self.source[above]):
            above -= 1
        title = _TITLE.match(self.source[above]) if above >= 0 else None
        if title and not self._depth():
            self.text.caption(above, end + 1, self._inline.name(title[1]))
        for at, cells in cells_of(self.source[start : end + 1], block):
            line = start + at
            if cells:
                self.text.row(line, [self._inline.said(cell) for cell in cells])
            else:
                self.text.columns(line, self.text.lines[line - 1].count(" |"))
        if any(line.startswith("| ---") for line in self.text.lines[start:end]):
            self.text.whole(start, end)

    def words(self, at: int, match: re.Match[str]) -> int:
        """Write a line of a paragraph, an item or a term."""
        line = self.source[at]
        begins = self._between or bool(self._lists)
        item = _ITEM.match(line) if begins else None
        term = _TERM.match(line) if begins and not item else None
        if term is not None and not _is_sentence(term[1]):
            self._term(at, term[1], term[2], term[3] or "")
        elif item is not None:
            self._begin_entry()
            self._item(at, item[1], item[2])
        else:
            if self._between and self._is_literal(at, line):
                return self._literal(at)
            self._begin_entry()
            if self._between and not line[0].isspace():
                self._leave(at)
            self.text.lines[at] = self._inline.said(line.strip())
        self._attached = self._between = False
        self._block = ""
        return at + 1

    RULES = (
        (re.compile(r"$"), blank),
        (re.compile(r"//(?!/)"), LineReader.skip),
        (ANY, underlined),
        (_SECTION, lambda self, at, title: self._section(at, len(title[1]), title[2])),
        (_DELIMITER, delimited),
        (re.compile(r"\+$"), attach),
        (_ATTRIBUTE, lambda self, at, given: self._inline.define(given[1], given[2] or "")),
        (_INCLUDE, include),
        (re.compile(r"toc::\[.*\]$|<<<$|'''+$|(?:image|video|audio)::\S*\[\]$"), LineReader.skip),
        (_BLOCK, block),
        (_TITLE, title),
        (ANY, words),
    )

    def _is_literal(self, at: int, line: str) -> bool:
        """Return True for a literal paragraph: indented, below a blank line and outside terms."""
        above = not at or not self.source[at - 1] or self.source[at - 1] == "+"
        return line[0].isspace() and not self._terms and above and at > 0

    def _literal(self, at: int) -> int:
        """Write indented paragraphs as code; the blank lines around them are the fences."""
        end = self._paragraph_end(at)
        while (
            end + 1 < len(self.source) and self.source[end + 1][:1].isspace() and not _ITEM.match(self.source[end + 1])
        ):
            end = self._paragraph_end(end + 1)
        if end < len(self.source) and not self.text.lines[at - 1]:
            self._code(at - 1, end, "")
        else:
            self.text.lines[at:end] = self.source[at:end]
        self._attached, self._between = False, True
        return end + 1

    def _item(self, at: int, mark: str, words: str) -> None:
        mark = "1." if mark[0].isdigit() else "a." if mark[0].isalpha() else "<" if mark[0] == "<" else mark
        item_list = self._open(at, mark)
        depth = sum(not open_list.entry for open_list in self._lists) - 1
        item_list.number += 1
        sign = f"{item_list.number}." if mark[-1] == "." else "-"
        self.text.lines[at] = f"{'  ' * depth}{sign} {self._inline.said(words)}"

    def _open(self, at: int, mark: str, *, is_of_terms: bool = False) -> _List:
        """Return the open list for a mark, or open a new one inside the current lists."""
        within = [open_list.mark for open_list in self._lists]
        if mark not in within:
            self._lists.append(_List(mark))
        else:
            left = self._lists[within.index(mark) + 1 :]
            del self._lists[within.index(mark) + 1 :]
            if not is_of_terms and any(open_list.entry for open_list in left):
                self._resume(at)
        return self._lists[-1]

    def _term(self, at: int, name: str, mark: str, says: str) -> None:
        """Add a term; consecutive terms share a description."""
        if self._terms and self._lists[-1].mark != mark:
            self._begin_entry()
        term_list = self._open(at, mark, is_of_terms=True)
        self._terms.append((at, self._inline.name(name)))
        term_list.entry = self._terms[0][1]
        if says and len(self._terms) == 1:
            self.text.entry(at, term_list.entry, self._depth() - 1, self._inline.said(says))
            self._terms = []
        elif says or len(self._terms) == _MOST_TERMS:
            self._begin_entry()
            self.text.lines[at] = self._inline.said(says)

    def _begin_entry(self) -> None:
        """Start the entry of the last terms at this point."""
        if self._terms:
            term_list = self._lists[-1]
            term_list.entry = ", ".join(dict.fromkeys(name for _, name in self._terms))
            self.text.entry(self._terms[0][0], term_list.entry, self._depth() - 1)
            self._terms = []

    def _depth(self) -> int:
        """Return the number of entries around the current position."""
        return sum(bool(open_list.entry) for open_list in self._around())

    def _around(self) -> Iterator[_List]:
        for _, lists in self._outer:
            yield from lists
        yield from self._lists

    def _leave(self, at: int) -> None:
        """Close the lists, unless the new block is attached to an item."""
        if not self._attached and self._lists and not self._terms:
            left, self._lists = self._lists, []
            if any(open_list.entry for open_list in left):
                self._resume(at)

    def _resume(self, at: int) -> None:
        entries = [open_list.entry for open_list in self._around() if open_list.entry]
        self.text.resume(at, entries[-1] if entries else "", len(entries) - 1)


def _is_sentence(term: str) -> bool:
    """Return True if the text before `::` is a sentence and no term."""
    return term.endswith((".", ",")) or len(term.split()) > 24


def _anchors(lines: list[str]) -> dict[str, str]:
    """Return the title below each anchor by the anchor's name."""
    anchors: dict[str, str] = {}
    names: list[str] = []
    for line in lines:
        if line.startswith("[") and (block := _BLOCK.match(line)):
            if block[1][:1] in "[#" and (anchor := _ANCHOR.match(block[1])):
                names.append(anchor[1])
        elif line:
            section = _SECTION.match(line)
            words = section[2] if section else line
            if names and len(words) <= 80 and not words.startswith("."):
                anchors.update(dict.fromkeys(names, words))
            names = []
    return anchors


build = line_by_line("asciidoc/12", lambda source: _Reader(source).read())
