"""Extractor of Jupyter notebooks: cell sources in order, each followed by its text output.

Headings come from Markdown cells and from raw reStructuredText cells. Any other cell starts with an empty heading.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from biblicus.contracts import Extractor, Given, MediaHint
from biblicus.extraction.kit.characters import in_markup
from biblicus.extraction.kit.composing import clean
from biblicus.extraction.kit.texts import OfText, nothing
from biblicus.extraction.markdown import headings, title
from biblicus.extraction.rst import section_titles
from biblicus.guards import json
from biblicus.models.extraction import Extraction, Heading, NoExtraction
from biblicus.models.frozen import dataclass
from biblicus.models.records import Record

_LARGEST = 256 << 20
_BELOW = 7
"""Heading level of a cell, below all Markdown levels."""
_LONGEST_OUTPUT, _MOST_LINES = 4_000, 60
"""Maximum characters and lines of an output that are read, since longer ones are logs or dumps."""
_COLOUR = re.compile(r"\x1b\[[\d;]{0,40}[A-Za-z]")
_ONLY_AN_OBJECT = re.compile(
    r"[\s\[(]*(?:array\(\[)?<[^<>\n]{1,300}>(?:[\s,)\]]+<[^<>\n]{1,300}>)*[\s,)\]]*(?:dtype=object\)?\s*)?"
)
_SHOWS_TEXT = re.compile(r"<table\b|\bsrcdoc=", re.IGNORECASE)
"""Sign of a page of HTML that is read instead of the plain text beside it."""


@dataclass(frozen=True, kw_only=True)
class Options(Record):
    """`outputs`: include printed and returned text, at most 60 lines for each output."""

    outputs: bool = True


class Notebook(OfText):
    """Extractor for nbformat 3 and 4; a file that is no notebook keeps its text, with a warning."""

    guarded = True

    def __init__(self, options: Options, html: Extractor) -> None:
        self._outputs, self._html = options.outputs, html
        self.fingerprint = f"notebook/6 {html.fingerprint}"

    def read(self, text: str, warnings: tuple[str, ...], hint: MediaHint) -> Extraction | NoExtraction:
        try:
            cells = list(_cells(json.read(text, max_bytes=_LARGEST)))
        except json.JsonRefused as error:
            return Extraction(text, warnings=(*warnings, f"The file is no notebook: {error.message}"))
        return self._joined(cells, warnings)

    def _joined(self, cells: list[Mapping[str, Any]], warnings: tuple[str, ...]) -> Extraction | NoExtraction:
        """Join the texts of the cells with blank lines between."""
        parts: list[str] = []
        outline: list[Heading] = []
        levels: dict[tuple[str, bool], int] = {}
        length = 0
        for cell in cells:
            source = _joined_lines(cell.get("source", cell.get("input")))
            cell_headings: list[Heading] = []
            if cell.get("cell_type") in ("markdown", "heading"):
                source = in_markup(source)
                cell_headings = list(headings(source))
            elif cell.get("cell_type") == "raw" and _is_rst(cell):
                cell_headings = list(section_titles(source, levels))
            cell_headings = [replace(heading, offset=heading.offset + length) for heading in cell_headings]
            if source.strip() and not (cell_headings and cell_headings[0].offset == length):
                cell_headings.insert(0, Heading(length, _BELOW, ""))
            outline += cell_headings
            for part in [source, *(self._texts(cell) if self._outputs else ())]:
                if part.strip():
                    parts.append(part)
                    length += len(part) + 2
        text = "\n\n".join(parts)
        named = title([heading for heading in outline if heading.title])
        return Extraction(text, headings=tuple(outline), title=named, warnings=warnings) if parts else nothing()

    def _texts(self, cell: Mapping[str, Any]) -> Iterator[str]:
        """Yield the texts of a code cell's outputs: tables by row, error messages, no pictures."""
        outputs = cell.get("outputs")
        for output in outputs if isinstance(outputs, list) else ():
            if isinstance(output, dict) and (text := _bounded(self._shown(output))).strip():
                yield text

    def _shown(self, output: Mapping[str, Any]) -> str:
        """Return the text of an output; empty for stderr and for bare object representations."""
        if output.get("output_type") in ("error", "pyerr"):
            name_and_words = [part for part in (output.get("ename"), output.get("evalue")) if isinstance(part, str)]
            return _COLOUR.sub("", ": ".join(filter(None, name_and_words)))
        if "stderr" in (output.get("name"), output.get("stream")):
            return ""
        kinds = output.get("data")
        kinds = kinds if isinstance(kinds, dict) else {}
        markup = _joined_lines(kinds.get("text/html") or output.get("html"))[: 50 * _LONGEST_OUTPUT]
        if _SHOWS_TEXT.search(markup):
            page = self._html.extract(b"\xef\xbb\xbf" + markup.encode("utf-8", "replace"), MediaHint("", "text/html"))
            if isinstance(page, Extraction):
                return page.text
        text = _joined_lines(output.get("text") or kinds.get("text/markdown") or kinds.get("text/plain"))
        return "" if _ONLY_AN_OBJECT.fullmatch(text) else "\n".join(map(_last_drawn, _COLOUR.sub("", text).split("\n")))


def build(options: Options, given: Given) -> Extractor:
    return Notebook(options, given.extractor("html", content="all"))


def _cells(document: Any) -> Iterator[Mapping[str, Any]]:
    """Yield the cells of a notebook of any version. Raises `JsonRefused` for other data."""
    if isinstance(document, dict) and isinstance(sheets := document.get("worksheets"), list):
        document = {"cells": [cell for sheet in sheets if isinstance(sheet, dict) for cell in sheet.get("cells") or ()]}
    if not isinstance(document, dict) or not isinstance(document.get("cells"), list):
        raise json.JsonRefused("it has no list of cells")
    yield from (cell for cell in document["cells"] if isinstance(cell, dict))


def _is_rst(cell: Mapping[str, Any]) -> bool:
    """Return True if a raw cell declares reStructuredText or no format."""
    metadata = cell.get("metadata")
    declared = (metadata.get("raw_mimetype") or metadata.get("format")) if isinstance(metadata, dict) else None
    return not declared or declared in ("text/restructuredtext", "text/x-rst")


def _last_drawn(line: str) -> str:
    """Return the last state of a line that a progress bar overwrote."""
    return line.rstrip("\r").rpartition("\r")[2]


def _bounded(text: str) -> str:
    """Return the first lines of an output."""
    lines = clean(text[:_LONGEST_OUTPUT]).split("\n")
    if len(text) > _LONGEST_OUTPUT and len(lines) > 1:
        lines.pop()
    return "\n".join(lines[:_MOST_LINES]).strip("\n")


def _joined_lines(value: object) -> str:
    """Return a multi-line text of nbformat, stored as a string or a list of lines."""
    if isinstance(value, list):
        return "".join(part for part in value if isinstance(part, str))
    return value if isinstance(value, str) else ""
