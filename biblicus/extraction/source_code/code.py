"""Extractor of source code: the decoded file unchanged, with its definitions and declarations as headings.

Languages without a grammar are read by a line scan; indentation gives the nesting.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from biblicus.contracts import MediaHint
from biblicus.extraction.kit.rewritten import indent_of
from biblicus.extraction.kit.texts import of_text
from biblicus.extraction.source_code import add_definition, declared
from biblicus.extraction.source_code.python_source import definitions
from biblicus.models.extraction import Extraction, Heading, NoExtraction

PYTHON = "text/x-python"
_MOST = 50_000
_LANGUAGES = "kotlin scala swift lua objective-c perl r julia powershell elixir dart groovy zig"
_BY_LINES = frozenset(f"text/x-{name}" for name in _LANGUAGES.split())
"""Media types without a grammar, whose definitions are found by a line scan."""
_HASHED = frozenset(f"text/x-{name}" for name in ("perl", "r", "julia", "powershell", "elixir"))
_DEFINES = re.compile(
    r"[ \t]*(?:(?:@\w+(?:\([^()\n]*\))?|[a-z]+(?:\([\w.]*\))?)[ \t]+){0,6}?"
    r"(?P<kind>fun|func|function|def|defp|defmacro|fn|sub|class|struct|interface|object|protocol|enum|extension|trait"
    r"|actor|mixin|module|defmodule|annotation[ \t]+class)[ \t]+(?:<[^<>\n]*>[ \t]*)?"
    r"(?P<name>[A-Za-z_$][\w$]*(?:(?:[.:]|::)[\w$]+)*[?!]?)"
)
_ASSIGNED = re.compile(r"[ \t]*(?:local[ \t]+)?(?P<name>[A-Za-z_][\w.]*)[ \t]*(?:<-|=)[ \t]*function\b")
_OF_OBJECTS = re.compile(
    r"[-+][ \t]*\([^()\n]*(?:\([^()\n]*\)[^()\n]*)*\)[ \t]*(?P<name>\w+)"
    r"|@(?:interface|implementation|protocol)[ \t]+(?P<type>\w+)"
)
_INITIALISER = re.compile(r"[ \t]*(?:[a-z]+[ \t]+){0,4}(?P<name>init)[?!]?(?:<[^<>\n]*>)?\(")
_CONTAINERS = frozenset(
    ("class", "struct", "interface", "object", "protocol", "enum", "extension", "trait", "actor", "mixin", "module",
     "defmodule")
)  # fmt: skip
_COMMENT, _HASH = ("//", "--", "/*", "*"), ("#",)
_BLOCKS = re.compile(r"[ \t]*(?:/\*.*?\*/[ \t]*)*")
_QUOTED = {
    "text/x-elixir": re.compile(r"[ \t]*@(?:module|type)?doc[ \t]+(?:~[sS])?\"{3}"),
    "text/x-julia": re.compile(r"[ \t]*(?:@doc[ \t]+(?:raw)?)?\"{3}"),
}
"""The beginning of quoted documentation above a definition."""
_ATTRIBUTE = re.compile(r"[ \t]*(?:@\w[\w.]*(?:\(.*\))?|#\[.*\]|\[<.*>\])[ \t]*$")


def _extract(text: str, warnings: tuple[str, ...], hint: MediaHint) -> Extraction | NoExtraction:
    """Extract source code; a `---` line at its top is no front matter. A heading is the qualified name of a definition
    (`Class.method`); code outside of all has the empty name."""
    headings: list[Heading] = []
    if hint.media_type == PYTHON:
        headings = definitions(text)
    elif hint.media_type in _BY_LINES:
        headings = _by_lines(text, hint.media_type)
    elif hint.media_type in declared.LANGUAGES:
        headings = declared.definitions(text, hint.media_type)
    return Extraction(text, headings=tuple(headings), warnings=warnings)


build = of_text("code/11", _extract)


class _Block(NamedTuple):
    indent: int
    name: str
    holds: bool


def _by_lines(text: str, media_type: str) -> list[Heading]:
    """Return the definitions as headings, each from the comment directly above it, without those inside functions. Code
    outside of all has the empty name."""
    comments = _HASH if media_type in _HASHED else _COMMENT
    headings = [Heading(0, 1, "")]
    blocks: list[_Block] = []
    leading: int | None = None
    is_comment = is_quoted = False
    opens = _QUOTED.get(media_type)
    start = 0
    for line in text.split("\n"):
        here, start = start, start + len(line) + 1
        begins = opens.match(line) if opens and not is_quoted else None
        if is_quoted or begins:
            leading = here if leading is None else leading
            is_quoted = '"""' not in (line[begins.end() :] if begins else line)
            continue
        is_blank = not is_comment and not line.strip()
        if comments is _COMMENT:
            line, is_comment = _code(line, is_comment)
        if not is_blank and (not line or line.lstrip(" \t").startswith(comments) or _ATTRIBUTE.match(line)):
            leading = here if leading is None else leading
            continue
        if is_blank:
            leading = None
            continue
        begin, leading = here if leading is None else leading, None
        indent = indent_of(line)
        closes = line.lstrip().startswith(("{", "}", ")", "end", "]"))
        while blocks and (indent < blocks[-1].indent or (indent == blocks[-1].indent and not closes)):
            blocks.pop()
        if any(not block.holds for block in blocks):
            continue
        around = blocks[-1].name if blocks else ""
        kind, name = _defined(line, media_type)
        if name:
            full = f"{around}.{name}" if around else name
            blocks.append(_Block(indent, full, kind in _CONTAINERS))
            add_definition(headings, begin, full)
        elif headings[-1].title != around and not closes:
            add_definition(headings, begin, around)
        if len(headings) > _MOST:
            return headings[:1]
    return headings


def _code(line: str, is_comment: bool) -> tuple[str, bool]:
    """Return a line without leading block comments, and True if one continues after it. `is_comment`: the line begins
    inside a comment."""
    ended = line.find("*/") + 2 if is_comment else 0
    if is_comment and ended < 2:
        return "", True
    begun = _BLOCKS.match(line, ended)
    at = begun.end() if begun else ended
    if line.startswith("/*", at):
        return "", True
    if not is_comment and "/*" not in line[:at]:
        return line, False
    return (line[: len(line) - len(line.lstrip())] + line[at:] if line[at:].strip() else ""), False


def _defined(line: str, media_type: str) -> tuple[str, str]:
    """Return the kind and name that a line defines, or two empty strings."""
    if media_type == "text/x-objective-c":
        match = _OF_OBJECTS.match(line)
        return ("class" if match["type"] else "method", match["type"] or match["name"]) if match else ("", "")
    if match := _DEFINES.match(line):
        return match["kind"].split()[-1], match["name"].replace("::", ".").replace(":", ".")
    if match := _ASSIGNED.match(line) or (_INITIALISER.match(line) if media_type == "text/x-swift" else None):
        return "function", match["name"]
    return "", ""
