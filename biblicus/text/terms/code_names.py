"""The symbols that a chunk of source code defines, and whether it tells what they are (see `symbols`)."""

from __future__ import annotations

import re

from biblicus.text.terms import symbols
from biblicus.text.terms.symbols import KEYWORDS, KINDS

_DECLARES = re.compile(
    r"\s*(?:create\s.*?\b(?:(?P<type>table|view|type)|(?P<function>function|procedure|trigger)|index|sequence)"
    r"\s[^\n]*|(?P<block>resource|data|variable|output|module|provider)\s+(?:\"[\w-]+\"\s+)?\""
    r"|(?:\w+(?:\.|::|->))?(?P<made>create_?table)[ \t]*\(?[ \t]*[:\"']"
    r"|(?P<macro>(?:function|macro|A[CU]_DEFUN(?:_ONCE)?|m4_define)\s*\(\s*\[*|\((?:def|define|cl-def)[\w-]*\*?\s+\(?))\Z",
    re.IGNORECASE,
)
"""What stands before a name that is declared."""
_TARGET = re.compile(r"(?:[ \t]+[\w./%-]+){0,20}[ \t]*::?(?![:=])|[ \t]*::[ \t]")
"""What stands behind a name that begins its line, of a target or with its type."""
_COMMENT = re.compile(r"\s*(?://|/\*|#(?!!|include|define|if))")
"""How a comment begins in languages where it stands above what it is about."""
_NOT_TOLD = r"(?!\{@inheritDoc\}|<inheritdoc|[@\\](?!brief|short|summary|desc))"
"""What is told elsewhere, or says no more than what stands in a field."""
_TOLD = re.compile(rf"\s*(?>(?:(?:#(?!!)|//+|/\*+|--+)[!<*]{{0,2}}\s++){{1,4}}){_NOT_TOLD}\S")
_TOLD_APART = re.compile(rf"\s*(?://[/!]|/\*[*!])[\s*]++(?:<summary>[\s/]++)?{_NOT_TOLD}\S")
_COMMENTED = re.compile(r"\s*(?:#|//|\*|/\*|--)")
_DOCSTRING = re.compile(r":[ \t]*(?:#[^\n]*)?\n\s*[rRuU]?(?:\"{3}|'{3})\s*\w")
_APART = frozenset(
    f"text/x-{name}" for name in ("java", "csharp", "rust", "kotlin", "swift", "scala", "php", "dart", "typescript")
)
"""Languages in which a comment that tells what a definition is differs from others: `/** … */`, `/// …`."""
_OF_TARGETS = "text/x-makefile"
_METHOD = re.compile(r"(?!\s*(?:return|await|yield|else|new|throw|in|and|or|not)\b)[^\n=;.(,]*")
_CALL = re.compile(
    r"[^\n]*[;,]\s*$|[^\n]*\)\s*$(?!\s*(?:\{|=>|->|:|(?:where|const|noexcept|override|throws)\b))", re.MULTILINE
)
_JOINED = re.compile(r"\w")


def terms(heading: str | None, text: str, is_first: bool = False, media_type: str = "") -> tuple[str, ...]:
    """The terms of a chunk of source code: those of its heading's name, where the chunk defines it, or has the
    beginning of a comment that is too long to stand in one chunk with its definition; else none. `is_first`: whether it
    is the first chunk of its definition. Targets are called as what they make, and asked for as targets alone. A
    constructor that is called as its class is has no term of that name."""
    if not heading:
        return ()
    parts = heading.split(".")
    endings = symbols.endings_of(parts)
    kind = _defined(text, parts[-1])
    goes_on = kind is None and is_first and len(parts) > 1 and _COMMENT.match(text) is not None
    if kind is None and not goes_on:
        return ()
    if kind == "function" and len(parts) > 2 and parts[-1] == parts[-2]:
        endings = endings[1:]
    spellings = (symbols.term_of, symbols.spelled_term) if media_type != _OF_TARGETS else ()
    own_terms = [term(ending) for term in spellings for ending in endings]
    if kind is not None:
        own_terms.append(symbols.kind_term(kind, parts[-1]))
    if is_first and is_told(text, media_type) and (kind is not None or not _is_a_value(text, parts[-1])):
        own_terms += [symbols.told_term(ending) for ending in endings]
    return tuple(own_terms)


def _is_a_value(text: str, name: str) -> bool:
    """Whether a text that tells of a name has it on a line of code that gives it no arguments."""
    lines = (line for line in text.splitlines() if name in line and not _COMMENTED.match(line))
    return any(not line.partition(name)[2].lstrip().startswith(("(", "<")) for line in lines)


def is_defined(heading: str, text: str) -> bool:
    """Whether a text holds the line that defines what its heading names."""
    return defined_as(heading, text) is not None


def defined_as(heading: str, text: str) -> str | None:
    """What the line that defines what a heading names says that it is, a `type` or a `function`; None without one."""
    return _defined(text, heading.rpartition(".")[2])


def is_told(text: str, media_type: str) -> bool:
    """Whether a definition begins with a comment, or has a docstring, that tells what it is, in the form that its
    language has for that."""
    if media_type == "text/x-python":
        return _DOCSTRING.search(text) is not None
    return (_TOLD_APART if media_type in _APART else _TOLD).match(text) is not None


def _defined(text: str, name: str) -> str | None:
    """What a chunk that holds the line that defines a name says it is: by a keyword before it, or as a function by an
    argument list behind it. None where it holds no such line."""
    at = text.find(name)
    while at >= 0:
        end = at + len(name)
        if not _JOINED.match(text, end) and not _JOINED.match(text, max(0, at - 1), at):
            before = text[text.rfind("\n", 0, at) + 1 : at]
            words = before.split()
            if words and words[-1] in KEYWORDS:
                return KINDS.get(words[-1], words[-1])
            if words and words[0] in KEYWORDS and words[-1].endswith(")"):
                return KINDS.get(words[0], words[0])
            if (before and (declares := _DECLARES.match(before))) or (not before and _TARGET.match(text, end)):
                is_type = before and declares and (declares["type"] or declares["made"])
                return "type" if is_type else "function"
            is_code = text.startswith("(", end) and not _COMMENTED.match(before)
            if is_code and _METHOD.fullmatch(before) and not _CALL.match(text, end):
                return "function"
        at = text.find(name, end)
    return None
