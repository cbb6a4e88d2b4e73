"""Extractor of POD (Perl documentation), rewritten as Markdown: headings, items as entries or lists.

Verbatim text and the code around it become fenced code if blank lines leave room for the fences.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from html.entities import html5

from biblicus.extraction.kit.rewritten import Rewritten, line_by_line

_COMMAND = re.compile(r"=([a-zA-Z]\w*)[ \t]*(.*)$")
_HEADINGS = ("head1", "head2", "head3", "head4", "head5", "head6")
_PACKAGE = re.compile(r"(?:package|class)[ \t]+([\w:]+)")
_CALL = re.compile(r"([\w:$@%&-]+)(?:[ \t]*\(.*\)|(?:[ \t]+[A-Z{][A-Z0-9,\[\]{}. ]*)+)?;?$")
"""A function call in an item: `splice ARRAY,OFFSET`, `tempfile()`."""
_NUMBERED = re.compile(r"\d{1,3}[.)]?(?:[ \t]|$)")
_CODE_STYLE = "CF"
_OPENS = re.compile(r"([A-Z])(<{2,8}[ \t\n]|<)")
_ESCAPES = {"lt": "<", "gt": ">", "verbar": "|", "sol": "/"}
_NUMBER = re.compile(r"0x[0-9A-Fa-f]{1,6}|0[0-7]{1,7}|[1-9][0-9]{0,6}")
_BLANK = "\xa0\xad"
"""Characters that count as printable: no-break space and soft hyphen."""
_DEEPEST = 8
"""Maximum nesting of formatting codes; deeper ones are text."""
_FENCE = "```"
_SHOWN = "text"
"""The format name of a `=begin` block for all formatters."""


class _Reader:
    """Reads lines one by one. `_entries`: the open items around the current text."""

    def __init__(self, source: str) -> None:
        self._source = [line.rstrip() for line in source.split("\n")]
        self._ends = [at for at, line in enumerate(self._source) if line.startswith("=end")]
        self._text = Rewritten(len(self._source))
        self._entries: list[str] = []
        self._item = ""

    def read(self) -> Rewritten:
        at = 0
        is_pod = next((_COMMAND.match(line) is not None for line in self._source if line), False)
        while at < len(self._source):
            at = self._paragraph(at) if is_pod else self._code(at)
            is_pod = not is_pod
        return self._text

    def _code(self, at: int) -> int:
        """Write code up to the next command and return that line; a package at the start is the title."""
        end = at
        while end < len(self._source) and not _COMMAND.match(self._source[end]):
            end += 1
        lines = self._source[at:end]
        if at == 0 and lines and (package := _PACKAGE.match(lines[0])):
            self._text.title = package[1]
            self._text.heading(0, 1, package[1])
            if lines[1:2] != [""] and not lines[-1]:  # no blank lines for the fences
                self._text.lines[:end] = [f"{_FENCE} {lines[0]}", *lines[1:-1], _FENCE]
                return end
            at += 1
        self._fenced(at, end)
        return end

    def _fenced(self, start: int, end: int) -> None:
        """Write lines unchanged, as fenced code if blank lines leave room for the two fences."""
        while start < end and not self._source[end - 1] and end - 2 >= start and not self._source[end - 2]:
            end -= 1
        if not any(self._source[start:end]):
            return
        opens = start if not self._source[start] else start - 1
        closes = end - 1 if not self._source[end - 1] else end
        room = 0 <= opens < closes < len(self._source) and not self._text.lines[opens] and not self._source[closes]
        for at in range(start, end):
            self._text.lines[at] = self._source[at]
        if room:
            self._text.lines[opens] = self._text.lines[closes] = _FENCE

    def _paragraph(self, at: int) -> int:
        """Write documentation up to `=cut` and return the line after it."""
        while at < len(self._source):
            line = self._source[at]
            command = _COMMAND.match(line)
            if command and command[1] == "cut":
                return at + 1
            if command and command[1] == "begin" and command[2].split(" ")[0].lstrip(":") != _SHOWN:
                at = self._skipped(at)
            elif command:
                at = self._command(at, command[1], command[2])
            elif line[:1].isspace():
                at = self._verbatim(at)
            elif line:
                at = self._said(at)
            else:
                at += 1
        return at

    def _skipped(self, at: int) -> int:
        place = bisect_left(self._ends, at)
        return self._ends[place] + 1 if place < len(self._ends) else at + 1

    def _command(self, at: int, name: str, words: str) -> int:
        end = at + 1
        if name in (*_HEADINGS, "item"):
            while end < len(self._source) and self._source[end] and not _COMMAND.match(self._source[end]):
                words += " " + self._source[end]
                end += 1
        if name in _HEADINGS:
            self._entries = []
            self._text.heading(at, _HEADINGS.index(name) + 1, plain(words))
        elif name == "over":
            self._entries.append("")
        elif name == "back" and self._entries:
            self._entries.pop()
            self._text.resume(at + 1 if at + 1 < len(self._source) else at, *self._around())
        elif name == "item":
            self._entry(at, words.strip())
        return end

    def _around(self) -> tuple[str, int]:
        named = [(name, depth) for depth, name in enumerate(self._entries) if name]
        return named[-1] if named else ("", 0)

    def _entry(self, at: int, words: str) -> None:
        bullet = re.match(r"[*o-](?:[ \t]+|$)", words)
        if bullet or not words:
            self._text.lines[at] = f"- {said(words[bullet.end() :])}" if bullet and words[bullet.end() :] else ""
            self._item = "- " if not self._text.lines[at] else ""
        elif _NUMBERED.match(words):
            number, _, says = words.partition(" ")
            self._text.lines[at] = f"{number.rstrip('.)')}. {said(says)}" if says else ""
            self._item = "" if says else f"{number.rstrip('.)')}. "
        else:
            name = plain(words)
            call = _CALL.match(name)
            entry_name = call[1] if call else name
            if self._entries and self._entries[-1] == entry_name:
                self._text.lines[at] = f"`{name}`"
                return
            if self._entries:
                self._entries[-1] = entry_name
            self._text.entry(at, name, max(0, len(self._entries) - 1), called=entry_name)

    def _verbatim(self, at: int) -> int:
        """Write indented lines with the blank ones between them."""
        end = last = at
        while end < len(self._source) and (not self._source[end] or self._source[end][:1].isspace()):
            last = end if self._source[end] else last
            end += 1
        self._fenced(at, last + 1)
        return max(last + 2, at + 1)

    def _said(self, at: int) -> int:
        """Write a paragraph, whose formatting codes may span lines."""
        end = at
        while end < len(self._source) and self._source[end] and not _COMMAND.match(self._source[end]):
            end += 1
        lines = said("\n".join(self._source[at:end])).split("\n")
        lines = lines if len(lines) == end - at else [" ".join(lines)]
        for number, line in enumerate(lines):
            self._text.lines[at + number] = line.strip()
        self._text.lines[at] = self._item + self._text.lines[at]
        self._item = ""
        return end


def said(text: str) -> str:
    """Return POD text as Markdown."""
    return _formatted(text, is_plain=False)


def plain(text: str) -> str:
    """Return a heading or item as plain text."""
    return " ".join(_formatted(text, is_plain=True).split())


def _formatted(text: str, *, is_plain: bool) -> str:
    """Expand the formatting codes (`B<x>`, `C<< x >>`) of a text from left to right; unclosed codes stay unchanged."""
    if "<" not in text:
        return text
    parts: list[list[str]] = [[]]
    opened: list[tuple[str, str, str]] = []  # code letter, opening text, closing text
    at = 0
    while at < len(text):
        if opened and text.startswith(opened[-1][2], at):
            letter, _, ends = opened.pop()
            inner = "".join(parts.pop())
            parts[-1].append(_written(letter, inner, is_plain))
            at += len(ends)
        elif len(opened) < _DEEPEST and (match := _OPENS.match(text, at)):
            angles = match[2].rstrip()
            opened.append((match[1], match[0], ">" if len(angles) == 1 else f" {'>' * len(angles)}"))
            parts.append([])
            at = match.end()
        else:
            parts[-1].append(text[at])
            at += 1
    while opened:
        inner = "".join(parts.pop())
        parts[-1].append(opened.pop()[1] + inner)
    return "".join(parts[0])


def _written(letter: str, inner: str, is_plain: bool) -> str:
    if letter in "XZ":
        return ""
    if letter == "E":
        return _ESCAPES.get(inner) or _character(inner) or f"E<{inner}>"
    if letter == "L":
        link_text, bar, _ = inner.partition("|")
        page, slash, section = link_text.partition("/")
        return (
            link_text
            if bar
            else f"{page} {section}".replace('"', "").strip()
            if slash and ":/" not in link_text
            else link_text
        )
    if is_plain or letter == "S" or not inner.strip():
        return inner
    if letter in _CODE_STYLE:
        return f"`{inner.strip()}`" if "`" not in inner and "\n" not in inner else inner
    return f"**{inner}**" if letter == "B" else f"*{inner}*" if letter == "I" else inner


def _character(name: str) -> str:
    """Return the character for a number (octal after `0`, hexadecimal after `0x`) or an HTML name. The result is empty
    for a character that cannot be printed."""
    if _NUMBER.fullmatch(name):
        code = int(name, 16 if name[1:2] == "x" else 8 if name[0] == "0" else 10)
        character = chr(code) if code < 0x110000 else ""
    else:
        character = html5.get(f"{name};", "")
    return character if all(sign.isprintable() or sign in _BLANK for sign in character) else ""


build = line_by_line("pod/1", lambda source: _Reader(source).read())
