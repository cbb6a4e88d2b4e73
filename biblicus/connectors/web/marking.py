"""Texts as lines with marks for cited text and words of the question."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

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
