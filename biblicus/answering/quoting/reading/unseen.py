"""Lines that only renderers read: targets and directives of MyST, components and comments of MDX; and what a line is
without its indentation or number."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from biblicus.models.extraction import Span

_TARGET = re.compile(r"\([\w:. /-]{1,80}\)=[ \t]*")
_COMMENT = re.compile(r"\s*\{/\*.*\*/\}\s*")
_IMPORT = re.compile(r"(?:(?:import|export)\s.{1,200}\sfrom|import)\s+[\"'][^\"'\n]+[\"'];?[ \t]*")
"""What a page of MDX brings in from another file."""
_DIRECTIVE = re.compile(
    r"[ \t]{0,3}(?P<fence>`{3,}|~{3,})\{(?:note|warning|tip|important|caution|attention|hint|danger|error|admonition"
    r"|seealso|versionadded|versionchanged|deprecated|dropdown|tab-item|tab-set|glossary|topic|sidebar|epigraph)\}"
)
"""Directives of MyST that hold text, which their fences make look like code."""
_OPTION = re.compile(r"[ \t]*:[\w-]+:(?:[ \t]|$)")
_COMPONENT = re.compile(r"[ \t]{0,8}<[A-Z]\w*[ \t]*(?:[\w-]+=[^>]*)?$")
"""A component of MDX whose properties stand in the lines below it."""
_PROPERTIES = 200
"""Lines of these at most."""


def seen_by_nobody(lines: Sequence[str]) -> frozenset[int]:
    """The places of such lines."""
    unseen: set[int] = set()
    closes, at = "", 0
    while at < len(lines):
        line = lines[at]
        if closes and line.strip() == closes:
            unseen.add(at)
            closes = ""
        elif not closes and (opened := _DIRECTIVE.match(line)):
            closes = opened["fence"]
            unseen.add(at)
            while at + 1 < len(lines) and _OPTION.match(lines[at + 1]):
                at += 1
                unseen.add(at)
        elif _TARGET.fullmatch(line) or _COMMENT.fullmatch(line) or _IMPORT.fullmatch(line):
            unseen.add(at)
        elif _COMPONENT.match(line):
            end = next((end for end in range(at, min(at + _PROPERTIES, len(lines))) if lines[end].endswith(">")), at)
            unseen.update(range(at, end + 1))
            at = end
        at += 1
    return frozenset(unseen)


def unnumbered(line: str) -> str:
    """A heading without the number before it, and without white space."""
    return "".join(line.split()).lstrip("0123456789.")


def indent_of(line: str) -> int:
    return len(line) - len(line.lstrip(" \t"))


def lines_of(text: str) -> Iterator[Span]:
    start = 0
    while start <= len(text):
        end = text.find("\n", start)
        end = len(text) if end < 0 else end
        yield Span(start, end)
        start = end + 1
