"""What a docstring of Python says of one parameter, of what comes back and of what is raised, as people write it: below
`Parameters` and a line, below `Args:`, behind `:param hands:`."""

from __future__ import annotations

import re
from collections.abc import Sequence

from biblicus.answering.reader.reading.readable import readable as without_markup
from biblicus.models.extraction import Span

_DEFINES = re.compile(r"^[ \t]*(?:async[ \t]+)?(?:c?p?def|class)\b", re.MULTILINE)
_BEHIND = re.compile(r":[ \t]*(?:#[^\n]*)?\n")
"""The end of the line that a signature ends with."""
_OPENS = re.compile(r"(?:[ \t]*(?:#[^\n]*)?\n)*[ \t]*[rRuU]{0,2}(\"{3}|'{3})")
_LINE = re.compile(r"([ \t]*)([^\n]*)(?:\n|\Z)")
_UNDER = re.compile(r"[-=~^]{3,}\s*\Z")
_LONGEST = 60_000
"""Characters of a definition that are looked at."""
RETURNS = r"returns?|yields?"
PARAMETERS = r"(?:other |keyword )?(?:parameters|arg(?:ument)?s|options|attributes)"
RAISES = r"raises?|throws?|exceptions?"


class _Line:
    """A line with its place, how far it is indented and its words."""

    __slots__ = ("end", "indent", "start", "words")

    def __init__(self, match: re.Match[str]) -> None:
        self.start, self.end = match.start(2), match.end(2)
        self.indent, self.words = len(match[1].expandtabs()), match[2].rstrip()


def parameter(text: str, name: str) -> Span | None:
    """What is said of a parameter, with its line, by the first docstring in a text."""
    lines = _docstring(text)
    own = rf"\*{{0,2}}{re.escape(name)}"
    among = rf"(?:\*{{0,2}}\w+ ?, ?){{0,6}}{own}(?: ?, ?\*{{0,2}}\w+){{0,6}}"
    typed = re.compile(rf"`{{0,2}}{among}`{{0,2}}(?:\s*:(?:\s.*)?)?\Z")
    told = re.compile(rf"{own}\s*(?:\([^()]*(?:\([^()]*\)[^()]*)*\))?:\s+\S|- ?{own}\s*(?:\([^()]*\))?:\s+\S")
    field = re.compile(
        rf":(?:param|parameter|arg|argument|key|keyword|kwarg)\s+(?:[^:\n]*[\s*])?(?={re.escape(name)}:\s*\S?)"
    )
    for at, line in enumerate(lines):
        begins = field.match(line.words)
        if begins or told.match(line.words) or (typed.match(line.words) and _below(lines, at) > at + 1):
            return _span(lines[at : _below(lines, at)], begins.end() if begins else 0)
    return None


def section(text: str, name: str) -> Span | None:
    """What stands below the heading of a section in the first docstring of a text; `name`: a pattern of its names."""
    lines = _docstring(text)
    headed, field = (
        re.compile(rf"(?:{name}):?\s*\Z", re.IGNORECASE),
        re.compile(rf":(?:{name})(?::\s*|\s+)(?=\S)", re.IGNORECASE),
    )
    for at, line in enumerate(lines):
        if begins := field.match(line.words):
            return _span(lines[at : _below(lines, at)], begins.end())
        if not headed.match(line.words):
            continue
        if line.words.endswith(":"):
            return _span(lines[at + 1 : _below(lines, at)])
        if at + 1 < len(lines) and _UNDER.match(lines[at + 1].words):
            ends = (other for other in range(at + 2, len(lines)) if _is_headed(lines, other, line.indent))
            return _span(lines[at + 2 : next(ends, len(lines))])
    return None


def readable(text: str, span: Span) -> str:
    """What people read of it: names and types on lines of their own, what stands further in below them as one."""
    lines = _lines(text, text.rfind("\n", 0, span.start) + 1, span.end)
    lines[0].words = text[span.start : lines[0].end].rstrip()
    least = min(line.indent for line in lines if line.words)
    parts: list[str] = []
    is_open = False
    for line in lines:
        if line.words and line.indent > least and is_open:
            parts[-1] += f" {line.words.strip()}"
        elif line.words:
            parts.append(line.words.strip())
        is_open = bool(line.words) and (line.indent > least)
    return "\n".join(map(without_markup, parts))


def _is_headed(lines: Sequence[_Line], at: int, indent: int) -> bool:
    """Whether a section begins in a line."""
    below = lines[at + 1].words if at + 1 < len(lines) else ""
    return bool(lines[at].words) and lines[at].indent <= indent and _UNDER.match(below) is not None


def _below(lines: Sequence[_Line], at: int) -> int:
    """The place behind the lines that stand further in below one."""
    behind = range(at + 1, len(lines))
    return next(
        (other for other in behind if lines[other].words and lines[other].indent <= lines[at].indent), len(lines)
    )


def _docstring(text: str) -> list[_Line]:
    """The lines of the docstring that stands right behind the first signature in a text."""
    text = text[:_LONGEST]
    defines = _DEFINES.search(text)
    behind = _BEHIND.search(text, defines.end()) if defines else None
    opened = _OPENS.match(text, behind.end()) if behind else None
    if opened is None:
        return []
    end = text.find(opened[1], opened.end())
    end = len(text) if end < 0 else end
    return _lines(text, opened.end(), end)


def _lines(text: str, at: int, end: int) -> list[_Line]:
    lines = []
    while at < end and (match := _LINE.match(text, at, end)):
        lines.append(_Line(match))
        at = match.end()
    return lines


def _span(lines: Sequence[_Line], begins: int = 0) -> Span | None:
    """From the first to the last line that has words, without what the first one `begins` with; None where none has."""
    worded = [line for line in lines if line.words]
    return Span(worded[0].start + begins, worded[-1].start + len(worded[-1].words)) if worded else None
