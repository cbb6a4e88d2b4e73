"""Tables as lines of text: merged cells, names of columns in one or several rows, and rows with those names."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from biblicus.extraction.kit.composing import folded

_NUMBER = re.compile(r"[-+(]?[^\w\s]{0,3}\d[\d.,:/%\s–—-]*\W{0,3}")
_SINCE = re.compile(r"(?:\w{3,9}\.? )?(?:\d{1,2}[./])?(?:19|20)\d\d\s?[–—-]\s?\S.{0,20}")
"""Since when something lasts: `2019 – today`."""
_TIME = re.compile(r"(?:1[5-9]|20|21)\d\d(?:[-/](?:\d\d){1,2}(?:-\d\d)?)?")
"""A year, a season (`2023/24`), a month or a day."""
_COLONS = (":", "：")
_AFTER_LABEL = " :："
_LONGEST_NAME = 60
"""Characters of a column's name; what is longer is no name."""
_FEWEST_LINES = 3
"""Lines of all cells of a row that are rows of their own."""
_FEWEST_PARTS, _SHORTEST_TEXT = 4, 120
"""Lines of a cell beside others, and its characters, that are a text and no value."""
HEADER_ROWS = 3
"""Rows that name columns together, at most."""
_FEWEST_PAIRS = 3
FORM_ROWS = 12
"""Rows that decide whether two columns are labels and values."""
_WIDEST = 1_000
"""Columns, and rows, that one merged cell covers at most."""


class Cell(NamedTuple):
    """A cell as a format stores it. `across`, `down`: the columns and rows that it covers; 0 where it only continues
    the cell on its left or above."""

    text: str
    across: int = 1
    down: int = 1


class Row(NamedTuple):
    """A row as people see it: the shown text of each column. `repeated`: columns that continue the cell on their left;
    `has_own`: the row has a text that does not come from above."""

    texts: list[str]
    repeated: frozenset[int] = frozenset()
    has_own: bool = True

    @property
    def is_title(self) -> bool:
        """One cell covers the whole row."""
        return bool(self.repeated) and len(self.texts) == len(self.repeated) + 1

    @property
    def groups_columns(self) -> bool:
        """The row has a cell over several columns, and another cell."""
        columns = [number for number, text in enumerate(self.texts) if text]
        return len(columns) - len(self.repeated.intersection(columns)) > 1 and any(
            self.texts[number] for number in self.repeated
        )


def filled(table: Sequence[Sequence[str | Cell]]) -> list[Row]:
    """Return the rows of a table with each merged cell's text in every place that the cell covers."""
    rows: list[Row] = []
    covered: dict[int, tuple[str, int, bool]] = {}  # by column: text, rows left, continues the column on its left
    for stored in table:
        texts: list[str] = []
        repeated: set[int] = set()
        above, covered, has_own = covered, {}, False

        def add(text: str, is_repeated: bool, left: int, texts: list[str] = texts, repeated: set[int] = repeated,
                covered: dict[int, tuple[str, int, bool]] = covered) -> None:  # fmt: skip
            if is_repeated:
                repeated.add(len(texts))
            if left > 0:
                covered[len(texts)] = text, left, is_repeated
            texts.append(text)

        for cell in stored:
            while len(texts) in above:
                text, left, is_repeated = above[len(texts)]
                add(text, is_repeated, left - 1)
            text, across, down = cell if isinstance(cell, Cell) else Cell(cell)
            if not down:
                text = rows[-1].texts[len(texts)] if rows and len(texts) < len(rows[-1].texts) else ""
            elif not across:
                text = texts[-1] if texts else ""
            else:
                has_own = has_own or bool(folded(text))
            for number in range(min(max(across, 1), _WIDEST)):
                add(text, number > 0 or not across, min(down, _WIDEST) - 1)
        while len(texts) in above:
            text, left, is_repeated = above[len(texts)]
            add(text, is_repeated, left - 1)
        rows.append(Row(texts, frozenset(repeated), has_own))
    return rows


def rows(table: Sequence[Sequence[str | Cell]], *, has_header: bool = False) -> list[str]:
    """Return a table as lines: each row's values with the names of their columns, where its first rows name these.

    `has_header`: the format marks the first row as the names of the columns.
    """
    if any(isinstance(cell, Cell) and cell[1:] != (1, 1) for row in table for cell in row):
        lined = [row for row in filled(table) if row.has_own]
    else:
        texts = [[cell.text if isinstance(cell, Cell) else cell for cell in row] for row in table]
        lined = [Row(list(row)) for wide in texts for row in _side_by_side(wide) if any(map(folded, row))]
    shown = [row._replace(texts=[folded(text) for text in row.texts]) for row in lined]
    if not has_header and is_form([row.texts for row in shown[:FORM_ROWS]]):
        return [_pair(row.texts) for row in shown]
    start = next((number for number, row in enumerate(shown) if not row.is_title), 0)
    lines = [row_line(row.texts, (), row.repeated) for row in shown[:start]]
    count, names = names_of(shown[start:])
    lines += [row_line(names, ())] if count else []
    for row, parts in zip(shown[start + count :], lined[start + count :], strict=True):
        if not count and (apart := _apart(parts.texts)):
            lines += apart
        else:
            lines.append(row_line(row.texts, names, row.repeated))
    return lines


def names_of(beginning: Sequence[Row]) -> tuple[int, list[str]]:
    """Return how many of a table's first rows name its columns, and the names; 0 where they name none.

    Where cells of the first row cover several columns, the rows below divide them: `Summer Day`, `Summer Week`.
    """
    if not beginning:
        return 0, []
    count, names = 1, list(beginning[0].texts)
    while count < HEADER_ROWS and count + 1 < len(beginning) and beginning[count - 1].groups_columns:
        for number, text in enumerate(beginning[count].texts):
            above = names[number] if number < len(names) else ""
            names[number : number + 1] = [above if text == above else f"{above} {text}".strip()]
        count += 1
    is_named = count < len(beginning) and is_header(names, beginning[count].texts)
    return (count, names) if is_named else (0, [])


def is_form(beginning: Sequence[Sequence[str]]) -> bool:
    """Return whether two columns are labels and their values: different labels, and numbers among words as values."""
    pairs = [row for row in beginning if any(row)]
    if len(pairs) < _FEWEST_PAIRS or any(len(row) != 2 or not row[0] or row[0] == row[1] for row in pairs):
        return False
    labels = [row[0] for row in pairs]
    are_labels = len(set(labels)) == len(labels) and not any(map(is_number, labels))
    if not are_labels or any(len(label) > _LONGEST_NAME for label in labels) or any(map(_ends_label, labels)):
        return False
    first, *values = [row[1] for row in pairs if any(map(str.isalnum, row[1]))] or [""]
    numbers = sum(map(is_number, values))
    return not is_number(first) and 0 < numbers <= len(values) - numbers


def _ends_label(text: str) -> bool:
    return text.endswith(_COLONS)


def _pair(row: Sequence[str]) -> str:
    """Return a label and its value on one line."""
    label, value = row[0], " | ".join(filter(None, row[1:]))
    return f"{label.rstrip(_AFTER_LABEL)}: {value}" if label and value else label or value


def _apart(row: Sequence[str]) -> list[str]:
    """The lines of a row that only sets two texts side by side, as letterheads do; none for a row of values."""
    texts = [[folded(line) for line in cell.split("\n") if line.strip()] for cell in row]
    filled = list(filter(None, texts))
    longest = max(filled, key=len)
    fewest = 2 if len(filled) == 1 else _FEWEST_PARTS
    if len(filled) > 2 or len(longest) < fewest or sum(map(len, longest)) < _SHORTEST_TEXT:
        return []
    return [line for text in filled for line in text]


def _side_by_side(row: Sequence[str]) -> list[Sequence[str]]:
    """The rows that a row is whose cells hold as many short lines each, where people set figures one below the other;
    not what they only wrapped."""
    columns = [cell.rstrip().split("\n") for cell in row]
    filled = [lines for lines in columns if any(lines)]
    count = len(filled[0]) if len(filled) > 1 else 0
    if count < _FEWEST_LINES or any(len(lines) != count for lines in filled):
        return [row]
    if any(len(line) > _LONGEST_NAME for lines in filled for line in lines):
        return [row]
    if not any(_are_figures(lines) for lines in filled):
        return [row]
    return [[lines[number] if len(lines) == count else "" for lines in columns] for number in range(count)]


def _are_figures(lines: Sequence[str]) -> bool:
    """Return True if the lines hold numbers and no words."""
    filled = [line.strip() for line in lines if any(map(str.isalnum, line))]
    return bool(filled) and all(map(is_number, filled))


def row_line(row: Sequence[str], names: Sequence[str], repeated: frozenset[int] = frozenset()) -> str:
    """Return a row on one line: `Name: Ada | Age: 36`, or without names `Ada | 36`.

    `repeated`: columns that continue the cell on their left, which need names to be shown.
    """
    filled_columns = [number for number, cell in enumerate(row) if cell]
    first = [number for number in filled_columns if number not in repeated]
    if len(first) == 1 and (len(filled_columns) > 1 or not any(names[: len(row)])):
        return row[first[0]]
    shown = []
    for number in filled_columns:
        name, cell = names[number] if number < len(names) else "", row[number]
        if name or number not in repeated:
            shown.append(f"{name.rstrip(_AFTER_LABEL)}: {cell}" if name and name != cell else cell)
    return " | ".join(shown)


def is_header(row: Sequence[str], below: Sequence[str]) -> bool:
    """Return True if a row names the columns of the one below: two short texts or more, all different, none a number.
    Years and days name columns of other numbers."""
    names = [cell for cell in row if cell]
    if len(names) < 2 or len(set(names)) < len(names) or any(len(name) > _LONGEST_NAME for name in names):
        return False
    named = [(name, cell) for name, cell in zip(row, below, strict=False) if cell and name]
    is_label = [name.endswith(_COLONS) for name in names]
    is_above = any(name.endswith(_COLONS) and cell.endswith(_COLONS) for name, cell in named if name != names[-1])
    if is_above or (is_label[0] and not all(is_label)):
        return False  # labels of what stands beside them
    return len(named) >= 2 and (not any(map(is_number, names)) or _names_times(names, named, below))


def _names_times(names: Sequence[str], named: Sequence[tuple[str, str]], below: Sequence[str]) -> bool:
    """Return True if all numbers of a row are years or days, two or more, above what is none and beside a word."""
    counted = [cell for name, cell in named if is_number(name)]
    return (
        all(_TIME.fullmatch(name) for name in names if is_number(name))
        and len(counted) >= 2
        and not any(map(_TIME.fullmatch, counted))
        and not all(map(is_number, filter(None, below)))
    )


def is_number(cell: str) -> bool:
    """Return True if a cell holds a number, a day or a time, and no words but until when it lasts."""
    return _NUMBER.fullmatch(cell) is not None or _SINCE.fullmatch(cell) is not None
