"""Declarations found by a line scan: SQL tables, messages and services, types, targets, resources, macros.

A declaration starts in column 0.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from biblicus.extraction.source_code import add_definition
from biblicus.models.extraction import Heading

_MOST = 50_000


class _Language(NamedTuple):
    """Syntax of a language's declarations and comments.

    `declares`: a line that declares a `name`. `comment`: the beginnings of a comment line. `opens`, `closes`: block
    comment. `is_closed`: True if other lines in column 0 are outside. `is_loose`: True if blank lines may follow the
    comments of a declaration.
    """

    declares: re.Pattern[str]
    comment: tuple[str, ...]
    opens: re.Pattern[str] | None = None
    closes: str = ""
    is_closed: bool = False
    is_loose: bool = False

    def continues(self, line: str, is_open: bool) -> bool:
        """Return True if a block comment continues after a line."""
        begins = self.opens.match(line) if self.opens and not is_open else None
        return (is_open or begins is not None) and self.closes not in line[begins.end() if begins else 0 :]


_BLOCK = re.compile(r"[ \t]*/\*(?!.*\*/[ \t]*\S)")
_DOCUMENTED = re.compile(r'[ \t]*"""')
_WORD = r"(?:[\w$#]+|\"[^\"\n]+\"|`[^`\n]+`|\[[^\]\n]+\])"
_NAME = rf"(?:/\*[^*\n]{{0,40}}\*/)?(?P<name>{_WORD}(?:\.{_WORD}){{0,2}})"
_SQL = re.compile(
    r"(?:CREATE|ALTER)[ \t]+(?:OR[ \t]+REPLACE[ \t]+)?(?:(?!(?:TABLE|VIEW|INDEX)\b)[A-Z=@`'%]+[ \t]+){0,4}?"
    r"(?P<kind>TABLE|VIEW|FUNCTION|PROCEDURE|TRIGGER|TYPE|SEQUENCE|SCHEMA|DOMAIN|EVENT)[ \t]+"
    rf"(?:(?:IF[ \t]+(?:NOT[ \t]+)?EXISTS|ONLY|CONCURRENTLY)[ \t]+){{0,2}}{_NAME}",
    re.IGNORECASE,
)
_QUOTES = str.maketrans("", "", '"`[]')
_LANGUAGES: Mapping[str, _Language] = {
    "text/x-sql": _Language(_SQL, ("--",), _BLOCK, "*/", is_loose=True),
    "text/x-protobuf": _Language(
        re.compile(r"[ \t]*(?P<kind>message|service|enum|extend)[ \t]+(?P<name>[\w.]+)"),
        ("//", "*"),
        _BLOCK,
        "*/",
    ),
    "text/x-graphql": _Language(
        re.compile(
            r"[ \t]*(?:extend[ \t]+)?(?P<kind>type|input|interface|enum|union|scalar|directive)[ \t]+@?(?P<name>\w+)"
        ),
        ("#",),
        _DOCUMENTED,
        '"""',
    ),
    "text/x-terraform": _Language(
        re.compile(
            r"(?P<kind>resource|data|module|variable|output|provider)(?:[ \t]+\"(?P<type>[\w-]+)\")?"
            r"[ \t]+\"(?P<name>[\w-]+)\""
        ),
        ("#", "//"),
        _BLOCK,
        "*/",
        is_closed=True,
    ),
    "text/x-makefile": _Language(
        re.compile(r"(?!\.[A-Z])(?P<name>[\w./%-]+)(?:[ \t]+[\w./%-]+){0,20}[ \t]*::?(?![:=])"),
        ("#", ".PHONY:", ".PHONY "),
        is_closed=True,
    ),
    "text/x-cmake": _Language(
        re.compile(r"[ \t]*(?P<kind>function|macro)[ \t]*\([ \t]*(?P<name>\w+)", re.IGNORECASE),
        ("#",),
        re.compile(r"[ \t]*#\[=*\["),
        "]=",
        is_closed=True,
    ),
    "text/x-m4": _Language(
        re.compile(r"(?P<kind>A[CU]_DEFUN(?:_ONCE)?|m4_define)\(\[{0,2}(?P<name>\w+)"),
        ("#", "dnl", "AU_ALIAS", "m4_pattern"),
        is_loose=True,
    ),
    "text/x-haskell": _Language(
        re.compile(
            r"(?:(?P<kind>data|newtype|type|class)[ \t]+(?:[^=\n]*=>[ \t]*)?(?:family[ \t]+)?(?P<type>[A-Z]\w*)"
            r"|(?P<name>[a-z_][\w']*)[ \t]*(?:,[\w', \t]*)?::)"
        ),
        ("--",),
        re.compile(r"[ \t]*\{-(?!.*-\})"),
        "-}",
    ),
    "text/x-erlang": _Language(
        re.compile(r"(?:-(?:spec|type|opaque|record|callback)[ \t]*\(?[ \t]*)?(?P<name>[a-z]\w*)[ \t]*(?:\(|,|/)"),
        ("%",),
    ),
    "text/x-lisp": _Language(
        re.compile(r"\((?P<kind>(?:cl-)?def[\w-]*\*?|define[\w-]*)[ \t]+\(?'?(?P<name>[^\s()'\"]+)"),
        (";",),
    ),
    "text/x-clojure": _Language(
        re.compile(r"\((?P<kind>def[\w-]*)[ \t]+(?:\^\S+[ \t]+)*(?P<name>[^\s()\[\]{}'\"]+)"), (";",)
    ),
}
LANGUAGES = frozenset(_LANGUAGES)
"""Media types that this module reads."""
_CLOSES = re.compile(
    r"[ \t]*[})\]]|end(?:function|macro)\b|(?:ifn?eq|ifn?def|else|endif|define|endef)\b", re.IGNORECASE
)
"""Lines in column 0 that end a declaration or belong to one."""


def definitions(text: str, media_type: str) -> list[Heading]:
    """Return the declarations as headings, each from the comment above it. Text outside of all has the empty name, and
    so has a text with more than 50,000 declarations."""
    language = _LANGUAGES[media_type]
    headings = [Heading(0, 1, "")]
    begun, start = -1, 0  # `begun`: start of the comment above
    is_open = False
    for line in text.split("\n"):
        here, start = start, start + len(line) + 1
        if not is_open and not line.strip():
            begun = begun if language.is_loose else -1
            continue
        was_open, is_open = is_open, language.continues(line, is_open)
        if was_open or is_open or line.startswith(language.comment) or (language.opens and language.opens.match(line)):
            begun = here if begun < 0 else begun
            continue
        comment_start, begun = begun, -1
        match = None if line[0].isspace() else language.declares.match(line)
        if match is None and (not language.is_closed or line[0].isspace() or _CLOSES.match(line)):
            continue
        name = _name(match) if match else ""
        if name != headings[-1].title:
            add_definition(headings, here if comment_start < 0 else comment_start, name)
        if len(headings) > _MOST:
            return headings[:1]
    return headings


def _name(match: re.Match[str]) -> str:
    groups = match.groupdict()
    if groups.get("kind") == "data" and groups["name"]:
        return f"data.{groups['type']}.{groups['name']}"
    return ".".join(filter(None, (groups.get("type"), groups["name"]))).translate(_QUOTES)
