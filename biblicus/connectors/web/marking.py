"""Texts with marks for cited text and words of the question: as lines, and as Markdown rendered to safe HTML.

The HTML has no raw HTML, no images, and only links to web pages and items. Headings have anchors by line."""

from __future__ import annotations

import posixpath
import re
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, NamedTuple
from urllib.parse import unquote, urlsplit

from markdown_it import MarkdownIt
from markdown_it.common.utils import escapeHtml
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from markupsafe import Markup

from biblicus.answering.reader.reading.readable import readable, readable_row
from biblicus.guards.terminal import safe
from biblicus.models.question import Question
from biblicus.retrieval.snippet import highlights
from biblicus.text.anchoring import spans_of

_MARKED_UP = frozenset(("text/markdown", "text/x-rst", "text/org", "text/asciidoc", "text/x-wiki"))
_MARKS_ALONE = re.compile(r"\s*(?:[-=~*_^+|:\s]+|(?:`{3,}|~{3,})[\w+-]*)\s*")
"""A line of markup only: an underline, a table rule, a code fence, a separator."""
_CUT_LINK = re.compile(
    r"\[!code[-\w]{0,20} ?\[[^\[\]\n]{0,120}\]\([^()\n]{0,500}\Z"
    r"|!?\[([^\[\]\n]{1,300})\]\([^()\n]{0,500}\Z|\A([^\[\]\n]{1,300})\]\([^()\n]{0,500}\)"
)
"""A link or code reference cut off at the end, or a link whose text begins earlier."""
BYTE_ORDER_MARK = "\ufeff"
"""Byte order mark at the start of a file: part of the text, but invisible."""
Kind = str
"""`cited`, `cited word` of a question's word in it, `hit`, or empty."""


class Part(NamedTuple):
    """Part of a line. `is_first`: the first cited part, which is scrolled to."""

    text: str
    kind: Kind = ""
    is_first: bool = False


class Line(NamedTuple):
    """A line with its number, from 1."""

    number: int
    parts: list[Part]

    @property
    def is_cited(self) -> bool:
        return any(part.kind.startswith("cited") for part in self.parts)


def lines(
    text: str,
    start: int,
    first_line: int,
    cited: tuple[int, int] | None,
    hits: Sequence[tuple[int, int]],
    words: Sequence[tuple[int, int]] = (),
) -> list[Line]:
    """Return the lines of a text. `start`, `first_line`: its offset and line number; spans use the same offsets."""
    marks = [(*span, "hit") for span in hits] + ([(*cited, "cited")] if cited else [])
    marks += [(*span, "cited word") for span in words]
    marked_lines: list[Line] = []
    at, is_first = start, True
    for number, row in enumerate(text.removesuffix("\n").split("\n"), first_line):
        parts: list[Part] = []
        for part, kind in _cut(row, at, marks):
            part = part if at or parts else part.removeprefix(BYTE_ORDER_MARK)
            parts.append(Part(safe(part, keep_newlines=True), kind, is_first and kind.startswith("cited")))
            is_first = is_first and not kind.startswith("cited")
        marked_lines.append(Line(number, parts))
        at += len(row) + 1
    return marked_lines


def _cut(row: str, at: int, marks: Sequence[tuple[int, int, Kind]]) -> Iterable[tuple[str, Kind]]:
    """Split a row with the offset `at` at the edges of marks; if marks overlap, the last one applies."""
    here = [(max(0, start - at), min(len(row), end - at), kind) for start, end, kind in marks]
    here = [mark for mark in here if mark[0] < mark[1]]
    edges = sorted({0, len(row), *(edge for start, end, _ in here for edge in (start, end))})
    for start, end in pairwise(edges):
        kind = next((kind for low, high, kind in reversed(here) if low <= start and end <= high), "")
        yield row[start:end], kind


def snippets(pieces: Sequence[Mapping[str, Any]], question: str) -> list[list[Part]]:
    """Return the snippets as plain text lines with the question's words marked.

    Snippets of one language are processed together, since parsing the question takes longer than finding its words."""
    marked: list[list[Part]] = [[] for _ in pieces]
    for language in {piece.get("language") for piece in pieces}:
        numbers = [number for number, piece in enumerate(pieces) if piece.get("language") == language]
        text = "\n".join(_words(pieces[number]) for number in numbers)
        spans = deque(highlights(text, Question(question, {language: 1.0} if language else {})))
        at = 0
        for number, row in zip(numbers, text.split("\n"), strict=True):
            near = []
            while spans and spans[0].start < at + len(row):
                near.append(spans.popleft())
            marked[number] = _with_hits(row, at, near)
            at += len(row) + 1
    return marked


def _with_hits(row: str, at: int, hits: Iterable[tuple[int, int]]) -> list[Part]:
    """Return a row with its hits marked. Hits are sorted, separate, and within the row."""
    parts: list[Part] = []
    marked_end = 0
    for start, end in hits:
        if start - at > marked_end:
            parts.append(Part(safe(row[marked_end : start - at])))
        marked_end = end - at
        parts.append(Part(safe(row[start - at : marked_end]), "hit"))
    return [*parts, Part(safe(row[marked_end:]))] if marked_end < len(row) else parts


def _words(piece: Mapping[str, Any]) -> str:
    """Return a snippet on one line, without markup. The cited text itself is unchanged."""
    snippet = " ".join(piece["snippet"].removeprefix(BYTE_ORDER_MARK).split())
    if piece["media_type"] not in _MARKED_UP:
        return snippet
    words = snippet.strip("…").strip()
    stretch = next((piece["text"][start:end] for start, end in spans_of(piece["text"], words)), "")
    stretch, words = (_CUT_LINK.sub(lambda match: match[1] or match[2] or "", part) for part in (stretch, words))
    snippet_text = plainly(stretch) if stretch else readable(words)
    return f"{'…' if snippet.startswith('…') else ''}{snippet_text}{'…' if snippet.endswith('…') else ''}"


def plainly(text: str) -> str:
    """Return lines without markup, on one line; lines of markup only are removed."""
    rows = [row for row in text.split("\n") if not _MARKS_ALONE.fullmatch(row)]
    return " ".join(filter(None, (readable_row(row, None) if row[:1] == "|" else readable(row) for row in rows)))


def span_of(words: str | None) -> tuple[int, int] | None:
    """Parse `310-402` as a span, lines or pages; None for anything else."""
    match = re.fullmatch(r"(\d{1,12})-(\d{1,12})", words or "")
    return (int(match[1]), int(match[2])) if match and int(match[1]) <= int(match[2]) else None


# --- Markdown ---

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
