"""A sheet's rows as lines: with the names of their columns, each row a spot of its cells."""

from __future__ import annotations

from collections.abc import Mapping

from biblicus.extraction.composing import Composer, folded, is_header, is_number, row_line
from biblicus.models.locator import column_name

_LONGEST_CELL = 32_767
_MOST_COLUMNS = 16_384
"""As Excel has them; what other programs write beyond is left out, with a warning."""
_TRUTHS = frozenset(("TRUE", "FALSE"))
"""Values that name no column."""


class Sheet:
    """One sheet, row after row. A row that names the columns of the one below it names those of all that follow, up to
    the next blank row."""

    def __init__(self, composer: Composer, name: str, *, hidden: bool = False) -> None:
        self._composer, self._name = composer, folded(name)[:200]
        self._title = f"{self._name} (hidden sheet)" if hidden else self._name
        self._is_open = False
        self._names: list[str] = []
        self._are_alike = False  # the last two rows hold the same somewhere
        self._before: tuple[int, dict[int, str]] | None = None  # a row that may turn out to be a header
        self._last = 0

    def row(self, number: int, cells: Mapping[int, str]) -> None:
        """A row (from 1) with the texts of its cells by column (from 1)."""
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
            self._settle(None)
            self._names, self._are_alike = [], False
        self._last = number
        self._settle(texts)
        if len(texts) <= len(list(filter(None, self._names))):
            self._write(number, texts, self._names)
        else:
            self._before = number, texts

    def _settle(self, below: Mapping[int, str] | None) -> None:
        """What the row before turns out to be, now that the one below it is known."""
        if self._before is None:
            return
        number, texts = self._before
        self._before = None
        is_header_now = below is not None and self._names_columns(texts, below)
        self._write(number, texts, [] if is_header_now else self._names)
        if is_header_now:
            self._names = _listed(texts)

    def _names_columns(self, texts: Mapping[int, str], below: Mapping[int, str]) -> bool:
        """Whether a row is a header: none has what stands right below or above it, too. Where one was before, that
        may have been a remark above the table: one that names more columns, and numbers among them, takes its place."""
        are_alike, self._are_alike = self._are_alike, any(texts.get(at) == text for at, text in below.items())
        if are_alike or self._are_alike or not _TRUTHS.isdisjoint(texts.values()):
            return False
        names_numbers = any(is_number(text) and not is_number(texts.get(at, text)) for at, text in below.items())
        return is_header(_listed(texts), _listed(below)) and (names_numbers or not self._names)

    def _write(self, number: int, texts: Mapping[int, str], names: list[str]) -> None:
        self._open()
        first, last = min(texts), max(texts)
        self._composer.spot("sheet", self._name, f"{column_name(first)}{number}", f"{column_name(last)}{number}")
        self._composer.line(row_line(_listed(texts), names))

    def _open(self) -> None:
        if not self._is_open:
            self._is_open = True
            self._composer.gap()
            self._composer.spot("sheet", self._name)
            self._composer.heading(1, self._title)

    def remark(self, cell: str, text: str) -> None:
        """What is said beside the cells."""
        if text:
            self._open()
            self._composer.spot("sheet", self._name, cell, cell)
            self._composer.line(text)

    def close(self) -> None:
        """No row follows."""
        self._settle(None)


def _listed(texts: Mapping[int, str]) -> list[str]:
    return [texts.get(column, "") for column in range(1, max(texts) + 1)]
