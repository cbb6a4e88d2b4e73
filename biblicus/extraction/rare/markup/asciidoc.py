"""AsciiDoc, read as Markdown: sections are headings, what a list of terms explains are entries, listings are code.

Nothing is included and no condition decides: what stands under any `ifdef` is text, and `include` is a link. What a
document defines by itself (`:name: value`) is put in where it is used.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from biblicus.contracts import Extractor, Given
from biblicus.extraction.kit.rewritten import LineByLine, Rewritten
from biblicus.extraction.kit.texts import Options
from biblicus.extraction.rare.markup.asciidoc_inline import Inline
from biblicus.extraction.rare.markup.asciidoc_tables import cells_of

__all__ = ["Options", "build"]

_SECTION = re.compile(r"(={1,6}|#{1,6})[ \t]+(\S(?:.{0,400}?\S)?)(?:[ \t]+\1)?$")
_UNDERLINE = re.compile(r"([=~^+-])\1{2,}$")
_LEVELS = "=-~^+"
_MOST_TERMS = 20
"""Terms that share what is said of them at most."""
_TITLE_SLACK = 3
"""Characters by which the line under a title may be longer or shorter."""
_DELIMITER = re.compile(r"(?:-{4,}|\.{4,}|\+{4,}|/{4,}|={4,}|\*{4,}|_{4,}|--|```\S*|\|={3,})$")
_CODE, _HIDDEN = "-.`", "+/"
_DIRECTIVE = re.compile(r"(?:ifn?def|ifeval|endif)::[^\s\[]*\[(.*)\]$")
_INCLUDE = re.compile(r"include::([^\s\[]+)\[.*\]$")
_ATTRIBUTE = re.compile(r":!?([\w-]+)!?:(?:[ \t]+(.*))?$")
_BLOCK = re.compile(r"\[(\[[^\[\]]*\]|[^\[\]]*(?:\[[^\[\]]*\][^\[\]]*)*)\]$")
_NAMED = re.compile(r"[\w-]+=")
"""What begins a line above a block that says no kind: `[subs=attributes+]`."""
_TITLE = re.compile(r"\.([^\s.].*)$")
_TERM = re.compile(r"[ \t]*(\S(?:.*?\S)?)(:{2,4}|;;)(?:[ \t]+(\S.*))?$")
_ITEM = re.compile(r"[ \t]*(\*{1,5}|-|\.{1,5}|\d{1,3}\.|[a-z]\.|<(?:\d{1,3}|\.)>)[ \t]+(\S.*)$")
_SHOWN_AS_CODE = ("source", "listing", "literal", "verse")
_CALLOUT = re.compile(r"[ \t]*(?:(?:#|//|--|;;)[ \t]*)?(?:<(?:\d{1,2}|\.)>[ \t]*)+$")
_ANCHOR = re.compile(r"\[?#?([\w:.-]+)")
_WRAPPED = re.compile(r"<<[^<>,\n]{1,200},[ \t]*([^<>\n]{0,200}\n[^<>\n]{1,200})>>")
"""A reference whose words go on in the next line."""
_TOC = re.compile(r"toc::\[.*\]$|<<<$|'''+$|(?:image|video|audio)::\S*\[\]$")


def build(options: Options, given: Given) -> Extractor:
    """The extractor for AsciiDoc."""
    return LineByLine("asciidoc/3", lambda source: _Reader(source).read())


class _List:
    """A list that is open: by the mark of its items. `entry`: the term whose text this is, if it is one of terms."""

    def __init__(self, mark: str) -> None:
        self.mark, self.entry, self.number = mark, "", 0


class _Reader:
    """Reads lines one by one. `_lists`: those that are open, the innermost last; `_outer`: for each block that is open
    the line that closes it, and the lists around it."""

    def __init__(self, source: str) -> None:
        source = _WRAPPED.sub(r"\1", source)
        self._source = _without_directives([line.rstrip() for line in source.split("\n")])
        self._text = Rewritten(len(self._source))
        self._inline = Inline(_anchors(self._source))
        self._lists: list[_List] = []
        self._outer: list[tuple[str, list[_List]]] = []
        self._terms: list[tuple[int, str]] = []
        self._attached = False
        self._between = True
        self._block = ""
        self._unclosed: set[str] = set()

    def read(self) -> Rewritten:
        at = 0
        while at < len(self._source):
            at = self._read(at)
        self._begin_entry()
        return self._text

    def _read(self, at: int) -> int:
        """The line `at`, with those that belong to it; returns the next."""
        line = self._source[at]
        if not line:
            self._between = True
            return at + 1
        if line.startswith("//") and not line.startswith("///"):
            return at + 1
        if marks := self._is_title(at):
            self._section(at, _LEVELS.index(marks[0]) + 1, line)
            return at + 2
        if section := _SECTION.match(line):
            self._section(at, len(section[1]), section[2])
            return at + 1
        if _DELIMITER.match(line):
            return self._delimited(at)
        if line == "+":
            self._begin_entry()
            self._attached = self._between = True
            return at + 1
        if self._is_beside_the_text(at, line):
            return at + 1
        return self._said(at, line)

    # --- what is no text of its own -----------------------------------------------------------------------------------

    def _is_beside_the_text(self, at: int, line: str) -> bool:
        """Attributes, anchors, titles of blocks and what includes or shows other files."""
        if attribute := _ATTRIBUTE.match(line):
            self._inline.define(attribute[1], attribute[2] or "")
            return True
        if include := _INCLUDE.match(line):
            name = self._inline.attributes(include[1])
            self._text.lines[at] = f"[{name}]({name})"
            return True
        if _TOC.match(line):
            return True
        if not self._between:
            return False
        if block := _BLOCK.match(line):
            if not block[1].startswith("["):
                self._leave(at)
                if not (self._block and _NAMED.match(block[1])):  # else it only adds to the line above
                    self._block = block[1]
                self._open_code(at)
            return True
        if title := _TITLE.match(line):
            self._leave(at)
            words = self._inline.said(title[1])
            self._text.lines[at] = words if words[-1:] in ".!?:" else f"{words}:"
            return True
        return False

    def _is_title(self, at: int) -> str:
        """The line of marks under a title; empty where the line `at` is none."""
        below = self._source[at + 1] if at + 1 < len(self._source) else ""
        line = self._source[at]
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
        self._text.heading(at, level, self._inline.name(words))
        if level == 1 and not self._text.title:
            self._text.title = self._text.section.title
        self._between = True

    # --- blocks -------------------------------------------------------------------------------------------------------

    def _delimited(self, at: int) -> int:
        """A block between two lines of marks, or the end of one."""
        mark = self._source[at]
        if self._outer and self._outer[-1][0] == mark:
            self._begin_entry()
            _, lists = self._outer.pop()
            within, self._lists = self._lists, lists
            if any(one.entry for one in within):
                self._resume(at)
            self._between, self._attached = True, False
            return at + 1
        self._begin_entry()
        closing = "```" if mark.startswith("```") else mark
        below = range(at + 1, 0 if closing in self._unclosed else len(self._source))
        end = next((end for end in below if self._source[end] == closing), 0)
        if not end:
            self._unclosed.add(closing)
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
        """The lines between two others as code; these are its fence."""
        lines = [_CALLOUT.sub("", line) for line in self._source[start + 1 : end]]
        if self._source[start + 1 : end] and all(map(_INCLUDE.match, self._source[start + 1 : end])):
            for at in range(start + 1, end):  # it shows other files alone
                self._is_beside_the_text(at, self._source[at])
            return
        fence = "~~~~" if any(line.lstrip().startswith("```") for line in lines) else "```"
        kind, _, language = block.partition(",")
        self._text.lines[start] = fence + (language.split(",")[0].strip() if kind.startswith("source") else "")
        self._text.lines[start + 1 : end] = [self._inline.attributes(line) for line in lines]
        self._text.lines[end] = fence

    def _open_code(self, at: int) -> None:
        """Where a paragraph is shown as code by the line above it: that, and the one below it, are its fence."""
        kind = re.split(r"[,%.#]", self._block, maxsplit=1)[0]
        if kind not in _SHOWN_AS_CODE or at + 1 >= len(self._source):
            return
        first = self._source[at + 1]
        if not first or any(mark.match(first) for mark in (_DELIMITER, _TITLE, _BLOCK)):
            return
        end = self._paragraph_end(at + 1)
        if end >= len(self._source):
            return
        if kind == "verse":
            self._source[at + 1 : end] = [self._inline.plain(line) for line in self._source[at + 1 : end]]
        self._code(at, end, self._block)
        self._source[at + 1 : end] = ["//"] * (end - at - 1)
        self._block, self._attached = "", False

    def _paragraph_end(self, at: int) -> int:
        return next((end for end in range(at, len(self._source)) if not self._source[end]), len(self._source))

    def _table(self, start: int, end: int, block: str) -> None:
        for at, cells in cells_of(self._source[start : end + 1], block):
            line = start + at
            if cells:
                self._text.row(line, [self._inline.said(cell) for cell in cells])
            else:
                self._text.columns(line, self._text.lines[line - 1].count(" |"))

    # --- lists and paragraphs -----------------------------------------------------------------------------------------

    def _said(self, at: int, line: str) -> int:
        """A line of a paragraph, an item or a term."""
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
            self._text.lines[at] = self._inline.said(line.strip())
        self._attached = self._between = False
        self._block = ""
        return at + 1

    def _is_literal(self, at: int, line: str) -> bool:
        """Whether a paragraph is shown as it is: it stands further in, below a blank line, and is no text of a term."""
        above = not at or not self._source[at - 1] or self._source[at - 1] == "+"
        return line[0].isspace() and not self._terms and above and at > 0

    def _literal(self, at: int) -> int:
        """A paragraph that stands further in, with those below it; the blank lines around it are its fence."""
        end = self._paragraph_end(at)
        while (
            end + 1 < len(self._source)
            and self._source[end + 1][:1].isspace()
            and not _ITEM.match(self._source[end + 1])
        ):
            end = self._paragraph_end(end + 1)
        if end < len(self._source) and not self._text.lines[at - 1]:
            self._code(at - 1, end, "")
        else:
            self._text.lines[at:end] = self._source[at:end]
        self._attached, self._between = False, True
        return end + 1

    def _item(self, at: int, mark: str, words: str) -> None:
        mark = "1." if mark[0].isdigit() else "a." if mark[0].isalpha() else "<" if mark[0] == "<" else mark
        one = self._open(at, mark)
        depth = sum(not other.entry for other in self._lists) - 1
        one.number += 1
        sign = f"{one.number}." if mark[-1] == "." else "-"
        self._text.lines[at] = f"{'  ' * depth}{sign} {self._inline.said(words)}"

    def _open(self, at: int, mark: str, *, is_of_terms: bool = False) -> _List:
        """The list of the items with a mark: the one that is open, else a new one within those that are."""
        within = [one.mark for one in self._lists]
        if mark not in within:
            self._lists.append(_List(mark))
        else:
            left = self._lists[within.index(mark) + 1 :]
            del self._lists[within.index(mark) + 1 :]
            if not is_of_terms and any(one.entry for one in left):
                self._resume(at)
        return self._lists[-1]

    def _term(self, at: int, name: str, mark: str, says: str) -> None:
        """A term; several right after each other share what is said of them."""
        if self._terms and self._lists[-1].mark != mark:
            self._begin_entry()
        one = self._open(at, mark, is_of_terms=True)
        self._terms.append((at, self._inline.name(name)))
        one.entry = self._terms[0][1]
        if says and len(self._terms) == 1:
            self._text.entry(at, one.entry, self._depth() - 1, self._inline.said(says))
            self._terms = []
        elif says or len(self._terms) == _MOST_TERMS:
            self._begin_entry()
            self._text.lines[at] = self._inline.said(says)

    def _begin_entry(self) -> None:
        """What stands from here on is said of the terms that were read last."""
        if self._terms:
            one = self._lists[-1]
            one.entry = ", ".join(dict.fromkeys(name for _, name in self._terms))
            self._text.entry(self._terms[0][0], one.entry, self._depth() - 1)
            self._terms = []

    def _depth(self) -> int:
        """How many entries the text stands in."""
        return sum(bool(one.entry) for one in self._around())

    def _around(self) -> Iterator[_List]:
        for _, lists in self._outer:
            yield from lists
        yield from self._lists

    def _leave(self, at: int) -> None:
        """What begins here and is not attached to an item ends its lists."""
        if not self._attached and self._lists and not self._terms:
            left, self._lists = self._lists, []
            if any(one.entry for one in left):
                self._resume(at)

    def _resume(self, at: int) -> None:
        entries = [one.entry for one in self._around() if one.entry]
        self._text.resume(at, entries[-1] if entries else "", len(entries) - 1)


def _is_sentence(term: str) -> bool:
    """Whether what stands before two colons is a sentence, and no term."""
    return term.endswith((".", ",")) or len(term.split()) > 24


def _without_directives(lines: list[str]) -> list[str]:
    """The lines, blank where a condition begins or ends. Those within a paragraph are moved to its end, so that the
    sentences around them stay whole."""
    at = 0
    while at < len(lines):
        end = at
        while end < len(lines) and (_flows(lines[end]) or (end > at and _DIRECTIVE.fullmatch(lines[end]))):
            end += 1
        lines[at:end] = sorted(map(_without_directive, lines[at:end]), key=lambda line: not line)
        if end < len(lines):
            lines[end] = _without_directive(lines[end])
        at = end + 1
    return lines


def _without_directive(line: str) -> str:
    directive = _DIRECTIVE.match(line)
    return directive[1] if directive else line


def _flows(line: str) -> bool:
    """Whether a line is of a paragraph, and begins or ends none by itself."""
    others = (_DIRECTIVE, _DELIMITER, _INCLUDE, _ATTRIBUTE, _SECTION, _ITEM, _TERM, _BLOCK)
    return bool(line) and line != "+" and not any(other.match(line) for other in others)


def _anchors(lines: list[str]) -> dict[str, str]:
    """What is called by a name that leads to it: the title below it."""
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
