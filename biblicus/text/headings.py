"""Headings: of plain text without markup, found by layout, and of Markdown and HTML, with other named entries.

Without markup, a heading is a separate line: underlined, below a drawn line, numbered ("3.2 Moorings", "Appendix B.
Tides", "Chapter IV", "§ 4 Deposit"; also directly above its text), or in capitals. Doubtful lines are no headings: in
lists, tables of contents and steps, similar lines follow directly.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from itertools import zip_longest
from typing import NamedTuple

_LONGEST, _MOST_WORDS = 100, 12
"""Maximum characters and words of a heading."""
_MOST_NUMBERED = 8
"""Maximum words after the number of a heading that has no other mark."""
_OF_A_PART = re.compile(r"\d+(?:\.\d+)+\.\s")
"""A number as in `3.141. imap_idle`, which cannot be part of a sentence."""
_FIRST = re.compile(r"(?:\A|\n[ \t\f]*\r?\n)(?=[^\s])")
"""The start of a line below a blank one."""
_DRAWN = re.compile(r"([=~^*#_-])\1{2,}[ \t]*\r?\Z")
_SEPARATES = 20
"""Minimum length of a line drawn above a title and not below one."""
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
"""Anchors before or after a title, as in Vim's help."""
_LEADERS = re.compile(r"\.{4}|(?:[ \t]\.){3}|\t[ \t]*\d+[ \t]*\Z|[ ]{3}\d+[ \t]*\Z")
"""Dots or spaces before a page number."""
_ENDS = tuple(".,;:!。，；：")
_UNDERLINED = 3
"""Minimum underlined headings for other styles to be ignored."""
_WIDEST, _AHEAD = 160, 2_000
"""Maximum characters of a line with a heading and anchors; characters searched for text below a heading."""
_CAPITALS = 4
"""Minimum letters of a heading in capitals."""
_ABOVE = 6
"""Maximum words after the number of a title directly above its text."""
_LONGER = 1.25
"""Minimum length of the line below such a title relative to it, unless that line ends a sentence; shorter lines may
continue the title."""
LONGEST = 300
"""Maximum characters of a displayed heading; a longer one is a paragraph."""
_MARKUP = re.compile(
    r"(?P<code>`{1,8})(?P<verbatim>[^`]+)(?P=code)"
    r"|!?\[(?P<link>[^\[\]]*)\](?:\([^()]*\)|\[[^\[\]]*\])"
    r"|</?(?:a|b|br|code|em|font|i|img|kbd|small|span|strong|sub|sup|u)\b[^<>]*>"
    r"|<(?-i:[A-Z])[\w.]*\s+[\w-]+=[^<>]*>|<(?-i:[A-Z])[\w.]*\s*/>|</(?-i:[A-Z])[\w.]*>"
    r"|\\(?P<escaped>[!-/:-@\[-`{-~])"
    r"|(?<!\w)_{1,2}(?P<emphasis>[^_]+)_{1,2}(?!\w)"
    r"|\{[#.:][^{}]*\}|\*{1,3}|~~",
    re.IGNORECASE,
)
MARKED = re.compile(r"[`*_\[<\\&{~]")
"""Markup in a Markdown heading that is not plain text."""
MARKDOWN = ("text/markdown", "text/troff", "text/asciidoc", "text/org", "text/x-info", "text/x-wiki")
"""Media types whose extracted text is Markdown."""
PAGES = (
    *("text/html", "application/xhtml+xml", "multipart/related", "application/docbook+xml", "application/dita+xml"),
    *("application/tei+xml", "application/jats+xml", "application/x-mallard+xml"),
)
"""Media types whose extracted text comes from a web page."""
PDF = "application/pdf"
_TAGGED = re.compile(
    r"^[ \t]{0,8}(?:<(?:div|p|center|a)\b[^<>\n]{0,200}>[ \t]*)?(<h([1-6])\b[^<>]{0,300}>)"
    r"((?:(?!</?h[1-6]\b).){1,800}?)</h\2[ \t]*>",
    re.MULTILINE | re.DOTALL | re.IGNORECASE,
)
_UNSEEN = re.compile(r"^[ \t]{0,8}<!--|-->|^ {0,3}<pre\b|</pre\b", re.MULTILINE | re.IGNORECASE)
_CLOSES = {"<!--": "-->", "<pre": "</pre"}
_INDENTED, _BACK = 3, 2_000
"""Maximum blanks before a tag outside code; characters above it that are examined."""
_TAGS, _ALT = re.compile(r"<[^<>]*>|!?\[\]\([^()]*\)"), re.compile(r"\balt=\"([^\"<>]{1,100})\"")

ENTRIES = re.compile(
    r"^([ \t]*)\.\.[ ]+(?:\w[\w-]*[:-])?(function|(?:class|static)?method|class|exception|data|attribute|property"
    r"|decorator|option|cmdoption|envvar|confval|setting|macro|type|struct|enum|describe|object"
    r"|templatetag|templatefilter|fieldlookup|table|glossary)::"
    r"(?:[ \t]+(.+?))?[ \t]*$",
    re.MULTILINE,
)
"""A reStructuredText directive that documents a name. Groups: indentation, kind, name."""


class PlainHeading(NamedTuple):
    """A heading. `offset`: start of its line in characters; `level`: 1 for the outermost."""

    offset: int
    level: int
    title: str


class _Line(NamedTuple):
    """A candidate line below a blank one. `style`: the kind of heading, or the level of a numbered one; `ends`: offset
    after its last line."""

    offset: int
    style: str
    title: str
    ends: int
    is_underlined: bool = False


def plain_headings(text: str) -> Iterator[PlainHeading]:
    """Yield the headings in ascending order. The level of a numbered heading is its count of numbers; other styles get
    levels in order of first use."""
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
    """Return True if a heading is one of a sequence and no document title: `1. Introduction`, `Chapter II`."""
    return _NUMBER.match(title) is not None


def stands_above(line: str, below: str) -> bool:
    """Return True if a line is a numbered title directly above its text, which starts with the line `below`. Examples:
    `3. Waiting list`, `TOP 2 Neubau`, `§ 4 Deposit`, `Article 2 - Rent`."""
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
    """Return True if the next heading is a sibling and not a subheading."""
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
    """Return the style that makes a separate line a heading, or an empty string."""
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
    """Return the next `count` lines, cut at the maximum length, and their ends; empty lines past the end."""
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


def within(text: str, media_type: str) -> list[str]:
    """Return the headings in plain text, or an empty list for other types."""

    return [heading.title for heading in plain_headings(text)] if media_type == "text/plain" else []


def plain_words(line: str) -> str:
    """Return a heading line as plain text: no closing marks, links as their text, no emphasis, entities decoded."""
    line = line[: 4 * LONGEST].strip()
    if line.endswith("#"):
        bare = line.rstrip("#")
        line = bare.rstrip() if not bare or bare[-1] in " \t" else line
    if MARKED.search(line):
        line = _MARKUP.sub(_unmarked, line)
    if "&" in line:
        import html  # lazy: a plain question needs no entities

        line = html.unescape(line)
    return " ".join(line.split())[:LONGEST]


def _unmarked(mark: re.Match[str]) -> str:
    return mark["verbatim"] or mark["link"] or mark["escaped"] or mark["emphasis"] or ""


def tagged(text: str, start: int = 0) -> Iterator[tuple[int, int, int, str]]:
    """Yield the HTML headings in Markdown outside code: start, end, level and content. If a heading only has an image,
    its alternative text is used."""
    if "<" not in text or ("<h" not in text and "<H" not in text):
        return
    fences, unseen = _fences(text), _unseen(text)
    for match in _TAGGED.finditer(text, start):
        at = match.start(1)
        line = text.rfind("\n", 0, at) + 1
        if bisect_left(unseen, at) % 2 or (text[line:at].isspace() and at - line > _INDENTED and _is_code(text, line)):
            continue
        within = match[3]
        if _TAGS.sub("", within).isspace() or not _TAGS.sub("", within):
            within = " ".join(_ALT.findall(within))
        if within and not bisect_left(fences, line) % 2:
            yield line, match.end(), int(match[2]), within


def _fence_lines(text: str) -> list[int]:
    """Return the starts of lines that may open or close a code fence, in ascending order."""
    begins = set()
    for mark in ("```", "~~~"):
        at = text.find(mark) if mark[0] in text else -1
        while at >= 0:
            line = text.rfind("\n", 0, at) + 1
            if not text[line:at].strip(" >\t"):
                begins.add(line)
            end = text.find("\n", at)
            at = text.find(mark, end) if end >= 0 else -1
    return sorted(begins)


def _fences(text: str) -> list[int]:
    """Return the starts of lines that open or close code fences; a closing fence is at least as long and alone."""
    fences, opened = [], ""
    for line in _fence_lines(text):
        end = text.find("\n", line)
        written = text[line : end if end >= 0 else None].strip(" >\t\r")
        rest = written.lstrip(written[0])
        if (written.startswith(opened) and not rest) if opened else (written[0] == "~" or "`" not in rest):
            fences.append(line)
            opened = "" if opened else written[: len(written) - len(rest)]
    return fences


def _unseen(text: str) -> list[int]:
    """Return the starts and ends of HTML comments and `pre` blocks, alternating."""
    bounds: list[int] = []
    closes = ""
    for match in _UNSEEN.finditer(text):
        mark = match[0].strip().lower()
        if mark == closes:
            bounds.append(match.end())
            closes = ""
        elif not closes and mark in _CLOSES:
            bounds.append(match.start())
            closes = _CLOSES[mark]
    return bounds[:-1] if closes else bounds


def _is_code(text: str, line: int) -> bool:
    """Return True if an indented line is code and does not continue an HTML block above."""
    above = text.rfind("\n\n", max(0, line - _BACK), line)
    begin = above + 2 if above >= 0 else max(0, line - _BACK)
    return not text[begin : begin + _INDENTED + 1].lstrip(" \n").startswith("<")
