"""Prose in source code: the lines of comments and docstrings."""

from __future__ import annotations

import re
from collections.abc import Sequence

from biblicus.answering.reader.reading import lines_beside
from biblicus.answering.reader.reading.comment_tags import examples

_PYTHON = "text/x-python"
_BY_MARK = {
    "#": "x-ruby x-perl x-r x-shellscript x-powershell x-julia x-elixir x-makefile x-cmake x-dockerfile x-terraform"
    " x-nix x-graphql x-m4",
    "--": "x-sql x-lua x-haskell",
    ";": "x-lisp x-clojure",
    "%": "x-erlang",
    "//": "javascript x-typescript x-c x-c++ x-csharp x-java x-kotlin x-scala x-go x-rust x-php x-swift x-objective-c"
    " x-protobuf x-zig x-dart x-groovy css",
}
"""Comment marks by languages, given as media types without `text/`."""
_MARKS = {f"text/{name}": mark for mark, names in _BY_MARK.items() for name in names.split()}
_DOCSTRING = re.compile(r"[ \t]*[rRbBuUfF]{0,2}(\"{3}|'{3})")
_TRIPLE = re.compile(r"\"{3}|'{3}")
_BETWEEN = {
    **dict.fromkeys(("text/x-elixir", "text/x-julia", "text/x-graphql"), ('"""', '"""')),
    **dict.fromkeys(("text/x-sql", "text/x-terraform"), ("/*", "*/")),
    "text/x-haskell": ("{-", "-}"),
    "text/x-cmake": ("#[", "]="),
}
"""Delimiters of block comments and documentation in languages that also have other comments."""
_CODE = re.compile(
    r"[ \t]*(?:def |class |@|import |from \w|return\b|async |if |for |while |with |try:|[\w.\[\]]+ ?= ?)"
)
_HELP = re.compile(r"[\w./%$(){} -]+:[^#=\n]*[ \t](##[ \t]*[^\s#@].*)")
_DOCUMENTED = re.compile(r"[ \t]*(?:@(?:module|type)?doc[ \t]+(?:~[sS]|raw)?)?\"{3}")
_DOCUMENTS = re.compile(r"[ \t]*(?:DOCUMENTATION|RETURN)[ \t]*=[ \t]*[rRuU]?(?:\"{3}|'{3})")
_DESCRIBED, _DESCRIPTION = re.compile(r"[ \t]*[\w-]+:[ \t]*$"), re.compile(r"[ \t]+description:")
_YAML, _BRANCH = re.compile(r"---|[ \t]*[a-z][\w-]*:(?:[ \t]|$)"), re.compile(r"[ \t]*(?:try|else|finally|[A-Z]\w*):")
"""The start of a YAML documentation string, and lines of code or docstrings (`Args:`) that are no YAML keys."""
_ASIDE = re.compile(
    r"[ \t]*(?:required|type|default|elements|returned|sample|choices|aliases|author|version_added|module|name"
    r"|plugin_type):[ \t]+\S"
)
"""Lines of YAML documentation without a sentence."""
_VALUE = re.compile(r"[ \t]*[\w-]+:[ \t]+\S")
_MARK = re.compile(
    r"^[ \t]*(?:#+[!'\[=]*(?:\.rst:)?|//[/!]*|/\*+!?|\*+/?|--+[ \t]?[|^]?|;+|%+|\{-+\|?)(?:[ \t]|$)"
    r"|^[ \t]*@(?:module|type)?doc[ \t]+(?:~[sS]|raw)?(?=\"{3})"
    r"|\*{1,9}/[ \t]{0,9}$|-\}[ \t]{0,9}$|^\]=+\][ \t]*$",
    re.MULTILINE,
)


def is_source(media_type: str) -> bool:
    """Return True if a text is source code in a supported language."""
    return media_type == _PYTHON or media_type in _MARKS


def lines_told(lines: Sequence[str], media_type: str) -> frozenset[int] | None:
    """Return the numbers of lines that are comments on their own or docstrings; None if it is no supported source
    code."""
    if media_type == _PYTHON:
        return _of_python(lines) | documented(lines, media_type)
    if (mark := _MARKS.get(media_type)) is None:
        return None
    told = _beginning(lines, mark) - _beginning(lines, "#!")
    if mark == "//":
        told |= _blocks(lines, "/*", "*/")
    elif between := _BETWEEN.get(media_type):
        told |= _blocks(lines, *between)
    return told - examples(lines)


def documented(lines: Sequence[str], media_type: str) -> frozenset[int]:
    """Return the numbers of lines in the YAML documentation of an Ansible module. A text may start inside one, with a
    key that has a description."""
    if media_type != _PYTHON:
        return frozenset()
    begun = [at for at, line in enumerate(lines) if _DOCUMENTS.match(line)]
    begun += [at for at, line in enumerate(lines) if line.strip()][:1]
    told: set[int] = set()
    for at in begun:
        opened = _DOCUMENTS.match(lines[at])
        behind = range(at + 1, len(lines))
        end = next((place for place in behind if _TRIPLE.search(lines[place])), len(lines) - 1)
        within = [line for line in lines[at + 1 : end + 1] if line.strip()]
        if opened:
            is_told = bool(within) and _YAML.match(within[0]) is not None
        else:
            is_told = _DESCRIBED.match(lines[at]) is not None and not _BRANCH.match(lines[at])
            is_told = is_told and any(map(_DESCRIPTION.match, within))
        told.update(range(at, end + 1) if is_told else ())
    return frozenset(told)


def of_documentation(line: str) -> str:
    """Return the kind of a line in a YAML documentation string (see `blocks.Kind`)."""
    if _DOCUMENTS.match(line) or _ASIDE.match(line) or not any(map(str.isalnum, line)):
        return "marks"
    if _DESCRIBED.match(line):
        return "label"
    return "item" if line.lstrip().startswith("- ") else "fact" if _VALUE.match(line) else "prose"


def told_behind(line: str, media_type: str) -> int | None:
    """Return the start of a comment after a makefile target, as `make help` shows it, or None."""
    behind = _HELP.match(line) if media_type == "text/x-makefile" else None
    return behind.start(1) if behind else None


def without_marks(text: str) -> str:
    """Return a comment without its comment marks."""
    return _MARK.sub("", text)


def _beginning(lines: Sequence[str], mark: str) -> frozenset[int]:
    return frozenset(at for at, line in enumerate(lines) if line.lstrip().startswith(mark))


def _of_python(lines: Sequence[str]) -> frozenset[int]:
    told = set(_beginning(lines, "#") - _beginning(lines, "#!"))
    quote = _begun(lines)
    is_docstring = quote is not None
    for at, line in enumerate(lines):
        if quote is None:
            opens = _DOCSTRING.match(line)
            first = _TRIPLE.search(line)
            if first is None:
                continue
            is_docstring = opens is not None
            rest = line[first.end() :]
            quote = None if first[0] in rest else first[0]
        elif quote in line:
            quote = None
        if is_docstring:
            told.add(at)
        else:
            told.discard(at)
    return frozenset(told) - lines_beside.session(lines)


def _begun(lines: Sequence[str]) -> str | None:
    """Return the quotes of a docstring in which a text starts, or None: they occur an odd number of times, without code
    before."""
    marks = [mark for line in lines for mark in _TRIPLE.findall(line)]
    first = next((line for line in lines if line.strip()), "")
    is_within = len(marks) % 2 == 1 and not _TRIPLE.search(first) and not _CODE.match(first)
    return marks[0] if is_within else None


def _blocks(lines: Sequence[str], opens: str, closes: str) -> frozenset[int]:
    """Return the numbers of lines in block comments; a text may start inside one."""
    told: set[int] = set()
    is_open = opens != closes and closes in "\n".join(lines).partition(opens)[0]
    for at, line in enumerate(lines):
        begins = -1 if is_open else _begins(line, opens)
        if is_open or begins >= 0:
            told.add(at)
        is_open = (is_open or begins >= 0) and closes not in line[max(0, begins) :]
    return frozenset(told)


def _begins(line: str, opens: str) -> int:
    """Return the offset after a comment mark at the start of a line, or -1."""
    if opens == '"""':
        match = _DOCUMENTED.match(line)
        return match.end() if match else -1
    start = len(line) - len(line.lstrip())
    return start + len(opens) if line.startswith(opens, start) else -1
