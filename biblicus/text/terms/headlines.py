"""Headings and named entries within a text: Markdown and HTML headings, directives, parameters."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator

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
_INDENTED, _ABOVE = 3, 2_000
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


def within(text: str, media_type: str) -> list[str]:
    """Return the headings in plain text, or an empty list for other types."""
    from biblicus.text.headings import plain_headings  # lazy: a question needs none

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
    above = text.rfind("\n\n", max(0, line - _ABOVE), line)
    begin = above + 2 if above >= 0 else max(0, line - _ABOVE)
    return not text[begin : begin + _INDENTED + 1].lstrip(" \n").startswith("<")
