"""Extractor of plain text: the decoded file with exact offsets, and headings from its layout."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

from biblicus.contracts import Extractor, Given, MediaHint
from biblicus.extraction.kit import front_matter
from biblicus.extraction.kit.texts import OfText, Options
from biblicus.models.extraction import Extraction, Heading, NoExtraction
from biblicus.text import media

_MOST = 50_000
_DRAWN = " \t\r\n\f=~^*#_-"
"""Characters of lines that may be above a title."""


class Text(OfText):
    """Extractor of text; front matter is parsed and masked."""

    fingerprint = "text/18"

    def read(self, text: str, warnings: tuple[str, ...], hint: MediaHint) -> Extraction | NoExtraction:
        if hint.media_type in (media.YAML, media.INI):  # `---` separates documents there
            from biblicus.extraction import keyed  # lazy: few texts are

            headings_of = keyed.headings if hint.media_type == media.YAML else keyed.of_settings
            return Extraction(text, headings=tuple(headings_of(text)), warnings=warnings)
        if hint.media_type == media.TOML:  # its first lines are no front matter
            return Extraction(text, warnings=warnings)
        metadata, masked, more = front_matter.read(text)
        is_plain = hint.media_type == media.PLAIN  # other data has no headings
        headings: tuple[Heading, ...] = ()
        title = None
        if is_plain:
            from biblicus.text.headings import plain_headings

            headings = tuple(Heading(*heading) for heading in islice(plain_headings(text), _MOST))
            title = _title(text, headings)
        return Extraction(
            text, headings=headings, title=title, masked=masked, metadata=metadata, warnings=warnings + more
        )


def _title(text: str, headings: Sequence[Heading]) -> str | None:
    """Return the first heading if it is at the top and has no section number, else None."""
    from biblicus.text.headings import is_numbered

    if not headings or text[: headings[0].offset].strip(_DRAWN) or is_numbered(headings[0].title):
        return None
    return headings[0].title


def build(options: Options, given: Given) -> Extractor:
    return Text()
