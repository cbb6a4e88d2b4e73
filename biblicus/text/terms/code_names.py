"""Definitions in source code: the line that defines a name, and the kind of thing that it defines."""

from __future__ import annotations

import re

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
_COMMENTED = re.compile(r"\s*(?:#|//|\*|/\*|--)")
_METHOD = re.compile(r"(?!\s*(?:return|await|yield|else|new|throw|in|and|or|not)\b)[^\n=;.(,]*")
_CALL = re.compile(
    r"[^\n]*[;,]\s*$|[^\n]*\)\s*$(?!\s*(?:\{|=>|->|:|(?:where|const|noexcept|override|throws)\b))", re.MULTILINE
)
_JOINED = re.compile(r"\w")


def is_defined(heading: str, text: str) -> bool:
    """Whether a text holds the line that defines what its heading names."""
    return defined_as(heading, text) is not None


def defined_as(heading: str, text: str) -> str | None:
    """What the line that defines what a heading names says that it is, a `type` or a `function`; None without one."""
    return _defined(text, heading.rpartition(".")[2])


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
