"""Declarations found by a line scan: SQL tables, messages and services, types, targets, resources, macros.

A declaration starts in column 0; indentation gives its parts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from biblicus.extraction.kit.rewritten import indent_of
from biblicus.extraction.source_code import add_definition
from biblicus.models.extraction import Heading

_MOST = 50_000
_LONG = 60
"""Minimum lines of a declaration that is divided at the comments within it; shorter ones stay whole."""


class _Language(NamedTuple):
    """Syntax of a language's declarations and comments.

    `declares`: a line that declares `name` or `called`, of a `kind`. `comment`: the beginnings of a comment line, which
    is in column 0 if `is_at_margin`. `opens`, `closes`: block comment. `holds`: kinds with nested declarations. `told`:
    a part below a comment that gets a heading, in any holder if it has a `kind`, else in a long one. `above`:
    comments that belong to the next declaration: directly above (`near`), also before a blank line (`last`), or all
    since the previous one (`all`). `is_closed`: True if other lines in column 0 are outside.
    """

    declares: re.Pattern[str]
    comment: tuple[str, ...]
    opens: re.Pattern[str] | None = None
    closes: str = ""
    holds: frozenset[str] = frozenset()
    told: re.Pattern[str] | None = None
    above: str = "near"
    is_closed: bool = False
    is_at_margin: bool = False


_BLOCK = re.compile(r"[ \t]*/\*(?!.*\*/[ \t]*\S)")
_DOCUMENTED = re.compile(r'[ \t]*"""')
_WORD = r"(?:[\w$#]+|\"[^\"\n]+\"|`[^`\n]+`|\[[^\]\n]+\])"
_NAME = rf"(?:/\*[^*\n]{{0,40}}\*/)?(?P<name>{_WORD}(?:\.{_WORD}){{0,2}})"
_SQL = re.compile(
    r"(?:CREATE|ALTER)[ \t]+(?:OR[ \t]+REPLACE[ \t]+)?(?:(?!(?:TABLE|VIEW|INDEX)\b)[A-Z=@`'%]+[ \t]+){0,4}?"
    r"(?P<kind>TABLE|VIEW|INDEX|FUNCTION|PROCEDURE|TRIGGER|TYPE|SEQUENCE|SCHEMA|DOMAIN|EVENT)[ \t]+"
    rf"(?:(?:IF[ \t]+(?:NOT[ \t]+)?EXISTS|ONLY|CONCURRENTLY)[ \t]+){{0,2}}{_NAME}",
    re.IGNORECASE,
)
_INDEXED = re.compile(rf"[^;]{{0,400}}?\bON[ \t\n]+(?:ONLY[ \t]+)?{_NAME}", re.IGNORECASE)
_PARTS = re.compile(r"[^\"`\[\].]+")
_LANGUAGES: Mapping[str, _Language] = {
    "text/x-sql": _Language(_SQL, ("--",), _BLOCK, "*/", above="last"),
    "text/x-protobuf": _Language(
        re.compile(r"[ \t]*(?P<kind>message|service|enum|extend)[ \t]+(?P<name>[\w.]+)"),
        ("//", "*"),
        _BLOCK,
        "*/",
        frozenset(("message", "service", "extend", "enum")),
        re.compile(
            r"[ \t]+(?:(?P<kind>rpc)[ \t]+(?P<called>\w+)"
            r"|(?:(?:repeated|optional|required)[ \t]+)?(?:map<[^<>\n]*>[ \t]*|[\w.]+[ \t]+)?"
            r"(?P<name>\w+)[ \t]*=[ \t]*-?\d)"
        ),
    ),
    "text/x-graphql": _Language(
        re.compile(
            r"[ \t]*(?:extend[ \t]+)?(?P<kind>type|input|interface|enum|union|scalar|directive)[ \t]+@?(?P<name>\w+)"
        ),
        ("#",),
        _DOCUMENTED,
        '"""',
        frozenset(("type", "input", "interface", "enum")),
        re.compile(r"[ \t]+(?P<name>\w+)[ \t]*(?:[:(@]|$)"),
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
        is_at_margin=True,
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
        above="all",
        is_at_margin=True,
    ),
    "text/x-haskell": _Language(
        re.compile(
            r"(?:(?P<kind>data|newtype|type|class)[ \t]+(?:[^=\n]*=>[ \t]*)?(?:family[ \t]+)?(?P<called>[A-Z]\w*)"
            r"|(?P<name>[a-z_][\w']*)[ \t]*(?:,[\w', \t]*)?::)"
        ),
        ("--",),
        re.compile(r"[ \t]*\{-(?!.*-\})"),
        "-}",
    ),
    "text/x-erlang": _Language(
        re.compile(r"(?:-(?:spec|type|opaque|record|callback)[ \t]*\(?[ \t]*)?(?P<name>[a-z]\w*)[ \t]*(?:\(|,|/)"),
        ("%",),
        is_at_margin=True,
    ),
    "text/x-lisp": _Language(
        re.compile(r"\((?P<kind>(?:cl-)?def[\w-]*\*?|define[\w-]*)[ \t]+\(?'?(?P<name>[^\s()'\"]+)"),
        (";",),
        is_at_margin=True,
    ),
    "text/x-clojure": _Language(
        re.compile(r"\((?P<kind>def[\w-]*)[ \t]+(?:\^\S+[ \t]+)*(?P<name>[^\s()\[\]{}'\"]+)"), (";",), is_at_margin=True
    ),
}
LANGUAGES = frozenset(_LANGUAGES)
"""Media types that this module reads."""
_CLOSES = re.compile(
    r"[ \t]*[})\]]|end(?:function|macro)\b|(?:ifn?eq|ifn?def|else|endif|define|endef)\b", re.IGNORECASE
)
"""Lines in column 0 that end a declaration or belong to one."""


class _Holder(NamedTuple):
    """An open declaration. `within`: indentation of its parts; `holds`: True if these may be declarations."""

    indent: int
    name: str
    holds: bool
    is_long: bool
    within: int


def definitions(text: str, media_type: str) -> list[Heading]:
    """Return the declarations as headings, each from the comment above it. Text outside of all has the empty name, and
    so has a text with more than 50,000 declarations."""
    headings = [Heading(0, 1, "")]
    for at, name in _Scan(text, media_type).declared():
        if name != headings[-1].title or headings[-1].offset >= at:
            add_definition(headings, at, name)
        if len(headings) > _MOST:
            return headings[:1]
    return headings


class _Scan:
    """Scan of a text from the top."""

    def __init__(self, text: str, media_type: str) -> None:
        self._text = text
        self._lines = text.split("\n")
        self._language = _LANGUAGES[media_type]

    def declared(self) -> Iterator[tuple[int, str]]:
        """Yield the start of each declaration including its comment, and its name; the empty name for text outside."""
        holders: list[_Holder] = []
        last = ""
        begun = -1  # start of the comment above
        is_open = is_apart = False
        start = 0
        for at, line in enumerate(self._lines):
            here, start = start, start + len(line) + 1
            if not is_open and not line.strip():
                begun = -1 if self._language.above == "near" else begun
                is_apart = self._language.above == "last"
                continue
            was_open, is_open = is_open, self._is_open(line, is_open)
            if was_open or self._is_comment(line):
                begun = here if begun < 0 or (is_apart and not was_open) else begun
                is_apart = False
                continue
            comment_start, begun, is_apart = begun, -1, False
            indent = indent_of(line)
            while holders and indent <= holders[-1].indent:
                holders.pop()
            around = holders[-1] if holders else None
            begins = here if comment_start < 0 else comment_start
            if name := self._named(line, here, indent, around, is_told=comment_start >= 0):
                holders.append(self._holder(at, indent, name))
            elif around and indent == around.within and last != around.name and not _CLOSES.match(line):
                name = around.name  # the holder resumes after a part
            elif not self._language.is_closed or indent or _CLOSES.match(line):
                continue
            yield begins, name
            last = name

    def _is_open(self, line: str, is_open: bool) -> bool:
        """Return True if a block comment continues after a line."""
        if is_open:
            return self._language.closes not in line
        begins = self._language.opens.match(line) if self._language.opens else None
        return begins is not None and self._language.closes not in line[begins.end() :]

    def _is_comment(self, line: str) -> bool:
        opens, is_at_margin = self._language.opens, self._language.is_at_margin
        begins = (line if is_at_margin else line.lstrip(" \t")).startswith(self._language.comment)
        return begins or (opens is not None and opens.match(line) is not None)

    def _named(self, line: str, here: int, indent: int, around: _Holder | None, *, is_told: bool) -> str:
        """Return the qualified name that a line declares, or an empty string."""
        if around is None:
            match = self._language.declares.match(line) if not indent else None
            return self._name(match, here) if match else ""
        if not around.holds or indent != around.within:
            return ""
        if match := self._language.declares.match(line):
            return f"{around.name}.{self._name(match, here)}" if around.is_long else ""
        if not is_told or self._language.told is None or (match := self._language.told.match(line)) is None:
            return ""
        groups = match.groupdict()
        is_asked_for = around.is_long or groups.get("kind")
        return f"{around.name}.{groups.get('called') or groups['name']}" if is_asked_for else ""

    def _name(self, match: re.Match[str], here: int) -> str:
        groups = match.groupdict()
        if self._language.declares is _SQL:
            indexed = _INDEXED.match(self._text, here + match.end()) if match["kind"].upper() == "INDEX" else None
            return ".".join(_PARTS.findall(indexed["name"] if indexed else match["name"]))
        of_data = "data" if groups.get("kind") == "data" and groups.get("type") else None
        return ".".join(filter(None, (of_data, groups.get("type"), groups["name"] or groups.get("called"))))

    def _holder(self, at: int, indent: int, name: str) -> _Holder:
        line, below = self._lines[at], self._lines[at + 1 : at + 1 + _LONG]
        match = self._language.declares.match(line)
        holds = match is not None and match.groupdict().get("kind") in self._language.holds
        closed = f"{line[: len(line) - len(line.lstrip())]}}}"
        is_long = len(below) == _LONG and not any(later_line.startswith(closed) for later_line in below)
        within = next((indent_of(later_line) for later_line in below if later_line.strip()), 0)
        return _Holder(indent, name, holds, is_long, within)
