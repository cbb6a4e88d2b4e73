"""Extractor of Markdown: the decoded file, with front matter masked and headings found (CommonMark 0.31, §4.2 to 4.5).

Speed matters here: documentation corpora are mostly Markdown.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import islice
from sys import intern
from types import ModuleType

from biblicus.contracts import MediaHint
from biblicus.extraction.kit.front_matter import fronted
from biblicus.extraction.kit.texts import Options, of_text
from biblicus.models.extraction import CAPTION, Extraction, Heading, NoExtraction, Span

__all__ = ["Options", "build", "headings"]

_ATX = re.compile(r"\n {0,3}(#{1,6})[ \t]+([^\n]+)")
_UNDERLINE = re.compile(r"\n(=+|-{2,})[ \t]*\r?(?=\n|\Z)")
_FENCE = re.compile(r"\n[ \t]*(```+|~~~+)([^\n]*)")
_CAPTION = re.compile(r"\n[ \t]*\n[ ]{0,3}(?:Table)?: ([^\n]{1,300})(?=\n[ \t]*\n|\s*\Z)")
_NO_TITLE = re.compile(r" {4}|\t|[ ]{0,3}(?:[#>|]|[-*+][ \t]|\d{1,9}[.)][ \t])")
_MOST = 50_000
"""Maximum headings of a file; further ones are only text."""

_KEPT = re.compile(r"\n\r?\nid: [0-9a-f]{32}\r?\n(?:[a-z_]{2,40}:[^\n]*\n){3,60}type_: \d{1,2}\s*\Z")
_LONGEST_KEPT = 8_000
"""The metadata block that Joplin appends to a note; the title is the note's first line."""


def _extract(text: str, warnings: tuple[str, ...], hint: MediaHint) -> Extraction | NoExtraction:
    """Extract text and headings; the title is the first heading of level 1, else the first heading."""
    outline = headings(text)
    masked: tuple[Span, ...] = ()
    document_title = title(outline)
    if joplin_block := _KEPT.search(text, max(0, len(text) - _LONGEST_KEPT)):
        first = text[: joplin_block.start()].strip().split("\n", 1)[0]
        document_title = _headlines().plain_words(first.lstrip("#")) or document_title
        masked = (Span(joplin_block.start(), joplin_block.end()),)
    return Extraction(text, headings=tuple(outline), masked=masked, title=document_title, warnings=warnings)


build = of_text("markdown/11", fronted(_extract))


def title(found: list[Heading]) -> str | None:
    """Return the first heading of level 1, else the first heading, or None."""
    sections = [heading for heading in found if heading.level != CAPTION]
    return next((heading.title for heading in sections if heading.level == 1), sections[0].title if sections else None)


def headings(text: str, start: int = 0) -> list[Heading]:
    """Return the headings of `text[start:]`; `start` begins a line and offsets refer to `text`."""
    if not start:  # the patterns begin with a line feed, so that each line needs one before it
        return [Heading(heading.offset - 1, heading.level, heading.title) for heading in _headings("\n" + text, 1)]
    return _headings(text, start)


def _headings(text: str, start: int) -> list[Heading]:
    """Return the headings after the line feed at `start - 1`."""
    outline = list(islice(_atx(text, start), _MOST))
    if text.find("\n--", start) >= 0 or text.find("\n=", start) >= 0:
        underlined = list(islice(_setext(text, start), _MOST))
        if underlined:
            outline = sorted(outline + underlined)
    if outline and ("```" in text or "~~~" in text):
        outline = list(_outside(outline, _fences(text, start)))
    if marked := list(islice(_tagged(text, start), _MOST)):
        outline = sorted(outline + marked)
    if "\n: " in text or "\nTable: " in text:
        outline = sorted({heading.offset: heading for heading in [*_captions(text, start, outline), *outline]}.values())
    return outline


def _captions(text: str, start: int, sections: list[Heading]) -> Iterator[Heading]:
    """Yield the captions below tables, as Pandoc writes them, as headings of the rows, each with the section after."""
    for match in _CAPTION.finditer(text, start):
        above = text[start : match.start()].rstrip()
        begin = start + max(above.rfind("\n\n") + 2, 0) if "\n\n" in above else start
        if "---" in text[begin : match.start()]:
            at = bisect_left(sections, Heading(begin, 0, ""))
            section = sections[at - 1] if at else Heading(0, 1, "")
            yield Heading(begin, CAPTION, _headlines().plain_words(match[1].strip()))
            yield replace(section, offset=min(match.end() + 1, len(text)))


@cache
def _headlines() -> ModuleType:
    from biblicus.text import headings as headlines  # lazy: where nothing changed, nothing is read

    return headlines


def _tagged(text: str, start: int) -> Iterator[Heading]:
    """Yield HTML headings: `<h1 align="center">Harbour</h1>`."""
    headlines = _headlines()
    for at, _, level, within in headlines.tagged(text, start):
        if words := headlines.plain_words(" ".join(within.split())):
            yield Heading(at, level, words)


def _atx(text: str, start: int) -> Iterator[Heading]:
    """Yield `# Heading` lines."""
    headlines = _headlines()
    for match in _ATX.finditer(text, start - 1):
        words = match[2].strip()
        if words[-1:] == "#" or headlines.MARKED.search(words):
            words = headlines.plain_words(words)
        if words:
            # Four of five headings recur (`See also`); interning saves memory until texts are chunked.
            yield Heading(match.start() + 1, len(match[1]), intern(words[: headlines.LONGEST]))


def _setext(text: str, start: int) -> Iterator[Heading]:
    """Yield lines underlined with `===` or `---` that have a blank line above."""
    headlines = _headlines()
    for match in _UNDERLINE.finditer(text, start):
        begin = text.rfind("\n", start - 1, match.start()) + 1
        line = text[begin : match.start()]
        above = text[text.rfind("\n", start - 1, begin - 1) + 1 : begin - 1] if begin > start else ""
        if line.strip() and not above.strip() and not _NO_TITLE.match(line) and (words := headlines.plain_words(line)):
            yield Heading(begin, 1 if match[1][0] == "=" else 2, words)


def _fences(text: str, start: int) -> Iterator[Span]:
    """Yield the code fences; an unclosed one extends to the end."""
    opened, fence = -1, ""
    for match in _FENCE.finditer(text, start - 1):
        mark, info = match.groups()
        if opened < 0:
            if mark[0] == "~" or "`" not in info:
                opened, fence = match.start() + 1, mark
        elif mark.startswith(fence) and not info.strip():
            yield Span(opened, match.end())
            opened = -1
    if opened >= 0:
        yield Span(opened, len(text))


def _outside(found: list[Heading], fences: Iterator[Span]) -> Iterator[Heading]:
    """Yield the headings outside all fences. Both inputs are in ascending order."""
    fence = next(fences, None)
    for heading in found:
        while fence is not None and fence.end <= heading.offset:
            fence = next(fences, None)
        if fence is None or heading.offset < fence.start:
            yield heading
