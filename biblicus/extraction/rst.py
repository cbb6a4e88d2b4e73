"""reStructuredText: the whole decoded file, with its section titles found by their underlines (and overlines).

Levels follow the order in which a file first uses its underline styles, as in docutils. A title that the file's first
fields state (`Title: …` as in mail and in Python's PEPs, `:title: …` as in docutils) comes before any heading.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from biblicus.contracts import Extractor, Given, MediaHint
from biblicus.extraction.markdown import title
from biblicus.extraction.text import Options, decoded, nothing
from biblicus.models.extraction import Extraction, Heading, NoExtraction

__all__ = ["Options", "build"]

_LINE = re.compile(r"(?:\A|\n)([!-/:-@\[-`{-~])\1+[ \t]*\r?(?=\n|\Z)")
_FIELDS = re.compile(r"\s*((?:(?::[A-Za-z][^:\n]*:|[A-Za-z][\w-]*:)(?:[ \t][^\n]*)?\n(?:[ \t]+[^\n]*\n)*)+)")
_TITLE = re.compile(r"^:?title:[ \t]+([^\n]+(?:\n[ \t]+[^\n]+)*)", re.IGNORECASE | re.MULTILINE)
_ROLE = re.compile(
    r":[\w:.+-]{1,40}:`([^`]{1,300})`|``([^`]{1,300})``|`([^`<]{1,300}?)\s?(?:<[^<>`]{0,300}>)?`_{0,2}|\*{1,2}"
)


class Rst:
    """Decodes and finds section titles; directives and roles stay as they are written."""

    fingerprint = "rst/2"
    guarded = False

    def extract(self, raw: bytes, hint: MediaHint) -> Extraction | NoExtraction:
        text, warnings = decoded(raw)
        if not text or text.isspace():
            return nothing()
        outline = list(_headings(text))
        return Extraction(text, headings=tuple(outline), title=_stated(text) or title(outline), warnings=warnings)


def build(options: Options, given: Given) -> Extractor:
    """The extractor for reStructuredText."""
    return Rst()


def _stated(text: str) -> str | None:
    """The title among the fields that a file starts with."""
    fields = _FIELDS.match(text)
    stated = _TITLE.search(fields[1]) if fields else None
    return _words(" ".join(stated[1].split())) or None if stated else None


def _headings(text: str) -> Iterator[Heading]:
    """The section titles, ascending."""
    levels: dict[tuple[str, bool], int] = {}
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


def _line_before(text: str, end: int) -> tuple[int, str]:
    """The line that ends at `end`, and where it starts; an empty one before the beginning."""
    if end <= 0:
        return 0, ""
    begin = text.rfind("\n", 0, end) + 1
    return begin, text[begin:end]


def _words(line: str) -> str:
    """The title without markup."""
    return " ".join(_ROLE.sub(lambda found: found[1] or found[2] or found[3] or "", line[:300]).split())
