"""Extractor of manual pages (roff with man(7) or mdoc(7) macros), written as Markdown.

It needs no external formatter, so that the text is the same on every machine. Options and commands become headings of
entries. A file that only has a manual's extension (`data.1`) is plain text.
"""

from __future__ import annotations

import re

from biblicus.contracts import MediaHint
from biblicus.extraction.kit.texts import of_text
from biblicus.extraction.rare.man import man_macros, mdoc_macros, roff
from biblicus.extraction.rare.man.roff import Written
from biblicus.models.extraction import Extraction, NoExtraction

_MDOC = re.compile(r"^[.'][ \t]*Dd\b", re.MULTILINE)
_MAN = re.compile(r"^[.'][ \t]*(?:TH|SH)\b", re.MULTILINE)
_ELSEWHERE = re.compile(r"^\.so[ \t]+(\S+)", re.MULTILINE)


def _extract(source: str, warnings: tuple[str, ...], hint: MediaHint) -> Extraction | NoExtraction:
    """Extract a manual page as Markdown; a file without its macros is plain text."""
    page = Written()
    if _MDOC.search(source):
        mdoc_macros.read(roff.lines(source), page)
    elif _MAN.search(source):
        man_macros.read(roff.lines(source), page)
    elif elsewhere := _ELSEWHERE.search(source):
        page.paragraph(f"See {elsewhere[1]}.")
    else:
        return Extraction(source, warnings=warnings)
    return page.extraction(warnings)


build = of_text("man/1", _extract)
