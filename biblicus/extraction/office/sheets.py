"""Rows of a spreadsheet as lines with column names; each row is a spot with its cell range."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from heapq import heappop, heappush
from typing import NamedTuple

from biblicus.extraction.kit.composing import Composer, folded
from biblicus.extraction.kit.grids import FORM_ROWS, Row, is_form, is_number, names_of, pair, row_line
from biblicus.models.locator import column_name

_LONGEST_CELL = 32_767
_MOST_COLUMNS = 16_384
"""Excel's limits; content beyond them is dropped with a warning."""
_WIDEST = 1_000
"""Maximum columns of a merged cell."""
_TRUTHS = frozenset(("TRUE", "FALSE"))
"""Values that cannot be column names."""


class Area(NamedTuple):
    """A range of merged cells; rows and columns count from 1."""

    top: int
    left: int
    bottom: int
    right: int


class _Row(NamedTuple):
    """A row of a sheet. `own`: stored texts by column; `shown`: texts as displayed, with merged cells filled in."""

    number: int
    own: dict[int, str]
    shown: Row
    is_hidden: bool


class Sheet:
    """Writes one sheet row by row. Column names apply up to the next blank row. `merged`: ranges of merged cells, to be
    set before their first row. `hidden_columns`: numbers from 1."""

    def __init__(self, composer: Composer, name: str, *, hidden: bool = False) -> None:
        self._composer, self._name = composer, folded(name)[:200]
        self._title = f"{self._name} (hidden sheet)" if hidden else self._name
        self.merged: list[Area] = []
        self.hidden_columns: set[int] = set()
        self._is_open = False
        self._names: list[str] = []
        self._are_alike = False  # the last two rows share a value in some column
        self._is_form = False  # two columns of labels and values, up to the next blank row
        self._waiting: list[_Row] = []  # rows whose first may be a header
        self._areas: list[Area] = []  # merged ranges further down, the nearest first
        self._covering: list[tuple[Area, str]] = []
        self._last = 0

    def row(self, number: int, cells: Mapping[int, str], *, hidden: bool = False) -> None:
        """Add a row (number from 1) with the texts of its cells by column (from 1)."""
        texts = {column: text for column, value in sorted(cells.items()) if (text := folded(value))}
        if any(column > _MOST_COLUMNS or len(text) > _LONGEST_CELL for column, text in texts.items()):
            self._composer.warn(
                f"The sheet {self._name[:60]} has columns beyond {column_name(_MOST_COLUMNS)}, or cells of more than"
                f" {_LONGEST_CELL:,} characters; what is beyond is left out."
            )
            texts = {column: text[:_LONGEST_CELL] for column, text in texts.items() if column <= _MOST_COLUMNS}
        if not texts:
            return
        if number > self._last + 1 and self._last:
            self.close()
            self._names, self._are_alike, self._is_form = [], False, False
        self._last = number
        self._waiting.append(_Row(number, texts, self._filled(number, texts), hidden))
        if len(self._waiting) > FORM_ROWS:
            self._settle()

    def _filled(self, number: int, texts: Mapping[int, str]) -> Row:
        """Return a row with the texts of the merged cells that cover it."""
        for area in self.merged:
            heappush(self._areas, area)
        self.merged.clear()
        self._covering = [entry for entry in self._covering if entry[0].bottom >= number]
        while self._areas and self._areas[0].top <= number:
            area = heappop(self._areas)
            if area.top == number:
                self._covering.append((area, texts.get(area.left, "")))
        row_texts, repeated = dict(texts), set()
        for area, text in self._covering:
            if not text or (len(texts) == 1 and area.top == number):  # a title above a table
                continue
            for column in range(area.left, min(area.right, area.left + _WIDEST) + 1):
                row_texts.setdefault(column, text)
                if column > area.left:
                    repeated.add(column - 1)
        return Row([row_texts.get(column, "") for column in range(1, max(row_texts) + 1)], frozenset(repeated))

    def _settle(self) -> None:
        """Write the first waiting row, or the waiting rows that together are the header."""
        rows = self._waiting
        count, names = self._header()
        if count:
            self._names = names
            self._write(rows[0], rows[count - 1], names, [])
            del rows[:count]
        else:
            row = rows.pop(0)
            self._write(row, row, row.shown.texts, self._names)

    def _header(self) -> tuple[int, list[str]]:
        """Return the number of header rows and the column names. A row that shares a value with the row above or below
        is no header. A later header replaces an earlier one only if it names more columns, of which one has numbers."""
        first, *others = self._waiting
        if len(first.own) <= len(list(filter(None, self._names))) or not others:
            self._are_alike = False
            return 0, []
        below = others[0]
        are_alike, self._are_alike = self._are_alike, any(first.own.get(at) == text for at, text in below.own.items())
        if are_alike or self._are_alike or not _TRUTHS.isdisjoint(first.own.values()):
            return 0, []
        block = list(self._block())
        self._is_form = self._is_form or (
            not self._names and is_form([row.shown.texts for row in block], of_words=False)
        )
        if self._is_form:
            return 0, []
        count, names = names_of([row.shown for row in block])
        if not count or count >= len(block):
            return 0, []
        values = block[count].shown.texts
        names_numbers = any(is_number(text) and not is_number(name) for name, text in zip(names, values, strict=False))
        return (count, names) if names_numbers or not self._names else (0, [])

    def _block(self) -> Iterator[_Row]:
        """Yield the waiting rows up to the first gap."""
        last = self._waiting[0].number - 1
        for row in self._waiting:
            if row.number > last + 1:
                return
            yield row
            last = row.number

    def _write(self, row: _Row, last_row: _Row, texts: Sequence[str], names: Sequence[str]) -> None:
        self._open()
        columns = [number for number, text in enumerate(texts, 1) if text]
        first, last = f"{column_name(columns[0])}{row.number}", f"{column_name(columns[-1])}{last_row.number}"
        self._composer.spot("sheet", self._name, first, last)
        marked = [
            f"{text} (hidden column)" if text and number in self.hidden_columns else text
            for number, text in enumerate(texts, 1)
        ]
        is_pair = self._is_form and not names and len(marked) == 2
        repeated = row.shown.repeated if row is last_row else frozenset()
        line = pair(marked) if is_pair else row_line(marked, names, repeated)
        self._composer.line(f"(hidden row) {line}" if row.is_hidden else line)

    def _open(self) -> None:
        if not self._is_open:
            self._is_open = True
            self._composer.gap()
            self._composer.spot("sheet", self._name)
            self._composer.heading(1, self._title)

    def remark(self, cell: str, text: str) -> None:
        """Write a comment or other text outside the cells."""
        if text:
            self._open()
            self._composer.spot("sheet", self._name, cell, cell)
            self._composer.line(text)

    def close(self) -> None:
        """Write the waiting rows at the end of the sheet."""
        while self._waiting:
            self._settle()
