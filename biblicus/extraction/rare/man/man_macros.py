"""The man(7) macros and common extensions (pod2man, GNU), written as Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import takewhile

from biblicus.extraction.rare.man.roff import Line, Written

_FONTS = ("B", "I", "R", "SM", "SB", "BR", "RB", "BI", "IB", "IR", "RI")
_JOINED = frozenset(font for font in _FONTS if len(font) == 2 and font != "SM" and font != "SB")
_PARAGRAPHS = frozenset(("PP", "P", "LP", "HP", "sp", "Sp", "RE", "bp", "Pp", "IP"))
_CODE = {"nf": True, "EX": True, "Vb": True, "fi": False, "EE": False, "Ve": False}
_ENDS = _PARAGRAPHS | {"SH", "SS", "TP", "RS", "SY", "YS"}
"""Macros that end a term and a synopsis."""


def read(lines: Iterator[Line], page: Written) -> None:
    """Write the lines of a page."""
    reading = _Reading(page)
    for line in lines:
        if line.macro == "TS":
            _table(lines, page)
        elif line.macro == "EQ":
            inside = takewhile(lambda line: line.macro != "EN", lines)
            page.say(" ".join(line.text for line in inside if not line.macro))
        else:
            reading.read(line)
    reading.end()


class _Reading:
    """State of the reader: if the next line is a heading, an entry's term, a link's text or plain text."""

    def __init__(self, page: Written) -> None:
        self._page = page
        self._wants = ""
        self._link = ""
        self._term = ""
        self._options: list[str] = []
        self._starts = False

    def read(self, line: Line) -> None:
        (macro, args), page = line, self._page
        if macro in _ENDS:
            self._finish()
        match macro:
            case "":
                self._said(line.text)
            case _ if macro in _FONTS and args:
                self._said(_in_fonts(line))
            case "TH":
                page.title = f"{args[0]}({args[1]})" if len(args) > 1 else "".join(args)
            case "SH" | "SS" if args:
                page.heading(line.text, 1 + (macro == "SS"))
            case "SH" | "SS" | "TQ":
                self._wants = macro
            case "TP":
                page.end()
                self._wants = macro
            case "IP" if args and args[0]:
                page.entry(args[0])
            case "RS":
                page.indent()
            case "br":
                self._starts = True
            case "UR" | "MT":
                self._link = "".join(args[:1])
            case "UE" | "ME":
                self._said(f"<{self._link}>{''.join(args[:1])}" if self._link else "".join(args))
                self._link = ""
            case "SY":
                self._options = [line.text]
            case "OP":
                self._options.append(f"[{line.text}]")
            case _ if macro in _CODE:
                page.code(begins=_CODE[macro])
            case _ if macro in _PARAGRAPHS:
                page.paragraph()

    def _said(self, text: str) -> None:
        """Write a line of text, or use it as the heading or term that the last macro expects."""
        page = self._page
        if self._wants in ("SH", "SS"):
            if text.strip():
                page.heading(text, 1 + (self._wants == "SS"))
                self._wants = ""
        elif self._wants in ("TP", "TQ"):
            if text.strip() or self._wants == "TQ":
                self._term = f"{self._term}, {text}" if self._term else text
                self._wants = "TQ?"
        elif self._options:
            self._options.append(text)
        else:
            self._finish()
            if not text.strip():
                page.paragraph()
            elif self._starts and text[:1].isspace():
                page.paragraph(text)
            else:
                page.say(text)
            self._starts = False

    def _finish(self) -> None:
        """Write the pending term and synopsis."""
        if self._term:
            self._page.entry(self._term)
        self._term = self._wants = ""
        if self._options:
            self._page.paragraph(" ".join(self._options))
            self._options = []

    def end(self) -> None:
        """Write pending text and close open blocks."""
        self._finish()
        self._page.end()


def _in_fonts(line: Line) -> str:
    """Return the text of a macro that sets its arguments in fonts, in one or in turns."""
    return ("" if line.macro in _JOINED else " ").join(line.args)


def _table(lines: Iterator[Line], page: Written) -> None:
    """Write a tbl table: its format lines are dropped, its rows are kept. A cell between `T{` and `T}` has several
    lines."""
    separator, in_format, cell, cells, is_first, is_header = "\t", True, list[str](), list[str](), True, False
    for line in takewhile(lambda line: line.macro != "TE", lines):
        text = _in_fonts(line) if line.macro in _FONTS else line.text
        if in_format and not line.macro:
            if text.rstrip().endswith(";"):
                chosen = re.search(r"tab\s?\((.)\)", text)
                separator = chosen[1] if chosen else separator
                continue
            is_header = is_header or (is_first and re.search(r"[lcrn]\s?(?:f?[bB])", text) is not None)
            is_first, in_format = False, not text.rstrip().endswith(".")
            continue
        if line.macro and line.macro not in _FONTS:
            in_format = in_format or line.macro == "T&"
            continue
        is_row = True
        if cell:
            closed, ends, rest = text.partition("T}")
            if not ends:
                cell.append(text)
                continue
            cells.append(" ".join((*cell[1:], closed)))
            cell, text, is_row = [], rest.removeprefix(separator), bool(rest)
        elif not cells and (not text.strip() or set(text.strip()) <= {"_", "="}):
            continue
        if is_row:
            *complete_cells, last = text.split(separator)
            cells += complete_cells
            if last.strip() == "T{":
                cell = [last]
                continue
            cells.append(last)
        page.row(cells)
        if is_header:
            page.row(["---"] * len(cells))
        cells, is_header = [], False
    page.end()
