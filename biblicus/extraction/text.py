"""Extractor of plain text: the decoded file with exact offsets, and headings and title from its layout."""

from __future__ import annotations

import html
import re
from collections.abc import Sequence
from itertools import groupby, islice, takewhile

from biblicus.contracts import Extractor, Given, MediaHint
from biblicus.extraction.kit import front_matter
from biblicus.extraction.kit.texts import OfText, Options
from biblicus.models.extraction import Extraction, Heading, NoExtraction
from biblicus.text import media

_MOST = 50_000
_TITLE = re.compile(r"<title\b[^<>]{0,200}>([^<>]{1,300})</title>", re.IGNORECASE)
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_TAG = re.compile(r"<(/?)([A-Za-z][\w.:-]*)[^<>]*?(/?)>")
_TAGS, _DEEP = 1_000, 4
_OF_ALL = ("text", "head", "header", "front", "meta", "metadata", "info", "teiheader", "titlestmt", "article-meta")
"""Elements with data about the whole document, and their maximum depth."""
_DRAWN = " \t\r\n\f=~^*#_-"
"""Characters of lines that may be above a title."""
_AHEAD, _MOST_LINES = 6_000, 60
"""Characters and lines from the start in which a title is searched."""
_WIDTH = 72
"""Columns of a memo's page."""
_NARROWEST, _WIDEST = 60, 80
"""Minimum and maximum length of the longest line, in a text without a header, for its centre to be known."""
_ASLANT = 5
"""Maximum difference in columns between the two margins of a centred line."""
_INDENTED = 8
"""Minimum spaces before a title in a text without a header."""
_LINES, _LONGEST, _LETTERS = 4, 200, 3
"""Maximum lines and characters of a title, and its minimum letters."""
_COLUMNS = re.compile(r"\S {3,}\S")
_FIELD = re.compile(r"\s{0,3}[A-Za-z][\w -]{1,30}:(?:\s|$)")
_NUMBERS = re.compile(r"[\s\d,]+")
"""A continuation line of a field such as `Updates: 2782, 3263,`."""
_ADDRESSED = re.compile(
    r"\s*(?:dear|to whom it|sehr geehrter?|lieber?|estimad[oa]s?|cher|chère|madame|monsieur|egregi[oa]|geachte"
    r"|уважаем(?:ый|ая|ые)) [^\n]{1,60}[,:!]\Z",
    re.IGNORECASE,
)
"""The salutation of a letter."""
_RIGHT = 36
"""Minimum column at which the right column of a header starts."""


class Text(OfText):
    """Extractor of text; front matter is parsed and masked."""

    fingerprint = "text/17"

    def read(self, text: str, warnings: tuple[str, ...], hint: MediaHint) -> Extraction | NoExtraction:
        if hint.media_type in (media.YAML, media.INI):  # `---` separates documents there
            from biblicus.extraction import keyed  # lazy: few texts are

            headings_of = keyed.headings if hint.media_type == media.YAML else keyed.of_settings
            return Extraction(text, headings=tuple(headings_of(text)), warnings=warnings)
        if hint.media_type == media.TOML:  # its first lines are no front matter
            return Extraction(text, warnings=warnings)
        metadata, masked, more = front_matter.read(text)
        is_plain = hint.media_type == media.PLAIN  # other data has no headings
        start = masked[0].end if masked else 0
        headings: tuple[Heading, ...] = ()
        title = _xml_title(text) if hint.media_type == media.XML else None
        if is_plain:
            from biblicus.text.headings import plain_headings

            headings = tuple(Heading(*heading) for heading in islice(plain_headings(text), _MOST))
            title = _title(text, headings) or _centred_title(text, start)
        return Extraction(
            text, headings=headings, title=title, masked=masked, metadata=metadata, warnings=warnings + more
        )


def _title(text: str, headings: Sequence[Heading]) -> str | None:
    """Return the first heading if it is at the top and has no section number, else None."""
    from biblicus.text.headings import is_numbered

    if not headings or text[: headings[0].offset].strip(_DRAWN) or is_numbered(headings[0].title):
        return None
    return headings[0].title


def _xml_title(text: str) -> str | None:
    """Return the only `title` of an XML document, if it is the root's or in a metadata element, else None."""
    text = _COMMENT.sub("", text)
    titles = list(islice(_TITLE.finditer(text), 2))
    if len(titles) != 1:
        return None
    around: list[str] = []
    for closes, name, is_empty in islice(_TAG.findall(text[: titles[0].start()]), _TAGS):
        if closes:
            del around[-1:]
        elif not is_empty:
            around.append(name.lower())
    is_of_all = len(around) < 2 or (len(around) < _DEEP and around[-1] in _OF_ALL)
    return (" ".join(html.unescape(titles[0][1]).split()) or None) if is_of_all else None


def _centred_title(text: str, start: int = 0) -> str | None:
    """Return the first paragraph below the header if each of its lines is centred and more text follows."""
    lines = [line.expandtabs().rstrip() for line in text[start : start + _AHEAD].lstrip("\ufeff").splitlines()]
    lines = lines[:_MOST_LINES]
    first = next(filter(None, lines), "")
    if any(map(_ADDRESSED.match, lines)):  # a letter, below its sender's address
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
    """Return a title's words on one line; without a header, only its lines before the first with a digit."""
    lines = paragraph if has_head else takewhile(lambda line: not any(map(str.isdigit, line)), paragraph)
    return " ".join(" ".join(line for line in lines if any(map(str.isalnum, line))).split())


def _is_centred(line: str, width: int, has_head: bool) -> bool:
    """Return True if the line has equal margins and no gap between columns."""
    left = len(line) - len(line.lstrip())
    is_in_the_middle = abs(width - len(line) - left) <= _ASLANT
    return (has_head or left >= _INDENTED) and is_in_the_middle and not _COLUMNS.search(line)


def _is_divided(line: str) -> bool:
    """Return True if the line has text in the right column, unlike fields whose values are aligned."""
    return any(gap.end() > _RIGHT for gap in _COLUMNS.finditer(line))


def _is_of_the_head(line: str) -> bool:
    return bool(_COLUMNS.search(line) or _FIELD.match(line) or _NUMBERS.fullmatch(line)) or not line[:_RIGHT].strip()


def build(options: Options, given: Given) -> Extractor:
    return Text()
