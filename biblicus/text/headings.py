"""Headings of plain text, as people and their tools write them without any markup.

A heading stands by itself at the beginning of a line: underlined, below a drawn line, numbered ("3.2  Moorings",
"Appendix B. Tides", "Chapter IV", "§ 4 Deposit"; also right above its text), or in capitals. In doubt a line is none:
lists, tables of contents and steps have their like right after them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import zip_longest
from typing import NamedTuple

_LONGEST, _MOST_WORDS = 100, 12
"""Characters and words of a heading at most."""
_MOST_NUMBERED = 8
"""Words behind the number of one that nothing else marks."""
_OF_A_PART = re.compile(r"\d+(?:\.\d+)+\.\s")
"""How a line begins that may name a setting or a function, `3.141. imap_idle`: no number that a sentence has."""
_FIRST = re.compile(r"(?:\A|\n[ \t\f]*\r?\n)(?=[^\s])")
"""Where a line begins that stands below a blank one."""
_DRAWN = re.compile(r"([=~^*#_-])\1{2,}[ \t]*\r?\Z")
_SEPARATES = 20
"""Characters of a line at least that is drawn above a title and not below one."""
_NUMBER = re.compile(
    r"(?P<number>\d{1,2}(?:\.\d{1,3}){1,4}\.?|\d{1,2}[.)]|\d{1,2}(?=[ \t]{2}))[ \t\xa0]{1,8}(?=\S)"
    r"|(?P<appendix>[A-Z](?:\.\d{1,3}){1,4}\.?)[ \t\xa0]{1,8}(?=\S)"
    r"|(?P<named>(?:(?:appendix|chapter|part|book|section|annex|kapitel|teil|anhang|abschnitt|chapitre|partie|annexe"
    r"|capítulo|parte|anexo|глава|часть|приложение|article|art\.|artikel|artículo|articolo|artigo|статья|clause"
    r"|clausula|cláusula|item|top|tagesordnungspunkt|punkt|punto|point|ziffer|klausel)[ \t]+|§[ \t\xa0]*)"
    r"(?:\d{1,3}[a-z]?|(?-i:[IVXLC]{1,7}|[A-Z]))\b[.:)]?)",
    re.IGNORECASE,
)
_ANCHOR = re.compile(r"\A\*[^\s*]+\*(?=[ \t])|(?:[ \t]+\*[^\s*]+\*)+\Z")
"""Names of places before or behind a title, as the help of Vim has them."""
_LEADERS = re.compile(r"\.{4}|(?:[ \t]\.){3}|\t[ \t]*\d+[ \t]*\Z|[ ]{3}\d+[ \t]*\Z")
"""What leads to the number of a page."""
_ENDS = tuple(".,;:!。，；：")
_UNDERLINED = 3
"""Underlined headings at least that leave no other ones."""
_WIDEST, _AHEAD = 160, 2_000
"""Characters of a line with a heading and names of places at most, and those among which a text goes on below it."""
_CAPITALS = 4
"""Letters of a heading in capitals at least."""
_ABOVE = 6
"""Words behind the number of a title right above its text at most."""
_LONGER = 1.25
"""How much longer than such a title the line below it is at least, where that does not end a sentence: else the first
may go on in it."""


class PlainHeading(NamedTuple):
    """`offset`: where its line begins, in characters; `level`: 1 for the outermost."""

    offset: int
    level: int
    title: str


class _Line(NamedTuple):
    """A line below a blank one. `style`: what makes it a heading, of a numbered one its level; `ends`: where its lines
    end."""

    offset: int
    style: str
    title: str
    ends: int
    is_underlined: bool = False


def plain_headings(text: str) -> Iterator[PlainHeading]:
    """The headings, ascending. Levels of numbered ones are how many numbers they have, those of the others follow the
    order in which a text first uses their styles."""
    lines = list(_candidates(text))
    if sum(line.is_underlined for line in lines) >= _UNDERLINED:
        lines = [line for line in lines if line.is_underlined]
    styles: dict[str, int] = {}
    for line, following in zip_longest(lines, lines[1:]):
        if following is None:
            is_followed = bool(text[line.ends : line.ends + _AHEAD].strip())
        else:
            is_followed = bool(text[line.ends : following.offset].strip()) or not _is_like(line, following)
        if is_followed:
            level = int(line.style) if line.style.isdigit() else styles.setdefault(line.style, len(styles) + 1)
            yield PlainHeading(line.offset, min(6, level), line.title)


def is_numbered(title: str) -> bool:
    """Whether a heading is one of several in order, and not the title of all: `1. Introduction`, `Chapter II`."""
    return _NUMBER.match(title) is not None


def stands_above(line: str, below: str) -> bool:
    """Whether a line is a numbered title right above its text: `3. Waiting list`, `TOP 2 Neubau`, `§ 4 Deposit`,
    `Article 2 - Rent`. `below`: the line after it."""
    title, text = line.strip(), below.strip()
    numbered = _NUMBER.match(title)
    if numbered is None or not text or title.endswith((*_ENDS, "?", "!", "-")) or _NUMBER.match(text):
        return False
    if line[:1].isspace() or below[:1].isspace() or _LEADERS.search(line):
        return False
    rest = title[numbered.end() :].lstrip(" \t-–—:.")
    is_title = rest[:1].isupper() if rest else numbered["named"] is not None
    is_text = text[0].isupper() or text[0].isdigit() or text[0] in "\"'“„«(¿¡"
    is_apart = len(text) >= _LONGER * len(title) or text.endswith((".", "!", "?", "。"))
    return is_title and is_text and is_apart and len(rest.split()) <= _ABOVE


def _is_like(line: _Line, following: _Line) -> bool:
    """Whether the next heading, with nothing between, is one beside it and not one below it."""
    if line.style.isdigit() and following.style.isdigit():
        return int(following.style) <= int(line.style)
    return line.style == following.style


def _candidates(text: str) -> Iterator[_Line]:
    for match in _FIRST.finditer(text):
        start = match.end()
        if text.find("\n", start, start + _WIDEST) < 0 and len(text) > start + _WIDEST:
            continue
        lines, ends = _lines(text, start, 3)
        drawn = _DRAWN.match(lines[0])
        if drawn and len(lines[0].rstrip()) < _SEPARATES and not (lines[2:] and _DRAWN.match(lines[2])):
            continue
        at = 1 if drawn and lines[1].strip() else 0
        if drawn and not at:
            continue
        title = _ANCHOR.sub("", lines[at].strip()).strip()
        if not title or len(title) > _LONGEST or len(title.split()) > _MOST_WORDS or _LEADERS.search(lines[at]):
            continue
        begins = start if not at else ends[0]
        if below := _DRAWN.match(lines[at + 1]):
            if 2 * len(lines[at + 1].rstrip()) >= len(title) and not _DRAWN.match(title):
                numbered = _NUMBER.match(title)
                style = _level(numbered) if numbered and not numbered["named"] else below[1] + "over" * at
                yield _Line(begins, style, _words(title), ends[at + 1], True)
        elif stands_above(lines[at], lines[at + 1]):
            yield _Line(begins, _style(title, is_separated=True) or "1", _words(title), ends[at])
        elif not lines[at + 1].strip() or lines[at + 1][:1].isspace():
            style = _style(title, bool(at))
            if style and not title.endswith(_ENDS):
                yield _Line(begins, style, _words(title), ends[at])


def _style(title: str, is_separated: bool) -> str:
    """What makes a line by itself a heading; empty where nothing does."""
    if numbered := _NUMBER.match(title):
        rest = title[numbered.end() :]
        if numbered["named"]:
            return "1" if numbered["named"][:1].isupper() else ""
        is_name = _OF_A_PART.match(numbered[0]) is not None and " " not in rest.strip()
        is_plain = not (is_separated or is_name) and (rest[:1].islower() or len(rest.split()) > _MOST_NUMBERED)
        return _level(numbered) if rest[:1].isalpha() and not is_plain else ""
    if is_separated:
        return "separated"
    letters = sum(map(str.isalpha, title))
    return "capitals" if letters >= _CAPITALS and title.isupper() and 2 * letters > len(title) else ""


def _level(numbered: re.Match[str]) -> str:
    return str((numbered["number"] or numbered["appendix"]).rstrip(".)").count(".") + 1)


def _lines(text: str, start: int, count: int) -> tuple[list[str], list[int]]:
    """The next lines, each up to a length that no heading has, and where each ends; empty ones behind the last."""
    lines, ends = [], []
    for _ in range(count):
        end = text.find("\n", start)
        end = len(text) if end < 0 else end
        lines.append(text[start : min(end, start + _WIDEST)])
        start = min(len(text), end + 1)
        ends.append(start)
    return lines, ends


def _words(title: str) -> str:
    return " ".join(title.split())
