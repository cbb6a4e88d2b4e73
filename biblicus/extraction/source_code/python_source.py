"""The definitions of Python source: where each class and function starts, by a scan of its lines.

Not by `ast`: that refuses what its own version of Python does not know, so that the same file would be cut otherwise
on another machine, and text of strangers can crash it. A scan needs no version, reads broken files as far as they make
sense, and finds what `ast` finds (a test compares both over thousands of files).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from biblicus.models.extraction import Heading

_MOST = 50_000
"""Parts of one file; more are no structure."""
_DEEPEST = 100
"""Brackets that are told apart; deeper ones are data."""

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
"""A definition; in Cython also one with types: `cdef inline double rate(int hands) nogil:`."""
_TAB = 8


class _Block(NamedTuple):
    """An open class or function: how far it is indented, its qualified name, and whether it is a class."""

    indent: int
    name: str
    is_class: bool


def definitions(text: str) -> list[Heading]:
    """A heading for each part of the source, ascending, the first at 0: parts cover all of it.

    A class or function that stands in no function has its qualified name (`Class.method`) and starts at its
    decorators, or the comment directly above them. What stands between is headed by its class, or by the empty name of
    the module. Level 1 is the module; a name's level is one more than its parts.
    """
    headings = [Heading(0, 1, "")]
    blocks: list[_Block] = []
    leading: int | None = None  # where the decorators or comments begin that stand directly above
    decorated = False
    for start, indent, comment, blank in _lines(text):
        if blank:
            if not decorated:
                leading = None
            continue
        if comment:
            leading = start if leading is None else leading
            continue
        at = start + len(_INDENT.match(text, start)[1])  # type: ignore[index]  # it matches anything
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
            own = defines["name"] or defines["typed"]
            name = f"{around}.{own}" if around else own
            blocks.append(_Block(indent, name, defines["kind"] == "class"))
            if inside is None:
                _add(headings, begin, name)
        elif inside is None and headings[-1].title != around:
            _add(headings, begin, around)
        if len(headings) > _MOST:
            return [headings[0]]
    return headings


def _add(found: list[Heading], begin: int, name: str) -> None:
    heading = Heading(begin, name.count(".") + 2 if name else 1, name)
    if found[-1].offset >= begin:
        found[-1] = heading
    else:
        found.append(heading)


def _lines(text: str) -> Iterator[tuple[int, int, bool, bool]]:
    """Where each logical line starts, its indentation, and whether it holds a comment alone, or nothing."""
    start = depth = at = 0
    size = len(text)
    while start < size:
        line = _INDENT.match(text, start)
        assert line is not None  # it matches anything
        comment, blank = bool(line["comment"]) and not line["rest"], not line["rest"] and not line["comment"]
        yield start, _width(line[1]), comment, blank
        at, depth = start, 0
        while True:
            token = _TOKEN.search(text, at)
            if token is None:
                return
            at = token.end()
            if token["long"]:
                at = _ENDS[token["long"]].match(text, at).end()  # type: ignore[union-attr]  # it matches anything
            elif token["open"]:
                depth = min(depth + 1, _DEEPEST)
            elif token["close"]:
                depth = max(depth - 1, 0)
            elif token["line"] and (not depth or _DEFINES.match(text, at)):
                break  # a definition at the margin ends brackets that were never closed
        start = at


def _width(white: str) -> int:
    """Columns of an indentation, as Python counts them."""
    if "\t" not in white and "\f" not in white:
        return len(white)
    columns = 0
    for char in white:
        columns = columns + _TAB - columns % _TAB if char == "\t" else 0 if char == "\f" else columns + 1
    return columns
