"""Definitions of Python source, found by a line scan: the start of each class and function.

`ast` is not used: it rejects syntax newer than its own Python version, so that results would differ between machines,
and untrusted text can crash it. A test compares both over thousands of files.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from biblicus.extraction.source_code import add_definition
from biblicus.models.extraction import Heading

_MOST = 50_000
"""Maximum definitions of a file; a file with more is one part with one heading."""
_DEEPEST = 100
"""Maximum nesting of brackets that is tracked; deeper ones are data."""

_TOKEN = re.compile(
    r"""\#[^\n]*
    |(?P<long>\"\"\"|''')
    |"[^"\\\n]*+(?>(?:\\(?:.|\Z)[^"\\\n]*+)*)"?
    |'[^'\\\n]*+(?>(?:\\(?:.|\Z)[^'\\\n]*+)*)'?
    |(?P<open>[\[({])
    |(?P<close>[\])}])
    |\\\r?\n
    |(?P<line>\n)""",
    re.VERBOSE | re.DOTALL,
)
_ENDS = {
    '"""': re.compile(r'[^"\\]*+(?>(?:(?:\\(?:.|\Z)|"(?!""))[^"\\]*+)*)(?:"""|\Z)', re.DOTALL),
    "'''": re.compile(r"[^'\\]*+(?>(?:(?:\\(?:.|\Z)|'(?!''))[^'\\]*+)*)(?:'''|\Z)", re.DOTALL),
}
_INDENT = re.compile(r"\ufeff?([ \t\f]*+)(?P<rest>[^\s#]?)(?P<comment>\#?)")
_DEFINES = re.compile(
    r"(?>(?:(?:async|cdef)[ \t]++)?(?:(?:public|api)[ \t]++(?=[^\n]{0,9}\bclass\b))*)"
    r"(?P<kind>def|class)[ \t]++(?P<name>\w++)"
    r"|cp?def[ \t]++(?!(?:class|extern|struct|enum|union|packed)\b)(?:\([^()\n]{0,200}+\))?"
    r"(?:[^\n(=#\[]|\[[^\[\]\n]{0,200}+\]){0,200}?(?<!\w)(?P<typed>\w++)[ \t]{0,9}+\("
)
"""A definition, also a typed one in Cython: `cdef inline double rate(int hands) nogil:`."""
_TAB = 8


class _Block(NamedTuple):
    """An open class or function."""

    indent: int
    name: str
    is_class: bool


def definitions(text: str) -> list[Heading]:
    """Return a heading for each part of the source in ascending order; parts cover all of it from offset 0.

    A class or function outside functions has its qualified name (`Class.method`) and starts at its decorators or the
    comment directly above. Code between has the name of its class, or the empty name of the module. Level 1 is the
    module; a name's level is the number of its parts plus one.
    """
    headings = [Heading(0, 1, "")]
    blocks: list[_Block] = []
    leading: int | None = None  # start of the decorators or comments directly above
    decorated = False
    for start, at, indent, comment, blank in _lines(text):
        if blank:
            if not decorated:
                leading = None
            continue
        if comment:
            leading = start if leading is None else leading
            continue
        while blocks and indent <= blocks[-1].indent:
            blocks.pop()
        begin = start if leading is None else leading
        if text.startswith("@", at):
            leading, decorated = begin, True
            continue
        leading, decorated = None, False
        inside = next((block for block in blocks if not block.is_class), None)
        defines = _DEFINES.match(text, at)
        around = blocks[-1].name if blocks else ""
        if defines is not None:
            short_name = defines["name"] or defines["typed"]
            name = f"{around}.{short_name}" if around else short_name
            blocks.append(_Block(indent, name, defines["kind"] == "class"))
            if inside is None:
                add_definition(headings, begin, name)
        elif inside is None and headings[-1].title != around:
            add_definition(headings, begin, around)
        if len(headings) > _MOST:
            return [headings[0]]
    return headings


def _lines(text: str) -> Iterator[tuple[int, int, int, bool, bool]]:
    """Yield each logical line's start, end of its indentation and columns, and two flags: only a comment, blank."""
    start = depth = at = 0
    size = len(text)
    while start < size and (line := _INDENT.match(text, start)):
        comment, blank = bool(line["comment"]) and not line["rest"], not line["rest"] and not line["comment"]
        yield start, line.end(1), _width(line[1]), comment, blank
        at, depth = start, 0
        while True:
            token = _TOKEN.search(text, at)
            if token is None:
                return
            at = token.end()
            if end := token["long"] and _ENDS[token["long"]].match(text, at):
                at = end.end()
            elif token["open"]:
                depth = min(depth + 1, _DEEPEST)
            elif token["close"]:
                depth = max(depth - 1, 0)
            elif token["line"] and (not depth or _DEFINES.match(text, at)):
                break  # a definition at the margin closes unclosed brackets
        start = at


def _width(white: str) -> int:
    """Return the columns of an indentation by Python's rules."""
    if "\t" not in white and "\f" not in white:
        return len(white)
    columns = 0
    for char in white:
        columns = columns + _TAB - columns % _TAB if char == "\t" else 0 if char == "\f" else columns + 1
    return columns
