"""Extractor of Info files, as Texinfo formats them for terminals, rewritten as Markdown.

Titles are headings, tables of terms and definitions are entries, examples are code. Menus, indices and text between
nodes are dropped.
"""

from __future__ import annotations

import re

from biblicus.extraction.kit.rewritten import ANY, LineReader, Rewritten, line_by_line

_NODE = re.compile(r"File: [^\n]*\bNode: ")
_BETWEEN = "\x1f"
_BEGINS = re.compile(r"\x1f$|File: [^\n]*\bNode: ")
_MENU = re.compile(r"\* Menu:$")
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
_WORDS = 14
"""Maximum words of a term; half as many if several share a description."""
_PROSE = re.compile(r"(?:[\w'’“”‘`()-]{1,40}[,;:]? ){7}")
_BESIDE = re.compile(r"[ ]{2,}\(([^()]+)\)$")
"""The command of a key at the end of a line, in brackets: `C-x C-s (save-buffer)`."""
_NOTES = re.compile(r"\s*-{5,} Footnotes -{5,}$")


class _Reader(LineReader):
    STEP = 5

    def __init__(self, source: str) -> None:
        source = _REFERENCE.sub(_referred, source)
        super().__init__(source)
        self.source = [line.rstrip(" \t\r\f") for line in source.split("\n")]  # keeps the separator between nodes

    def read(self, at: int = 0) -> Rewritten:
        return super().read(next((n for n, line in enumerate(self.source) if _NODE.match(line)), len(self.source)))

    def between(self, at: int, match: re.Match[str]) -> int:
        self.entries = []
        return self.after(at, match) if _NO_NODE.match(self._line(at + 1)) else at + 1

    def after(self, at: int, match: re.Match[str]) -> int:
        """Return the line of the next node separator."""
        return next((n for n in range(at + 1, len(self.source)) if self.source[n] == _BETWEEN), len(self.source))

    def words(self, at: int, match: re.Match[str]) -> int:
        line, below = self.source[at], self._line(at + 1)
        if _UNDERLINE.match(below) and abs(len(below) - len(line)) <= 2 and not line[0].isspace():
            self.entries = []
            self.text.heading(at, _LEVELS.index(below[0]) + 1, _plain(line))
            self.text.title = self.text.title or self.text.section.title
            return at + 2
        indent = _indent(line)
        if self._is_term(at):
            return self._term(at, indent)
        if not self._line(at - 1) and self._is_example(at, indent):
            return self._example(at)
        self.close(at, indent)
        item = _ITEM.match(line)
        base = self.entries[-1][0] + self.STEP if self.entries else 0
        indentation = " " * min(max(len(item[1]) - base - 3, 0), 8) if item else ""
        self.text.lines[at] = indentation + _said(line.strip())
        return at + 1

    RULES = ((_BEGINS, between), (_MENU, after), (_NOTES, LineReader.skip), (ANY, words))

    def _line(self, at: int) -> str:
        return self.source[at] if 0 <= at < len(self.source) else ""

    def _is_term(self, at: int) -> bool:
        """Return True if a line is a term: the text below it, or below further terms, is indented more."""
        line = self.source[at]
        if _DEFINED.match(line):
            return True
        indent = _indent(line)
        above = self._line(at - 1)
        is_next = any(entry[0] == indent for entry in self.entries) and _indent(above) > indent
        if (above and not is_next) or _ITEM.match(line) or indent % self.STEP or len(line.split()) > _WORDS:
            return False
        below = at + 1
        while self._line(below) and _indent(self._line(below)) == indent and below < at + 12:
            below += 1
        is_name = below == at + 1 or all(len(self._line(n).split()) <= _WORDS // 2 for n in range(at, below))
        means = self._line(below)
        if not means and line[indent] in "‘`" and below == at + 1 and len(line.split()) <= _WORDS // 2:
            means = self._line(below + 1)
        return bool(means) and is_name and _indent(means) == indent + self.STEP and line[-1] not in ".:"

    def _term(self, at: int, indent: int) -> int:
        end, names = at, list[str]()
        indent = indent - 1 if _DEFINED.match(self.source[at]) else indent
        while self._line(end) and _indent(self._line(end)) <= indent + 1:
            defined = _DEFINED.match(self.source[end])
            names.append(_BESIDE.sub(r", \1", _plain(defined[1] if defined else self.source[end])))
            end += 1
        self.close(at, indent, is_entry=True)
        self.enter(at, indent, ", ".join(dict.fromkeys(names)))
        return end

    def _is_example(self, at: int, indent: int) -> bool:
        """Return True if a paragraph is indented more than the text around it and is no prose."""
        entries = [entry for entry in self.entries if entry[0] + self.STEP <= indent]
        base = entries[-1][0] + self.STEP if entries else 0
        line = self.source[at].strip()
        return indent >= base + self.STEP and not _ITEM.match(self.source[at]) and not _PROSE.match(line)

    def _example(self, at: int) -> int:
        """Write an example and the ones below it as code; the blank lines around it are the fences."""
        indent = _indent(self.source[at])
        self.close(at, indent)
        end = at
        while end < len(self.source) and (not self.source[end] or _indent(self.source[end]) >= indent):
            if self.source[end] == _BETWEEN:
                break
            end += 1
        while not self.source[end - 1]:
            end -= 1
        lines = [line[indent:] for line in self.source[at:end]]
        if at and end < len(self.source) and not self.source[end] and not self.text.lines[at - 1]:
            self.code(at - 1, end, lines)
            return end + 1
        self.text.lines[at:end] = lines
        return end


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


def _referred(match: re.Match[str]) -> str:
    """Return a cross-reference as text on the same number of lines."""
    see = "See" if match[1] == "N" else "see"
    reference = f"{see}{match[2]}{match[3] or match[4]}"
    return reference + "\n" * (match[0].count("\n") - reference.count("\n"))


def _said(text: str) -> str:
    """Return a line with quoted text as code."""
    text = f"- {text[2:]}" if text.startswith("• ") else text
    return _QUOTED.sub(lambda quoted: f"`{quoted[1] or quoted[2]}`", text)


def _plain(text: str) -> str:
    """Return a title or term without quotation marks."""
    text = _QUOTED.sub(lambda quoted: quoted[1] or quoted[2], text.strip())
    return re.sub(r"(?<!\w)'([^']+)'(?!\w)", r"\1", text)


build = line_by_line("info/1", lambda source: _Reader(source).read())
