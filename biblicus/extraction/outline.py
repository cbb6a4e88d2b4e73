"""Extractor of LaTeX: the decoded file with its accents as letters, and its sections as headings."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice

from biblicus.contracts import MediaHint
from biblicus.extraction.kit.texts import of_text
from biblicus.models.extraction import CAPTION, Extraction, Heading, NoExtraction

_LATEX = re.compile(
    r"\\(part|chapter|section|subsection|subsubsection|paragraph)\*?[ \t]{0,9}(?:\[[^\]\n]{0,200}\])?[ \t]{0,9}"
    r"\{((?:[^{}\n]|\{[^{}\n]{0,200}\}){1,300})\}"
)
_LATEX_TITLE = re.compile(r"\\title[ \t]{0,9}(?:\[[^\]\n]{0,200}\])?[ \t]{0,9}\{((?:[^{}]|\{[^{}]{0,200}\}){1,300})\}")
_LATEX_LEVELS = ("part", "chapter", "section", "subsection", "subsubsection", "paragraph")
_LATEX_MARKUP = re.compile(r"\\(?:label|index|footnote|thanks)\{[^{}]{0,300}\}|\\[a-zA-Z]{1,40}\*?|\\\\|[{}~$]")
_LATEX_COMMENT = re.compile(r"(?<!\\)(\\\\)?%[^\n]*(?:\n[ \t]*)?")
_LATEX_SIGN = re.compile(r"\\([%&_#])")
_CAPTION = re.compile(
    r"\\(?:begin\{(?P<begin>[a-zA-Z]{1,30})\*?\}|end\{(?P<end>[a-zA-Z]{1,30})\*?\}"
    r"|caption(?:of\{\w{1,20}\})?\*?[ \t]{0,9}(?:\[[^\]\n]{0,200}\])?\{(?P<words>(?:[^{}]|\{[^{}]{0,200}\}){1,400})\})"
)
"""The beginning or end of an environment, or a caption."""
_BETWEEN = frozenset(("center", "minipage", "adjustbox", "threeparttable", "subtable"))
"""Environments between a caption and its table."""
_UNKNOWN = re.compile(r"\A\s*\\[a-zA-Z]{1,40}(?:\{\}|\\)?\s*[:;,.–—-]+(?=\s)")
"""An unknown command at the beginning of a title, with the punctuation after it."""
_LINE = 2_000
"""Maximum characters of a line before a heading that are searched for a comment sign."""
_MOST = 50_000


def _extract(text: str, warnings: tuple[str, ...], hint: MediaHint) -> Extraction | NoExtraction:
    """Decode the text and find its headings; markup stays in the text."""
    title = _LATEX_TITLE.search(text)
    sections = list(islice(_sections(text), _MOST))
    name = _words(title[1]) if title else None
    outline = sorted([*sections, *islice(_captions(text, sections), _MOST)])
    return Extraction(
        text, headings=tuple(outline), title=name or (sections[0].title if sections else None), warnings=warnings
    )


build = of_text("outline/8", _extract)


def _sections(text: str) -> Iterator[Heading]:
    for match in _LATEX.finditer(text):
        line = text[max(0, match.start() - _LINE) : match.start()].rpartition("\n")[2]
        if "%" not in line.replace("\\%", "") and (words := _words(match[2])):
            yield Heading(match.start(), _LATEX_LEVELS.index(match[1]) + 1, words)


def _captions(text: str, sections: Sequence[Heading]) -> Iterator[Heading]:
    """Yield the captions of tables as headings of their rows, each with the section that resumes after the table."""
    opened: list[tuple[str, int]] = []
    captions: dict[int, str] = {}
    for match in _CAPTION.finditer(text) if "\\caption" in text else ():
        if match["begin"]:
            opened.append((match["begin"], match.start()))
        elif match["words"]:
            around = next((start for name, start in reversed(opened) if name not in _BETWEEN), None)
            if around is not None and (words := _words(match["words"])):
                captions.setdefault(around, words)
        elif opened and opened[-1][0] == match["end"]:
            _, start = opened.pop()
            if start in captions and "&" in text[start : match.start()]:
                at = bisect_left(sections, Heading(start, 0, ""))
                section = sections[at - 1] if at else Heading(0, 1, "")
                yield Heading(start, CAPTION, captions[start])
                yield replace(section, offset=match.end())


def _words(markup: str) -> str | None:
    plain = _LATEX_MARKUP.sub(" ", _UNKNOWN.sub("", _LATEX_COMMENT.sub(r"\1", markup)))
    return " ".join(_LATEX_SIGN.sub(r"\1", plain).split())[:300] or None
