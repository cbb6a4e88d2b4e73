"""Links in texts, and tags in Markdown notes: `[[Note#Heading|words]]`, `[words](note.md#heading)`, `#tag`.
Code in Markdown is ignored."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple
from urllib.parse import unquote

from biblicus.text.counting import LineIndex


class Link(NamedTuple):
    """A link to another document. `name`: a path or a note's name; `part`: a heading or block in it; `is_path`: the
    name is relative to the document's folder."""

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
_ADDRESSES: Mapping[str, tuple[re.Pattern[str], ...]] = {
    "text/markdown": (_INLINE, _DEFINED),
    "text/x-rst": (
        re.compile(
            r"<([^<>`\n]+[^<>`\n_])>`__?|^\.\. (?:_[^:\n]+|(?:image|figure|include):): (\S*[^\s_])$", re.MULTILINE
        ),
    ),
    "text/org": (re.compile(r"\[\[(?:file:)?((?:(?<=file:)|(?=\.{0,2}/|https?://))[^\[\]\n]+?)(?:::[^\[\]\n]*)?\]"),),
    "text/asciidoc": (re.compile(r"(?:(?:link|image|include|xref):{1,2}|<<)([^\s\[\]{}<>,]*\.[^\s\[\]{}<>,]*)[\[,>]"),),
}
"""Patterns of links with an address, by media type. The address is the first group with text."""
MARKDOWN = "text/markdown"
LINKING = frozenset(_ADDRESSES)
"""Media types of texts whose links are known."""
_MOST_NAMES = 20
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:|//")
_TAG = re.compile(r"(?<![^\s(,;])#(?=[\d/_-]*[^\W\d_])([\w/-]{1,100})(?![\w/-])")


def links(text: str) -> Iterator[Link]:
    """Yield the links of a Markdown text to other documents, by kind and then position."""
    plain = _prose(text)
    lines = LineIndex(plain)
    for match in _WIKI.finditer(plain):
        if name := match[1].strip():
            yield Link(name, (match[2] or "").strip(), lines.line_of(match.start()), False)
    yield from filter(None, (link_to(address, line) for address, line in _addresses(plain, MARKDOWN, lines)))


def addresses(text: str, media_type: str) -> Iterator[tuple[str, int]]:
    """Return the addresses of links with their lines, by pattern and then position. Web addresses are included."""
    text = _prose(text) if media_type == MARKDOWN else text
    return _addresses(text, media_type, LineIndex(text))


def _addresses(text: str, media_type: str, lines: LineIndex) -> Iterator[tuple[str, int]]:
    for pattern in _ADDRESSES.get(media_type, ()):
        for match in pattern.finditer(text):
            yield next(filter(None, match.groups()), ""), lines.line_of(match.start())


def link_to(address: str, line: int) -> Link | None:
    """Return the link to another document; None for an address of the web, or within the document."""
    name, _, part = address.partition("#")
    if not name or _SCHEME.match(address):
        return None
    return Link(unquote(name.partition("?")[0]), unquote(part), line, True)


def also_called(metadata: Mapping[str, Any]) -> str:
    """Return the aliases in a note's front matter, joined by commas: `aliases: [the plot, garden]`."""
    names = metadata.get("aliases") or metadata.get("alias")
    parts = names.split(",") if isinstance(names, str) else names if isinstance(names, list) else ()
    return ", ".join([part.strip() for part in parts if isinstance(part, str) and part.strip()][:_MOST_NAMES])


def tags(text: str) -> tuple[str, ...]:
    """Return the distinct tags in the text, without `#`."""
    if "#" not in text:
        return ()
    return tuple(dict.fromkeys(tag.rstrip("/-") for tag in _TAG.findall(_prose(text))))


def _prose(text: str) -> str:
    """Return the text with code replaced by spaces, keeping all offsets."""
    plain = _FENCED.sub(_blank, text) if "```" in text or "~~~" in text else text
    return _CODE.sub(_blank, plain) if "`" in plain else plain


def _blank(match: re.Match[str]) -> str:
    return re.sub(r"[^\n]", " ", match[0])
