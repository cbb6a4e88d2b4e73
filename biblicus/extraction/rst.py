"""Extractor of reStructuredText: the decoded file, with section titles, directives and glossary terms as headings.

Levels follow the order in which a file first uses its underline styles, as in docutils. A title in the leading fields
(`Title: …` as in Python's PEPs, `:title: …` as in docutils) takes precedence over headings.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Container, Iterator
from itertools import zip_longest
from typing import NamedTuple

from biblicus.contracts import MediaHint
from biblicus.extraction.kit.front_matter import fronted
from biblicus.extraction.kit.texts import of_text
from biblicus.extraction.markdown import title
from biblicus.models.extraction import CAPTION, ENTRY, Extraction, Heading, NoExtraction, named
from biblicus.text.headings import ENTRIES

_LINE = re.compile(r"(?:\A|\n)([!-/:-@\[-`{-~])\1+[ \t]*\r?(?=\n|\Z)")
_FIELDS = re.compile(r"\s*((?:(?::[A-Za-z][^:\n]*:|[A-Za-z][\w-]*:)(?:[ \t][^\n]*)?\n(?:[ \t]+[^\n]*\n)*)+)")
_TITLE = re.compile(r"^:?title:[ \t]+([^\n]+(?:\n[ \t]+[^\n]+)*)", re.IGNORECASE | re.MULTILINE)
_LINES = re.compile(r"^([ \t]*)(\S.*)$", re.MULTILINE)
_SHORTEST_DEFINITION = 40
"""Minimum characters of an entry's text; a shorter one is a field and its value."""
_LOOKED_AT = 1_000
_ROLE = re.compile(
    r":[\w:.+-]{1,40}:`([^`]{1,300})`|``([^`]{1,300})``|`([^`<]{1,300}?)\s?(?:<[^<>`]{0,300}>)?`_{0,2}"
    r"|\|[\w .-]{1,60}\|_{0,2}|\*{1,2}"
)


def _extract(text: str, warnings: tuple[str, ...], hint: MediaHint) -> Extraction | NoExtraction:
    """Extract text and headings; directives and roles stay in the text."""
    sections = list(section_titles(text, {}))
    outline = _with_entries(text, sections)
    return Extraction(text, headings=tuple(outline), title=_stated(text) or title(sections), warnings=warnings)


build = of_text("rst/10", fronted(_extract))


def _stated(text: str) -> str | None:
    """Return the title in the leading fields of a file, or None."""
    fields = _FIELDS.match(text)
    match = _TITLE.search(fields[1]) if fields else None
    return _words(" ".join(match[1].split())) or None if match else None


def section_titles(text: str, levels: dict[tuple[str, bool], int]) -> Iterator[Heading]:
    """Yield the section titles in order. `levels`: levels of known underline styles, to which new ones are added."""
    for match in _LINE.finditer(text):
        begin, line = _line_before(text, match.start())
        width = len(match[0].strip())
        words = line.strip()
        if not words or (width < len(words) and width < 4) or words == words[0] * len(words) != words[0]:
            continue
        above_begin, above = _line_before(text, begin - 1)
        over = above.strip() == match[0].strip()
        if not over and (above.strip() or line[0].isspace()):
            continue
        level = levels.setdefault((match[1], over), len(levels) + 1)
        yield Heading(above_begin if over else begin, min(level, 6), _words(words))


class _Entry(NamedTuple):
    """The range of an entry, its indentation and its name."""

    start: int
    end: int
    indent: int
    name: str
    level: int = ENTRY


def _with_entries(text: str, sections: list[Heading]) -> list[Heading]:
    """Return the section titles with the entries between them; after an entry its section resumes."""
    headings = {heading.offset: heading for heading in sections}
    starts = [heading.offset for heading in sections]
    open_entries: list[_Entry] = []
    ends: dict[int, Heading] = {}
    for entry in _entries(text):
        while open_entries and open_entries[-1].end <= entry.start:
            open_entries.pop()
        open_entries.append(entry)
        level = entry.level + len(open_entries) - 1
        headings[entry.start] = Heading(entry.start, level, entry.name)
        above = open_entries[-2] if len(open_entries) > 1 else None
        if above is not None and entry.end < above.end:
            ends[entry.end] = Heading(entry.end, level - 1, above.name)
        elif above is None and entry.end < len(text) and (at := bisect_left(starts, entry.start)):
            ends[entry.end] = Heading(entry.end, sections[at - 1].level, sections[at - 1].title)
    return sorted({**ends, **headings}.values())


def _entries(text: str) -> Iterator[_Entry]:
    """Yield the entries in order of their starts."""
    directives = {match.start(): match for match in ENTRIES.finditer(text)}
    ends = _ends(text, directives) if directives else {}
    glossary = 0
    for start, match in directives.items():
        indent, kind, name, end = len(match[1]), match[2], match[3], ends[start]
        if kind == "glossary" and start >= glossary:
            glossary = end
            yield from _terms(text, match.end(), end)
        elif (
            name
            and start >= glossary
            and len(text[match.end() : min(end, match.end() + _LOOKED_AT)].strip()) >= _SHORTEST_DEFINITION
        ):
            yield _Entry(start, end, indent, " ".join(name.split()), CAPTION if kind == "table" else ENTRY)


def _ends(text: str, starts: Container[int]) -> dict[int, int]:
    """Return for each line that starts at one of `starts` the start of the next line without deeper indentation."""
    ends: dict[int, int] = {}
    inside: list[tuple[int, int]] = []
    for line in _LINES.finditer(text):
        indent = len(line[1])
        while inside and indent <= inside[-1][1]:
            ends[inside.pop()[0]] = line.start()
        if line.start() in starts:
            inside.append((line.start(), indent))
    return {**ends, **{start: len(text) for start, _ in inside}}


def _terms(text: str, start: int, end: int) -> Iterator[_Entry]:
    """Yield the terms of a glossary: its least indented lines. Consecutive terms share the text below."""
    lines = [line for line in _LINES.finditer(text, start, end) if not line[2].startswith(":")]
    base = min((len(line[1]) for line in lines), default=0)
    terms = [line for line in lines if len(line[1]) == base]
    first, names = start, list[str]()
    for line, following in zip_longest(terms, terms[1:]):
        name = _words(line[2].partition(" : ")[0])
        first, names = (first, [*names, name]) if names else (line.start(), [name])
        until = following.start() if following else end
        says = text[line.end() : until].strip()
        if len(says) >= _SHORTEST_DEFINITION:
            yield _Entry(first, until, base, named(names))
        names = [] if says else names


def _line_before(text: str, end: int) -> tuple[int, str]:
    """Return the start and text of the line that ends at `end`; an empty line before the beginning."""
    if end <= 0:
        return 0, ""
    begin = text.rfind("\n", 0, end) + 1
    return begin, text[begin:end]


def _words(line: str) -> str:
    """Return a title without markup."""
    return " ".join(_ROLE.sub(lambda found: found[1] or found[2] or found[3] or "", line[:300]).split())
