"""Links and tags in Markdown, as note-takers write them: `[[Note#Heading|words]]`, `[words](note.md#heading)`, `#tag`.

What stands in code is neither.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple
from urllib.parse import unquote


class Link(NamedTuple):
    """A link to another document. `name`: a path, or a note's name; `part`: a heading or a block there. `is_path`: the
    name counts from the document's own folder."""

    name: str
    part: str
    line: int
    is_path: bool


_FENCED = re.compile(r"^ {0,3}(`{3,}|~{3,})[^\n]*\n(?:.*?^ {0,3}\1[`~]*[ \t]*$|.*)", re.MULTILINE | re.DOTALL)
_CODE = re.compile(r"(?<!`)(`{1,3})(?!`)[^`\n]+\1(?!`)")
_WIKI = re.compile(r"\[\[([^\[\]|#\n]*)(?:#([^\[\]|\n]*))?(?:\|[^\[\]\n]*)?\]\]")
_INLINE = re.compile(
    r"\]\((?:<([^<>\n]*)>|([^()\s]*(?:\([^()\s]*\)[^()\s]*)*))(?:[ \t]{1,9}[\"'(][^\n\"')]{0,300}[\"')])?\)"
)
_DEFINED = re.compile(r"^ {0,3}\[[^\[\]\n]{1,200}\]:[ \t]+(?:<([^<>\n]*)>|(\S+))", re.MULTILINE)
_MOST_NAMES = 20
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:|//")
_TAG = re.compile(r"(?<![^\s(,;])#(?=[\d/_-]*[^\W\d_])([\w/-]{1,100})(?![\w/-])")


def links(text: str) -> Iterator[Link]:
    """The links to other documents, in order of kind and place."""
    plain = _prose(text)
    ends = [match.start() for match in re.finditer("\n", plain)]
    for match in _WIKI.finditer(plain):
        if name := match[1].strip():
            yield Link(name, (match[2] or "").strip(), bisect_left(ends, match.start()) + 1, False)
    for pattern in (_INLINE, _DEFINED):
        for match in pattern.finditer(plain):
            address = match[1] if match[1] is not None else match[2]
            name, _, part = address.partition("#")
            if name and not _SCHEME.match(address):
                line = bisect_left(ends, match.start()) + 1
                yield Link(unquote(name.partition("?")[0]), unquote(part), line, True)


def also_called(metadata: Mapping[str, Any]) -> str:
    """The other names of a note, as its front matter has them: `aliases: [the plot, garden]`."""
    names = metadata.get("aliases") or metadata.get("alias")
    parts = names.split(",") if isinstance(names, str) else names if isinstance(names, list) else ()
    return ", ".join([part.strip() for part in parts if isinstance(part, str) and part.strip()][:_MOST_NAMES])


def tags(text: str) -> tuple[str, ...]:
    """The tags that stand in the text, each once, without their `#`."""
    if "#" not in text:
        return ()
    return tuple(dict.fromkeys(tag.rstrip("/-") for tag in _TAG.findall(_prose(text))))


def _prose(text: str) -> str:
    """The text with its code blanked; every character stays at its place."""
    plain = _FENCED.sub(_blank, text) if "```" in text or "~~~" in text else text
    return _CODE.sub(_blank, plain) if "`" in plain else plain


def _blank(match: re.Match[str]) -> str:
    return re.sub(r"[^\n]", " ", match[0])
