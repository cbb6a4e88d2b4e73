"""Tables as lines of text, with merged cells filled in and column names repeated in each row."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from biblicus.extraction.kit.composing import folded

_NUMBER = re.compile(r"[-+(]?[^\w\s]{0,3}\d[\d.,:/%\s–—-]*\W{0,3}")
_TICKS = frozenset("☐☑☒✓✗✔✘")
"""Values that cannot be column names."""
_SINCE = re.compile(r"(?:\w{3,9}\.? )?(?:\d{1,2}[./])?(?:19|20)\d\d\s?[–—-]\s?\S.{0,20}")
"""An open period: `2019 – today`."""
_TIME = re.compile(r"(?:1[5-9]|20|21)\d\d(?:[-/](?:\d\d){1,2}(?:-\d\d)?)?")
"""A year, a season (`2023/24`), a month or a day."""
_COLONS = (":", "：")
_AFTER_LABEL = " :："
_LONGEST_NAME = 60
"""Maximum characters of a column's name."""
_FEWEST_LINES = 3
"""Minimum lines of each cell in a row to split the row into several."""
_FEWEST_PARTS, _SHORTEST_TEXT = 4, 120
"""Minimum lines and characters of a cell that is running text and not a value."""
HEADER_ROWS = 3
"""Maximum rows that together name the columns."""
_FEWEST_PAIRS = 3
FORM_ROWS = 12
"""Number of first rows that decide if two columns are labels and values."""
_SAME_EDGE = 120
"""Tolerance of the edges of cells, in twips."""
_WIDEST = 1_000
"""Maximum columns or rows of a merged cell."""


class Cell(NamedTuple):
    """A cell as stored. `across`, `down`: columns and rows it covers, or 0 if it continues the cell at its left or
    above."""

    text: str
    across: int = 1
    down: int = 1


class Row(NamedTuple):
    """A row as displayed: the text of each column. `repeated`: columns that continue the cell at their left. `has_own`:
    False if all its text comes from above."""

    texts: list[str]
    repeated: frozenset[int] = frozenset()
    has_own: bool = True

    @property
    def is_title(self) -> bool:
        """True if one cell covers the row."""
        return bool(self.repeated) and len(self.texts) == len(self.repeated) + 1

    @property
    def groups_columns(self) -> bool:
        """True if a cell covers several columns and there is another cell."""
        columns = [number for number, text in enumerate(self.texts) if text]
        return len(columns) - len(self.repeated.intersection(columns)) > 1 and any(
            self.texts[number] for number in self.repeated
        )


def filled(table: Sequence[Sequence[str | Cell]]) -> list[Row]:
    """Return the rows with the text of a merged cell in every position that it covers."""
    rows: list[Row] = []
    covered: dict[int, tuple[str, int, bool]] = {}  # by column: text, remaining rows, continues the column at its left
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


def by_edges(table: Sequence[tuple[Sequence[Cell], Sequence[int]]]) -> list[list[Cell]]:
    """Return the rows of a table with `across` from the right edges of their cells, in twips, by those of the first row
    with most cells. Rows of as many cells stay, and rows without an edge for each cell."""
    columns = max((edges for cells, edges in table if len(edges) == len(cells)), key=len, default=())
    written: list[list[Cell]] = []
    for cells, edges in table:
        ends = [bisect_right(columns, edge + _SAME_EDGE) for edge in edges]
        widths = [end - begun for begun, end in pairwise([0, *ends])]
        if len(edges) == len(cells) < len(columns) and min(widths) > 0:
            cells = [cell._replace(across=cell.across * width) for cell, width in zip(cells, widths, strict=True)]
        written.append(list(cells))
    return written


class Placed(NamedTuple):
    """A line of text, and the first and last row of the table that it shows, from 0."""

    text: str
    first: int
    last: int


def rows(table: Sequence[Sequence[str | Cell]], *, has_header: bool = False) -> list[str]:
    """Return a table as lines: the values of each row with their column names, if the first rows are names.
    `has_header`: the format marks the first row as column names."""
    return [line.text for line in placed(table, has_header=has_header)]


def placed(table: Sequence[Sequence[str | Cell]], *, has_header: bool = False) -> list[Placed]:
    """Return the lines that `rows` returns, each with its rows of the table."""
    if any(isinstance(cell, Cell) and cell[1:] != (1, 1) for row in table for cell in row):
        lined = [(number, row) for number, row in enumerate(filled(table)) if row.has_own]
    else:
        texts = [[cell.text if isinstance(cell, Cell) else cell for cell in row] for row in table]
        lined = [
            (number, Row(list(row)))
            for number, wide in enumerate(texts)
            for row in _side_by_side(wide)
            if any(map(folded, row))
        ]
    folded_rows = [row._replace(texts=[folded(text) for text in row.texts]) for _, row in lined]
    if not has_header and is_form([row.texts for row in folded_rows[:FORM_ROWS] if not row.is_title], of_words=True):
        return [
            Placed(pair(row.texts[: 1 if row.is_title else None]), at, at)
            for (at, _), row in zip(lined, folded_rows, strict=True)
        ]
    start = next((number for number, row in enumerate(folded_rows) if not row.is_title), 0)
    lines = [
        Placed(row_line(row.texts, (), row.repeated), at, at)
        for (at, _), row in zip(lined[:start], folded_rows[:start], strict=True)
    ]
    count, names = names_of(folded_rows[start:])
    if count:
        lines.append(Placed(row_line(names, ()), lined[start][0], lined[start + count - 1][0]))
    for row, (at, parts) in zip(folded_rows[start + count :], lined[start + count :], strict=True):
        apart = [] if count else _apart(parts.texts)
        lines += [Placed(text, at, at) for text in apart or [row_line(row.texts, names, row.repeated)]]
    return lines


def names_of(beginning: Sequence[Row]) -> tuple[int, list[str]]:
    """Return the number of first rows that name the columns, and the names; 0 and no names if none do. If cells of the
    first row cover several columns, names join the rows below: `Summer Day`, `Summer Week`."""
    if not beginning:
        return 0, []
    beginning = [_grouping(*beginning[:2]), *beginning[1:]]
    count, names = 1, list(beginning[0].texts)
    while count < HEADER_ROWS and count + 1 < len(beginning) and beginning[count - 1].groups_columns:
        for number, text in enumerate(beginning[count].texts):
            above = names[number] if number < len(names) else ""
            names[number : number + 1] = [above if text == above else f"{above} {text}".strip()]
        count += 1
    is_named = count < len(beginning) and is_header(names, beginning[count].texts)
    return (count, names) if is_named else (0, [])


def _grouping(first: Row, *others: Row) -> Row:
    """Return the first row with its names repeated in the blank cells at their right, if only so the names in the row
    below differ."""
    below = others[0].texts if others else []
    texts = [*first.texts, *[""] * (len(below) - len(first.texts))]
    is_group = not first.repeated and len(set(below)) < len(below) == len(texts) > 2 and all(below)
    if not is_group or any(map(is_number, below)) or not any(texts[:-1]) or all(texts):
        return first
    blank = {number for number in range(1, len(texts)) if not texts[number]}
    for number in sorted(blank):
        texts[number] = texts[number - 1]
    return Row(texts, frozenset(number for number in blank if texts[number]))


def is_form(beginning: Sequence[Sequence[str]], *, of_words: bool) -> bool:
    """Return True if the two columns are distinct labels and their values: numbers among words, or labels that end in
    colons. `of_words`: different words are values, too, as in documents; a sheet of two columns has names."""
    pairs = [row for row in beginning if any(row)]
    if len(pairs) < _FEWEST_PAIRS or any(len(row) != 2 or not row[0] or row[0] == row[1] for row in pairs):
        return False
    labels = [row[0] for row in pairs]
    are_labels = len(set(labels)) == len(labels) and not any(map(is_number, labels))
    if not are_labels or any(len(label) > _LONGEST_NAME for label in labels):
        return False
    if any(map(_ends_label, labels)):
        return all(map(_ends_label, labels))
    values = [row[1] for row in pairs if any(map(str.isalnum, row[1]))] or [""]
    numbers = sum(map(is_number, values))
    if is_number(values[0]) or numbers > len(values) - numbers:
        return False
    return bool(numbers) or (of_words and len(set(values)) == len(pairs))


def _ends_label(text: str) -> bool:
    return text.endswith(_COLONS)


def pair(row: Sequence[str]) -> str:
    """Return a label and its value on one line."""
    label, value = row[0], " | ".join(filter(None, row[1:]))
    return f"{label.rstrip(_AFTER_LABEL)}: {value}" if label and value else label or value


def _apart(row: Sequence[str]) -> list[str]:
    """Return the lines of a row that puts two texts side by side, as in letterheads; none for a row of values."""
    texts = [[folded(line) for line in cell.split("\n") if line.strip()] for cell in row]
    filled = list(filter(None, texts))
    longest = max(filled, key=len)
    fewest = 2 if len(filled) == 1 else _FEWEST_PARTS
    if len(filled) > 2 or len(longest) < fewest or sum(map(len, longest)) < _SHORTEST_TEXT:
        return []
    return [line for text in filled for line in text]


def _side_by_side(row: Sequence[str]) -> list[Sequence[str]]:
    """Split a row whose cells have equally many short lines of figures into one row for each line. Wrapped text is not
    split."""
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
    """Return True if the lines contain numbers and no words."""
    filled = [line.strip() for line in lines if any(map(str.isalnum, line))]
    return bool(filled) and all(map(is_number, filled))


def row_line(row: Sequence[str], names: Sequence[str], repeated: frozenset[int] = frozenset()) -> str:
    """Return a row on one line: `Name: Ada | Age: 36`, or `Ada | 36` without names. `repeated`: columns that continue
    the cell at their left; they are shown only if they have a name."""
    filled_columns = [number for number, cell in enumerate(row) if cell]
    first = [number for number in filled_columns if number not in repeated]
    if len(first) == 1 and (len(filled_columns) > 1 or not any(names[: len(row)])):
        return row[first[0]]
    cells = []
    for number in filled_columns:
        name, cell = names[number] if number < len(names) else "", row[number]
        if name or number not in repeated:
            cells.append(f"{name.rstrip(_AFTER_LABEL)}: {cell}" if name and name != cell else cell)
    if not names:  # a label and its value
        for number in reversed(range(1, len(cells))):
            if _ends_label(cells[number - 1]) and not _ends_label(cells[number]):
                cells[number - 1 : number + 1] = [f"{cells[number - 1]} {cells[number]}"]
    return " | ".join(cells)


def is_header(row: Sequence[str], below: Sequence[str]) -> bool:
    """Return True if a row names the columns of the row below: at least two distinct short texts and no numbers. Years
    and dates count as names above other numbers."""
    names = [cell for cell in row if cell]
    if (
        len(names) < 2
        or len(set(names)) < len(names)
        or not _TICKS.isdisjoint(names)
        or any(len(name) > _LONGEST_NAME for name in names)
    ):
        return False
    named = [(name, cell) for name, cell in zip(row, below, strict=False) if cell and name]
    is_label = [name.endswith(_COLONS) for name in names]
    is_above = any(name.endswith(_COLONS) and cell.endswith(_COLONS) for name, cell in named if name != names[-1])
    if is_above or (is_label[0] and not all(is_label)):
        return False  # labels of the values at their right
    return len(named) >= 2 and (not any(map(is_number, names)) or _names_times(names, named, below))


def _names_times(names: Sequence[str], named: Sequence[tuple[str, str]], below: Sequence[str]) -> bool:
    """Return True if all numbers among the names are years or dates, above at least two values that are not."""
    counted = [cell for name, cell in named if is_number(name)]
    return (
        all(_TIME.fullmatch(name) for name in names if is_number(name))
        and len(counted) >= 2
        and not any(map(_TIME.fullmatch, counted))
        and not all(map(is_number, filter(None, below)))
    )


def is_number(cell: str) -> bool:
    """Return True for a number, date, time or open period (`2019 – today`)."""
    return _NUMBER.fullmatch(cell) is not None or _SINCE.fullmatch(cell) is not None
