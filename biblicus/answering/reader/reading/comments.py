"""Prose of source code: the lines of its comments and docstrings, without their marks and tags."""

from __future__ import annotations

import re
from collections.abc import Sequence

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
_BETWEEN = {
    **dict.fromkeys(("text/x-elixir", "text/x-julia", "text/x-graphql"), ('"""', '"""')),
    **dict.fromkeys(("text/x-sql", "text/x-terraform"), ("/*", "*/")),
    "text/x-haskell": ("{-", "-}"),
    "text/x-cmake": ("#[", "]="),
}
"""Marks around comments of several lines in languages that have other comments, too."""
_DOCSTRING = re.compile(r"[ \t]*[rRbBuUfF]{0,2}(\"{3}|'{3})")
_TRIPLE = re.compile(r"\"{3}|'{3}")
_MARK = re.compile(
    r"^[ \t]*(?:#+[!'\[=]*(?:\.rst:)?|//[/!]*|/\*+!?|\*+/?|--+[ \t]?[|^]?|;+|%+|\{-+\|?)(?:[ \t]|$)"
    r"|^[ \t]*@(?:module|type)?doc[ \t]+(?:~[sS]|raw)?(?=\"{3})"
    r"|\*{1,9}/[ \t]{0,9}$|-\}[ \t]{0,9}$|^\]=+\][ \t]*$",
    re.MULTILINE,
)
_TAG = re.compile(
    r"[ \t]*(?:[@\\](?P<tag>t?param|typeparam|arg|prop(?:erty)?|field|t?returns?|retval|results?|yields?|throws?"
    r"|exception|raises?|deprecated|warning|note|attention|remarks?|pre|post|see|sa|since|author|version|link|file"
    r"|module|package|namespace|(?:in|addto|def)group|usage|override|inheritdoc|internal|private|public|api)(?![\w(])"
    r"(?:\[[\w, =]*\])?[ \t]*(?:\{[^{}]{0,200}\}[ \t]*)?"
    r"|<(?P<element>param|typeparam|returns|exception|value|seealso|inheritdoc)\b"
    r"(?:[^<>]{0,40}?(?:name|cref)=\"(?:[A-Z]:)?(?P<name>[^\"<>]{1,200})\")?[^<>]{0,200}>[ \t]*)"
)
"""The beginning of what Javadoc, Doxygen, JSDoc or the XML of C# tells of one parameter, result or the like."""
_ELSEWHERE = (
    " see sa since author version link file module package namespace ingroup addtogroup defgroup usage override"
    " inheritdoc internal private public api seealso "
)
_OF_NAMES = frozenset(["param", "tparam", "typeparam", "arg", "prop", "property", "field"])
_NAMED = re.compile(r"\[?(?P<name>[\w.$]+)(?:=[^\]\n]*)?\]?[ \t]+(?:[-:][ \t]+)?(?=\S)")
_INLINE = re.compile(
    r"\{@\w+\s*(?P<inline>(?:[^{}]|\{[^{}]*\}){0,600})\}"
    r"|<(?:see|seealso|paramref|typeparamref)\s[^<>]{0,40}?=\"(?:[A-Z]:)?(?P<cref>[^\"<>]{1,300})\"\s*/>"
    r"|</?(?:summary|remarks|para|returns|value|c|item|term|description|list|example|exception|typeparam|param)\b"
    r"[^<>]{0,200}>|(?<![\w\\@])[@\\](?:brief|short|c|p|a|e|em|b|ref|li|n)(?![\w(])[ \t]*"
)


def is_source(media_type: str) -> bool:
    """Return true if a text is source code in a language whose comments are known."""
    return media_type == _PYTHON or media_type in _MARKS


def lines_told(lines: Sequence[str], media_type: str) -> frozenset[int] | None:
    """Return the places of the lines that are words: a comment by itself, or a line of a docstring. None for what is no
    source code, or in a language whose comments are not known."""
    if media_type == _PYTHON:
        return _of_python(lines)
    if (mark := _MARKS.get(media_type)) is None:
        return None
    comment_lines = {
        at for at, line in enumerate(lines) if line.lstrip().startswith(mark) and not line.startswith("#!")
    }
    if between := ("/*", "*/") if mark == "//" else _BETWEEN.get(media_type):
        comment_lines |= _blocks(lines, *between)
    return frozenset(comment_lines)


def without_marks(text: str) -> str:
    """Return a comment without what marks its lines."""
    return _MARK.sub("", text)


def kind(line: str) -> str | None:
    """Return the kind of a comment line, without its marks, that begins a parameter, a result or the like, or None."""
    tag = _TAG.match(line)
    return tag and ("marks" if f" {tag['tag'] or tag['element']} " in _ELSEWHERE else "item")


def readable(text: str) -> str:
    """Return a comment as references show it: a parameter as its name and what it is, `{@code x}` as `x`."""
    text = _INLINE.sub(lambda mark: (mark["inline"] or mark["cref"] or "").strip(), without_marks(text))
    if tag := _TAG.match(text):
        rest = text[tag.end() :].lstrip()
        if name := tag["name"]:
            return f"{name.partition('(')[0].rpartition('.')[2]}: {rest}"
        if tag["tag"] in _OF_NAMES:
            return _NAMED.sub(r"\g<name>: ", rest, count=1)
        return f"{tag['tag'] or tag['element']}: {rest}"
    return text


def _of_python(lines: Sequence[str]) -> frozenset[int]:
    comment_lines = {at for at, line in enumerate(lines) if line.lstrip().startswith("#") and not line.startswith("#!")}
    quote = _begun(lines)
    is_docstring = quote is not None
    for at, line in enumerate(lines):
        if quote is None:
            first = _TRIPLE.search(line)
            if first is None:
                continue
            is_docstring = _DOCSTRING.match(line) is not None
            quote = None if first[0] in line[first.end() :] else first[0]
        elif quote in line:
            quote = None
        (comment_lines.add if is_docstring else comment_lines.discard)(at)
    return frozenset(comment_lines)


def _begun(lines: Sequence[str]) -> str | None:
    """Return the quotes of a docstring that a text begins within: their number is odd, and no code stands before."""
    marks = [mark for line in lines for mark in _TRIPLE.findall(line)]
    first = next((line for line in lines if line.strip()), "")
    is_code = first.lstrip().startswith(("def ", "class ", "@", "import ", "from "))
    is_within = len(marks) % 2 == 1 and not _TRIPLE.search(first) and not is_code
    return marks[0] if is_within else None


def _blocks(lines: Sequence[str], opens: str, closes: str) -> set[int]:
    """Return the lines of comments between two marks; a text may begin within one."""
    comment_lines: set[int] = set()
    is_open = opens != closes and closes in "\n".join(lines).partition(opens)[0]
    for at, line in enumerate(lines):
        begins = -1 if is_open else _begins(line, opens)
        if is_open or begins >= 0:
            comment_lines.add(at)
        is_open = (is_open or begins >= 0) and closes not in line[max(0, begins) :]
    return comment_lines


def _begins(line: str, opens: str) -> int:
    """Return the end of the mark with which a comment begins a line; -1 without one."""
    bare = line.lstrip()
    if opens == '"""' and bare.startswith("@"):  # `@doc """` of Elixir
        bare = bare.partition(" ")[2].lstrip("~sSraw ")
    return len(line) - len(bare) + len(opens) if bare.startswith(opens) else -1
