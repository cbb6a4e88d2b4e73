"""TiddlyWiki notes (`.tid`), converted to the markup of other wikis with unchanged line numbers.

A note has fields, a blank line and the text.
"""

from __future__ import annotations

import re

_FIELD = re.compile(r"([A-Za-z][\w.-]{0,60}):(?:[ \t](.*))?")
_OF_ONE = frozenset(("title", "created", "modified", "tags", "type", "creator"))
_WIKI_TYPES = ("text/vnd.tiddlywiki", "text/plain")
_HASHES = re.compile(r"(#{1,6})[ \t]+(\S.*)")
_HEADING = re.compile(r"(!{1,6})\s*(\S.*)")
_LINK = re.compile(r"\[\[([^\[\]|\n]{1,300})\|([^\[\]\n]{1,400})\]\]")
_NAMED = re.compile(r"<<[\w.-]{1,60}[ \t]+(?:\"([^\"<>\[\]\n]{1,200})\"|([\w][^\s\"<>\[\]]{0,100}))[ \t]*>>")
"""A macro call with one argument that it displays: `<<.field created>>`."""
_CALL = re.compile(
    r"<<[A-Za-z.$][^<>\n]{0,400}>>|</?\$[\w.-]{1,40}[^<>\n]{0,400}>|\{\{\{[^{}\n]{0,400}\}\}\}|\{\{[^{}\n]{0,400}\}\}"
)
_WORD = re.compile(r"(?<!\w)~(?=[A-Z])")
_FORMAT = re.compile(r"\|[^|\n]{0,200}\|[kchf]\s*$")
_PRAGMA = re.compile(r"\\(?:define|procedure|function|widget|end|import|rules|whitespace|parameters)\b")
_QUOTE = re.compile(r"<<<(?:\.\S*)?[ \t]*(.*)")


def fields(source: str) -> tuple[dict[str, str], int]:
    """Return the fields of a note and the number of the line after them; no fields and 0 if there are none."""
    named: dict[str, str] = {}
    for at, line in enumerate(source.split("\n")[:100]):
        if not line.strip():
            is_one = "title" in named and len(_OF_ONE & named.keys()) > 1
            return (named, at) if is_one else ({}, 0)
        field = _FIELD.fullmatch(line.rstrip())
        if field is None:
            break
        named[field[1]] = (field[2] or "").strip()
    return {}, 0


def as_wiki(source: str, begins: int, kind: str) -> str:
    """Return a note in other wikis' markup, with blank lines for its fields. `kind`: its media type, or empty."""
    lines = source.split("\n")
    lines[:begins] = [""] * begins
    is_other = bool(kind) and not kind.startswith(_WIKI_TYPES)  # Markdown, data, a style sheet
    is_code = False
    for at in range(begins, len(lines)):
        fences = lines[at].startswith("```") and "`" not in lines[at][3:]
        is_code ^= fences
        if not (is_code or fences):
            lines[at] = _HASHES.sub(_raised, lines[at]) if is_other else _line(lines[at].rstrip())
    return "\n".join(lines)


def _line(line: str) -> str:
    if _PRAGMA.match(line) or _FORMAT.fullmatch(line):
        return ""
    if quote := _QUOTE.fullmatch(line):
        return quote[1]
    line = _WORD.sub("", _CALL.sub("", _NAMED.sub(_shown, _LINK.sub(r"[[\2|\1]]", line))))
    if heading := _HEADING.match(line):
        return _raised(heading)
    if line.startswith("|") and line.endswith("|") and len(line) > 1:
        return re.sub(r"\|!\s?", "^", line[:-1]) + ("^" if "|!" in line else "|")
    return line


def _shown(macro: re.Match[str]) -> str:
    return macro[1] or macro[2]


def _raised(heading: re.Match[str]) -> str:
    signs = "=" * len(heading[1])
    return f"{signs} {heading[2]} {signs}"
