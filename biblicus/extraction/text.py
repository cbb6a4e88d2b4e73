"""Extractor of plain text: the decoded file with exact offsets, and headings from its layout."""

from __future__ import annotations

import html
import re
from collections.abc import Sequence
from itertools import islice

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


class Text(OfText):
    """Extractor of text; front matter is parsed and masked."""

    fingerprint = "text/17"

    def read(self, text: str, warnings: tuple[str, ...], hint: MediaHint) -> Extraction | NoExtraction:
        if hint.media_type in (media.YAML, media.INI):  # `---` separates documents there
            from biblicus.extraction.settings import keyed  # lazy: few texts are

            headings_of = keyed.headings if hint.media_type == media.YAML else keyed.of_settings
            return Extraction(text, headings=tuple(headings_of(text)), warnings=warnings)
        if hint.media_type == media.TOML:  # its first lines are no front matter
            return Extraction(text, warnings=warnings)
        metadata, masked, more = front_matter.read(text)
        is_plain = hint.media_type == media.PLAIN  # other data has no headings
        start = masked[0].end if masked else 0
        headings: tuple[Heading, ...] = ()
        title = _titled(text) if hint.media_type == media.XML else None
        if is_plain:
            from biblicus.extraction.heads import centred  # lazy, as is what follows: where nothing changed, nothing is
            from biblicus.text.headings import plain_headings

            headings = tuple(Heading(*heading) for heading in islice(plain_headings(text), _MOST))
            title = _title(text, headings) or centred.title(text, start)
        return Extraction(
            text, headings=headings, title=title, masked=masked, metadata=metadata, warnings=warnings + more
        )


def _title(text: str, headings: Sequence[Heading]) -> str | None:
    """Return the first heading if it is at the top and has no section number, else None."""
    from biblicus.text.headings import is_numbered

    if not headings or text[: headings[0].offset].strip(_DRAWN) or is_numbered(headings[0].title):
        return None
    return headings[0].title


def _titled(text: str) -> str | None:
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


def build(options: Options, given: Given) -> Extractor:
    return Text()
