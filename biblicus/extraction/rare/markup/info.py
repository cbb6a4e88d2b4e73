"""Info, as Texinfo is formatted for reading on a terminal, read as Markdown: titles are headings, what tables of terms
and definitions name are entries, examples are code. Menus, indices and what stands between nodes are left out."""

from __future__ import annotations

import re

from biblicus.contracts import Extractor, Given
from biblicus.extraction.kit.rewritten import LineByLine, Rewritten
from biblicus.extraction.kit.texts import Options

__all__ = ["Options", "build"]

_NODE = re.compile(r"File: [^\n]*\bNode: ")
_BETWEEN = "\x1f"
_NO_NODE = re.compile(r"(?:Tag Table|Indirect|Local Variables|End Tag Table)\b")
_UNDERLINE = re.compile(r"([*=.-])\1{2,}$")
_LEVELS = "*=-."
_REFERENCE = re.compile(
    r"\*([Nn])ote(\s+)(?:((?:\([^()\n]{1,80}\)\s?)?[^:.,\n]{1,80}(?:\n[^:.,\n]{1,80})?)::"
    r"|([^:\n]{1,80}(?:\n[^:\n]{1,80})?):\s(?:\([^()\n]{1,80}\))?[^.,:\n]{1,80}(?:\n[^.,:\n]{1,80})?(?=[.,]))"
)
_QUOTED = re.compile(r"‘([^‘’\n`]{1,80})’|(?<![\w`])`([^`'\n]{1,80})'(?![\w'])")
_DEFINED = re.compile(r" -- (?:[^:]{2,40}: )(?:\{[^{}]*\} )?(\S.*)$")
_ITEM = re.compile(r"([ ]*)(?:[•*+−–-]|\(?(?:\d{1,3}|[a-z])[.)])[ ]+\S")
_STEP = 5
"""Columns by which Info moves in."""
_WORDS = 14
"""Words of a term at most; half as many where several share what is said of them."""
_PROSE = re.compile(r"(?:[\w'’“”‘`()-]{1,40}[,;:]? ){7}")
_BESIDE = re.compile(r"[ ]{2,}\(([^()]+)\)$")
"""The command that a key is bound to."""
_NOTES = re.compile(r"\s*-{5,} Footnotes -{5,}$")


def build(options: Options, given: Given) -> Extractor:
    """The extractor for Info."""
    return LineByLine("info/1", lambda source: _Reader(source).read())


class _Reader:
    """Reads lines one by one. `_entries`: the terms whose text this is, each with how far in it stands."""

    def __init__(self, source: str) -> None:
        self._source = [line.rstrip(" \t\r\f") for line in _REFERENCE.sub(_referred, source).split("\n")]
        self._text = Rewritten(len(self._source))
        self._entries: list[tuple[int, str]] = []

    def read(self) -> Rewritten:
        at = 0 if any(_NODE.match(line) for line in self._source) else len(self._source)
        while at < len(self._source) and not _NODE.match(self._source[at]):
            at += 1
        while at < len(self._source):
            at = self._read(at) if self._source[at] else at + 1
        return self._text

    def _read(self, at: int) -> int:
        """The line `at`, with those that belong to it; returns the next."""
        line = self._source[at]
        if line == _BETWEEN or _NODE.match(line):
            self._entries = []
            return self._after(at, _BETWEEN) if _NO_NODE.match(self._line(at + 1)) else at + 1
        if line == "* Menu:":
            return self._after(at, _BETWEEN)
        if _NOTES.match(line):
            return at + 1
        below = self._line(at + 1)
        if _UNDERLINE.match(below) and abs(len(below) - len(line)) <= 2 and not line[0].isspace():
            self._entries = []
            self._text.heading(at, _LEVELS.index(below[0]) + 1, _plain(line))
            self._text.title = self._text.title or self._text.section.title
            return at + 2
        indent = _indent(line)
        if self._is_term(at):
            return self._term(at, indent)
        if not self._line(at - 1) and self._is_example(at, indent):
            return self._example(at)
        self._close(at, indent)
        item = _ITEM.match(line)
        base = self._base()
        shown = " " * min(max(len(item[1]) - base - 3, 0), 8) if item else ""
        self._text.lines[at] = shown + _said(line.strip())
        return at + 1

    def _line(self, at: int) -> str:
        return self._source[at] if 0 <= at < len(self._source) else ""

    def _after(self, at: int, mark: str) -> int:
        """The next line that is the mark."""
        return next((n for n in range(at + 1, len(self._source)) if self._source[n] == mark), len(self._source))

    def _base(self) -> int:
        """How far in the text stands."""
        return self._entries[-1][0] + _STEP if self._entries else 0

    def _is_term(self, at: int) -> bool:
        """Whether a line names what the text under it is about, perhaps with others: that stands further in."""
        line = self._source[at]
        if _DEFINED.match(line):
            return True
        indent = _indent(line)
        above = self._line(at - 1)
        is_next = any(one[0] == indent for one in self._entries) and _indent(above) > indent
        if (above and not is_next) or _ITEM.match(line) or indent % _STEP or len(line.split()) > _WORDS:
            return False
        below = at + 1
        while self._line(below) and _indent(self._line(below)) == indent and below < at + 12:
            below += 1
        is_name = below == at + 1 or all(len(self._line(n).split()) <= _WORDS // 2 for n in range(at, below))
        means = self._line(below)
        if not means and line[indent] in "‘`" and below == at + 1 and len(line.split()) <= _WORDS // 2:
            means = self._line(below + 1)
        return bool(means) and is_name and _indent(means) == indent + _STEP and line[-1] not in ".:"

    def _term(self, at: int, indent: int) -> int:
        end, names = at, list[str]()
        indent = indent - 1 if _DEFINED.match(self._source[at]) else indent
        while self._line(end) and _indent(self._line(end)) <= indent + 1:
            defined = _DEFINED.match(self._source[end])
            names.append(_BESIDE.sub(r", \1", _plain(defined[1] if defined else self._source[end])))
            end += 1
        self._close(at, indent, is_entry=True)
        name = ", ".join(dict.fromkeys(names))
        self._text.entry(at, name, len(self._entries))
        self._entries.append((indent, name))
        return end

    def _is_example(self, at: int, indent: int) -> bool:
        """Whether a paragraph stands further in than the text around it, and is no prose."""
        entries = [one for one in self._entries if one[0] + _STEP <= indent]
        base = entries[-1][0] + _STEP if entries else 0
        line = self._source[at].strip()
        return indent >= base + _STEP and not _ITEM.match(self._source[at]) and not _PROSE.match(line)

    def _example(self, at: int) -> int:
        """A paragraph that is shown as it is, with those below it; the blank lines around it are its fence."""
        indent = _indent(self._source[at])
        self._close(at, indent)
        end = at
        while end < len(self._source) and (not self._source[end] or _indent(self._source[end]) >= indent):
            if self._source[end] == _BETWEEN:
                break
            end += 1
        while not self._source[end - 1]:
            end -= 1
        lines = [line[indent:] for line in self._source[at:end]]
        if at and end < len(self._source) and not self._source[end] and not self._text.lines[at - 1]:
            fence = "~~~~" if any(line.lstrip().startswith("```") for line in lines) else "```"
            self._text.lines[at - 1 : end + 1] = [fence, *lines, fence]
            return end + 1
        self._text.lines[at:end] = lines
        return end

    def _close(self, at: int, indent: int, *, is_entry: bool = False) -> None:
        """What stands no further in than the text of an entry is not of it."""
        left = len(self._entries)
        while self._entries and self._entries[-1][0] + _STEP > indent:
            self._entries.pop()
        if left > len(self._entries) and not is_entry:
            self._text.resume(at, self._entries[-1][1] if self._entries else "", len(self._entries) - 1)


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


def _referred(match: re.Match[str]) -> str:
    """A reference to another place, by what that is called, with as many lines."""
    see = "See" if match[1] == "N" else "see"
    said = f"{see}{match[2]}{match[3] or match[4]}"
    return said + "\n" * (match[0].count("\n") - said.count("\n"))


def _said(text: str) -> str:
    """A line with what is quoted as code."""
    text = re.sub(r"^• ", "- ", text)
    return _QUOTED.sub(lambda quoted: f"`{quoted[1] or quoted[2]}`", text)


def _plain(text: str) -> str:
    """The words of a title or a term, without the marks around them."""
    text = _QUOTED.sub(lambda quoted: quoted[1] or quoted[2], text.strip())
    return re.sub(r"(?<!\w)'([^']+)'(?!\w)", r"\1", text)
