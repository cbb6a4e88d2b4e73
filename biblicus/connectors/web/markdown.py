"""Markdown as safe HTML: no raw HTML, no images, and only links to web pages and items.

Headings have anchors by line, and cited blocks are marked."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple
from urllib.parse import unquote, urlsplit

from markdown_it import MarkdownIt
from markdown_it.common.utils import escapeHtml
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from markupsafe import Markup

from biblicus.guards.terminal import safe

_FRONT_MATTER = re.compile(r"\A---[ \t]*\n.*?\n(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL)
_LINKS = ("http", "https", "mailto")
_DEEPEST = 6


class Section(NamedTuple):
    """A heading of the table of contents."""

    level: int
    title: str
    address: str


class Rendered(NamedTuple):
    """A document: its HTML, its raw front matter, and its headings."""

    html: Markup
    front_matter: str
    sections: list[Section]


def rendered(
    text: str,
    cited: tuple[int, int] | None,
    link: Callable[[str], str],
    words_of: Callable[[str], Iterable[tuple[int, int]]] | None = None,
) -> Rendered:
    """Render the document.

    `cited`: first and last line, from 1. `link`: converts an item's path, given relative to the document, to an
    address. `words_of`: returns the spans that are marked more strongly in a text of a cited block."""
    parser = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])
    setattr(parser, "validateLink", lambda url: True)  # noqa: B010 (a method): every link is looked at below
    match = _FRONT_MATTER.match(text)
    front = match[0] if match else ""
    body = "\n" * front.count("\n") + safe(text[len(front) :], keep_newlines=True)
    tokens = parser.parse(body)
    _marked(tokens, cited)
    sections = list(_headings(tokens))
    for number, token in enumerate(tokens):
        if words_of is not None and token.children and tokens[number - 1].attrGet("class") == "cited":
            token.children = [part for child in token.children for part in _with_words(child, words_of)]
        for child in token.children or ():
            _tamed(child, link)
    html = RendererHTML().render(tokens, parser.options, {})
    return Rendered(Markup(html), front, sections)


def _marked(tokens: Sequence[Token], cited: tuple[int, int] | None) -> None:
    """Mark the innermost blocks with a cited line, and the first of them as the link target.

    Paragraphs of a tight list, which have no tag, get one."""
    if cited is None:
        return
    blocks = [
        (number, token)
        for number, token in enumerate(tokens)
        if token.map is not None
        and token.type != "inline"
        and token.map[0] < cited[1]
        and token.map[1] >= cited[0]
        and (token.nesting == 0 or tokens[number + 1].type == "inline" or token.type == "tr_open")
    ]
    for number, token in blocks:
        token.attrJoin("class", "cited")
        if token.hidden:
            token.hidden = tokens[number + 2].hidden = False
    if blocks:
        blocks[0][1].attrSet("id", "mark")


def _with_words(token: Token, words_of: Callable[[str], Iterable[tuple[int, int]]]) -> Iterator[Token]:
    """Yield the parts of a text, those of the spans as marks."""
    if token.type != "text":
        yield token
        return
    at = 0
    for start, end in words_of(token.content):
        yield Token("text", "", 0, content=token.content[at:start])
        word = f'<mark class="cited word">{escapeHtml(token.content[start:end])}</mark>'
        yield Token("html_inline", "", 0, content=word)
        at = end
    yield Token("text", "", 0, content=token.content[at:])


def _headings(tokens: Sequence[Token]) -> Any:
    """Give headings anchors, and set their level below the page title."""
    for number, token in enumerate(tokens):
        if token.type not in ("heading_open", "heading_close"):
            continue
        level = int(token.tag[1:])
        token.tag = f"h{min(_DEEPEST, level + 1)}"
        if token.type == "heading_open" and token.map is not None:
            line = token.map[0] + 1
            if token.attrGet("id") is None:
                token.attrSet("id", f"line-{line}")
            inline = tokens[number + 1]
            title = "".join(child.content for child in inline.children or () if child.type in ("text", "code_inline"))
            yield Section(level, title.strip() or "…", f"#line-{line}")


def _tamed(token: Token, link: Callable[[str], str]) -> None:
    """Restrict links to pages and items, and replace images with their text."""
    if token.type == "image":
        token.type, words = "html_inline", token.content or "picture"
        token.content = f'<span class="picture">{escapeHtml(words)}</span>'
        token.children = None
    if token.type == "link_open":
        address = _address(str(token.attrGet("href") or ""), link)
        token.attrs = {"href": address, "rel": "noopener noreferrer nofollow"} if address else {}


def _address(address: str, link: Callable[[str], str]) -> str | None:
    """Return the safe address of a link; None if it has none."""
    try:
        parts = urlsplit("".join(address.split()))
    except ValueError:
        return None
    if parts.scheme or parts.netloc:
        return address if parts.scheme.lower() in _LINKS else None
    return link(unquote(parts.path)) if parts.path else None


def beside(path: str, relative: str) -> str:
    """Resolve an item's path relative to another one."""
    return posixpath.normpath(posixpath.join(posixpath.dirname(path), relative)).lstrip("/")
