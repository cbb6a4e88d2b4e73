"""What source code says in words: the lines of its comments and docstrings."""

from __future__ import annotations

import re
from collections.abc import Sequence

from biblicus.answering.quoting.reading.comment_tags import examples

_PYTHON = "text/x-python"
_BY_MARK = {
    "#": "x-ruby x-perl x-r x-shellscript x-powershell x-julia x-elixir x-makefile x-cmake x-dockerfile x-terraform"
    " x-nix",
    "--": "x-sql x-lua x-haskell",
    "//": "javascript x-typescript x-c x-c++ x-csharp x-java x-kotlin x-scala x-go x-rust x-php x-swift x-objective-c"
    " x-protobuf x-zig x-dart x-groovy css",
}
"""What comments begin with in languages, by their media types without `text/`."""
_MARKS = {f"text/{name}": mark for mark, names in _BY_MARK.items() for name in names.split()}
_DOCSTRING = re.compile(r"[ \t]*[rRbBuUfF]{0,2}(\"{3}|'{3})")
_TRIPLE = re.compile(r"\"{3}|'{3}")
_CODE = re.compile(
    r"[ \t]*(?:def |class |@|import |from \w|return\b|async |if |for |while |with |try:|[\w.\[\]]+ ?= ?)"
)
_MARK = re.compile(r"^[ \t]*(?:#+!?|//[/!]*|/\*+!?|\*+/?|--+)(?:[ \t]|$)|\*{1,9}/[ \t]{0,9}$", re.MULTILINE)


def is_source(media_type: str) -> bool:
    """Whether a text is source code in a language whose comments are known."""
    return media_type == _PYTHON or media_type in _MARKS


def lines_told(lines: Sequence[str], media_type: str) -> frozenset[int] | None:
    """The places of the lines that are words: a comment that stands by itself, or of a docstring. None for what is no
    source code, or in a language whose comments are not known."""
    if media_type == _PYTHON:
        return _of_python(lines)
    if (mark := _MARKS.get(media_type)) is None:
        return None
    told = _beginning(lines, mark) - _beginning(lines, "#!")
    return (told | _blocks(lines) if mark == "//" else told) - examples(lines)


def without_marks(text: str) -> str:
    """A comment without what marks its lines."""
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
    return frozenset(told)


def _begun(lines: Sequence[str]) -> str | None:
    """The quotes of a docstring that a text begins within: they stand an odd number of times, and no code before."""
    marks = [mark for line in lines for mark in _TRIPLE.findall(line)]
    first = next((line for line in lines if line.strip()), "")
    is_within = len(marks) % 2 == 1 and not _TRIPLE.search(first) and not _CODE.match(first)
    return marks[0] if is_within else None


def _blocks(lines: Sequence[str]) -> frozenset[int]:
    """The lines of comments between `/*` and `*/`; a text may begin within one."""
    told: set[int] = set()
    is_open = "*/" in "\n".join(lines).partition("/*")[0]
    for at, line in enumerate(lines):
        is_open = is_open or line.lstrip().startswith("/*")
        if is_open:
            told.add(at)
        is_open = is_open and "*/" not in line
    return frozenset(told)
