"""Extractor of LaTeX: the decoded file with its accents as letters, and its sections as headings."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

from biblicus.contracts import MediaHint
from biblicus.extraction.kit.texts import of_text
from biblicus.models.extraction import Extraction, Heading, NoExtraction

_LATEX = re.compile(
    r"\\(part|chapter|section|subsection|subsubsection|paragraph)\*?[ \t]{0,9}(?:\[[^\]\n]{0,200}\])?[ \t]{0,9}"
    r"\{((?:[^{}\n]|\{[^{}\n]{0,200}\}){1,300})\}"
)
_LATEX_TITLE = re.compile(r"\\title[ \t]{0,9}(?:\[[^\]\n]{0,200}\])?[ \t]{0,9}\{((?:[^{}]|\{[^{}]{0,200}\}){1,300})\}")
_LATEX_LEVELS = ("part", "chapter", "section", "subsection", "subsubsection", "paragraph")
_LATEX_MARKUP = re.compile(r"\\(?:label|index|footnote|thanks)\{[^{}]{0,300}\}|\\[a-zA-Z]{1,40}\*?|\\\\|[{}~$]")
_LATEX_COMMENT = re.compile(r"(?<!\\)(\\\\)?%[^\n]*(?:\n[ \t]*)?")
_LATEX_SIGN = re.compile(r"\\([%&_#])")
_UNKNOWN = re.compile(r"\A\s*\\[a-zA-Z]{1,40}(?:\{\}|\\)?\s*[:;,.–—-]+(?=\s)")
"""An unknown command at the beginning of a title, with the punctuation after it."""
_LINE = 2_000
"""Maximum characters of a line before a heading that are searched for a comment sign."""
_MOST = 50_000


def _extract(text: str, warnings: tuple[str, ...], hint: MediaHint) -> Extraction | NoExtraction:
    """Decode the text and find its headings; markup stays in the text."""
    title, headings = _READERS[hint.media_type](text) if hint.media_type in _READERS else (None, iter(()))
    outline = tuple(islice(headings, _MOST))
    return Extraction(text, headings=outline, title=title or (outline[0].title if outline else None), warnings=warnings)


build = of_text("outline/5", _extract)


def _latex(text: str) -> tuple[str | None, Iterator[Heading]]:
    title = _LATEX_TITLE.search(text)
    return _words(title[1]) if title else None, _sections(text)


def _sections(text: str) -> Iterator[Heading]:
    for match in _LATEX.finditer(text):
        line = text[max(0, match.start() - _LINE) : match.start()].rpartition("\n")[2]
        if "%" not in line.replace("\\%", "") and (words := _words(match[2])):
            yield Heading(match.start(), _LATEX_LEVELS.index(match[1]) + 1, words)


def _words(markup: str) -> str | None:
    plain = _LATEX_MARKUP.sub(" ", _UNKNOWN.sub("", _LATEX_COMMENT.sub(r"\1", markup)))
    return " ".join(_LATEX_SIGN.sub(r"\1", plain).split())[:300] or None


_READERS = {"text/x-tex": _latex}
