"""What a plain text is called that has its title in the middle of a line, as memos, standards and minutes do, and
before it at most a head in two columns, who it is of at the left and who wrote it at the right."""

from __future__ import annotations

import re
from itertools import groupby, takewhile

_AHEAD, _MOST_LINES = 6_000, 60
"""Characters and lines among which a title stands."""
_WIDTH = 72
"""Columns of a page of a memo."""
_NARROWEST, _WIDEST = 60, 80
"""Columns of the longest line of a text without a head, whose middle is known by it."""
_ASLANT = 5
"""How much wider one margin of a line in the middle may be than the other."""
_INDENTED = 8
"""Blanks before a title at least where there is no head."""
_LINES, _LONGEST, _LETTERS = 4, 200, 3
"""Lines and characters of a title at most, letters at least."""
_COLUMNS = re.compile(r"\S {3,}\S")
_FIELD = re.compile(r"\s{0,3}[A-Za-z][\w -]{1,30}:(?:\s|$)")
_NUMBERS = re.compile(r"[\s\d,]+")
"""A line that goes on from `Updates: 2782, 3263,`."""
_ADDRESSED = re.compile(
    r"\s*(?:dear|to whom it|sehr geehrter?|lieber?|estimad[oa]s?|cher|chère|madame|monsieur|egregi[oa]|geachte"
    r"|уважаем(?:ый|ая|ые)) [^\n]{1,60}[,:!]\Z",
    re.IGNORECASE,
)
"""How a letter speaks to somebody."""
_RIGHT = 36
"""Where a line of the right column begins at least."""


def title(text: str, start: int = 0) -> str | None:
    """The first paragraph below the head, where each line of it stands in the middle and more text follows."""
    lines = [line.expandtabs().rstrip() for line in text[start : start + _AHEAD].lstrip("\ufeff").splitlines()]
    lines = lines[:_MOST_LINES]
    first = next(filter(None, lines), "")
    if any(map(_ADDRESSED.match, lines)):  # below the head of who sends it
        return None
    if not first.startswith(" ") and not _COLUMNS.search(first):
        return None
    widest = max(map(len, lines))
    has_head = False
    for paragraph in (list(group) for is_text, group in groupby(lines, bool) if is_text):
        if all(_is_centred(line, _WIDTH if has_head else widest, has_head) for line in paragraph):
            words = _words(paragraph, has_head)
            is_title = len(paragraph) <= _LINES and len(words) <= _LONGEST and not words.endswith((".", ",", ";", ":"))
            is_wide = has_head or _NARROWEST <= widest <= _WIDEST
            return words if is_title and is_wide and sum(map(str.isalpha, words)) >= _LETTERS else None
        has_head = has_head or (any(map(_FIELD.match, paragraph)) and any(map(_is_divided, paragraph)))
        if not has_head or not all(map(_is_of_the_head, paragraph)):
            return None
    return None


def _words(paragraph: list[str], has_head: bool) -> str:
    """The words of a title; where no head has its version and day, without those below it."""
    lines = paragraph if has_head else takewhile(lambda line: not any(map(str.isdigit, line)), paragraph)
    return " ".join(" ".join(line for line in lines if any(map(str.isalnum, line))).split())


def _is_centred(line: str, width: int, has_head: bool) -> bool:
    """Whether both margins of a line are as wide, and nothing divides it."""
    left = len(line) - len(line.lstrip())
    is_in_the_middle = abs(width - len(line) - left) <= _ASLANT
    return (has_head or left >= _INDENTED) and is_in_the_middle and not _COLUMNS.search(line)


def _is_divided(line: str) -> bool:
    """Whether a line has a part in the right column, too: not what fields have whose values stand below each other."""
    return any(gap.end() > _RIGHT for gap in _COLUMNS.finditer(line))


def _is_of_the_head(line: str) -> bool:
    return bool(_COLUMNS.search(line) or _FIELD.match(line) or _NUMBERS.fullmatch(line)) or not line[:_RIGHT].strip()
