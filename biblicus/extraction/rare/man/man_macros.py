"""The man(7) macros and common extensions (pod2man, GNU), written as Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterator

from biblicus.extraction.rare.man.roff import Line
from biblicus.extraction.rare.man.written import Written

_FONTS = ("B", "I", "R", "SM", "SB", "BR", "RB", "BI", "IB", "IR", "RI")
_JOINED = frozenset(font for font in _FONTS if len(font) == 2 and font != "SM" and font != "SB")
_PARAGRAPHS = frozenset(("PP", "P", "LP", "HP", "sp", "Sp", "RE", "bp", "Pp"))
_CODE = {"nf": True, "EX": True, "Vb": True, "fi": False, "EE": False, "Ve": False}
_LINKS = frozenset(("UR", "MT"))


def read(lines: Iterator[Line], page: Written) -> None:
    """Write the lines of a page."""
    reading = _Reading(page)
    for line in lines:
        if line.macro == "TS":
            _table(lines, page)
        elif line.macro == "EQ":
            page.say(" ".join(_until(lines, "EN")))
        else:
            reading.read(line)
    reading.end()


class _Reading:
    """State of the reader: if the next line is a heading, an entry's term, a link's text or plain text."""

    def __init__(self, page: Written) -> None:
        self._page = page
        self._wants = ""
        self._fonts = 0
        self._link = ""
        self._term = ""
        self._options: list[str] = []
        self._starts = False

    def read(self, line: Line) -> None:
        macro, args = line
        page = self._page
        if not macro:
            self._said(line.text)
        elif macro in _FONTS:
            words = ("" if macro in _JOINED else " ").join(args)
            if args:
                self._said(words)
        elif macro == "TH":
            page.title = f"{args[0]}({args[1]})" if len(args) > 1 else "".join(args)
        elif macro in ("SH", "SS"):
            self.end()
            if args:
                page.heading(line.text, 1 + (macro == "SS"))
            else:
                self._wants = macro
        elif macro == "TQ":
            self._wants = macro
        elif macro == "TP":
            self._finish_options()
            page.end()
            self._wants = macro
        elif macro == "IP":
            self._finish_options()
            term = args[0] if args else ""
            if term:
                page.entry(term)
            else:
                page.paragraph()
        elif macro in _CODE:
            page.code(begins=_CODE[macro])
        elif macro in _PARAGRAPHS:
            self._finish_options()
            page.paragraph()
        elif macro == "RS":
            self._finish_options()
            page.indent()
        elif macro == "br":
            self._starts = True
        elif macro in _LINKS:
            self._link = args[0] if args else ""
        elif macro in ("UE", "ME"):
            self._said(f"<{self._link}>{args[0] if args else ''}" if self._link else "".join(args))
            self._link = ""
        elif macro == "SY":
            self._finish_options()
            self._options = [line.text]
        elif macro == "OP":
            self._options.append(f"[{line.text}]")
        elif macro == "YS":
            self._finish_options()

    def _said(self, text: str) -> None:
        """Write a line of text, or use it as the heading or term that the last macro expects."""
        page = self._page
        if self._wants in ("SH", "SS"):
            if text.strip():
                page.heading(text, 1 + (self._wants == "SS"))
                self._wants = ""
        elif self._wants == "TP":
            if text.strip():
                self._term = f"{self._term}, {text}" if self._term else text
                self._wants = "TQ?"
        elif self._wants == "TQ":
            self._term = f"{self._term}, {text}" if self._term else text
            self._wants = "TQ?"
        elif self._options:
            self._options.append(text)
        else:
            self._finish_term()
            if not text.strip():
                page.paragraph()
            elif self._starts and text[:1].isspace():
                page.paragraph(text)
            else:
                page.say(text)
            self._starts = False

    def _finish_term(self) -> None:
        if self._term:
            self._page.entry(self._term)
        self._term = self._wants = ""

    def _finish_options(self) -> None:
        self._finish_term()
        if self._options:
            self._page.paragraph(" ".join(self._options))
            self._options = []

    def end(self) -> None:
        """Write pending text and close open blocks."""
        self._finish_options()
        self._page.end()


def _until(lines: Iterator[Line], macro: str) -> Iterator[str]:
    for line in lines:
        if line.macro == macro:
            return
        if not line.macro:
            yield line.text


def _table(lines: Iterator[Line], page: Written) -> None:
    """Write a tbl table: its format lines are dropped, its rows are kept."""
    separator, in_format, cell, cells, first = "\t", True, list[str](), list[str](), True
    bold = False
    for line in lines:
        text = line.text
        if line.macro == "TE":
            break
        if in_format and not line.macro:
            if text.rstrip().endswith(";"):
                if chosen := re.search(r"tab\s?\((.)\)", text):
                    separator = chosen[1]
                continue
            bold = bold or (first and re.search(r"[lcrn]\s?(?:f?[bB])", text) is not None)
            first, in_format = False, not text.rstrip().endswith(".")
            continue
        if line.macro == "T&":
            in_format = True
            continue
        if line.macro in _FONTS:
            text = ("" if line.macro in _JOINED else " ").join(line.args)
        elif line.macro:
            continue
        if cell:
            closed, _, rest = text.partition("T}")
            if "T}" not in text:
                cell.append(text)
                continue
            cells.append(" ".join((*cell[1:], closed)))
            cell, text = [], rest.removeprefix(separator)
            if not rest:
                bold = _row(page, cells, bold)
                cells = []
                continue
        if not cells and (not text.strip() or set(text.strip()) <= {"_", "="}):
            continue
        *complete_cells, last = text.split(separator)
        for part in complete_cells:
            cells.append(part)
        if last.strip() == "T{":
            cell = ["T{"]
            continue
        cells.append(last)
        bold = _row(page, cells, bold)
        cells = []
    page.end()


def _row(page: Written, cells: list[str], is_header: bool) -> bool:
    """Write a row. Returns False, as the next row is never a header."""
    page.row(cells)
    if is_header:
        page.row(["---"] * len(cells))
    return False
